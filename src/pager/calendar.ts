import ICAL from "ical.js";
import { instantOf, isTimeZone } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
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
  /** Addresses and names of those who will not come. */
  readonly declined: readonly string[];
}

export interface ReadOccurrences {
  readonly occurrences: readonly Occurrence[];
  /** Events that cannot be read and do not touch the span: name and reason. */
  readonly leftOut: readonly string[];
}

/** No on-call calendar has more occurrences. */
const mostOccurrences = 20_000;
const dayMs = 24 * 3_600_000;

/**
 * The occurrences of an iCalendar text (RFC 5545) that touch the span, with overrides applied. Leaves out an unreadable event that cannot
 * touch the span. Throws for any other, and if the text is no whole calendar. Pure, but may never end (`calendar-thread.ts`).
 */
export function readOccurrences({ text, timeZone, fromMs, untilMs }: CalendarText): ReadOccurrences {
  const { zones, named, events: sources } = splitCalendar(text);
  const frame = new ICAL.Component("vcalendar");
  const defined = new Set<string>();
  for (const source of zones) {
    let zone: ICAL.Component;
    try {
      zone = ICAL.Component.fromString(source.join("\r\n"));
    } catch {
      continue;
    }
    const tzid = zone.getFirstPropertyValue("tzid");
    // Without a rule the library takes it for UTC.
    if (typeof tzid !== "string" || !zone.getAllSubcomponents().some((rule) => rule.hasProperty("tzoffsetto")))
      continue;
    defined.add(tzid);
    frame.addSubcomponent(zone);
  }
  const zone = named === undefined ? timeZone : zoneNamed(named);
  const leftOut: string[] = [];
  /** Returns undefined, and leaves the event out, if it is unreadable and cannot touch the span. */
  const attempt = <T>(lines: readonly string[], read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const summary =
        lines.flatMap((line) => /^SUMMARY[^:]*:(.*)$/i.exec(line)?.[1] ?? [])[0] ?? "an event without a name";
      const reason = `"${summary.slice(0, 60)}": ${messageOf(error)}`;
      if (mayTouch(lines, fromMs, untilMs)) throw new Error(reason);
      leftOut.push(reason);
      return undefined;
    }
  };
  const events = sources.flatMap((lines) => {
    const event = attempt(lines, () => {
      const component = ICAL.Component.fromString(lines.join("\r\n"));
      frame.addSubcomponent(component);
      for (const property of component.getAllProperties()) placeIn(property, defined);
      endWithDay(component);
      const read = new ICAL.Event(component);
      if (!read.startDate || !read.endDate) throw new Error("it does not say when it is");
      return read;
    });
    return event ? [{ event, lines }] : [];
  });
  const masters = events.filter(({ event }) => !event.isRecurrenceException());
  const exceptions = events.filter(({ event }) => event.isRecurrenceException());
  const known = new Set(masters.map(({ event }) => event.uid));
  for (const { event: master } of masters)
    for (const { event } of exceptions) if (event.uid === master.uid) master.relateException(event);
  const found: Occurrence[] = [];
  const add = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): "later" | "on" => {
    const startMs = momentOf(start, zone);
    const endMs = momentOf(end, zone);
    const isCancelled = String(event.component.getFirstPropertyValue("status")).toUpperCase() === "CANCELLED";
    if (!isCancelled && startMs < untilMs && endMs > fromMs) {
      const [declined, attendees] = [true, false].map((isAway) =>
        event.attendees
          .filter((one) => isPerson(one) && away.test(String(one.getFirstParameter("partstat"))) === isAway)
          .flatMap(namesOf),
      );
      found.push({
        startMs,
        endMs,
        summary: event.summary ?? "",
        attendees: attendees ?? [],
        declined: declined ?? [],
      });
    }
    return startMs >= untilMs ? "later" : "on";
  };
  // An override without its series is a separate event.
  for (const { event, lines } of exceptions)
    if (!known.has(event.uid)) attempt(lines, () => add(event, event.startDate, event.endDate));
  for (const { event: master, lines } of masters)
    attempt(lines, () => {
      if (!master.isRecurring()) return add(master, master.startDate, master.endDate);
      const series = master.iterator();
      for (let count = 0; ; count++) {
        const next = series.next();
        if (!next) return;
        if (count >= mostOccurrences) throw new Error(`it repeats more than ${mostOccurrences} times`);
        const { item, startDate, endDate } = master.getOccurrenceDetails(next);
        // A moved occurrence does not show how far the series is.
        if (add(item, startDate, endDate) === "later" && momentOf(next, zone) >= untilMs) return;
      }
    });
  return { occurrences: found, leftOut };
}

