import { beforeEach, describe, expect, it } from "vitest";
import { lookAtOnCall, onCallProblems } from "../../../src/cli/check/oncall.ts";
import { surveyed } from "../../config/operator.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";
import { startSink } from "../../pager/sink.ts";

const folder = useFolder();
const write = writerIn(folder);

/** A shift from an hour ago to an hour ahead, and the one behind it. */
function shifts(first: string, second: string): string {
  const at = (hours: number): string =>
    `${new Date(Date.now() + hours * 3_600_000)
      .toISOString()
      .replace(/[-:]|\.\d+/g, "")
      .slice(0, 13)}00Z`;
  const event = (uid: number, who: string, from: number, until: number): string =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${at(from)}\r\nDTEND:${at(until)}\r\nSUMMARY:${who}\r\nEND:VEVENT`;
  return ["BEGIN:VCALENDAR", "VERSION:2.0", event(1, first, -1, 1), event(2, second, 1, 2), "END:VCALENDAR"].join(
    "\r\n",
  );
}

describe("check of who is on call", () => {
  const sink = useStarted(() => startSink());
  beforeEach(() => sink.clear());

  const look = (oncall: object) => {
    write("c", sink.url);
    write("h", `${sink.url}/chat`);
    return lookAtOnCall(surveyed(folder, { oncall }).config);
  };
  const calendar = { url_file: "./c", names: { "Lee Ex": "lee", "Mona Ex": "mona" } };
  const hook = { kind: "slack", url_file: "./h" };

  it("CFG-1 OC-6 says who it is now, who is next and what comes last, and calls nobody", async () => {
    sink.answer(200, {}, shifts("Lee Ex", "Mona Ex"));
    const [row, ...more] = await look({ calendar, hook });
    expect(row?.said).toMatch(/^on call: `@lee` until .*; next: `@mona` from .*, last: Slack$/);
    expect([row?.warnings, row?.problems, more]).toEqual([[], undefined, []]);
    expect(sink.received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("CFG-1 OC-8 warns of somebody whom nobody knows on GitHub", async () => {
    sink.answer(200, {}, shifts("Kim Ex", "Lee Ex"));
    expect(await look({ calendar })).toMatchObject([
      {
        warnings: [
          { place: "oncall.calendar.names", message: 'nobody on GitHub is named for "Kim Ex", who is on call now' },
        ],
      },
    ]);
  });

  it.each(["@everyone", "On call: @here", "@acme/oncall", "@channel (rota)"])(
    "CFG-1 OC-8 refuses a shift of a whole group: %s",
    async (who) => {
      sink.answer(200, {}, shifts(who, "Lee Ex"));
      const [row] = await look({ calendar });
      expect(row?.problems).toEqual([
        {
          place: "oncall.calendar.url_file",
          message: expect.stringMatching(/^@\S+ is on call now, and is a group/),
          remedy: expect.stringContaining("`@login`"),
        },
      ]);
      expect(row?.warnings).toEqual([]);
    },
  );

  it("CFG-1 OC-8 refuses a group where a login belongs, at its place, also when the config is loaded", () => {
    const path = ".github/countersign/oncall.yml";
    const wrong = ["everyone", "@everyone", "@here", "Channel", "acme/oncall", "@acme/oncall"];
    for (const who of wrong) {
      const text = `people: [lee, "${who}"]\nfrom: 2026-11-02 09:00\n`;
      expect(onCallProblems({ path, source: path, text }), who).toMatchObject([
        { place: `${path}:1:15`, message: expect.stringContaining("is a group: only a person can be on call") },
      ]);
    }
    const prefixed = { path, source: path, text: 'people: ["@lee"]\nfrom: 2026-11-02 09:00\n' };
    expect(onCallProblems(prefixed)).toMatchObject([{ message: expect.stringContaining("without the @") }]);
    write("c", sink.url);
    const survey = surveyed(folder, { oncall: { calendar: { ...calendar, names: { "Lee Ex": "@everyone" } } } });
    expect(survey.problems).toEqual([expect.stringContaining("is a group")]);
  });

  it("CFG-1 OC-7 names an old event that cannot be read, and who is on call all the same", async () => {
    const old = "BEGIN:VEVENT\r\nUID:0\r\nDTSTART;TZID=Odd:20160919T190000\r\nSUMMARY:an old meeting\r\nEND:VEVENT\r\n";
    sink.answer(200, {}, shifts("Lee Ex", "Mona Ex").replace("BEGIN:VEVENT", `${old}BEGIN:VEVENT`));
    const [row] = await look({ calendar });
    expect(row?.said).toMatch(/^on call: `@lee` until/);
    expect(row?.problems).toBeUndefined();
    expect(row?.warnings).toEqual([
      {
        place: "oncall.calendar.url_file",
        message: expect.stringMatching(
          /^an event that is not on now cannot be read.*"an old meeting": .*time zone Odd/,
        ),
        remedy: expect.any(String),
      },
    ]);
  });

  it("CFG-1 OC-7 has a calendar that cannot be read as an error, and none as a row without one", async () => {
    sink.answer(503);
    expect(await look({ calendar, hook })).toMatchObject([
      {
        said: "cannot be read",
        problems: [{ place: "oncall.calendar.url_file", message: expect.stringContaining("503") }],
      },
    ]);
    sink.clear();
    expect(await look({ hook })).toEqual([{ name: "on call", said: "no calendar, last: Slack", skipped: true }]);
    expect(sink.received).toEqual([]);
  });

  it("CFG-1 OC-8 names the place of what is wrong in a repository's own file", () => {
    const path = ".github/countersign/oncall.yml";
    expect(onCallProblems(undefined)).toEqual([]);
    expect(onCallProblems({ path, source: path, text: "people: [lee]\nfrom: 2026-11-02 09:00\n" })).toEqual([]);
    expect(onCallProblems({ path, source: path, text: "people: [lee]\nfrom: 2026-11-31 09:00\n" })).toMatchObject([
      { place: expect.stringContaining(path), message: expect.stringContaining("is no time") },
    ]);
  });
});
