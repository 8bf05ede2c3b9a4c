import { describe, expect, it } from "vitest";
import { parseRepoOnCall, secretsOfOnCall } from "../../src/config/oncall.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { surveyed } from "./operator.ts";

const folder = useFolder();

function survey(oncall: object, files: Readonly<Record<string, string>> = {}) {
  for (const [name, text] of Object.entries(files)) writerIn(folder)(name, text);
  const { config, problems } = surveyed(folder, { oncall });
  return { oncall: config.oncall, problems };
}

describe("on call in the operator's file", () => {
  it("OC-8 is nobody unless said otherwise; addresses and secrets come out of files", () => {
    expect(survey({})).toEqual({ oncall: { calendar: undefined, hook: undefined }, problems: [] });
    const calendar = { url_file: "./c", names: { "Lee Ex": "lee" } };
    const set = { calendar, hook: { kind: "pagerduty", secret_file: "./key" } };
    expect(survey(set, { c: "webcal://calendar.example/a.ics\n", key: "routing\n" })).toEqual({
      oncall: {
        calendar: { url: "https://calendar.example/a.ics", names: { "Lee Ex": "lee" }, timeZone: "UTC" },
        hook: { kind: "pagerduty", url: "https://events.pagerduty.com/v2/enqueue", secret: "routing" },
      },
      problems: [],
    });
  });

  it("SR-47 its keys and the addresses that are keys are secrets; what PagerDuty has for everybody is none", () => {
    const hook = { kind: "slack", url: "https://hooks.example/T1", secret: undefined } as const;
    const calendar = { url: "https://calendar.example/a.ics", names: {}, timeZone: "UTC" };
    expect(secretsOfOnCall({ calendar, hook })).toEqual([calendar.url, hook.url]);
    const own = { kind: "pagerduty", url: "https://events.pagerduty.com/v2/enqueue", secret: "routing" } as const;
    expect(secretsOfOnCall({ calendar: undefined, hook: own })).toEqual(["routing"]);
  });

  it.each([
    [{ calendar: { url_file: "./plain" } }, "holds no https:// address"],
    [{ calendar: { url_file: "./none" } }, "cannot be read"],
    [{ calendar: { url_file: "./c", time_zone: "Mars/Base" } }, "is no time zone"],
    [{ calendar: { url_file: "./c", names: { "Lee Ex": "@lee" } } }, "is no login on GitHub"],
    [{ hook: { kind: "slack" } }, "needs a `url_file`"],
    [{ hook: { kind: "webhook", url_file: "./c" } }, "needs a `secret_file` with the key that signs"],
    [{ hook: { kind: "pagerduty" } }, "needs a `secret_file` with the routing key"],
  ])("OC-8 what cannot work is refused with the reason: %j", (oncall, reason) => {
    const { problems } = survey(oncall, {
      c: "https://calendar.example/a.ics",
      plain: "http://calendar.example/a.ics",
    });
    expect(problems.join("\n")).toContain(reason);
  });
});

describe("a repository's oncall.yml", () => {
  it("OC-8 names accounts that a company manages, too", () => {
    const text = "people: [sam_acme]\nfrom: 2026-01-05 09:00\nnames: { Sam: sam-b_acme }";
    expect(parseRepoOnCall(text, "oncall.yml")).toMatchObject({
      ok: true,
      value: { people: ["sam_acme"], names: { Sam: "sam-b_acme" } },
    });
  });

  it.each([
    ["people: [lee]", "oncall.yml:1:1", "is missing: when the first turn"],
    ["people: [lee]\nfrom: tomorrow", "oncall.yml:2:1", "is no time, such as"],
    ["people: [lee]\nfrom: 2026-02-31 09:00", "oncall.yml:2:1", "is no time, such as"],
    ["people: [lee]\nfrom: 2026-01-05 09:00\nevery: 10m", "oncall.yml:3:1", "is shorter than an hour"],
    [
      "overrides: [{ who: lee, from: 2026-01-05 09:00, until: 2026-01-04 09:00 }]",
      "oncall.yml:1:",
      "ends before it begins",
    ],
    ["peple: [lee]", "oncall.yml:1:1", "people"],
  ])("OC-8 is refused with place and reason: %j", (text, place, reason) => {
    const parsed = parseRepoOnCall(text, "oncall.yml");
    const said = parsed.ok ? "" : parsed.problems.map((one) => `${one.place} ${one.message} ${one.remedy}`).join("\n");
    expect(said).toContain(place);
    expect(said).toContain(reason);
  });
});
