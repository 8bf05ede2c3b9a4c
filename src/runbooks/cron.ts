import { Cron } from "croner";

/** `@daily` and a field for seconds are other dialects. */
const parse = (text: string): Cron | undefined => {
  if (!/^\s*[^@\s]/.test(text)) return undefined;
  try {
    return new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
  } catch {
    return undefined;
  }
};

/** Returns whether it is a five-field expression (UTC) that is ever due; `0 0 31 2 *` never is. */
export const isCron = (text: string): boolean => parse(text)?.nextRun() instanceof Date;

/** Returns the last due time at or before `now`; undefined if there is none. */
export function lastDue(text: string, now: Date): Date | undefined {
  // Croner finds whole seconds strictly before a reference.
  const reference = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 1_000);
  return parse(text)?.previousRuns(1, reference)[0];
}

/** Counts due times after `since` and before `until`, up to `most`. */
export function countDue(text: string, since: Date, until: Date, most = 1_000): number {
  const cron = parse(text);
  let count = 0;
  for (let at = cron?.nextRun(since); at && at < until && count < most; at = cron?.nextRun(at)) count++;
  return count;
}
