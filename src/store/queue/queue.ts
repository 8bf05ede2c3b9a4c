import { reached } from "../../base/crash-point.ts";
import { messageOf } from "../../base/errors.ts";
import { every } from "../../base/every.ts";
import type { QueueName } from "../../base/queues.ts";
import { backoffMs, sleep } from "../../base/sleep.ts";
import { databaseTimeBy } from "../clock.ts";
import { afterCommit } from "../database/commit.ts";
import type { Connection, Tx, Warn } from "../database/connection.ts";
import { createPoisonJobs, type PoisonJobs } from "./poison-jobs.ts";
import type { JobAttempt, JobRetry, NewJob } from "./table.ts";
import * as table from "./table.ts";

export interface Queue {
  /**
   * Inside the caller's transaction; the job is picked up when that commits. Jobs of one key are served in this order, and those
   * of different shares in turns. `post` coalesces: at most one job waits and one is active per key.
   */
  readonly enqueue: (
    tx: Tx,
    queue: QueueName,
    key: string,
    data: object,
    options?: Pick<NewJob, "share" | "afterMs">,
  ) => Promise<void>;
  /** Many jobs in one statement, for group commit; not for `post`, because these do not coalesce. */
  readonly enqueueMany: (tx: Tx, queue: Exclude<QueueName, "post">, jobs: readonly NewJob[]) => Promise<void>;
  /** Adds each job whose key has none: a job that waits for its time keeps that time. */
  readonly enqueueMissing: (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /** Makes the waiting job of a key due when the transaction commits; one that was put back after a failure keeps its time. */
  readonly hasten: (tx: Tx, queue: QueueName, key: string) => Promise<void>;
  /** Tells the pumps, also of other processes, that something was committed; `Store.transaction` does it by itself. */
  readonly wake: (queue: QueueName) => void;
  /** Serves a queue: one job at a time per key. A job that throws is retried later and later, five times; transient errors do not count. */
  readonly serve: (queue: QueueName, options: ServeOptions, handler: (job: Job) => Promise<void>) => Promise<void>;
  /** Resolves when no job of a served queue is active or due; for tests. */
  readonly idle: () => Promise<void>;
  /**
   * Takes no new jobs and waits for the active ones; after 25 s it aborts their signals, and the next process gets them. The outbox
   * stops last, so that results of the last jobs are still posted if GitHub takes them at once.
   */
  readonly stop: () => Promise<void>;
}

export interface Job extends JobAttempt {
  readonly queue: QueueName;
  /** Whether the job is given up if this attempt fails. */
  readonly isLast: boolean;
  /** Aborted when another process gets the job, or when this process wants to end. */
  readonly signal: AbortSignal;
  /** Throws if another process has got the job meanwhile; else no process gets it before this transaction ends. */
  readonly fence: (tx: Tx) => Promise<void>;
  /**
   * Ends the job in one commit with its effect. Throws, and so undoes the effect, if another process has got the job meanwhile.
   * A job whose handler does not call it ends when the handler returns.
   */
  readonly settle: (tx: Tx) => Promise<void>;
  /** Serves the job again after this time, or sooner if another of its key comes; only if the handler returns without an error. */
  readonly comeBack: (afterMs: number) => void;
}

export interface ServeOptions {
  /** How many keys are served side by side. */
  readonly slots: number;
  /** How many more this process may claim before a slot is free, for jobs as short as a claim; none by default. */
  readonly ahead?: number | undefined;
  /** After how many attempts a job is given up; five by default. */
  readonly attempts?: number | undefined;
  /** Whether an error passes by itself, e.g. a server that is down: the job is tried again, and the attempt does not count as failed. */
  readonly isTransient?: ((error: unknown) => boolean) | undefined;
  /** Called with a job that has used up its attempts, or that ended the process as often; after that the job is over. */
  readonly onPoison: (job: Job, error: unknown) => Promise<void>;
}

/** How long the outbox has to post the last results while the bot stops. */
const lastWordsMs = 2_000;
/** Finds what became due by time, and what another process's lost notification was about. */
const pollIntervalMs = 1_000;
const stopGraceMs = 25_000;
const heartbeatIntervalMs = 5_000;
const lapsedAfterMs = 15_000;
/** The clocks of the store and of this process drift apart by less than this between two heartbeats. */
const mostDriftMs = 2_000;
/** At most this part of one process belongs to one share; the rest stays free for others. */
const sharePart = 3 / 4;
/** A transient error is retried this often without counting: for more than a day, a minute apart. */
const mostTransientAttempts = 1_500;
const longestTransientDelayMs = 60_000;

/**
 * The queue of a store (RR-05, RR-11, RR-14, RR-17, SR-62): its rows keep order and claims (`table.ts`), and a pump for each queue
 * serves them.
 */
export async function createQueue(connection: Connection, warn: Warn): Promise<Queue> {
  const { db, others } = connection;
  await connection.whileAlone(() => table.reclaim(connection.relaxed));
  const pumps = new Map<QueueName, Pump>();
  const poisonJobs = createPoisonJobs();
  let stopping: Promise<void> | undefined;

  others?.onAnnounced((announced) => {
    for (const [queue, pump] of pumps) if (queue === announced) pump.wake();
  });
  const wake = (queue: QueueName, keys: readonly string[] = []): void => {
    const own = pumps.get(queue);
    // No process can get it before the job of its key that is served here has ended.
    if (keys.length > 0 && own && keys.every(own.serves)) return void own.wakeLater();
    // If this process has room, it takes the job; if it does not after all, the others find it by polling.
    if (!own?.hasRoom()) others?.announce(queue);
    own?.wake();
  };
  /** A job for later is found when it is due. */
  const wakeFor = (tx: Tx, queue: QueueName, jobs: readonly NewJob[]): void => {
    const keys = jobs.map(({ key }) => key);
    if (jobs.some(({ afterMs = 0 }) => afterMs <= 0)) afterCommit(tx, () => wake(queue, keys));
  };
  const adding = (add: typeof table.addJobs) => async (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => {
    await add(tx, queue, jobs);
    wakeFor(tx, queue, jobs);
  };
  const enqueueMany = adding(table.addJobs);
  /** The `post` keys that each transaction has enqueued: once is enough, however often it changes an issue. */
  const posted = new WeakMap<Tx, Set<string>>();
  const untilIdle = async (which: ReadonlyMap<QueueName, Pump>, enough?: AbortSignal): Promise<void> => {
    const isServing = () => [...which.values()].some((pump) => pump.isBusy());
    while (!enough?.aborted && (isServing() || (await table.isAnyDue(db, [...which.keys()])))) {
      // What became due by time is fetched now; while a job is served, its end wakes the pump by itself.
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
      await table.addUnlessWaiting(tx, "post", job);
      wakeFor(tx, "post", [job]);
    },
    enqueueMany,
    enqueueMissing: adding(table.addMissing),
    hasten: async (tx, queue, key) => {
      if (await table.bringForward(tx, queue, key)) afterCommit(tx, () => wake(queue, [key]));
    },
    wake: (queue) => wake(queue),
    serve: async (queue, options, handler) => {
      if (pumps.has(queue)) throw new Error(`the queue ${queue} is served already`);
      pumps.set(queue, createPump({ ...options, connection, queue, handler, poisonJobs, warn }));
    },
    idle: () => untilIdle(pumps),
    stop: () => {
      stopping ??= stopPumps();
      return stopping;
    },
  };
}

/**
 * Whether a job has used up its attempts. If the process ended during the first attempt, nothing recorded it, so the claims are
 * counted instead of the failures.
 */
const isSpent = ({ attempt, failures, deaths }: JobAttempt, attempts: number): boolean =>
  (deaths === 0 ? failures : Math.min(attempt - 1, failures + deaths + 1)) >= attempts;

/** How a job is put back after an attempt that failed, met a transient error, or was interrupted by the end of the process. */
export function retryOf({ failures, attempt }: JobAttempt, why: "ending" | "passing" | "failed"): JobRetry {
  if (why === "ending") return { failures, delayMs: 0 };
  const delayOf = (tries: number) => backoffMs(tries, { baseMs: 1_000, spread: 1 / 2 });
  if (why === "passing") return { failures, delayMs: Math.min(delayOf(attempt - 1), longestTransientDelayMs) };
  return { failures: failures + 1, delayMs: delayOf(failures) };
}

/** Whether a transient error is still waited for. */
export const isPatient = ({ attempt }: JobAttempt): boolean => attempt <= mostTransientAttempts;

type Pump = ReturnType<typeof createPump>;

/** A job that this process has claimed; it has begun once `done` is set. */
interface Claim extends JobAttempt {
  readonly abort: AbortController;
  done?: Promise<void>;
}

/** Serves one queue: when woken, it claims as many jobs as it has free slots, and a few ahead, in one statement. */
function createPump({
  connection,
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
  readonly queue: QueueName;
  readonly handler: (job: Job) => Promise<void>;
  /** One for all pumps of the process. */
  readonly poisonJobs: PoisonJobs;
  readonly warn: Warn;
}) {
  const { db, relaxed } = connection;
  const most = slots + mostAhead;
  const isShort = mostAhead > 0;
  const mine = new Set<Claim>();
  /** Claimed and waiting for a slot, so that a backlog costs one fetch for many jobs; each has another key. */
  let ahead: Claim[] = [];
  let stopped = false;
  let fetching: Promise<void> | undefined;
  let wakes = 0;
  let again = false;

  const served = (): readonly Claim[] => [...mine].filter(({ done }) => done);
  const hasSlot = (): boolean => !stopped && served().length < slots;
  const hasRoom = (): boolean => hasSlot() && ahead.length === 0;

  /** Notes that there is more to fetch when a job that is being served ends. */
  const wakeLater = (): void => {
    wakes++;
    again = true;
  };
  /** Fetches, but never twice at once: if a fetch is under way, it fetches once more. */
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
        const limits = { most: most - served().length, perShare: Math.ceil(most * sharePart) };
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

  /** Makes one attempt at a job, and ends it or puts it back. Never rejects. */
  const attempt = async ({ abort, done: _, ...claim }: Claim): Promise<void> => {
    let settled = false;
    /** By the clock of this process, which nobody sets. */
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
    // It keeps trying while the store fails: no other process would, and the key waits.
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
    // Another process that serves it by now must not find it given up.
    if (!(await table.touch(db, job))) return;
    // If even giving it up ends the process, it is given up silently.
    if (job.deaths <= attempts) await onPoison(job, error);
    else warn(`queue ${queue}: job ${job.id} of ${job.key} ended the process: ${messageOf(error)}`);
    await conclude(() => table.endJob(db, queue, job));
  };
  const conclude = async (end: () => Promise<{ readonly more: boolean }>): Promise<void> => {
    const before = wakes;
    const { more } = await end();
    // A job that was enqueued during this statement woke us while the key was still taken.
    again ||= more || wakes !== before;
  };

  let keptAliveAt = performance.now();
  /** How far the store's clock is from this process's, which nobody sets, and since when. */
  let clock: { readonly offset: number; readonly since: number } | undefined;
  /** Tells the other processes that this one works on its claims, and learns which were given to another. */
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
    // Not by `db`: transactions that stand still may have all of its connections.
    const shown = await databaseTimeBy((text) => relaxed(undefined, text));
    const now = performance.now();
    const offset = shown - (askedAt + now) / 2;
    clock ??= { offset, since: Number.NEGATIVE_INFINITY };
    if (Math.abs(offset - clock.offset) > mostDriftMs + now - askedAt) clock = { offset, since: now };
    // After a jump of the store's clock, a living process looks dead until its next heartbeat.
    const hasJumped = now - clock.since < lapsedAfterMs;
    // If this process stood still, or the store was away, the others could not report either.
    if (!hasJumped && !isBack) await table.reclaim(relaxed, { queue, idleMs: lapsedAfterMs });
  };

  poisonJobs.onFree(fillSlots);
  const poll = setInterval(wake, pollIntervalMs).unref();
  // Only other processes take over a job that is not kept alive.
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
      // What has not begun goes back: the next process gets it at once.
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
