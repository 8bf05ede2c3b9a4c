import { reached } from "../../base/crash-point.ts";
import { messageOf } from "../../base/errors.ts";
import { afterCommit } from "../database/after-commit.ts";
import type { Connection, Warn } from "../database/connection.ts";
import type { Job, ServeOptions } from "./job.ts";
import { beginAgain, type Claimed, claimJobs, endJob, holdClaim, putBack, reclaim, touch } from "./job-table.ts";
import type { Suspects } from "./poison-jobs.ts";
import { attemptsAt, isPatient, retryOf } from "./retry.ts";

const usualAttempts = 5;
/** The floor under waking: finds what became due by time, and what another process's lost word was about. */
const pollIntervalMs = 1_000;
const heartbeatIntervalMs = 5_000;
const lapsedAfterMs = 15_000;
const stopGraceMs = 25_000;

export interface Pump {
  readonly wake: () => void;
  readonly isBusy: () => boolean;
  readonly stop: () => Promise<void>;
}

export interface PumpOptions extends ServeOptions {
  readonly connection: Connection;
  readonly queue: Job["queue"];
  readonly handler: (job: Job) => Promise<void>;
  /** One for all pumps of the process. */
  readonly suspects: Suspects;
  readonly warn: Warn;
}

interface Live {
  readonly claim: Claimed;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** So much of what one process can hold may be one share's: the rest is for others, also while its jobs take their time. */
const sharePart = 3 / 4;

/**
 * Serves one queue: fetches when woken, as many jobs as there are free slots, in one statement: of each key the oldest, and of
 * the shares those that have the least. pg-boss's own worker loop would poll and serve a batch at a time.
 */
export function createPump({
  connection,
  queue,
  handler,
  slots,
  ahead: mostAhead = 0,
  attempts: maxAttempts = usualAttempts,
  isTransient: passes = () => false,
  onPoison,
  suspects,
  warn,
}: PumpOptions): Pump {
  const { db, relaxed, others } = connection;
  const room = slots + mostAhead;
  const isShort = mostAhead > 0;
  const perShare = Math.ceil(room * sharePart);
  const live = new Map<string, Live>();
  /** Claimed ahead of a free slot, so that a backlog costs one fetch for many jobs. Each is of another key. */
  let ahead: Claimed[] = [];
  /** Claimed, and standing in the line of suspects. */
  const held = new Set<Claimed>();
  let fetching: Promise<void> | undefined;
  let wakes = 0;
  let again = false;
  let stopped = false;

  const wake = (): void => {
    wakes++;
    again = true;
    if (stopped || ahead.length > 0 || live.size >= slots) return;
    fetching ??= fetchWhileWoken().finally(() => {
      fetching = undefined;
    });
  };

  const fetchWhileWoken = async (): Promise<void> => {
    try {
      while (again && !stopped && ahead.length === 0 && live.size < slots) {
        again = false;
        ahead = await claimJobs(relaxed, queue, { most: room - live.size, perShare });
        fillSlots();
      }
    } catch (error) {
      warn(`queue ${queue}: cannot fetch: ${messageOf(error)}`);
    }
  };

  const fillSlots = (): void => {
    while (!stopped && live.size < slots) {
      const [claim] = ahead;
      if (!claim) return;
      const isSuspect = claim.deaths > 0 && !isSpent(claim);
      const leave = isSuspect ? () => undefined : suspects.pass({ isShort });
      if (!leave) return;
      ahead.shift();
      void (isSuspect ? beginInLine(claim) : begin(claim)).then(leave);
    }
  };

  /** So many attempts at it have come to nothing that there is to be no other. */
  const isSpent = (claim: Claimed): boolean => attemptsAt(claim) >= maxAttempts;

  const beginInLine = async (claim: Claimed): Promise<void> => {
    held.add(claim);
    const leave = await suspects.enter({ deaths: claim.deaths, isShort });
    if (held.delete(claim)) await begin(claim);
    leave();
  };

  const begin = (claim: Claimed): Promise<void> => {
    const abort = new AbortController();
    const done = serveOne(claim, abort.signal).finally(() => live.delete(claim.id));
    live.set(claim.id, { claim, abort, done });
    return done.then(() => {
      fillSlots();
      if (again) wake();
    });
  };

  const serveOne = async (claim: Claimed, signal: AbortSignal): Promise<void> => {
    let settled = false;
    const job: Job = {
      id: claim.id,
      queue,
      key: claim.key,
      data: claim.data,
      attempt: claim.retryCount + 1,
      failures: claim.failures,
      deaths: claim.deaths,
      isLast: isSpent({ ...claim, failures: claim.failures + 1, retryCount: claim.retryCount + 1 }),
      signal,
      fence: async (tx) => {
        if (!(await holdClaim(tx, queue, claim))) throw new Error(`job ${claim.id} was given to another process`);
      },
      settle: async (tx) => {
        const { ended, more } = await endJob(tx, queue, claim);
        if (!ended) throw new Error(`job ${claim.id} was given to another process`);
        afterCommit(tx, () => {
          settled = true;
          again ||= more;
        });
      },
    };
    const failure = await tryOnce(job, claim);
    if (settled) {
      if (failure) warn(`queue ${queue}: job ${job.id} failed after its end: ${messageOf(failure.error)}`);
    } else await conclude(job, claim, failure);
  };

  const tryOnce = async (job: Job, claim: Claimed): Promise<{ readonly error: unknown } | undefined> => {
    try {
      if (claim.retryCount > 0 && !(await beginAgain(db, queue, claim)))
        throw new Error("it was given to another process");
      if (isSpent(claim)) throw new Error(`the process ended ${claim.deaths} times while this was served again`);
      await handler(job);
      return undefined;
    } catch (error) {
      return { error };
    }
  };

  /** Ends the job or puts it back, and keeps at it while the store fails: nobody else would, and the key waits. */
  const conclude = async (
    job: Job,
    claim: Claimed,
    failure: { readonly error: unknown } | undefined,
  ): Promise<void> => {
    const isPassing = failure !== undefined && isPatient(claim) && passes(failure.error);
    const why = stopped ? "ending" : isPassing ? "passing" : "failed";
    const retry = retryOf(claim, why);
    for (let delayMs = 1_000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
      try {
        if (failure && !isSpent(claim) && (why !== "failed" || !job.isLast)) {
          warn(`queue ${queue}: attempt ${job.attempt} of job ${job.id} failed: ${messageOf(failure.error)}`);
          return await putBack(db, queue, claim, retry);
        }
        if (failure) {
          // Whoever serves it meanwhile is not to find it given up.
          if (!(await touch(db, queue, [claim])).has(claim.id)) return;
          // What ends the process even as it is given up is given up unsaid.
          if (claim.deaths > maxAttempts)
            warn(`queue ${queue}: job ${job.id} of ${job.key} ended the process: ${messageOf(failure.error)}`);
          else await onPoison(job, failure.error);
        }
        const before = wakes;
        const { more } = await endJob(db, queue, claim);
        // Whoever enqueued while this statement ran woke us when the key was still taken.
        again ||= more || wakes !== before;
        return;
      } catch (error) {
        warn(`queue ${queue}: cannot conclude job ${job.id}: ${messageOf(error)}`);
        if (stopped) return;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  };

  let keptAliveAt = performance.now();
  const keepAlive = async (): Promise<void> => {
    const isBack = performance.now() - keptAliveAt >= lapsedAfterMs;
    const claims = [...[...live.values()].map(({ claim }) => claim), ...ahead, ...held];
    const ours = claims.length > 0 ? await touch(db, queue, claims) : new Set<string>();
    const isLost = (claim: Claimed): boolean => claims.includes(claim) && !ours.has(claim.id);
    ahead = ahead.filter((claim) => !isLost(claim));
    for (const claim of held) if (isLost(claim)) held.delete(claim);
    for (const { claim, abort } of live.values()) {
      if (isLost(claim)) abort.abort(new Error("another process took this job over"));
    }
    keptAliveAt = performance.now();
    // Where this process stood still, or the store was away, the others have had no chance either to say that they are there.
    if (!isBack) await reclaim(db, { queue, idleMs: lapsedAfterMs });
  };

  suspects.onFree(fillSlots);
  const poll = setInterval(wake, pollIntervalMs).unref();
  // Where there can be other processes, they take over a job that is not kept alive.
  const heartbeat = others
    ? setInterval(() => {
        keepAlive().catch((error: unknown) => warn(`queue ${queue}: cannot keep jobs alive: ${messageOf(error)}`));
      }, heartbeatIntervalMs).unref()
    : undefined;
  wake();

  return {
    wake,
    isBusy: () => live.size + ahead.length + held.size > 0 || fetching !== undefined,
    stop: async () => {
      stopped = true;
      if (live.size > 0) reached("CP18");
      clearInterval(poll);
      const grace = setTimeout(() => {
        for (const { abort } of live.values()) abort.abort(new Error("the process is ending"));
      }, stopGraceMs);
      await fetching;
      const notBegun = [...ahead, ...held].map((claim) => putBack(db, queue, claim, { ...claim, delayMs: 0 }));
      held.clear();
      await Promise.all(notBegun).catch((error: unknown) => {
        warn(`queue ${queue}: cannot put jobs back: ${messageOf(error)}`);
      });
      await Promise.all([...live.values()].map(({ done }) => done));
      clearTimeout(grace);
      clearInterval(heartbeat);
    },
  };
}
