import { describe, expect, it } from "vitest";
import { isOpenAt, opensAt, overlap, parseHours } from "../../src/base/hours.ts";

const at = (iso: string): Date => new Date(iso);

/**
 * Hours, a moment, whether it is in them, and when they open next (only if it is not). Berlin sets its clocks on Sunday 29 March 2026
 * from 02:00 to 03:00 (01:00Z), and on Sunday 25 October 2026 from 03:00 back to 02:00 (01:00Z).
 */
const table: readonly (readonly [hours: string, moment: string, isOpen: boolean, opens?: string])[] = [
  // The day before the clocks go forward, and the day itself: nine o'clock there is an hour earlier by UTC.
  ["09:00-17:00 Europe/Berlin", "2026-03-28T07:59:59Z", false, "2026-03-28T08:00Z"],
  ["09:00-17:00 Europe/Berlin", "2026-03-28T08:00:00Z", true],
  ["09:00-17:00 Europe/Berlin", "2026-03-28T15:59:59Z", true],
  ["09:00-17:00 Europe/Berlin", "2026-03-28T16:00:00Z", false, "2026-03-29T07:00Z"],
  ["09:00-17:00 Europe/Berlin", "2026-03-29T06:59:00Z", false, "2026-03-29T07:00Z"],
  ["09:00-17:00 Europe/Berlin", "2026-03-29T07:00:00Z", true],
  ["09:00-17:00 Europe/Berlin", "2026-03-29T15:00:00Z", false, "2026-03-30T07:00Z"],
  // Over midnight, through the hour that is missing.
  ["22:00-06:00 Europe/Berlin", "2026-03-28T20:59:00Z", false, "2026-03-28T21:00Z"],
  ["22:00-06:00 Europe/Berlin", "2026-03-28T21:00:00Z", true],
  ["22:00-06:00 Europe/Berlin", "2026-03-29T01:00:00Z", true],
  ["22:00-06:00 Europe/Berlin", "2026-03-29T03:59:00Z", true],
  ["22:00-06:00 Europe/Berlin", "2026-03-29T04:00:00Z", false, "2026-03-29T20:00Z"],
  // A window that begins, ends, or lies in the missing hour.
  ["02:30-04:00 Europe/Berlin", "2026-03-29T00:59:00Z", false, "2026-03-29T01:00Z"],
  ["02:30-04:00 Europe/Berlin", "2026-03-29T01:00:00Z", true],
  ["01:00-02:30 Europe/Berlin", "2026-03-29T00:59:00Z", true],
  ["01:00-02:30 Europe/Berlin", "2026-03-29T01:00:00Z", false, "2026-03-29T23:00Z"],
  ["02:15-02:45 Europe/Berlin", "2026-03-29T00:59:00Z", false, "2026-03-30T00:15Z"],
  ["Sun 02:15-02:45 Europe/Berlin", "2026-03-29T00:59:00Z", false, "2026-04-05T00:15Z"],
  // The clocks go back: half past two comes twice, and both are in it.
  ["09:00-17:00 Europe/Berlin", "2026-10-24T07:00:00Z", true],
  ["09:00-17:00 Europe/Berlin", "2026-10-25T07:59:00Z", false, "2026-10-25T08:00Z"],
  ["09:00-17:00 Europe/Berlin", "2026-10-25T08:00:00Z", true],
  ["09:00-17:00 Europe/Berlin", "2026-10-24T15:00:00Z", false, "2026-10-25T08:00Z"],
  ["02:15-02:45 Europe/Berlin", "2026-10-25T00:30:00Z", true],
  ["02:15-02:45 Europe/Berlin", "2026-10-25T00:45:00Z", false, "2026-10-25T01:15Z"],
  ["02:15-02:45 Europe/Berlin", "2026-10-25T01:30:00Z", true],
  ["22:00-06:00 Europe/Berlin", "2026-10-25T04:59:00Z", true],
  ["22:00-06:00 Europe/Berlin", "2026-10-25T05:00:00Z", false, "2026-10-25T21:00Z"],
  // Days, by the clocks there.
  ["Mon-Fri 09:00-17:00 Europe/Berlin", "2026-03-27T15:59:00Z", true],
  ["Mon-Fri 09:00-17:00 Europe/Berlin", "2026-03-27T16:00:00Z", false, "2026-03-30T07:00Z"],
  ["Mon-Fri 09:00-17:00 Europe/Berlin", "2026-03-29T10:00:00Z", false, "2026-03-30T07:00Z"],
  ["Fri-Mon 20:00-04:00 Europe/Berlin", "2026-03-31T01:59:00Z", true],
  ["Fri-Mon 20:00-04:00 Europe/Berlin", "2026-03-31T19:00:00Z", false, "2026-04-03T18:00Z"],
  ["sat,sun 00:00-24:00 Europe/Berlin", "2026-03-27T23:00:00Z", true],
  ["Sat,Sun 00:00-24:00 Europe/Berlin", "2026-03-29T22:00:00Z", false, "2026-04-03T22:00Z"],
  ["Sun 22:00-06:00 Europe/Berlin", "2026-03-30T03:59:00Z", true],
  ["Mon,Wed-Fri 09:00-10:00 Europe/Berlin", "2026-03-30T09:00:00Z", false, "2026-04-01T07:00Z"],
  // Other places: no change, half an hour, the other half of the year, the date's own line.
  ["09:00-17:00 UTC", "2026-03-29T08:59:00Z", false, "2026-03-29T09:00Z"],
  ["09:00-17:00 Asia/Kolkata", "2026-03-29T03:30:00Z", true],
  ["09:00-17:00 America/New_York", "2026-03-08T13:00:00Z", true],
  ["09:00-17:00 America/New_York", "2026-03-07T13:59:00Z", false, "2026-03-07T14:00Z"],
  ["01:45-02:15 Australia/Lord_Howe", "2026-10-03T15:30:00Z", false, "2026-10-04T14:45Z"],
  ["Mon 00:00-01:00 Pacific/Kiritimati", "2026-03-29T10:00:00Z", true],
  ["9:00 - 17:00 Europe/Berlin", "2026-07-01T07:00:00Z", true],
];

