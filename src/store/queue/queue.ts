import { backoffMs, every, sleep } from "../../base/clock.ts";
import { reached } from "../../base/crash-point.ts";
import { messageOf } from "../../base/errors.ts";
import type { QueueName } from "../../base/queues.ts";
import { databaseTimeBy } from "../clock.ts";
import { afterCommit } from "../database/commit.ts";
import type { Connection, Tx, Warn } from "../database/connection.ts";
import { newNonce } from "../ids.ts";
import type { JobAttempt, JobRetry, NewJob } from "./table.ts";
import * as table from "./table.ts";

export interface Queue {
  /**
   * Adds a job at the transaction's commit. Jobs of a key are served in order, shares in turns. `post` coalesces: one waiting and one
   * active job per key.
   */
  readonly enqueue: (
    tx: Tx,
    queue: QueueName,
    key: string,
    data: object,
    options?: Pick<NewJob, "share" | "afterMs">,
  ) => Promise<void>;
  /** One statement; not for `post`, because these do not coalesce. */
  readonly enqueueMany: (tx: Tx, queue: Exclude<QueueName, "post">, jobs: readonly NewJob[]) => Promise<void>;
  /** One that waits keeps its time. */
  readonly enqueueMissing: (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /** Makes a key's waiting job due, unless it was put back after a failure. */
  readonly hasten: (tx: Tx, queue: QueueName, key: string) => Promise<void>;
  /** Wakes the pumps of all processes; `Store.transaction` does it too. */
  readonly wake: (queue: QueueName) => void;
  /** Tells all processes of an event by its name without spaces, once the transaction has committed. Nobody may be waiting. */
  readonly announce: (tx: Tx, event: string) => void;
  /** Resolves when the event is announced in any process, or after so long, because an announcement can be lost. */
  readonly heard: (event: string, withinMs: number) => Promise<void>;
  /** One job at a time per key. A failing job is retried five times with growing delays; transient errors do not count. */
  readonly serve: (queue: QueueName, options: ServeOptions, handler: (job: Job) => Promise<void>) => Promise<void>;
  /** Resolves if no served job is active or due; for tests. */
  readonly idle: () => Promise<void>;
  /**
   * Waits for active jobs and aborts their signals after 25 s. The outbox stops last, to post the last results if GitHub takes them at
   * once.
   */
  readonly stop: () => Promise<void>;
}

export interface Job extends JobAttempt {
  readonly queue: QueueName;
  /** Given up if this attempt fails. */
  readonly isLast: boolean;
  /** Aborts if another process gets the job, or this one ends. */
  readonly signal: AbortSignal;
  /** Throws if another process has the job; none gets it before the transaction ends. */
  readonly fence: (tx: Tx) => Promise<void>;
  /**
   * Ends the job in one commit with its effect; throws if another process has it, which undoes the effect. By default a job ends when its
   * handler returns.
   */
  readonly settle: (tx: Tx) => Promise<void>;
  /** If the handler succeeds, serves the job again after this time, or sooner if another of its key comes. */
  readonly comeBack: (afterMs: number) => void;
}

export interface ServeOptions {
  /** Keys served side by side. */
  readonly slots: number;
  /** Claimed before a slot is free, for jobs as short as a claim. */
  readonly ahead?: number | undefined;
  /** Five by default. */
  readonly attempts?: number | undefined;
  /** The error passes by itself, e.g. a server is down; the attempt does not count as failed. */
  readonly isTransient?: ((error: unknown) => boolean) | undefined;
  /** Called if the job used up its attempts, or ended the process as often; then it is over. */
  readonly onPoison: (job: Job, error: unknown) => Promise<void>;
}

/** For the outbox to post the last results. */
const lastWordsMs = 2_000;
/** For jobs that became due, or whose notification was lost. */
const pollIntervalMs = 1_000;
const stopGraceMs = 25_000;
const heartbeatIntervalMs = 5_000;
const lapsedAfterMs = 15_000;
/** Between two heartbeats, store and process drift apart by less. */
const mostDriftMs = 2_000;
/** A share's largest part of a process. */
const sharePart = 3 / 4;
/** More than a day, a minute apart. */
const mostTransientAttempts = 1_500;
const longestTransientDelayMs = 60_000;

/** Rows keep order and claims (`table.ts`); a pump serves each queue (RR-05, RR-11, RR-14, RR-17, SR-62). */
export async function createQueue(connection: Connection, warn: Warn): Promise<Queue> {
  const { db, others } = connection;
  await connection.whileAlone(() => table.reclaim(connection.relaxed));
  const pumps = new Map<QueueName, Pump>();
  const holder = newNonce();
  const poisonJobs = createPoisonJobs();
  let stopping: Promise<void> | undefined;

  const hearers = new Map<string, Set<() => void>>();
  const tell = (event: string): void => {
    for (const hear of hearers.get(event) ?? []) hear();
  };
  others?.onAnnounced((announced) => {
    for (const [queue, pump] of pumps) if (queue === announced) pump.wake();
    tell(announced);
  });
  const wake = (queue: QueueName, keys: readonly string[] = []): void => {
    const own = pumps.get(queue);
    // The new job waits for the job of its key that is served here.
    if (keys.length > 0 && own && keys.every(own.serves)) return void own.wakeLater();
    // If this process does not take it after all, others find it by polling.
    if (!own?.hasRoom()) others?.announce(queue);
    own?.wake();
  };
  const wakeFor = (tx: Tx, queue: QueueName, jobs: readonly NewJob[]): void => {
    const keys = jobs.map(({ key }) => key);
    if (jobs.some(({ afterMs = 0 }) => afterMs <= 0)) afterCommit(tx, () => wake(queue, keys));
  };
  const adding = (add: typeof table.addJobs) => async (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => {
    await add(tx, queue, jobs);
    wakeFor(tx, queue, jobs);
  };
  const enqueueMany = adding(table.addJobs);
  const posted = new WeakMap<Tx, Set<string>>();
  const untilIdle = async (which: ReadonlyMap<QueueName, Pump>, enough?: AbortSignal): Promise<void> => {
    const isServing = () => [...which.values()].some((pump) => pump.isBusy());
    while (!enough?.aborted && (isServing() || (await table.isAnyDue(db, [...which.keys()])))) {
      // For what became due by time; a job's end wakes its pump anyway.
      if (!isServing()) for (const pump of which.values()) pump.wake();
      await sleep(5);
    }
  };
  const stopPumps = async (): Promise<void> => {
    const outbox = new Map([...pumps].filter(([queue]) => queue === "post"));
    await Promise.all([...pumps].map(([queue, pump]) => (outbox.has(queue) ? undefined : pump.stop())));
    await untilIdle(outbox, AbortSignal.timeout(lastWordsMs)).catch((error) =>
      warn(`queue: stopped before the outbox was empty: ${messageOf(error)}`),
    );
    await Promise.all([...outbox.values()].map((pump) => pump.stop()));
  };

  return {
    enqueue: async (tx, queue, key, data, options = {}) => {
      const job = { key, data, ...options };
      if (queue !== "post") return enqueueMany(tx, queue, [job]);
      if (job.afterMs === undefined) {
        const keys = posted.get(tx) ?? new Set();
        if (keys.has(key)) return;
        posted.set(tx, keys.add(key));
      }
      await table.addUnlessWaiting(tx, { queue: "post", job });
      wakeFor(tx, "post", [job]);
    },
    enqueueMany,
    enqueueMissing: adding(table.addMissing),
    hasten: async (tx, queue, key) => {
      if (await table.bringForward(tx, queue, key)) afterCommit(tx, () => wake(queue, [key]));
    },
    wake: (queue) => wake(queue),
    announce: (tx, event) =>
      afterCommit(tx, () => {
        tell(event);
        others?.announce(event);
      }),
    heard: (event, withinMs) =>
      new Promise((resolve) => {
        const hearing = hearers.get(event) ?? new Set();
        hearers.set(event, hearing);
        const hear = (): void => {
          clearTimeout(timer);
          hearing.delete(hear);
          if (hearing.size === 0 && hearers.get(event) === hearing) hearers.delete(event);
          resolve();
        };
        const timer = setTimeout(hear, withinMs).unref();
        hearing.add(hear);
      }),
    serve: async (queue, options, handler) => {
      if (pumps.has(queue)) throw new Error(`the queue ${queue} is served already`);
      pumps.set(queue, createPump({ ...options, connection, holder, queue, handler, poisonJobs, warn }));
    },
    idle: () => untilIdle(pumps),
    stop: () => {
      stopping ??= stopPumps();
      return stopping;
    },
  };
}

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
 * Serves suspects: jobs of all queues that were active at more than one process's end. They begin one after another, so that the
 * next death counts against one. Short ones run alone, so that frequent kills rarely hit them. The more deaths, the later a job begins, so
 * that other work comes first.
 */
interface PoisonJobs {
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

/** A first attempt that ended the process left no record, so claims count then instead of failures. */
const isSpent = ({ attempt, failures, deaths }: JobAttempt, attempts: number): boolean =>
  (deaths === 0 ? failures : Math.min(attempt - 1, failures + deaths + 1)) >= attempts;

export function retryOf({ failures, attempt }: JobAttempt, why: "ending" | "passing" | "failed"): JobRetry {
  if (why === "ending") return { failures, delayMs: 0 };
  const delayOf = (tries: number) => backoffMs(tries, { baseMs: 1_000, spread: 1 / 2 });
  if (why === "passing") return { failures, delayMs: Math.min(delayOf(attempt - 1), longestTransientDelayMs) };
  return { failures: failures + 1, delayMs: delayOf(failures) };
}

export const isPatient = ({ attempt }: JobAttempt): boolean => attempt <= mostTransientAttempts;

type Pump = ReturnType<typeof createPump>;

/** It has begun once `done` is set. */
interface Claim extends JobAttempt {
  readonly abort: AbortController;
  done?: Promise<void>;
}

/** Each fetch claims jobs for free slots, and a few ahead, in one statement. */
function createPump({
  connection,
  holder,
  queue,
  handler,
  poisonJobs,
  warn,
  slots,
  ahead: mostAhead = 0,
  attempts = 5,
  isTransient,
  onPoison,
}: ServeOptions & {
  readonly connection: Connection;
  readonly holder: string;
  readonly queue: QueueName;
  readonly handler: (job: Job) => Promise<void>;
  readonly poisonJobs: PoisonJobs;
  readonly warn: Warn;
}) {
  const { db, relaxed } = connection;
  const most = slots + mostAhead;
  const isShort = mostAhead > 0;
  const mine = new Set<Claim>();
  /** One fetch serves a backlog; all keys differ. */
  let ahead: Claim[] = [];
  let stopped = false;
  let fetching: Promise<void> | undefined;
  let wakes = 0;
  let again = false;

  const served = (): readonly Claim[] => [...mine].filter(({ done }) => done);
  const hasSlot = (): boolean => !stopped && served().length < slots;
  const hasRoom = (): boolean => hasSlot() && ahead.length === 0;

  const wakeLater = (): void => {
    wakes++;
    again = true;
  };
  /** A wake during a fetch makes it fetch once more. */
  const wake = (): void => {
    wakeLater();
    if (hasRoom())
      fetching ??= fetchWhileWoken().finally(() => {
        fetching = undefined;
      });
  };
  const fetchWhileWoken = async (): Promise<void> => {
    try {
      while (again && hasRoom()) {
        again = false;
        const limits = { holder, most: most - served().length, perShare: Math.ceil(most * sharePart) };
        const claims = await table.claimJobs(relaxed, queue, limits);
        ahead = claims.map((claim) => ({ ...claim, abort: new AbortController() }));
        for (const one of ahead) mine.add(one);
        fillSlots();
      }
    } catch (error) {
      warn(`queue ${queue}: cannot fetch: ${messageOf(error)}`);
    }
  };

  const fillSlots = (): void => {
    for (let one = ahead[0]; one && hasSlot(); one = ahead[0]) {
      const claim = one;
      const isSuspect = claim.deaths > 0 && !isSpent(claim, attempts);
      const leave = isSuspect ? undefined : poisonJobs.pass({ isShort });
      if (!isSuspect && !leave) return;
      ahead.shift();
      if (leave) void begin(claim).then(leave);
      else void poisonJobs.enter({ deaths: claim.deaths, isShort }).then((leave) => begin(claim).then(leave));
    }
  };
  const begin = async (claim: Claim): Promise<void> => {
    if (!mine.has(claim)) return;
    claim.done = attempt(claim).finally(() => mine.delete(claim));
    await claim.done;
    fillSlots();
    if (again) wake();
  };

  /** Never rejects. */
  const attempt = async ({ abort, done: _, ...claim }: Claim): Promise<void> => {
    let settled = false;
    /** By the process's monotonic clock. */
    let comeBackAt: number | undefined;
    const lost = (): Error => new Error(`job ${claim.id} was given to another process`);
    const job: Job = {
      ...claim,
      queue,
      isLast: isSpent({ ...claim, failures: claim.failures + 1, attempt: claim.attempt + 1 }, attempts),
      signal: abort.signal,
      fence: async (tx) => {
        if (!(await table.touch(tx, claim))) throw lost();
      },
      settle: (tx) =>
        table.endJobWith(tx, {
          queue,
          claim,
          onEnded: ({ ended, more }) => {
            if (!ended) throw lost();
            afterCommit(tx, () => {
              settled = true;
              again ||= more;
            });
          },
        }),
      comeBack: (afterMs) => {
        comeBackAt = performance.now() + afterMs;
      },
    };
    let failure: { readonly error: unknown } | undefined;
    try {
      if (claim.attempt > 1 && !(await table.beginAgain(db, claim))) throw lost();
      if (isSpent(claim, attempts))
        throw new Error(`the process ended ${claim.deaths} times while this was served again`);
      await handler(job);
    } catch (error) {
      failure = { error };
    }
    if (settled) {
      if (failure) warn(`queue ${queue}: job ${job.id} failed after its end: ${messageOf(failure.error)}`);
      return;
    }
    const isPassing = failure !== undefined && isPatient(job) && isTransient?.(failure.error) === true;
    const why = stopped ? "ending" : isPassing ? "passing" : "failed";
    const at = comeBackAt;
    // Retries while the store fails: no other process would, and the key waits.
    for (let delayMs = 1_000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
      try {
        if (failure) return await putBackOrGiveUp(job, failure.error, why);
        return await conclude(() =>
          at === undefined ? table.endJob(db, queue, job) : table.postpone(db, queue, job, at - performance.now()),
        );
      } catch (error) {
        warn(`queue ${queue}: cannot conclude job ${job.id}: ${messageOf(error)}`);
        if (stopped) return;
        await sleep(delayMs);
      }
    }
  };
  const putBackOrGiveUp = async (job: Job, error: unknown, why: "ending" | "passing" | "failed"): Promise<void> => {
    if (!isSpent(job, attempts) && (why !== "failed" || !job.isLast)) {
      warn(`queue ${queue}: attempt ${job.attempt} of job ${job.id} failed: ${messageOf(error)}`);
      return table.putBack(db, job, retryOf(job, why));
    }
    // Another process may serve it by now.
    if (!(await table.touch(db, job))) return;
    // If even that ends the process, it is given up silently.
    if (job.deaths <= attempts) await onPoison(job, error);
    else warn(`queue ${queue}: job ${job.id} of ${job.key} ended the process: ${messageOf(error)}`);
    await conclude(() => table.endJob(db, queue, job));
  };
  const conclude = async (end: () => Promise<{ readonly more: boolean }>): Promise<void> => {
    const before = wakes;
    const { more } = await end();
    // A job enqueued meanwhile woke us while its key was taken.
    again ||= more || wakes !== before;
  };

  let keptAliveAt = performance.now();
  /** The store's clock minus this process's, and since when. */
  let clock: { readonly offset: number; readonly since: number } | undefined;
  const keepAlive = async (): Promise<void> => {
    const isBack = performance.now() - keptAliveAt >= lapsedAfterMs;
    const all = [...mine];
    const ours = await table.touchAll(relaxed, all);
    for (const one of all) {
      if (ours.has(one)) continue;
      if (one.done) one.abort.abort(new Error("another process took this job over"));
      else {
        mine.delete(one);
        ahead = ahead.filter((other) => other !== one);
      }
    }
    keptAliveAt = performance.now();
    const askedAt = performance.now();
    // Stalled transactions may hold all connections of `db`.
    const shown = await databaseTimeBy((text) => relaxed(undefined, text));
    const now = performance.now();
    const offset = shown - (askedAt + now) / 2;
    clock ??= { offset, since: Number.NEGATIVE_INFINITY };
    if (Math.abs(offset - clock.offset) > mostDriftMs + now - askedAt) clock = { offset, since: now };
    // After a jump of the store's clock, live processes look dead until their next heartbeat.
    const hasJumped = now - clock.since < lapsedAfterMs;
    // If this process stalled or the store was away, others could not report either.
    if (!hasJumped && !isBack) await table.reclaim(relaxed, { queue, idleMs: lapsedAfterMs });
  };

  poisonJobs.onFree(fillSlots);
  const poll = setInterval(wake, pollIntervalMs).unref();
  // Only other processes take over a job.
  const heartbeat =
    connection.others &&
    every(
      heartbeatIntervalMs,
      keepAlive,
      (error) => warn(`queue ${queue}: cannot keep jobs alive: ${messageOf(error)}`),
      { first: "later" },
    );
  wake();

  return {
    wake,
    wakeLater,
    hasRoom,
    serves: (key: string): boolean => [...mine].some((one) => one.key === key && one.done),
    isBusy: (): boolean => mine.size > 0 || fetching !== undefined,
    stop: async (): Promise<void> => {
      stopped = true;
      if (served().length > 0) reached("CP18");
      clearInterval(poll);
      const grace = setTimeout(() => {
        for (const { abort } of served()) abort.abort(new Error("the process is ending"));
      }, stopGraceMs);
      await fetching;
      // The next process gets it at once.
      const notBegun = [...mine].filter(({ done }) => !done);
      for (const one of notBegun) mine.delete(one);
      await Promise.all(notBegun.map((one) => table.putBack(db, one, { ...one, delayMs: 0 }))).catch((error) =>
        warn(`queue ${queue}: cannot put jobs back: ${messageOf(error)}`),
      );
      await Promise.all(served().map(({ done }) => done));
      clearTimeout(grace);
      await heartbeat?.stop();
    },
  };
}
