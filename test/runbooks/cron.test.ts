import { expect, test } from "vitest";
import { countDue, isCron, lastDue } from "../../src/runbooks/workflows.ts";

test.each(["* * * * *", "*/5 0-6 1,15 jan-mar MON", "59 23 31 12 7", "0 0 1-10/2 * *"])(
  "WF-2 %s is a cron expression",
  (cron) => {
    expect(isCron(cron)).toBe(true);
  },
);

test.each([
  "",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "5-1 * * * *",
  "*/0 * * * *",
  "a * * * *",
  "@daily",
  "0 0 31 2 *",
])("WF-2 %s is none", (cron) => expect(isCron(cron)).toBe(false));

const at = (time: string) => new Date(`2026-11-22T${time}Z`);

test.each([
  ["0 3 * * *", "03:00:00.000", "2026-11-22T03:00:00.000Z"],
  ["0 3 * * *", "02:59:59.999", "2026-11-21T03:00:00.000Z"],
  ["0 3 * * *", "03:00:59.999", "2026-11-22T03:00:00.000Z"],
  ["*/5 * * * *", "03:04:59.999", "2026-11-22T03:00:00.000Z"],
  ["0 3 * * mon-fri", "12:00:00.000", "2026-11-20T03:00:00.000Z"],
])("WF-2 %s was due last, as of %s, at %s (UTC)", (cron, now, due) => {
  expect(lastDue(cron, at(now))?.toISOString()).toBe(due);
});

test("WF-2 times between two others are counted, to a limit", () => {
  expect(countDue("*/5 * * * *", at("03:00:00"), at("03:20:00"))).toBe(3);
  expect(countDue("* * * * *", at("00:00:00"), at("23:00:00"), 10)).toBe(10);
  expect(countDue("no cron", at("00:00:00"), at("23:00:00"))).toBe(0);
});
