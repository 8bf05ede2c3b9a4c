import { backoffMs } from "../../base/sleep.ts";
import type { JobAttempt } from "./job.ts";

/** What passes is tried again so often without being held against the job: for more than a day, a minute apart. */
const patience = 1_500;
const backoff = { baseMs: 1_000, spread: 1 / 2 } as const;
const longestPassMs = 60_000;

/**
 * Whether so many attempts at it have come to nothing that there is to be no other. A first one, during which the process ended,
 * left no trace of its own.
 */
export const isSpent = ({ attempt, failures, deaths }: JobAttempt, attempts: number): boolean =>
  (deaths === 0 ? failures : Math.min(attempt - 1, failures + deaths + 1)) >= attempts;

/** How a job is put back after an attempt that came to nothing: how many count as failed, and in how many ms it is due. */
export interface JobRetry {
  readonly failures: number;
  readonly delayMs: number;
}

/** What comes of an attempt, by why it came to nothing: the process ends, something passes by itself, or it failed (RR-11, RR-17). */
export function retryOf({ failures, attempt }: JobAttempt, why: "ending" | "passing" | "failed"): JobRetry {
  // What the end of the process has interrupted is the next one's at once.
  if (why === "ending") return { failures, delayMs: 0 };
  if (why === "passing") return { failures, delayMs: Math.min(backoffMs(attempt - 1, backoff), longestPassMs) };
  return { failures: failures + 1, delayMs: backoffMs(failures, backoff) };
}

/** Whether what passes by itself is still waited for. */
export const isPatient = ({ attempt }: JobAttempt): boolean => attempt <= patience;
