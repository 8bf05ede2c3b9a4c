/** When a schedule is due: five fields in UTC, `minute hour day month weekday`. */

import { Cron } from "croner";

/** Accepts five fields only: names such as `@daily` and a field for seconds are other programs' dialects. */
const parse = (text: string): Cron | undefined => {
  if (!/^\s*[^@\s]/.test(text)) return undefined;
  try {
    return new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
  } catch {
    return undefined;
  }
};

/** Whether it is a five-field cron expression that is ever due (`0 0 31 2 *` never is). */
export const isCron = (text: string): boolean => parse(text)?.nextRun() instanceof Date;

/** The last time at or before `now` at which it was due; undefined if it is no expression or never was. */
export function lastDue(text: string, now: Date): Date | undefined {
  // Croner finds whole seconds strictly before a reference: one second later, `now` itself counts.
  const reference = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 1_000);
  return parse(text)?.previousRuns(1, reference)[0];
}

/** How often it was due after `since` and before `until`, counted to `most`. */
export function countDue(text: string, since: Date, until: Date, most = 1_000): number {
  const cron = parse(text);
  let count = 0;
  for (let at = cron?.nextRun(since); at && at < until && count < most; at = cron?.nextRun(at)) count++;
  return count;
}
