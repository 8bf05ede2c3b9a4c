/** When a schedule is due. Five fields, UTC: `minute hour day month weekday`. */

import { Cron } from "croner";

/** Names of times such as `@daily` and a field for seconds are other programs' dialects: whoever reads the file knows five fields. */
const parse = (text: string): Cron | undefined => {
  if (!/^\s*[^@\s]/.test(text)) return undefined;
  try {
    return new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
  } catch {
    return undefined;
  }
};

/** True for a five-field cron expression that is due at all (`0 0 31 2 *` never is). */
export const isCron = (text: string): boolean => parse(text)?.nextRun() instanceof Date;

/** The last time at or before `now` at which it was due; nothing where it is no expression or never was. */
export function lastDue(text: string, now: Date): Date | undefined {
  // Whole seconds, and the times strictly before a reference: one second on, `now` itself counts.
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