const isPerson = (attendee: ICAL.Property): boolean =>
  !/^(?:room|resource)$/i.test(String(attendee.getFirstParameter("cutype"))) &&
  !/^non-participant$/i.test(String(attendee.getFirstParameter("role")));

/** Neither comes: a person who delegates sends another. */
const away = /^(?:declined|delegated)$/i;

function namesOf(attendee: ICAL.Property): readonly string[] {
  const address = String(attendee.getFirstValue() ?? "").replace(/^mailto:/i, "");
  const name = attendee.getFirstParameter("cn");
  return [address, ...(name ? [name] : [])];
}

/** All that says who is on call and when; other lines, such as a description that is broken, cannot hide it. */
const ownLine =
  /^(?:BEGIN|END|UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|SUMMARY|ATTENDEE)[;:]/i;

/** Splits a text into its zones and events, each as its lines. Throws if it is no whole calendar. */
function splitCalendar(text: string) {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/(?:\r\n|\r|\n)[ \t]/g, "")
    .split(/[\r\n]+/)
    .filter((line) => line !== "");
  const whole = lines.map((line) => line.trim().toUpperCase());
  if (whole[0] !== "BEGIN:VCALENDAR")
    throw new Error(whole[0]?.includes(":") ? "it is no calendar" : "it has an invalid line and is no calendar");
  if (whole.at(-1) !== "END:VCALENDAR") throw new Error("it breaks off before its end");
  const zones: (readonly string[])[] = [];
  const events: (readonly string[])[] = [];
  let named: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const [, kind] = /^BEGIN:(VEVENT|VTIMEZONE)$/.exec(whole[at] ?? "") ?? [];
    named ??= /^X-WR-TIMEZONE[^:]*:(.+)$/i.exec(lines[at] ?? "")?.[1]?.trim();
    if (kind === undefined) continue;
    let end = at + 1;
    while (
      end < whole.length &&
      whole[end] !== `END:${kind}` &&
      !/^(?:BEGIN:VEVENT|END:VCALENDAR)$/.test(whole[end] ?? "")
    )
      end++;
    // A component without an end stays open, and is read as a broken one.
    const own = lines.slice(at, whole[end] === `END:${kind}` ? end + 1 : end);
    if (kind === "VTIMEZONE") zones.push(own);
    else {
      // Alarms and other parts are left out.
      let depth = 0;
      events.push(
        own.filter((line, index) => {
          if (index > 0 && /^BEGIN:/i.test(line)) depth++;
          const isOwn = depth === 0;
          if (depth > 0 && /^END:/i.test(line)) depth--;
          return isOwn && ownLine.test(line);
        }),
      );
    }
    at = whole[end] === `END:${kind}` ? end : end - 1;
  }
  return { zones, events, named };
}

/** Gives the library the zone that a property names and the calendar does not define. Throws for an unknown name. */
function placeIn(property: ICAL.Property, defined: ReadonlySet<string>): void {
  const tzid = property.getFirstParameter("tzid");
  if (!tzid || property.type === "date" || defined.has(tzid) || ICAL.TimezoneService.has(tzid)) return;
  const name = zoneNamed(tzid);
  if (name === undefined) throw new Error(`the calendar does not say what its time zone ${tzid.slice(0, 60)} is`);
  const zone = new ICAL.Timezone({ tzid });
  zone.utcOffset = (time: ICAL.Time) => {
    const wall = wallOf(time);
    return (wall - instantOf(wall, name)) / 1000;
  };
  ICAL.TimezoneService.register(zone, tzid);
}

