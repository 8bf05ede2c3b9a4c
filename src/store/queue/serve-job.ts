import { messageOf } from "../../base/errors.ts";
import { sleep } from "../../base/sleep.ts";
import { afterCommit } from "../database/commit.ts";
import type { Db } from "../database/connection.ts";
import type { Fetcher } from "./fetcher.ts";
import type { Job, JobAttempt } from "./job.ts";
import type { PumpOptions } from "./pump.ts";
import { isPatient, isSpent, retryOf } from "./retry.ts";
import { beginAgain, endJob, endJobWith, postpone, putBack, touch } from "./table.ts";

/** How the jobs of one queue are served. */
interface Serving extends Pick<PumpOptions, "queue" | "handler" | "isTransient" | "onPoison" | "warn"> {
  readonly db: Db;
  readonly attempts: number;
  readonly fetcher: Pick<Fetcher, "noteMore" | "noteAfter">;
  readonly isStopping: () => boolean;
}

/** What came of an attempt: why it failed, or when the job is to be served again. */
interface Attempted {
  readonly failure: { readonly error: unknown } | undefined;
  /** By the clock that nobody sets. */
  readonly again: number | undefined;
}

/** Makes one attempt at a claimed job, and ends it or puts it back. Never rejects. */
export async function serveJob(serving: Serving, claim: JobAttempt, signal: AbortSignal): Promise<void> {
  const { db, queue, handler, attempts, fetcher, warn } = serving;
  let settled = false;
  let again: number | undefined;
  const lost = (): Error => new Error(`job ${claim.id} was given to another process`);
  const job: Job = {
    ...claim,
    queue,
    isLast: isSpent({ ...claim, failures: claim.failures + 1, attempt: claim.attempt + 1 }, attempts),
    signal,
    fence: async (tx) => {
      if (!(await touch(tx, claim))) throw lost();
    },
    settle: (tx) =>
      endJobWith(tx, {
        queue,
        claim,
        onEnded: ({ ended, more }) => {
          if (!ended) throw lost();
          afterCommit(tx, () => {
            settled = true;
            if (more) fetcher.noteMore();
          });
        },
      }),
    comeBack: (afterMs) => {
      again = performance.now() + afterMs;
    },
  };
  let failure: Attempted["failure"];
  try {
    if (claim.attempt > 1 && !(await beginAgain(db, claim))) throw lost();
    if (isSpent(claim, attempts))
      throw new Error(`the process ended ${claim.deaths} times while this was served again`);
    await handler(job);
  } catch (error) {
    failure = { error };
  }
  if (!settled) await conclude(serving, job, { failure, again });
  else if (failure) warn(`queue ${queue}: job ${job.id} failed after its end: ${messageOf(failure.error)}`);
}

/** Ends the job or puts it back, and keeps at it while the store fails: nobody else would, and the key waits. */
async function conclude(serving: Serving, job: Job, { failure, again }: Attempted): Promise<void> {
  const { queue, isTransient, isStopping, warn } = serving;
  const isPassing = failure !== undefined && isPatient(job) && isTransient?.(failure.error) === true;
  const why = isStopping() ? "ending" : isPassing ? "passing" : "failed";
  for (let delayMs = 1_000; ; delayMs = Math.min(2 * delayMs, 30_000)) {
    try {
      return await endOrPutBack(serving, job, { failure, again, why });
    } catch (error) {
      warn(`queue ${queue}: cannot conclude job ${job.id}: ${messageOf(error)}`);
      if (isStopping()) return;
      await sleep(delayMs);
    }
  }
}

async function endOrPutBack(
  { db, queue, attempts, onPoison, fetcher, warn }: Serving,
  job: Job,
  { failure, again, why }: Attempted & { readonly why: "ending" | "passing" | "failed" },
): Promise<void> {
  if (failure && !isSpent(job, attempts) && (why !== "failed" || !job.isLast)) {
    warn(`queue ${queue}: attempt ${job.attempt} of job ${job.id} failed: ${messageOf(failure.error)}`);
    return putBack(db, job, retryOf(job, why));
  }
  if (failure) {
    // Whoever serves it meanwhile is not to find it given up.
    if (!(await touch(db, job))) return;
    // What ends the process even as it is given up is given up unsaid.
    if (job.deaths <= attempts) await onPoison(job, failure.error);
    else warn(`queue ${queue}: job ${job.id} of ${job.key} ended the process: ${messageOf(failure.error)}`);
  }
  await fetcher.noteAfter(() => {
    if (again === undefined || failure) return endJob(db, queue, job);
    return postpone(db, queue, job, again - performance.now());
  });
}