describe("hours over a change of daylight time", () => {
  it.each<[string, string, boolean, string?]>(table.map((row) => [...row]))(
    "SR-18 %s at %s: open is %s",
    (hours, moment, isOpen, opens) => {
      expect(parseHours(hours).ok).toBe(true);
      expect(isOpenAt([hours], at(moment))).toBe(isOpen);
      const next = opensAt([[hours]], at(moment));
      expect(next?.toISOString()).toBe(new Date(opens ?? moment).toISOString());
    },
  );

  it("SR-18 has forty forms and more", () => expect(table.length).toBeGreaterThanOrEqual(40));

  it("SR-18 opens at the very first minute, whatever the zone's clocks do in between", () => {
    const minutes = 60_000;
    for (const hours of [
      "02:30-02:40 Europe/Berlin",
      "00:10-00:20 Australia/Lord_Howe",
      "23:00-01:00 America/New_York",
    ])
      for (const day of ["2026-03-28T21:00Z", "2026-10-24T21:00Z", "2026-10-31T21:00Z", "2026-04-04T10:00Z"]) {
        let ms = at(day).getTime();
        while (!isOpenAt([hours], new Date(ms))) ms += minutes;
        expect(opensAt([[hours]], at(day))?.getTime(), `${hours} from ${day}`).toBe(ms);
      }
  });
});

describe("several hours", () => {
  const office = "Mon-Fri 09:00-17:00 Europe/Berlin";
  const night = "22:00-06:00 Europe/Berlin";

  it("SR-18 one list is open while one of it is, several lists while all are", () => {
    expect(isOpenAt([office, night], at("2026-03-27T22:00Z"))).toBe(true);
    expect(opensAt([[office], ["Fri 16:00-20:00 Europe/Berlin"]], at("2026-03-24T12:00Z"))).toEqual(
      at("2026-03-27T15:00Z"),
    );
    expect(opensAt([[office], [night]], at("2026-03-24T12:00Z"))).toBeUndefined();
    expect(opensAt([], at("2026-03-24T12:00Z"))).toEqual(at("2026-03-24T12:00Z"));
  });

  it("SR-18 a time or a text that cannot be read is closed", () => {
    expect(isOpenAt([office], new Date(Number.NaN))).toBe(false);
    expect(opensAt([[office]], new Date(Number.NaN))).toBeUndefined();
    expect(isOpenAt(["always"], at("2026-03-24T12:00Z"))).toBe(false);
    expect(opensAt([["always"]], at("2026-03-24T12:00Z"))).toBeUndefined();
    expect(isOpenAt([], at("2026-03-24T12:00Z"))).toBe(false);
  });

  it.each([
    [office, "Fri 16:59-18:00 Europe/Berlin", true],
    [office, "Fri 17:00-18:00 Europe/Berlin", false],
    [office, "Sat 09:00-17:00 Europe/Berlin", false],
    ["Sun 22:00-06:00 UTC", "Mon 05:59-07:00 UTC", true],
    [office, "Fri 16:00-18:00 Europe/Paris", false],
  ])("CFG-1 %s and %s cover the same time: %s", (one, other, is) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([is, is]);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["", /no time of the day/],
    ["always", /no time of the day/],
    ["09:00 Europe/Berlin", /no time of the day/],
    ["9-17 Europe/Berlin", /no time of the day/],
    ["09:00-17:00", /names no time zone/],
    ["09:00-17:00 Berlin", /`Berlin` is no time zone/],
    ["09:00-25:00 UTC", /no clock shows/],
    ["24:00-06:00 UTC", /no clock shows/],
    ["09:60-17:00 UTC", /no clock shows/],
    ["09:00-17:75 UTC", /no clock shows/],
    ["09:00-09:00 UTC", /ends when it begins/],
    ["Mo-Fr 09:00-17:00 UTC", /`Mo-Fr` names no days/],
    ["Mon-Wed-Fri 09:00-17:00 UTC", /names no days/],
    ["Mon-Fri,Wed 09:00-17:00 UTC", /names a day twice/],
    ["Mon- 09:00-17:00 UTC", /names no days/],
  ])("CFG-1 %j: %s", (text, message) => {
    const parsed = parseHours(text);
    expect(parsed.ok ? "" : parsed.message).toMatch(message);
    expect(parsed.ok ? "" : parsed.remedy).not.toBe("");
  });
});
