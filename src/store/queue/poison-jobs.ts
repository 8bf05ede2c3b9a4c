/** A job that runs so long does not end the process at once: the next may begin. */
const clearedMs = 10_000;
const longestWaitMs = 30_000;
/** A short suspect waits for active jobs, then has the process alone: a `/hold` waits no longer than both. */
const drainMs = 2_000;
const aloneMs = 3_000;
const lookMs = 20;

/** Short suspects run alone and before long ones, because people's comments come first. */
interface Suspect {
  readonly deaths: number;
  readonly isShort: boolean;
}

/**
 * Serves suspects (RR-17): jobs of all queues that were active at more than one process's end. They begin one after another, so that the
 * next death counts against one. Short ones run alone, so that frequent kills rarely hit them. The more deaths, the later a job begins, so
 * that other work comes first.
 */
export interface PoisonJobs {
  /** Resolves at the job's turn; call the result at its end. */
  readonly enter: (suspect: Suspect) => Promise<() => void>;
  /** Begins a job without suspicion; call the result at its end. Undefined while a suspect runs alone. */
  readonly pass: (job: Pick<Suspect, "isShort">) => (() => void) | undefined;
  readonly onFree: (goOn: () => void) => void;
}

export function createPoisonJobs(): PoisonJobs {
  const since = performance.now();
  const short: (() => void)[] = [];
  const long: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let isAlone = false;
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
        // Half of the time is for others, because people may wait for them.
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
