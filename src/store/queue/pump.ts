import { reached } from "../../base/crash-point.ts";
import { messageOf } from "../../base/errors.ts";
import { every } from "../../base/every.ts";
import { sleep } from "../../base/sleep.ts";
import { afterCommit } from "../database/after-commit.ts";
import type { Connection, Warn } from "../database/connection.ts";
import type { Job, JobAttempt, ServeOptions } from "./job.ts";
import type { PoisonJobs } from "./poison-jobs.ts";
import { attemptsAt, isPatient, retryOf } from "./retry.ts";
import { beginAgain, claimJobs, endJob, putBack, reclaim, touch } from "./table.ts";

/** The floor under waking: finds what became due by time, and what another process's lost word was about. */
const pollIntervalMs = 1_000;
const heartbeatIntervalMs = 5_000;
const lapsedAfterMs = 15_000;
const stopGraceMs = 25_000;
/** So much of what one process can hold may be one share's: the rest is for others, also while its jobs take their time. */
const sharePart = 3 / 4;

export type Pump = ReturnType<typeof createPump>;

export interface PumpOptions extends ServeOptions {
  readonly connection: Connection;
  readonly queue: Job["queue"];
  readonly handler: (job: Job) => Promise<void>;
  /** One for all pumps of the process. */
  readonly poisonJobs: PoisonJobs;
  readonly warn: Warn;
}

/** A job that this process has claimed; until it is begun it waits for a slot, or in the line of jobs that may have ended a process. */
interface Mine extends JobAttempt {
  readonly abort: AbortController;
  done?: Promise<void>;
}

