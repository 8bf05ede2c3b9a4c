import { describe, expect, test } from "vitest";
import { isCron } from "../../src/runbooks/cron.ts";
import { fillWorkflow, parseWorkflow, unmetExpectation, type Workflow } from "../../src/runbooks/workflows.ts";
import { fc } from "../chance.ts";

const path = ".github/countersign/workflows/disk.yml";
const parse = (text: string) => parseWorkflow({ path, text, source: "acme/web@1" });
const text = `name: nightly-disk-check
description: Looks at the disks
params:
  mount: { default: /var, description: mount point }
  top: { type: number, default: 10 }
  level: { enum: [low, high], default: low }
steps:
  - { server: web-1, title: "Space on {{mount}}", command: "df -h {{ mount }} | head -{{top}}", expect: "%" }
  - { server: "{{level}}", title: Inodes, command: df -i, expect: { exit: 1, lacks: 100% } }
schedule: "0 3 * * mon-fri"
`;
function workflow(): Workflow {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.workflow;
}
const problems = (source: string) => {
  const parsed = parse(source);
  return parsed.ok ? [] : parsed.problems.map(({ place, message }) => `${place.slice(path.length + 1)} ${message}`);
};

describe("WF-1 a workflow's file", () => {
  test("WF-1 gives name, description, typed params, steps and schedule", () => {
    expect(workflow()).toMatchObject({
      name: "nightly-disk-check",
      schedule: "0 3 * * mon-fri",
      params: { top: { type: "number", default: 10 }, mount: { type: "string" } },
      steps: [{ expect: { exit: 0, contains: "%" } }, { expect: { exit: 1, lacks: "100%" } }],
    });
  });

  test("WF-1 each mistake is named with its place and the nearest valid key", () => {
    expect(problems(text.replace("title: Inodes", "titel: Inodes"))).toEqual([
      expect.stringMatching(/^9:5 `steps.1.title` is missing/),
      expect.stringMatching(/^9:\d+ `steps.1.titel` is not a known key/),
    ]);
    expect(problems(text.replace("{{top}}", "{{tpo}}"))).toEqual(["8:5 `{{tpo}}` is not among `params`"]);
    expect(problems(text.replace("0 3 * * mon-fri", "0 25 * * *"))[0]).toContain("is no cron expression");
    expect(problems(text.replace("default: /var, ", ""))).toEqual([
      "4:3 `mount` has no default, which a scheduled workflow needs",
    ]);
    expect(problems("name: a\n")).toHaveLength(2);
  });
});

describe("WF-1 a workflow that is started", () => {
  test("WF-1 puts values and defaults into its steps", () => {
    const filled = fillWorkflow(workflow(), { mount: "/srv/data", level: "high" });
    expect(filled).toMatchObject({
      ok: true,
      steps: [
        {
          server: "web-1",
          title: "Space on /srv/data",
          command: "df -h /srv/data | head -10",
          description: "Looks at the disks",
        },
        { server: "high", command: "df -i" },
      ],
    });
  });

  test("WF-1 says everything that is wrong with the values at once", () => {
    expect(fillWorkflow(workflow(), { top: "ten", level: "mid", mout: "/" })).toEqual({
      ok: false,
      refusals: [
        "`mout` is not a parameter of `nightly-disk-check`; it has `mount`, `top`, `level`",
        "`top` must be a number",
        "`level` must be one of low, high",
      ],
    });
  });

  test("WF-1 no value can become more than a part of one word of a command", () => {
    for (const value of [
      "/; rm -rf /",
      "$(id)",
      "`id`",
      "a b",
      "-rf",
      "a\nb",
      "'",
      '"',
      "a|b",
      "a&b",
      ">x",
      "*",
      "~root",
      "%PATH% x",
      "{a,b}",
      "",
    ]) {
      expect(fillWorkflow(workflow(), { mount: value })).toMatchObject({ ok: false });
    }
    const words = (command: string) => command.split(/[\s;&|<>()$`'"\\]+/).length;
    const plain = words("df -h /var | head -10");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        const filled = fillWorkflow(workflow(), { mount: value });
        return !filled.ok || words(filled.steps[0]?.command ?? "") === plain;
      }),
    );
  });
});

test("WF-2 an expectation that does not hold says why; without one, exit code 0 is expected", () => {
  const exited = (code: number, output = "") => ({ ending: { kind: "exited", code } as const, output });
  expect(unmetExpectation(undefined, exited(0))).toBeUndefined();
  expect(unmetExpectation(undefined, exited(2))).toBe("it exited with 2, not 0");
  expect(unmetExpectation({ exit: 0, contains: "ok" }, exited(0, "all ok"))).toBeUndefined();
  expect(unmetExpectation({ exit: 0, contains: "ok" }, exited(0, "bad"))).toBe('its output lacks "ok"');
  expect(unmetExpectation({ exit: 1, lacks: "100%" }, exited(1, "100%"))).toBe('its output has "100%"');
  expect(unmetExpectation(undefined, { ending: { kind: "timed-out", afterMs: 1 }, output: "" })).toContain("timed-out");
});

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
])("WF-2 %s is none", (cron) => expect(isCron(cron)).toBe(false));
