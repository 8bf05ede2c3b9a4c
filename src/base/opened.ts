import { setTimeout as sleep } from "node:timers/promises";

export interface OpenParts<Stage extends string> {
  readonly add: (stage: Stage, close: () => unknown) => void;
  /** Closes stage by stage, each stage at once, despite failures; then throws the first error. */
  readonly close: () => Promise<void>;
}

/** A failed start must end even if a part does not close. */
const patienceMs = 10_000;

/** If one part fails to open, closes the others and throws, because half a process would neither work nor end. */
export async function openTogether<Stage extends string, T>(
  stages: readonly Stage[],
  open: (opened: OpenParts<Stage>) => Promise<T>,
): Promise<T> {
  const closers = new Map<Stage, (() => unknown)[]>(stages.map((stage) => [stage, []]));
  const opened: OpenParts<Stage> = {
    add: (stage, close) => void closers.get(stage)?.push(close),
    close: async () => {
      const failures: unknown[] = [];
      for (const stage of closers.values()) {
        const ended = await Promise.allSettled(stage.map(async (close) => close()));
        failures.push(...ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
  try {
    return await open(opened);
  } catch (error) {
    const closed = opened.close().catch(() => {
      // The start's error says more than one of closing.
    });
    await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
    throw error;
  }
}
