/** A job that has run for this long does not end the process at once: the next may begin beside it. */
const clearedMs = 10_000;
const longestWaitMs = 30_000;
/** How long a job that is served alone waits for the active ones, and then has the process to itself: a `/hold` waits no longer than both. */
const drainMs = 2_000;
const aloneMs = 3_000;
const lookMs = 20;

/** A short job is served alone, and before long ones: people's comments come first. */
interface Suspect {
  readonly deaths: number;
  readonly isShort: boolean;
}

/**
 * The line of a process's suspects (RR-17): the jobs of all its queues that were active when a process ended, more than once. They begin
 * one after another, so that the next death counts against one job only. Short ones run alone, so that a death counts against them
 * only for a moment, however often the machine is killed. The more deaths a job has, the later after the start of the process it begins,
 * so that all other work comes first.
 */
export interface PoisonJobs {
  /** Resolves when it is this job's turn; the result is called once the job has ended. */
  readonly enter: (suspect: Suspect) => Promise<() => void>;
  /** Lets a job without suspicion begin; the result is called once it has ended. Undefined while a suspect is served alone. */
  readonly pass: (job: Pick<Suspect, "isShort">) => (() => void) | undefined;
  /** Calls `goOn` each time that jobs which had to wait may begin. */
  readonly onFree: (goOn: () => void) => void;
}

export function createPoisonJobs(): PoisonJobs {
  const since = performance.now();
  const short: (() => void)[] = [];
  const long: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let isAlone = false;
  /** Active short jobs without suspicion. */
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
        // Half of the time is for the others, because people may wait for many of them.
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
