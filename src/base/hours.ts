/** Times of the week at a place, such as `Mon-Fri 09:00-17:00 Europe/Berlin`: open while the clocks there show a time in them. Pure. */

import { isTimeZone, wallClock } from "./clock.ts";

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;
const days: readonly string[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

interface Hours {
  /** In minutes from Monday 00:00, the end not included; over Sunday's midnight it goes on. */
  readonly windows: readonly { readonly from: number; readonly until: number }[];
  readonly zone: string;
}

type ParsedHours =
  | { readonly ok: true; readonly hours: Hours }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

const example = "write `09:00-17:00 Europe/Berlin`, `22:00-06:00 UTC` or `Mon-Fri 09:00-17:00 Europe/Berlin`";
const form = /^(?:([a-z,-]+)\s+)?(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})(?:\s+(\S+))?$/i;

/** Never throws. */
export function parseHours(text: string): ParsedHours {
  const refuse = (message: string, remedy = example): ParsedHours => ({ ok: false, message, remedy });
  const match = form.exec(text.trim());
  if (!match) return refuse("is no time of the day at a place");
  const [, named, ...rest] = match;
  const zone = rest[4];
  const [fromHour = 0, fromMinute = 0, untilHour = 0, untilMinute = 0] = rest.slice(0, 4).map(Number);
  if (zone === undefined) return refuse("names no time zone");
  if (!isTimeZone(zone))
    return refuse(`\`${zone}\` is no time zone`, "write its name, such as `Europe/Berlin` or `UTC`");
  const from = fromHour * 60 + fromMinute;
  const until = untilHour * 60 + untilMinute;
  if (fromMinute > 59 || untilMinute > 59 || from >= dayMinutes || until > dayMinutes)
    return refuse("names a time that no clock shows", "write hours from 00:00 to 23:59; an end may be 24:00");
  if (from === until) return refuse("ends when it begins", "write `00:00-24:00` for the whole day");
  const on = named === undefined ? days.map((_, day) => day) : daysIn(named);
  if (!on) return refuse(`\`${named}\` names no days`, "write `Mon-Fri`, `Sat,Sun` or `Mon,Wed-Fri`");
  if (new Set(on).size < on.length) return refuse(`\`${named}\` names a day twice`, "name each day once");
  const length = until > from ? until - from : until + dayMinutes - from;
  const windows = on.map((day) => ({ from: day * dayMinutes + from, until: day * dayMinutes + from + length }));
  return { ok: true, hours: { windows, zone } };
}

/** `Fri-Mon` goes over the week's end. */
function daysIn(named: string): readonly number[] | undefined {
  const found: number[] = [];
  for (const part of named.toLowerCase().split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, until] = [first, last].map((name) => days.indexOf(name));
    if (from === undefined || until === undefined || from < 0 || until < 0 || more.length > 0) return undefined;
    const many = ((until - from + 7) % 7) + 1;
    found.push(...Array.from({ length: many }, (_, at) => (from + at) % 7));
  }
  return found;
}

/** Minutes from Monday 00:00 by the clocks there. */
function minuteOfWeek(ms: number, zone: string): number {
  const wall = Math.floor(wallClock(ms, zone) / minuteMs);
  // 1970 began on a Thursday.
  return (((wall + 3 * dayMinutes) % weekMinutes) + weekMinutes) % weekMinutes;
}

/** Minutes by the clocks there until the first window begins; 0 inside one. */
function wallMinutesTo({ windows, zone }: Hours, ms: number): number {
  const minute = minuteOfWeek(ms, zone);
  const waits = windows.map(({ from, until }) => {
    const since = (minute - from + weekMinutes) % weekMinutes;
    return since < until - from ? 0 : weekMinutes - since;
  });
  return Math.min(...waits);
}

/** Several texts are open if one is. Text that cannot be read, and no time, is closed. */
const waitFor = (texts: readonly string[], ms: number): number =>
  Math.min(
    ...texts.map((text) => {
      const parsed = parseHours(text);
      return parsed.ok ? wallMinutesTo(parsed.hours, ms) : Number.POSITIVE_INFINITY;
    }),
  );

export const isOpenAt = (texts: readonly string[], at: Date): boolean =>
  !Number.isNaN(at.getTime()) && waitFor(texts, at.getTime()) === 0;

const searchedMs = 15 * dayMinutes * minuteMs;

/** The first moment at which all are open together; undefined if there is none in two weeks. */
export function opensAt(all: readonly (readonly string[])[], at: Date): Date | undefined {
  const start = Math.floor(at.getTime() / minuteMs) * minuteMs;
  const zones = new Set(
    all.flat().flatMap((text) => {
      const parsed = parseHours(text);
      return parsed.ok ? [parsed.hours.zone] : [];
    }),
  );
  const offsets = (ms: number): string => [...zones].map((zone) => wallClock(ms, zone) - ms).join(" ");
  for (let ms = start; ms <= start + searchedMs; ) {
    const wait = Math.max(0, ...all.map((texts) => waitFor(texts, ms)));
    if (wait === 0) return new Date(Math.max(ms, at.getTime()));
    if (!Number.isFinite(wait)) return undefined;
    // Clocks that are set in between would make it another wait, so it goes up to that change first.
    let step = wait;
    while (step > 1 && offsets(ms + step * minuteMs) !== offsets(ms)) step = Math.floor(step / 2);
    ms += step * minuteMs;
  }
  return undefined;
}

/** Whether two texts ever show the same moment as open; by the clocks of this week. */
export const overlap = (one: string, other: string): boolean => {
  const [first, second] = [parseHours(one), parseHours(other)];
  if (!first.ok || !second.ok || first.hours.zone !== second.hours.zone) return false;
  const minutesOf = ({ windows }: Hours): ReadonlySet<number> =>
    new Set(
      windows.flatMap(({ from, until }) => Array.from({ length: until - from }, (_, at) => (from + at) % weekMinutes)),
    );
  return !minutesOf(first.hours).isDisjointFrom(minutesOf(second.hours));
};