/** Serves one queue: fetches when woken, as many jobs as there are free slots and a few ahead, in one statement. */
export function createPump(options: PumpOptions) {
  const {
    connection,
    queue,
    handler,
    slots,
    attempts = 5,
    isTransient: passes = () => false,
    onPoison,
    poisonJobs,
    warn,
  } = options;
  const { db, relaxed, others } = connection;
  const most = slots + (options.ahead ?? 0);
  const isShort = most > slots;
  const mine = new Set<Mine>();
  /** Those that wait for a slot, so that a backlog costs one fetch for many jobs. Each is of another key. */
  let ahead: Mine[] = [];
  let fetching: Promise<void> | undefined;
  let wakes = 0;
  let again = false;
  let stopped = false;

  const served = () => [...mine].filter(({ done }) => done);
  const hasSlot = (): boolean => !stopped && served().length < slots;
  /** Whether so many attempts at it have come to nothing that there is to be no other. */
  const isSpent = (claim: JobAttempt): boolean => attemptsAt(claim) >= attempts;

  const wake = (): void => {
    wakes++;
    again = true;
    if (hasSlot() && ahead.length === 0)
      fetching ??= fetchWhileWoken().finally(() => {
        fetching = undefined;
      });
  };

  const fetchWhileWoken = async (): Promise<void> => {
    try {
      while (again && hasSlot() && ahead.length === 0) {
        again = false;
        const limits = { most: most - served().length, perShare: Math.ceil(most * sharePart) };
        ahead = (await claimJobs(relaxed, queue, limits)).map((claim) => ({ ...claim, abort: new AbortController() }));
        for (const one of ahead) mine.add(one);
        fillSlots();
      }
    } catch (error) {
      warn(`queue ${queue}: cannot fetch: ${messageOf(error)}`);
    }
  };

  const fillSlots = (): void => {
    for (let one = ahead[0]; one && hasSlot(); one = ahead[0]) {
      const { deaths } = one;
      const isSuspect = deaths > 0 && !isSpent(one);
      const leave = isSuspect ? undefined : poisonJobs.pass({ isShort });
      if (!isSuspect && !leave) return;
      ahead.shift();
      if (leave) void begin(one).then(leave);
      else void poisonJobs.enter({ deaths, isShort }).then((leave) => begin(one).then(leave));
    }
  };

  const begin = async (one: Mine): Promise<void> => {
    if (!mine.has(one)) return;
    one.done = serve(one).finally(() => mine.delete(one));
    await one.done;
    fillSlots();
    if (again) wake();
  };

  const serve = async (claim: Mine): Promise<void> => {
    let settled = false;
    const lost = (): Error => new Error(`job ${claim.id} was given to another process`);
    const job: Job = {
      ...claim,
      queue,
      isLast: isSpent({ ...claim, failures: claim.failures + 1, attempt: claim.attempt + 1 }),
      signal: claim.abort.signal,
      fence: async (tx) => {
        if (!(await touch(tx, [claim])).has(claim)) throw lost();
      },
      settle: async (tx) => {
        const { ended, more } = await endJob(tx, queue, claim);
        if (!ended) throw lost();
        afterCommit(tx, () => {
          settled = true;
          again ||= more;
        });
      },
    };
    let failure: { readonly error: unknown } | undefined;
    try {
      if (claim.attempt > 1 && !(await beginAgain(db, claim))) throw lost();
      if (isSpent(claim)) throw new Error(`the process ended ${claim.deaths} times while this was served again`);
      await handler(job);
    } catch (error) {
      failure = { error };
    }
    if (!settled) await conclude(job, failure);
    else if (failure) warn(`queue ${queue}: job ${job.id} failed after its end: ${messageOf(failure.error)}`);
  };

  /** Ends the job or puts it back, and keeps at it while the store fails: nobody else would, and the key waits. */
  const conclude = async (job: Job, failure: { readonly error: unknown } | undefined): Promise<void> => {
    const isPassing = failure !== undefined && isPatient(job) && passes(failure.error);
    const why = stopped ? "ending" : isPassing ? "passing" : "failed";
    const retry = retryOf(job, why);
    for (let delayMs = 1_000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
      try {
        if (failure && !isSpent(job) && (why !== "failed" || !job.isLast)) {
          warn(`queue ${queue}: attempt ${job.attempt} of job ${job.id} failed: ${messageOf(failure.error)}`);
          return await putBack(db, job, retry);
        }
        if (failure) {
          // Whoever serves it meanwhile is not to find it given up.
          if (!(await touch(db, [job])).has(job)) return;
          // What ends the process even as it is given up is given up unsaid.
          if (job.deaths <= attempts) await onPoison(job, failure.error);
          else warn(`queue ${queue}: job ${job.id} of ${job.key} ended the process: ${messageOf(failure.error)}`);
        }
        const before = wakes;
        const { more } = await endJob(db, queue, job);
        // Whoever enqueued while this statement ran woke us when the key was still taken.
        again ||= more || wakes !== before;
        return;
      } catch (error) {
        warn(`queue ${queue}: cannot conclude job ${job.id}: ${messageOf(error)}`);
        if (stopped) return;
        await sleep(delayMs);
      }
    }
  };

  let keptAliveAt = performance.now();
  const keepAlive = async (): Promise<void> => {
    const isBack = performance.now() - keptAliveAt >= lapsedAfterMs;
    const all = [...mine];
    const ours = await touch(db, all);
    for (const one of all.filter((one) => !ours.has(one))) {
      if (one.done) one.abort.abort(new Error("another process took this job over"));
      else mine.delete(one);
    }
    ahead = ahead.filter((one) => mine.has(one));
    keptAliveAt = performance.now();
    // Where this process stood still, or the store was away, the others have had no chance either to say that they are there.
    if (!isBack) await reclaim(db, { queue, idleMs: lapsedAfterMs });
  };

  poisonJobs.onFree(fillSlots);
  const poll = setInterval(wake, pollIntervalMs).unref();
  // Where there can be other processes, they take over a job that is not kept alive.
  const heartbeat =
    others &&
    every(
      heartbeatIntervalMs,
      keepAlive,
      (error) => warn(`queue ${queue}: cannot keep jobs alive: ${messageOf(error)}`),
      {
        first: "later",
      },
    );
  wake();

  return {
    wake,
    isBusy: () => mine.size > 0 || fetching !== undefined,
    stop: async () => {
      stopped = true;
      if (served().length > 0) reached("CP18");
      clearInterval(poll);
      const grace = setTimeout(() => {
        for (const { abort } of served()) abort.abort(new Error("the process is ending"));
      }, stopGraceMs);
      await fetching;
      const notBegun = [...mine].filter(({ done }) => !done);
      for (const one of notBegun) mine.delete(one);
      await Promise.all(notBegun.map((one) => putBack(db, one, { ...one, delayMs: 0 }))).catch((error) =>
        warn(`queue ${queue}: cannot put jobs back: ${messageOf(error)}`),
      );
      await Promise.all(served().map(({ done }) => done));
      clearTimeout(grace);
      await heartbeat?.stop();
    },
  };
}
