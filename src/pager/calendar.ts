import ICAL from "ical.js";
import { instantOf, isTimeZone } from "../base/clock.ts";
import { loginForm, namesGroup } from "../base/github.ts";
import type { Shift } from "./roster.ts";

export interface CalendarText {
  readonly text: string;
  /** For times without a zone. */
  readonly timeZone: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Occurrence {
  readonly startMs: number;
  readonly endMs: number;
  readonly summary: string;
  /** Addresses and names. */
  readonly attendees: readonly string[];
}

/** No on-call calendar has more occurrences. */
const mostOccurrences = 20_000;

/**
 * The occurrences of an iCalendar text (RFC 5545) that touch the span, with overrides applied. Throws if it is no calendar. Pure, but may
 * never end (`calendar-thread.ts`).
 */
export function readOccurrences({ text, timeZone, fromMs, untilMs }: CalendarText): readonly Occurrence[] {
  const calendar = ICAL.Component.fromString(text);
  if (calendar.name !== "vcalendar") throw new Error("it is no calendar");
  const named = calendar.getFirstPropertyValue("x-wr-timezone");
  const zone = typeof named === "string" && isTimeZone(named) ? named : timeZone;
  const events = calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
  const masters = events.filter((event) => !event.isRecurrenceException());
  const exceptions = events.filter((event) => event.isRecurrenceException());
  const known = new Set(masters.map(({ uid }) => uid));
  for (const master of masters)
    for (const exception of exceptions) if (exception.uid === master.uid) master.relateException(exception);
  const found: Occurrence[] = [];
  const add = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): "later" | "on" => {
    const startMs = momentOf(start, event, zone);
    const endMs = momentOf(end, event, zone);
    const isCancelled = event.component.getFirstPropertyValue("status") === "CANCELLED";
    if (!isCancelled && startMs < untilMs && endMs > fromMs)
      found.push({
        startMs,
        endMs,
        summary: event.summary ?? "",
        attendees: event.attendees.flatMap((attendee) => {
          const address = String(attendee.getFirstValue() ?? "").replace(/^mailto:/i, "");
          const name = attendee.getFirstParameter("cn");
          return [address, ...(name ? [name] : [])];
        }),
      });
    return startMs >= untilMs ? "later" : "on";
  };
  // An override without its series is a separate event.
  for (const event of exceptions) if (!known.has(event.uid)) add(event, event.startDate, event.endDate);
  for (const master of masters) {
    if (!master.isRecurring()) {
      add(master, master.startDate, master.endDate);
      continue;
    }
    const series = master.iterator();
    for (let count = 0; ; count++) {
      const next = series.next();
      if (!next) break;
      if (count >= mostOccurrences) throw new Error(`an event repeats more than ${mostOccurrences} times`);
      const { item, startDate, endDate } = master.getOccurrenceDetails(next);
      // A moved occurrence does not show how far the series is.
      if (add(item, startDate, endDate) === "later" && momentOf(next, master, zone) >= untilMs) break;
    }
  }
  return found;
}

/** In ms. Throws if the zone is unknown. */
function momentOf(time: ICAL.Time, event: ICAL.Event, zone: string): number {
  const { zone: own, isDate } = time;
  if (own !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1000;
  const tzid = event.component.getFirstProperty("dtstart")?.getFirstParameter("tzid");
  if (!isDate && tzid !== undefined && tzid !== "" && !isTimeZone(tzid))
    throw new Error(`the calendar does not say what its time zone ${tzid.slice(0, 60)} is`);
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  return instantOf(wall, isDate || !tzid ? zone : tzid);
}

const handle = new RegExp(String.raw`(?<![\w@])@(${loginForm})(?![\w@/]|[.-]\w)`, "gi");
const mention = /(?<![\w@])@[\w-]+(?:\/[\w.-]+)?/g;

/** Finds groups such as `@everyone` or `@acme/oncall`. */
export const groupsIn = (text: string): readonly string[] => (text.match(mention) ?? []).filter(namesGroup);

/** Turns events into shifts. `names` maps an attendee's address or name, or words of the summary, to a login; `@login` needs no entry. */
export function shiftsOf(
  occurrences: readonly Occurrence[],
  names: Readonly<Record<string, string>>,
): readonly Shift[] {
  const known = Object.entries(names).map(([name, login]) => [name.toLowerCase(), login] as const);
  return occurrences.map(({ startMs, endMs, summary, attendees }) => {
    const invited = attendees.flatMap((one) => known.filter(([name]) => name === one.toLowerCase()));
    const line = ` ${summary.toLowerCase().replace(/[^\p{L}\p{N}@._'+-]+/gu, " ")} `;
    const written = known.filter(([name]) => line.includes(` ${name.replace(/[^\p{L}\p{N}@._'+-]+/gu, " ")} `));
    const handles = [...summary.matchAll(handle)].map(([, login = ""]) => login).filter((login) => !namesGroup(login));
    const logins = [...new Set([...(invited.length > 0 ? invited : written).map(([, login]) => login), ...handles])];
    return { startMs, endMs, logins, name: summary || (attendees[0] ?? "an event without a name") };
  });
}
