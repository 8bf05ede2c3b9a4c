/** One that has been served for so long is not what ends the process at once: the next may begin beside it. */
const clearedMs = 10_000;
const longestWaitMs = 30_000;

export interface Suspect {
  readonly deaths: number;
  /** It takes hardly any time, so it goes before those that may take long: what people say stands first. */
  readonly isShort: boolean;
}

/**
 * The line of a process's suspects: the jobs of all its queues that were being served when a process ended, oftener than once (RR-17).
 * They begin one after another, so that the next end is held against one only; and the later after the start of this process the
 * oftener it happened, so that whatever else there is to do is done first. Resolves with what to call once a job has ended.
 */
export type Suspects = (suspect: Suspect) => Promise<() => void>;

export function createSuspects(): Suspects {
  const since = performance.now();
  const short: (() => void)[] = [];
  const long: (() => void)[] = [];
  let isTaken = false;
  const next = (): void => {
    const goOn = short.shift() ?? long.shift();
    isTaken = goOn !== undefined;
    goOn?.();
  };
  return async ({ deaths, isShort }) => {
    await wait(since + Math.min(1_000 * 2 ** deaths, longestWaitMs) - performance.now());
    if (isTaken) await new Promise<void>((resolve) => (isShort ? short : long).push(resolve));
    isTaken = true;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    void Promise.race([ended, wait(clearedMs)]).then(next);
    return end;
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
