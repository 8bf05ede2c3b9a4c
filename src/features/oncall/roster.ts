import { parseRepoOnCall } from "../../config/load.ts";
import { shiftsOf } from "../../pager/calendar.ts";
import { type OnCallRoster, rosterAt } from "../../pager/roster.ts";
import { rotationShifts } from "../../pager/rotation.ts";
import type { Deps, RepoContext } from "../context.ts";

/** Who is on call for a repository. */
export type OnCallNow =
  /** Nobody has said who is: neither the repository nor the operator. */
  | { readonly kind: "unset" }
  | { readonly kind: "unreadable"; readonly why: string }
  | {
      readonly kind: "known";
      readonly roster: OnCallRoster;
      readonly source: "rotation" | "calendar";
      readonly readAt?: Date;
    };

/** Reads who is on call: the repository's own rotation, else the operator's calendar with the names of both. Never throws. */
export async function onCallNow(
  { calendar, config, now }: Pick<Deps, "calendar" | "config" | "now">,
  { context: { oncall } }: { readonly context: Pick<RepoContext["context"], "oncall"> },
): Promise<OnCallNow> {
  const at = now();
  const parsed = oncall && parseRepoOnCall(oncall.text, oncall.path);
  if (parsed && !parsed.ok) {
    const why = parsed.problems.map(({ place, message }) => `${place}: ${message}`).join("; ");
    return { kind: "unreadable", why: why.slice(0, 300) };
  }
  const own = parsed?.value;
  if (own && own.people.length > 0 && own.from !== undefined) {
    const overrides = own.overrides.map(({ from, until, who }) => ({ fromWall: from, untilWall: until, login: who }));
    const rotation = { ...own, timeZone: own.time_zone, fromWall: own.from, everyMs: own.every, overrides };
    return { kind: "known", roster: rosterAt(rotationShifts(rotation, at), at), source: "rotation" };
  }
  if (!calendar) return { kind: "unset" };
  const read = await calendar(at);
  if (read.kind === "unreadable") return { kind: "unreadable", why: `the calendar cannot be read: ${read.why}` };
  const shifts = shiftsOf(read.occurrences, { ...config.oncall.calendar?.names, ...own?.names });
  return { kind: "known", roster: rosterAt(shifts, at), source: "calendar", readAt: read.readAt };
}