/** The zone that a calendar's name means: its own, Windows', or one behind a path such as `/citadel.org/20070227_1/Europe/Berlin`. */
function zoneNamed(name: string): string | undefined {
  const plain = name.replace(/^"|"$/g, "").trim();
  const windows = windowsZones[plain];
  if (windows !== undefined) return windows;
  const parts = plain.split("/").filter((part) => part !== "");
  const tails = plain.startsWith("/") ? [3, 2, 1].map((count) => parts.slice(-count).join("/")) : [plain];
  return tails.find(isTimeZone);
}

/** Windows' names of zones, as Outlook and Exchange write them into `TZID`; the default of each in CLDR's `windowsZones.xml`, without territories. */
const windowsZones: Readonly<Record<string, string>> = {
  "AUS Central Standard Time": "Australia/Darwin",
  "AUS Eastern Standard Time": "Australia/Sydney",
  "Afghanistan Standard Time": "Asia/Kabul",
  "Alaskan Standard Time": "America/Anchorage",
  "Aleutian Standard Time": "America/Adak",
  "Altai Standard Time": "Asia/Barnaul",
  "Arab Standard Time": "Asia/Riyadh",
  "Arabian Standard Time": "Asia/Dubai",
  "Arabic Standard Time": "Asia/Baghdad",
  "Argentina Standard Time": "America/Buenos_Aires",
  "Astrakhan Standard Time": "Europe/Astrakhan",
  "Atlantic Standard Time": "America/Halifax",
  "Aus Central W. Standard Time": "Australia/Eucla",
  "Azerbaijan Standard Time": "Asia/Baku",
  "Azores Standard Time": "Atlantic/Azores",
  "Bahia Standard Time": "America/Bahia",
  "Bangladesh Standard Time": "Asia/Dhaka",
  "Belarus Standard Time": "Europe/Minsk",
  "Bougainville Standard Time": "Pacific/Bougainville",
  "Canada Central Standard Time": "America/Regina",
  "Cape Verde Standard Time": "Atlantic/Cape_Verde",
  "Caucasus Standard Time": "Asia/Yerevan",
  "Cen. Australia Standard Time": "Australia/Adelaide",
  "Central America Standard Time": "America/Guatemala",
  "Central Asia Standard Time": "Asia/Almaty",
  "Central Brazilian Standard Time": "America/Cuiaba",
  "Central Europe Standard Time": "Europe/Budapest",
  "Central European Standard Time": "Europe/Warsaw",
  "Central Pacific Standard Time": "Pacific/Guadalcanal",
  "Central Standard Time": "America/Chicago",
  "Central Standard Time (Mexico)": "America/Mexico_City",
  "Chatham Islands Standard Time": "Pacific/Chatham",
  "China Standard Time": "Asia/Shanghai",
  "Cuba Standard Time": "America/Havana",
  "Dateline Standard Time": "Etc/GMT+12",
  "E. Africa Standard Time": "Africa/Nairobi",
  "E. Australia Standard Time": "Australia/Brisbane",
  "E. Europe Standard Time": "Europe/Chisinau",
  "E. South America Standard Time": "America/Sao_Paulo",
  "Easter Island Standard Time": "Pacific/Easter",
  "Eastern Standard Time": "America/New_York",
  "Eastern Standard Time (Mexico)": "America/Cancun",
  "Egypt Standard Time": "Africa/Cairo",
  "Ekaterinburg Standard Time": "Asia/Yekaterinburg",
  "FLE Standard Time": "Europe/Kiev",
  "Fiji Standard Time": "Pacific/Fiji",
  "GMT Standard Time": "Europe/London",
  "GTB Standard Time": "Europe/Bucharest",
  "Georgian Standard Time": "Asia/Tbilisi",
  "Greenland Standard Time": "America/Godthab",
  "Greenwich Standard Time": "Atlantic/Reykjavik",
  "Haiti Standard Time": "America/Port-au-Prince",
  "Hawaiian Standard Time": "Pacific/Honolulu",
  "India Standard Time": "Asia/Calcutta",
  "Iran Standard Time": "Asia/Tehran",
  "Israel Standard Time": "Asia/Jerusalem",
  "Jordan Standard Time": "Asia/Amman",
  "Kaliningrad Standard Time": "Europe/Kaliningrad",
  "Korea Standard Time": "Asia/Seoul",
  "Libya Standard Time": "Africa/Tripoli",
  "Line Islands Standard Time": "Pacific/Kiritimati",
  "Lord Howe Standard Time": "Australia/Lord_Howe",
  "Magadan Standard Time": "Asia/Magadan",
  "Magallanes Standard Time": "America/Punta_Arenas",
  "Marquesas Standard Time": "Pacific/Marquesas",
  "Mauritius Standard Time": "Indian/Mauritius",
  "Middle East Standard Time": "Asia/Beirut",
  "Montevideo Standard Time": "America/Montevideo",
  "Morocco Standard Time": "Africa/Casablanca",
  "Mountain Standard Time": "America/Denver",
  "Mountain Standard Time (Mexico)": "America/Mazatlan",
  "Myanmar Standard Time": "Asia/Rangoon",
  "N. Central Asia Standard Time": "Asia/Novosibirsk",
  "Namibia Standard Time": "Africa/Windhoek",
  "Nepal Standard Time": "Asia/Katmandu",
  "New Zealand Standard Time": "Pacific/Auckland",
  "Newfoundland Standard Time": "America/St_Johns",
  "Norfolk Standard Time": "Pacific/Norfolk",
  "North Asia East Standard Time": "Asia/Irkutsk",
  "North Asia Standard Time": "Asia/Krasnoyarsk",
  "North Korea Standard Time": "Asia/Pyongyang",
  "Omsk Standard Time": "Asia/Omsk",
  "Pacific SA Standard Time": "America/Santiago",
  "Pacific Standard Time": "America/Los_Angeles",
  "Pacific Standard Time (Mexico)": "America/Tijuana",
  "Pakistan Standard Time": "Asia/Karachi",
  "Paraguay Standard Time": "America/Asuncion",
  "Qyzylorda Standard Time": "Asia/Qyzylorda",
  "Romance Standard Time": "Europe/Paris",
  "Russia Time Zone 10": "Asia/Srednekolymsk",
  "Russia Time Zone 11": "Asia/Kamchatka",
  "Russia Time Zone 3": "Europe/Samara",
  "Russian Standard Time": "Europe/Moscow",
  "SA Eastern Standard Time": "America/Cayenne",
  "SA Pacific Standard Time": "America/Bogota",
  "SA Western Standard Time": "America/La_Paz",
  "SE Asia Standard Time": "Asia/Bangkok",
  "Saint Pierre Standard Time": "America/Miquelon",
  "Sakhalin Standard Time": "Asia/Sakhalin",
  "Samoa Standard Time": "Pacific/Apia",
  "Sao Tome Standard Time": "Africa/Sao_Tome",
  "Saratov Standard Time": "Europe/Saratov",
  "Singapore Standard Time": "Asia/Singapore",
  "South Africa Standard Time": "Africa/Johannesburg",
  "South Sudan Standard Time": "Africa/Juba",
  "Sri Lanka Standard Time": "Asia/Colombo",
  "Sudan Standard Time": "Africa/Khartoum",
  "Syria Standard Time": "Asia/Damascus",
  "Taipei Standard Time": "Asia/Taipei",
  "Tasmania Standard Time": "Australia/Hobart",
  "Tocantins Standard Time": "America/Araguaina",
  "Tokyo Standard Time": "Asia/Tokyo",
  "Tomsk Standard Time": "Asia/Tomsk",
  "Tonga Standard Time": "Pacific/Tongatapu",
  "Transbaikal Standard Time": "Asia/Chita",
  "Turkey Standard Time": "Europe/Istanbul",
  "Turks And Caicos Standard Time": "America/Grand_Turk",
  "US Eastern Standard Time": "America/Indianapolis",
  "US Mountain Standard Time": "America/Phoenix",
  UTC: "Etc/UTC",
  "UTC+12": "Etc/GMT-12",
  "UTC+13": "Etc/GMT-13",
  "UTC-02": "Etc/GMT+2",
  "UTC-08": "Etc/GMT+8",
  "UTC-09": "Etc/GMT+9",
  "UTC-11": "Etc/GMT+11",
  "Ulaanbaatar Standard Time": "Asia/Ulaanbaatar",
  "Venezuela Standard Time": "America/Caracas",
  "Vladivostok Standard Time": "Asia/Vladivostok",
  "Volgograd Standard Time": "Europe/Volgograd",
  "W. Australia Standard Time": "Australia/Perth",
  "W. Central Africa Standard Time": "Africa/Lagos",
  "W. Europe Standard Time": "Europe/Berlin",
  "W. Mongolia Standard Time": "Asia/Hovd",
  "West Asia Standard Time": "Asia/Tashkent",
  "West Bank Standard Time": "Asia/Hebron",
  "West Pacific Standard Time": "Pacific/Port_Moresby",
  "Yakutsk Standard Time": "Asia/Yakutsk",
  "Yukon Standard Time": "America/Whitehorse",
};

