import { describe, expect, it } from "vitest";
import { readOccurrences, shiftsOf } from "../../src/pager/calendar.ts";
import { readApart } from "../../src/pager/calendar-thread.ts";
import { rosterAt, rotationShifts } from "../../src/pager/roster.ts";

const berlin = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`;

const event = (text: string): string => `BEGIN:VEVENT\n${text}\nEND:VEVENT`;
const calendar = (...parts: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...parts, "END:VCALENDAR"].join("\n").replaceAll("\n", "\r\n");
const span = { timeZone: "Europe/Berlin", fromMs: Date.parse("2026-03-01"), untilMs: Date.parse("2026-05-01") };
const read = (...parts: readonly string[]): readonly string[] =>
  readOccurrences({ ...span, text: calendar(...parts) })
    .occurrences.map(
      ({ startMs, endMs, summary }) =>
        `${new Date(startMs).toISOString()} ${(endMs - startMs) / 3_600_000} h ${summary}`,
    )
    .sort();

describe("a calendar of who is on call", () => {
  it.each([["Office"], ["Europe/Berlin"]])(
    "OC-4 a weekly turn begins at nine on the wall before and after the clocks change (%s)",
    (zone) => {
      const weekly = event(
        `UID:1\nDTSTART;TZID=${zone}:20260316T090000\nDTEND;TZID=${zone}:20260323T090000\nRRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;TZID=${zone}:20260406T090000\nSUMMARY:Lee`,
      );
      expect(read(...(zone === "Office" ? [berlin] : []), weekly)).toEqual([
        "2026-03-16T08:00:00.000Z 168 h Lee",
        expect.stringMatching(/^2026-03-23T08:00:00\.000Z 16[78] h Lee$/),
        "2026-03-30T07:00:00.000Z 168 h Lee",
      ]);
    },
  );

  it("OC-4 an override stands in the place of its occurrence, also where it was moved; a cancelled one is none", () => {
    const master = event("UID:2\nDTSTART:20260302T090000Z\nDTEND:20260309T090000Z\nRRULE:FREQ=WEEKLY\nSUMMARY:Lee");
    const moved = event(
      "UID:2\nRECURRENCE-ID:20260309T090000Z\nDTSTART:20260310T120000Z\nDTEND:20260311T120000Z\nSUMMARY:Mona",
    );
    const off = event(
      "UID:2\nRECURRENCE-ID:20260316T090000Z\nDTSTART:20260316T090000Z\nDTEND:20260323T090000Z\nSTATUS:CANCELLED\nSUMMARY:Lee",
    );
    expect(read(master, moved, off).slice(0, 3)).toEqual([
      "2026-03-02T09:00:00.000Z 168 h Lee",
      "2026-03-10T12:00:00.000Z 24 h Mona",
      "2026-03-23T09:00:00.000Z 168 h Lee",
    ]);
  });

  it("OC-4 a day without a time is a day of the calendar's zone", () => {
    const days = event("UID:3\nDTSTART;VALUE=DATE:20260328\nDTEND;VALUE=DATE:20260330\nSUMMARY:Weekend");
    expect(read("X-WR-TIMEZONE:America/New_York", days)).toEqual(["2026-03-28T04:00:00.000Z 48 h Weekend"]);
    expect(read(days)).toEqual(["2026-03-27T23:00:00.000Z 47 h Weekend"]);
  });

  it.each([
    ["<html>Sign in</html>", /invalid line/],
    ["BEGIN:VEVENT\r\nEND:VEVENT", /no calendar/],
    [
      calendar(event("UID:4\nDTSTART;TZID=Nowhere/Land:20260316T090000\nDTEND;TZID=Nowhere/Land:20260317T090000")),
      /does not say what its time zone Nowhere\/Land is/,
    ],
    [calendar(event("UID:5\nDTSTART:20200101T000000Z\nRRULE:FREQ=MINUTELY")), /repeats more than 20000 times/],
  ])("OC-7 what cannot be read is refused with the reason (%#)", { tags: ["long"] }, (text, reason) => {
    expect(() => readOccurrences({ ...span, text })).toThrow(reason);
  });

  it("OC-4 an attendee's address or name, words of the summary, or a login in it say who it is; nobody else is guessed", () => {
    const at = (summary: string, ...attendees: readonly string[]) => ({
      ...{ startMs: 0, endMs: 1, summary, attendees },
      declined: [],
    });
    const names = { "lee@acme.example": "lee", "Mona Lisa": "mona" };
    const shifts = shiftsOf(
      [
        at("x", "LEE@acme.example"),
        at("On Call - Mona Lisa - Web"),
        at("Primary: @kim-1"),
        at("Primary: @sam-b_acme"),
        at("Monalisa"),
        at("a@b.example"),
      ],
      names,
    );
    expect(shifts.map(({ logins }) => logins)).toEqual([["lee"], ["mona"], ["kim-1"], ["sam-b_acme"], [], []]);
  });

  it("OC-7 a broken event that is over, far ahead or cancelled is left out by name, and any other makes the calendar unreadable", () => {
    const good = event("UID:8\nDTSTART:20260323T090000Z\nDTEND:20260324T090000Z\nSUMMARY:Lee");
    const odd = "DTSTART;TZID=Nowhere";
    const leftOut = (...lines: readonly string[]) => {
      const text = calendar(event(["UID:9", "SUMMARY:Odd", ...lines].join("\n")), good);
      const { leftOut: left, occurrences } = readOccurrences({ ...span, text });
      expect(occurrences.map(({ summary }) => summary)).toEqual(["Lee"]);
      return left;
    };
    const named = [expect.stringMatching(/^"Odd": .*time zone Nowhere/)];
    expect(leftOut(`${odd}:20160919T190000`, "DTEND;TZID=Nowhere:20160919T200000")).toEqual(named);
    expect(leftOut(`${odd}:20200101T090000`, "RRULE:FREQ=WEEKLY;UNTIL=20210101T000000Z")).toEqual(named);
    expect(leftOut(`${odd}:20270101T090000`, "RRULE:FREQ=WEEKLY")).toEqual(named);
    expect(leftOut(`${odd}:20260323T090000`, "STATUS:CANCELLED")).toEqual(named);
    expect(leftOut("DTSTART:20160101T000000Z", "RRULE:FREQ=SOMETIMES;UNTIL=20170101")).toHaveLength(1);
    for (const lines of [
      [`${odd}:20200101T090000`, "RRULE:FREQ=WEEKLY"],
      [`${odd}:20260322T090000`],
      ["DTSTART:soon"],
      ["SUMMARY:no time"],
      [`${odd}:20160919T190000`, "DURATION:P9999D"],
    ])
      expect(() => leftOut(...lines), lines.join()).toThrow('"Odd": ');
  });

  it("OC-7 lines that say neither who nor when hide nothing, and a calendar that breaks off is none", () => {
    const lines = "UID:1\nDTSTART:20260323T090000Z\nDTEND:20260324T090000Z\nSUMMARY:Lee\nDESCRIPTION:a\nbroken line";
    const alarm = "BEGIN:VALARM\nTRIGGER;x\nSUMMARY:no\nEND:VALARM";
    const todo = "BEGIN:VTODO\nDUE;;x\nEND:VTODO";
    expect(read(todo, event(`${lines}\n${alarm}`))).toEqual(["2026-03-23T09:00:00.000Z 24 h Lee"]);
    const cut = calendar(event(lines)).replace("END:VCALENDAR", "");
    expect(() => readOccurrences({ ...span, text: cut })).toThrow("breaks off");
  });

  it.each([
    ["DTSTART:20260320T080000Z", "UNTIL=20260322", ["2026-03-20T08", "2026-03-21T08", "2026-03-22T08"]],
    ["DTSTART;TZID=America/New_York:20260320T200000", "UNTIL=20260321", ["2026-03-21T00", "2026-03-22T00"]],
    ["DTSTART;TZID=Asia/Tokyo:20260320T080000", "UNTIL=20260321", ["2026-03-19T23", "2026-03-20T23"]],
    [
      "DTSTART;TZID=Europe/Berlin:20260327T090000",
      "UNTIL=20260329T070000Z",
      ["2026-03-27T08", "2026-03-28T08", "2026-03-29T07"],
    ],
    ["DTSTART;VALUE=DATE:20260320", "UNTIL=20260321", ["2026-03-19T23", "2026-03-20T23"]],
  ])("OC-4 a series ends with the whole day of its UNTIL, in its own zone: %s %s", (start, until, days) => {
    const found = read(event(`UID:1\n${start}\nDURATION:PT1H\nRRULE:FREQ=DAILY;${until}\nSUMMARY:Lee`));
    expect(found.map((one) => one.slice(0, 13))).toEqual(days);
  });

  it.each([
    ["W. Europe Standard Time", "08"],
    ["Tokyo Standard Time", "00"],
    ["/freeassociation.sourceforge.net/Europe/Berlin", "08"],
    ["/citadel.org/20070227_1/America/Argentina/Buenos_Aires", "12"],
    ["Etc/GMT+5", "14"],
    ["UTC", "09"],
    ["(UTC+01:00) Amsterdam", undefined],
    ["Customized Time Zone", undefined],
    ["/example.org/Berlin", undefined],
  ])("OC-4 a zone's name is understood or refused, never taken for UTC: %s", (zone, hour) => {
    const at = () => read(event(`UID:1\nDTSTART;TZID="${zone}":20260316T090000\nDURATION:PT1H\nSUMMARY:Lee`))[0];
    if (hour === undefined) expect(at).toThrow("time zone");
    else expect(at()?.slice(11, 13)).toBe(hour);
  });

  it("OC-4 neither an empty definition nor a zone of the calendar that nobody knows is UTC", () => {
    const floating = event("UID:1\nDTSTART:20260316T090000\nDURATION:PT1H\nSUMMARY:Lee");
    expect(() => read("X-WR-TIMEZONE:Nowhere", floating)).toThrow("time zone");
    expect(read("X-WR-TIMEZONE:Tokyo Standard Time", floating)[0]).toContain("T00:");
    const bare = "BEGIN:VTIMEZONE\nTZID:Home\nEND:VTIMEZONE";
    expect(() => read(bare, floating.replace("DTSTART", "DTSTART;TZID=Home"))).toThrow("time zone");
  });

  it("OC-4 whoever declined or delegated is not on call, though the summary names them", () => {
    const invite = (state: string) => `ATTENDEE;CN=Mona;PARTSTAT=${state}:mailto:mona@acme.example`;
    const names = { "mona@acme.example": "mona", Lee: "lee" };
    const logins = (summary: string, ...attendees: readonly string[]) => {
      const lines = ["UID:1", "DTSTART:20260323T090000Z", "DTEND:20260324T090000Z", `SUMMARY:${summary}`, ...attendees];
      const { occurrences } = readOccurrences({ ...span, text: calendar(event(lines.join("\n"))) });
      return shiftsOf(occurrences, names).flatMap((shift) => shift.logins);
    };
    expect(logins("On call", invite("DECLINED"))).toEqual([]);
    expect(logins("On call: Lee, @mona", invite("delegated"))).toEqual(["lee"]);
    expect(logins("On call", invite("TENTATIVE"))).toEqual(["mona"]);
  });

  it("OC-7 a rule that keeps the library busy for ever is ended by its thread's limit", async () => {
    const text = calendar(event("UID:6\nDTSTART:20260323T090000Z\nRRULE:FREQ=HOURLY;BYMONTHDAY=31;BYMONTH=4"));
    await expect(readApart({ ...span, text }, 300)).rejects.toThrow("longer");
    const good = calendar(event("UID:7\nDTSTART:20260323T090000Z\nDTEND:20260324T090000Z\nSUMMARY:Lee"));
    await expect(readApart({ ...span, text: good })).resolves.toMatchObject({ occurrences: [{ summary: "Lee" }] });
  });
});

describe("a rotation", () => {
  const rotation = {
    timeZone: "Europe/Berlin",
    people: ["lee", "mona"],
    fromWall: Date.parse("2026-03-16T09:00:00Z"),
    everyMs: 7 * 24 * 3_600_000,
    overrides: [
      { fromWall: Date.parse("2026-03-20T18:00:00Z"), untilWall: Date.parse("2026-03-21T09:00:00Z"), login: "kim" },
    ],
  };
  const at = (moment: string) => {
    const now = new Date(moment);
    const { now: current, next } = rosterAt(rotationShifts(rotation, now), now);
    return [...current, ...next].map(({ login, at: when }) => `${login} ${when.toISOString().slice(0, 16)}`);
  };

  it("OC-4 hands over at the same time on the wall, and whoever stands in comes first", () => {
    expect(at("2026-03-30T06:59:00Z")).toEqual(["mona 2026-03-30T07:00", "lee 2026-03-30T07:00"]);
    expect(at("2026-03-30T07:00:00Z")).toEqual(["lee 2026-04-06T07:00", "mona 2026-04-06T07:00"]);
    expect(at("2026-03-20T20:00:00Z")).toEqual([
      "kim 2026-03-21T08:00",
      "lee 2026-03-23T08:00",
      "mona 2026-03-23T08:00",
    ]);
    expect(at("2026-03-15T00:00:00Z")[0]).toBe("lee 2026-03-16T08:00");
  });

  it("OC-4 whoever stands in for longer than a turn comes first all the same", () => {
    const weeks = { fromWall: Date.parse("2026-03-13T09:00:00Z"), untilWall: Date.parse("2026-03-27T09:00:00Z") };
    const now = new Date("2026-03-18T12:00:00Z");
    const given = { ...rotation, overrides: [...rotation.overrides, { ...weeks, login: "sam" }] };
    expect(rosterAt(rotationShifts(given, now), now).now.map(({ login }) => login)).toEqual(["sam", "lee"]);
    const both = new Date("2026-03-20T20:00:00Z");
    expect(rosterAt(rotationShifts(given, both), both).now.map(({ login }) => login)).toEqual(["kim", "sam", "lee"]);
  });
});
