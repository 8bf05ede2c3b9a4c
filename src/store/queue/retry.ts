import type { Claimed } from "./job-table.ts";

/** What passes is tried again so often without being held against the job: for more than a day, a minute apart. */
const patience = 1_500;
const longestPassMs = 60_000;

/** How many attempts were made for sure before this claim: a first one, during which the process ended, left no trace of its own. */
export const attemptsAt = ({ retryCount, failures, deaths }: Claimed): number =>
  deaths === 0 ? failures : Math.min(retryCount, failures + deaths + 1);

/** Why an attempt came to nothing: the process ends, something mends itself for which people wait, or it failed. */
export type Interruption = "ending" | "passing" | "failed";

/** How a job is put back after an attempt that came to nothing: how many count as failed, and in how many ms it is due (RR-11, RR-17). */
export function retryOf(
  { failures, retryCount }: Claimed,
  why: Interruption,
): { readonly failures: number; readonly delayMs: number } {
  // What the end of the process has interrupted is the next one's at once.
  if (why === "ending") return { failures, delayMs: 0 };
  if (why === "passing") return { failures, delayMs: Math.min(backoffMs(retryCount + 1), longestPassMs) };
  return { failures: failures + 1, delayMs: backoffMs(failures + 1) };
}

/** Whether what mends itself is still waited for. */
export const isPatient = ({ retryCount }: Claimed): boolean => retryCount < patience;

const backoffMs = (attempt: number): number => 2 ** (attempt - 1) * 1_000 * (1 + Math.random() / 2);
