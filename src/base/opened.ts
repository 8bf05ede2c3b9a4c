import { setTimeout as sleep } from "node:timers/promises";

/** The parts opened so far, each with the stage in which it closes. */
export interface OpenParts<Stage extends string> {
  /** Adds how to close a part that was just opened. */
  readonly add: (stage: Stage, close: () => unknown) => void;
  /**
   * Closes stage by stage, and the parts of one stage at once. A failure keeps no other part open; throws the first error when all are
   * closed.
   */
  readonly close: () => Promise<void>;
}

/** A failed start must end, even if a part cannot be closed. */
const patienceMs = 10_000;

/**
 * Opens parts that belong together. If one fails, closes all others before it throws, because a process with half of its parts would
 * neither work nor end.
 */
export async function openTogether<Stage extends string, T>(
  stages: readonly Stage[],
  open: (opened: OpenParts<Stage>) => Promise<T>,
): Promise<T> {
  const opened = createOpened(stages);
  try {
    return await open(opened);
  } catch (error) {
    const closed = opened.close().catch(() => {
      // The error of the start says more than one of closing.
    });
    await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
    throw error;
  }
}

function createOpened<Stage extends string>(stages: readonly Stage[]): OpenParts<Stage> {
  const closers = new Map<Stage, (() => unknown)[]>(stages.map((stage) => [stage, []]));
  return {
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
}
