/** One that has been served for so long is not what ends the process at once: the next may begin beside it. */
const clearedMs = 10_000;
const longestWaitMs = 30_000;
/** How long one that is to be served alone waits for what is under way, and then has for itself: a `/hold` waits no longer than both. */
const drainMs = 2_000;
const aloneMs = 3_000;
const lookMs = 20;

/** `isShort`: it takes hardly any time, so it is served alone, and before those that may take long: what people say stands first. */
interface Suspect {
  readonly deaths: number;
  readonly isShort: boolean;
}

/**
 * The line of a process's suspects: the jobs of all its queues that were being served when a process ended, oftener than once (RR-17).
 * They begin one after another, so that the next end is held against one only, and the short ones alone, so that it is held against
 * them for a moment only, however often the machine is killed; and the later after the start of this process the oftener it happened,
 * so that whatever else there is to do is done first.
 */
export interface PoisonJobs {
  /** Resolves when it is this one's turn, with what to call once it has ended. */
  readonly enter: (suspect: Suspect) => Promise<() => void>;
  /** What is under no suspicion begins: what to call once it has ended; nothing where one is served alone just now. */
  readonly pass: (job: Pick<Suspect, "isShort">) => (() => void) | undefined;
  /** Told each time that what had to wait may begin. */
  readonly onFree: (goOn: () => void) => void;
}

export function createPoisonJobs(): PoisonJobs {
  const since = performance.now();
  const short: (() => void)[] = [];
  const long: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let isAlone = false;
  /** Short jobs under way that are under no suspicion. */
  let passing = 0;

  const next = (): void => {
    const goOn = short.shift() ?? long.shift();
    isTaken = goOn !== undefined;
    goOn?.();
  };
  const free = (): void => {
    if (!isAlone) return;
    isAlone = false;
    for (const goOn of waiting) goOn();
  };
  const untilEmpty = async (): Promise<void> => {
    for (let waited = 0; passing > 0 && waited < drainMs; waited += lookMs) await wait(lookMs);
  };

  return {
    enter: async ({ deaths, isShort }) => {
      await wait(since + Math.min(1_000 * 2 ** deaths, longestWaitMs) - performance.now());
      if (isTaken) await new Promise<void>((resolve) => (isShort ? short : long).push(resolve));
      isTaken = true;
      const began = performance.now();
      isAlone = isShort;
      if (isShort) await untilEmpty();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      void Promise.race([ended, wait(aloneMs)]).then(free);
      void Promise.race([ended, wait(clearedMs)]).then(async () => {
        // Half of the time is for the others, of which there may be many that people wait for.
        if (isShort) await wait(performance.now() - began);
        next();
      });
      return end;
    },
    pass: ({ isShort }) => {
      if (isAlone) return undefined;
      if (!isShort) return () => undefined;
      passing++;
      return () => {
        passing--;
      };
    },
    onFree: (goOn) => void waiting.push(goOn),
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)).unref());
