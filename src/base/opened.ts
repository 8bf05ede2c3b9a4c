import { setTimeout as sleep } from "node:timers/promises";

/** What has been opened so far, each with the stage in which it is let go of again. */
export interface OpenParts<Stage extends string> {
  /** Notes how to let go of what was just opened. */
  readonly add: (stage: Stage, close: () => unknown) => void;
  /**
   * Closes stage by stage, and what is of one stage at once. One that fails keeps no other open; throws what the first of them
   * threw, once all is done.
   */
  readonly close: () => Promise<void>;
}

/** A start that failed must end, whatever of it does not let itself be closed. */
const patienceMs = 10_000;

/**
 * Opens things that belong together. Where that fails, all that was opened until then is closed before the error is thrown: a
 * process that holds half of a start would neither work nor end.
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
      // Why it could not start says more than what then could not be closed.
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
