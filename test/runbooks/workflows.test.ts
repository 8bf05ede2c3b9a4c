import { describe, expect, test } from "vitest";
import type { Shell } from "../../src/base/server.ts";
import { fillWorkflow, parseWorkflow, type Workflow } from "../../src/runbooks/workflows.ts";

const path = ".github/countersign/workflows/disk.yml";
const shells: Readonly<Record<string, readonly Shell[]>> = {
  "web-1": ["bash"],
  win: ["powershell"],
  all: ["bash", "powershell"],
};
const shellsOf = (place: string) => shells[place] ?? [];
const fill = (workflow: Workflow, values: Readonly<Record<string, string>>) => fillWorkflow(workflow, values, shellsOf);
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
  test("SR-18 hands its steps what it asks beyond policy", () => {
    expect(fill(workflow(), {})).toMatchObject({ ok: true, steps: [{ title: "Space on /var" }, { title: "Inodes" }] });
    const parsed = parse(`${text}approvals: 2\napprovers: [acme/dba]\n`);
    const filled = parsed.ok ? fill(parsed.workflow, {}) : undefined;
    expect(filled?.ok && filled.steps.map(({ demands }) => demands)).toEqual(
      Array.from({ length: 2 }, () => [{ approvals: 2, approvers: ["acme/dba"] }]),
    );
    expect(problems(`${text}approvals: 0\n`)).toEqual([expect.stringMatching(/`approvals` must be at least 1/)]);
    expect(problems(`${text}approvers: []\n`)).toHaveLength(1);
  });

  test("WF-1 puts values and defaults into its steps", () => {
    const filled = fill(workflow(), { mount: "/srv/data", level: "high" });
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
    expect(fill(workflow(), { top: "ten", level: "mid", mout: "/" })).toEqual({
      ok: false,
      refusals: [
        "`mout` is not a parameter of `nightly-disk-check`; it has `mount`, `top`, `level`",
        "`top` must be a number",
        "`level` must be one of low, high",
      ],
    });
  });
});

describe("WF-1 what somebody gives is data", () => {
  const command = (line: string, server: string, value: string) => {
    const parsed = parse(
      `name: say\ndescription: d\nparams: { text: {} }\nsteps:\n  - { server: ${server}, title: T, command: ${JSON.stringify(line)} }\n`,
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const filled = fill(parsed.workflow, { text: value });
    return filled.ok ? filled.steps[0]?.command : filled.refusals.join("; ");
  };

  test("WF-1 it is quoted for the place where it stands and the shell of the server", () => {
    expect(command("logger {{text}}", "web-1", "disk's full; rm -rf /")).toBe("logger 'disk'\\''s full; rm -rf /'");
    expect(command('logger "host: {{text}}"', "web-1", 'a "b" c')).toBe('logger "host: a \\"b\\" c"');
    expect(command("logger 'host: {{text}}'", "web-1", "it's")).toBe("logger 'host: it'\\''s'");
    expect(command("Write-Output {{text}}", "win", "disk's full; ri C:\\")).toContain("`text` may not hold");
    expect(command("Write-Output {{text}}", "win", "disk's full; ri C:")).toBe("Write-Output 'disk''s full; ri C:'");
  });

  test("WF-1 where that is not clear, or not the same on all servers of a group, only plain words fit", () => {
    const plainOnly = "`text` stands where only letters, digits and a few signs such as `_ . / : -` can";
    for (const line of [
      'x "$(y {{text}})"',
      "x `y {{text}}`",
      "x <<E\n{{text}}\nE",
      "x # {{text}}",
      "x $'a {{text}}'",
    ]) {
      expect(command(line, "web-1", "a b"), line).toContain(plainOnly);
      expect(command(line, "web-1", "a.b"), line).toContain("a.b");
    }
    expect(command('Write-Output "{{text}}"', "win", "a b")).toContain(plainOnly);
    expect(command("say {{text}}", "all", "it's")).toContain("is quoted in one way for some of the servers");
    expect(command("say {{text}}", "nowhere", "a b")).toContain("is quoted in one way");
    expect(command("say {{text}}", "all", "a-b")).toBe("say a-b");
  });

  test("WF-1 an option, an empty text and what cannot be seen are refused", () => {
    for (const [value, why] of [
      ["-rf", "begins with a dash"],
      ["–Recurse", "begins with a dash"],
      ["", "is empty"],
      ["a\nb", "cannot be seen"],
      ["a\u200bb", "cannot be seen"],
      ["$(id)", "may not hold `$`"],
      ["`id`", "may not hold `$`"],
      ["a".repeat(201), "longer than 200"],
    ] as const)
      expect(command("logger {{text}}", "web-1", value), value).toContain(why);
  });
});