/** RFC 5545 has `UNTIL` in the form of `DTSTART`; some programs write a date for the last day of a series with times. */
function endWithDay(component: ICAL.Component): void {
  const start = component.getFirstPropertyValue("dtstart");
  const rule = component.getFirstPropertyValue("rrule");
  if (!(start instanceof ICAL.Time && rule instanceof ICAL.Recur && rule.until) || start.isDate || !rule.until.isDate)
    return;
  const { year, month, day } = rule.until;
  rule.until = ICAL.Time.fromData({ year, month, day, hour: 23, minute: 59, second: 59 }, start.zone);
  component.updatePropertyWithValue("rrule", rule);
}

/** No zone is further from UTC, and `UNTIL` may be a date. */
const spareMs = 2 * dayMs;

/** Returns whether an event may touch the span, as far as its lines can be read. */
function mayTouch(lines: readonly string[], fromMs: number, untilMs: number): boolean {
  const textOf = (name: string) =>
    lines.flatMap((line) => new RegExp(`^${name}(?:;.*?)?:([^:]*)$`, "i").exec(line)?.[1] ?? [])[0];
  const msOf = (value = "") => {
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)(?:T|$)/.exec(value.trim()) ?? [];
    return year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  };
  if (textOf("STATUS")?.trim().toUpperCase() === "CANCELLED" && textOf("RECURRENCE-ID") === undefined) return false;
  const start = msOf(textOf("DTSTART"));
  if (start - spareMs > untilMs) return false;
  const until = /(?:^|;)UNTIL=(\w+)/i.exec(textOf("RRULE") ?? "")?.[1];
  const repeats = textOf("RRULE") !== undefined || textOf("RDATE") !== undefined;
  const moved = textOf("RECURRENCE-ID");
  const lasts = textOf("DURATION") === undefined ? 0 : Number.NaN;
  const length = textOf("DTEND") === undefined ? lasts : msOf(textOf("DTEND")) - start;
  const ends = [(repeats ? msOf(until) : start) + length, ...(moved === undefined ? [] : [msOf(moved) + length])];
  // NaN is no time that is over.
  return !ends.every((end) => end + spareMs < fromMs);
}

