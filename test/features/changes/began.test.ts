import { expect, test } from "vitest";
import { beganIn } from "../../../src/features/changes/read-changes.ts";

const now = new Date("2026-11-27T14:26:10Z");
const read = (text: string, at = now): string | undefined => {
  const began = beganIn(text, at);
  return began && `${began.at.toISOString().slice(5, 16)}${began.withinMs > 60_000 ? " about" : ""}`;
};

test.each([
  ["checkout-api: 5xx above 5 % on web-1 since 14:14Z", "11-27T14:14"],
  ["5xx since 11:20Z, and since 09:00Z on web-2", "11-27T11:20"],
  ["seit 11:20 haben wir 502", "11-27T11:20"],
  ["seit ca. 11.20 Uhr", "11-27T11:20 about"],
  ["Depuis 11h20 le site est lent", "11-27T11:20"],
  ["desde las 11:20 fallan", "11-27T11:20 about"],
  ["carts time out since about noon", "11-27T12:00 about"],
  ["since noon", "11-27T12:00 about"],
  ["down since yesterday 23:40 CET", "11-26T22:40"],
  ["since 23:40 CET yesterday", "11-26T22:40"],
  ["seit gestern um 22:05 Uhr", "11-26T22:05"],
  ["started at 9:30 am UTC", "11-27T09:30"],
  ["since 2 pm", "11-27T14:00"],
  ["since 2026-11-27T13:05:00Z", "11-27T13:05"],
  ["Since: 2026-11-26 13:05 UTC", "11-26T13:05"],
  ["since 2026-11-27 15:05 +02:00", "11-27T13:05"],
  ["began at 05:40 PST", "11-27T13:40"],
  ["slow for the last 2 hours", "11-27T12:26 about"],
  ["started 20 minutes ago", "11-27T14:06"],
  ["seit einer Stunde", "11-27T13:26 about"],
  // Ahead of UTC: the writer's clock, in the nearest zone where it has come.
  ["since 15:20", "11-27T14:20"],
  ["seit 16:10 Uhr", "11-27T14:10"],
  // With a zone it is yesterday's.
  ["since 23:40Z", "11-26T23:40"],
  // Nothing of a beginning.
  ["PostgreSQL uses 97 of 100 connections", undefined],
  ["restarts from 5 to 7", undefined],
  ["since 14 orders failed", undefined],
  ["since release 2.4.1 was rolled out", undefined],
  ["since 99.5 % of the requests fail", undefined],
  ["from 10.0.0.11 to 10.0.0.12", undefined],
  ["since 2019-01-01 10:00Z", undefined],
  ["error at 14:14:35Z", undefined],
  ["checkout-worker was deployed an hour ago", undefined],
  ["logs are kept for 2 days", undefined],
  ["since 25:70Z", undefined],
  ["", undefined],
])("CH-02 when it began is read from the text: %s", (text, at) => {
  expect(read(text)).toBe(at);
});

test("CH-02 at midnight the day before is meant, and a long text costs no time", () => {
  expect(read("since 23:50Z", new Date("2026-11-27T00:10:00Z"))).toBe("11-26T23:50");
  expect(read("since 23:50", new Date("2026-11-27T00:10:00Z"))).toBe("11-26T23:50");
  expect(read("since ".repeat(100_000))).toBeUndefined();
});