const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** In ms; `zone` is that of times without one. */
function momentOf(time: ICAL.Time, zone: string | undefined): number {
  if (time.zone !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1000;
  if (zone === undefined) throw new Error("nobody knows the time zone that the calendar names for all its events");
  return instantOf(wallOf(time), zone);
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
  const loginsOf = (people: readonly string[]) =>
    people.flatMap((one) => known.filter(([name]) => name === one.toLowerCase())).map(([, login]) => login);
  return occurrences.map(({ startMs, endMs, summary, attendees, declined }) => {
    const invited = loginsOf(attendees);
    const absent = loginsOf(declined);
    const line = ` ${summary.toLowerCase().replace(/[^\p{L}\p{N}@._'+-]+/gu, " ")} `;
    const written = known
      .filter(([name]) => line.includes(` ${name.replace(/[^\p{L}\p{N}@._'+-]+/gu, " ")} `))
      .map(([, login]) => login);
    const handles = [...summary.matchAll(handle)].map(([, login = ""]) => login).filter((login) => !namesGroup(login));
    const named = [...new Set([...(invited.length > 0 ? invited : written), ...handles])];
    const logins = named.filter((login) => !absent.includes(login));
    return { startMs, endMs, logins, name: summary || (attendees[0] ?? "an event without a name") };
  });
}
