import { describe, expect, test } from "vitest";
import type { Skill } from "../../src/base/github.ts";
import type { Ending } from "../../src/base/run.ts";
import { findingsOf, shows } from "../../src/runbooks/findings.ts";
import type { PastRun } from "../../src/runbooks/next-step.ts";
import { offlineReading } from "../../src/runbooks/offline.ts";
import { bySection } from "./by-section.ts";

const body = `# queue stuck
## Verify
\`\`\`sh
$ mailq | tail -1
# expect: 9* Requests
systemctl is-active \\
  postfix
\`\`\`

Expected: \`inactive\` or \`failed\`

- \`mailq | tail -1\` shows \`Mail queue is empty\`: healthy, nothing to do
- \`connection timed out\` calls for \`systemctl reload postfix\`
- When \`systemctl is-active postfix\` does not say \`active\`, ask the mail team.

## Act
\`\`\`sh
postqueue -f
systemctl reload postfix
\`\`\`

## Notes
Rotate the token if the relay answers \`401\` or \`403\`; \`postconf\` lists the settings.
`;
const [queue, active, flush, reload] = [
  "mailq | tail -1",
  "systemctl is-active   postfix",
  "postqueue -f",
  "systemctl reload postfix",
];
const postfix: Skill = {
  name: "mail-queue-stuck",
  description: 'The mail queue grows. Use when "mail transport unavailable" is logged.',
  path: "skills/mail-queue-stuck/SKILL.md",
  source: "acme",
  metadata: { alerts: "PostfixQueueSize" },
  body: body
    .replace("is-active \\\n  postfix", "is-active   postfix")
    .replace("is-active postfix`", "is-active   postfix`"),
};

const run = (command: string, output: string, ending: Ending = { kind: "exited", code: 0 }): PastRun => ({
  command,
  output,
  ending,
});
const next = (...runs: PastRun[]) => nextWithout([], ...runs);
const nextWithout = (rejected: readonly string[], ...runs: PastRun[]) => {
  const { prose, proposals } = offlineReading({
    skills: [postfix],
    incident: { title: "[FIRING:1] PostfixQueueSize", body: "mail-1" },
    servers: [{ name: "mail-1", os: "linux", groups: [], description: "" }],
    runs,
    proposed: rejected.map((command) => ({ command, place: "mail-1", by: "agent", state: "rejected" })),
    reason: "no-model",
  });
  return [proposals.map(({ command }) => command), prose] as const;
};

test("OFF-1 a runbook says what to expect below a command, below its block, or in a sentence that names its command", () => {
  expect(findingsOf(body, bySection(body))).toEqual([
    { check: queue, patterns: ["9* Requests"], acts: [], means: "fault" },
    { check: "systemctl is-active postfix", patterns: ["inactive", "failed"], acts: [], means: "fault" },
    { check: queue, patterns: ["Mail queue is empty"], acts: [], means: "healthy" },
    { check: undefined, patterns: ["connection timed out"], acts: [reload], means: "fault" },
    { check: "systemctl is-active postfix", patterns: ["active"], acts: [], means: "unclear" },
  ]);
  const plain = "## Verify\n```sh\ndf -h\n```\n## Notes\nIf it says `full`, call us.";
  expect(findingsOf(plain, bySection(plain))).toEqual([]);
});

test.each([
  ["a table", "Filesystem   Size  Used Avail Use% Mounted on\n/dev/sda2     50G   50G     0 100% /var", "100% /var"],
  ["a table of another width", "/dev/mapper/vg-var    1.5T  1.5T   12M  100%    /var\r\n", "100% /var"],
  [
    "a field that stands to the right",
    "            Slave_SQL_Running: No\n          Last_Errno: 1062",
    "Slave_SQL_Running: No",
  ],
  ["JSON on one line", '{"cluster":"main","status":"red","nodes":3}', '"status": "red"'],
  ["JSON on many lines", '{\n  "cluster" : "main",\n  "status" : "red"\n}', '"status":"red"'],
  ["a coloured log", "\u001b[31mERROR\u001b[0m Connection Refused by upstream", "error connection refused"],
  ["a line with something between", "node-4   NotReady   worker   91d   v1.33.1", "node-4 * v1.33"],
  ["a drawn table", "| Seconds_Behind_Source | NULL |", "Seconds_Behind_Source|null"],
  ["another script", "状态:失败 3 次", "状态: 失败"],
])("OFF-1 an expected pattern is found in %s", (_, output, pattern) => expect(shows(output, pattern)).toBe(true));

test.each([
  ["inside a word", "inactive", "active"],
  ["inside a number", "1100%", "100%"],
  ["over two lines", "status: red\nnode: green", "status * green"],
  ["where there is nothing", "", "active"],
  ["that is empty", "anything", " * "],
])("OFF-1 a pattern is not found %s", (_, output, pattern) => expect(shows(output, pattern)).toBe(false));

test("OFF-1 looking for a pattern takes no longer in a text made for that", () => {
  expect(shows("a".repeat(65_536), `${"a*".repeat(50)}b`)).toBe(false);
  expect(shows(`${"a ".repeat(30_000)}`, "*a*a*a*a*b")).toBe(false);
});

describe("OFF-1 what a check shows decides what comes next", () => {
  test("OFF-1 the fault that is expected calls for the step that stands beside it, else for the first", () => {
    expect(next()).toEqual([[queue, active], "Look first; these only read."]);
    expect(next(run(queue, "-- 812031 Kbytes in 9412 Requests."))).toEqual([
      [flush],
      "`mailq | tail -1` showed `9* Requests`; this is the step for it.",
    ]);
    expect(next(run(queue, "(connect to mx: Connection  timed out)"))[0]).toEqual([reload]);
  });

  test("OFF-1 a check that ends with another code says as much by its output, one that did not end says nothing", () => {
    expect(next(run(active, "failed", { kind: "exited", code: 3 }))[0]).toEqual([flush]);
    expect(next(run(active, "failed", { kind: "unknown", reason: "lost" }))[0]).toEqual([queue, active]);
  });

  test("OFF-1 nothing is changed where no check shows what is expected, and health is said", () => {
    expect(next(run(queue, "-- 3 Kbytes in 1 Request."))[0]).toEqual([active]);
    const [commands, prose] = next(run(queue, "-- 3 Kbytes in 1 Request."), run(active, "reloading"));
    expect(commands).toEqual([]);
    expect(prose).toContain("No check shows what the runbook expects of this fault (`9* Requests`, `inactive`");
    const [none, well] = next(run(queue, "Mail queue is empty"), run(active, "reloading"));
    expect(none).toEqual([]);
    expect(well).toContain("`Mail queue is empty`, which the runbook calls healthy");
  });

  test("OFF-1 a sentence that says not is left to a person", () => {
    const [commands, prose] = next(run(queue, "-- 1 Request."), run(active, "active"));
    expect(commands).toEqual([]);
    expect(prose).toContain("read in the runbook what that means");
  });

  test("OFF-1 after a step it looks again before the next one, and stops when the runbook has none left", () => {
    const stuck = run(queue, "-- 1 Kbytes in 99 Requests.");
    expect(next(stuck, run(flush, ""))).toEqual([[queue, active], "See whether that helped; these only read."]);
    expect(next(stuck, run(flush, ""), stuck)[0]).toEqual([reload]);
    expect(next(stuck, run(flush, ""), stuck, run(reload, ""), stuck)).toEqual([
      [active],
      "`mailq | tail -1` showed `9* Requests`, and the runbook has no further step for it. If it goes on: call the owner of this.",
    ]);
    expect(next(stuck, run(flush, "", { kind: "exited", code: 1 }))[0]).toEqual([queue, active]);
  });

  test("OFF-1 where somebody turned down the step that a check calls for, no later step is proposed unless a person asks", () => {
    const stuck = run(queue, "-- 1 Kbytes in 99 Requests.");
    expect(nextWithout([flush], stuck, run(active, "active"))).toEqual([
      [],
      "`mailq | tail -1` showed `9* Requests`, but `postqueue -f`, the step for it, was turned down. To go on without it: `/ask act`",
    ]);
    expect(nextWithout([flush, reload], stuck, run(active, "active"))[1]).toContain("has no further step for it");
    expect(nextWithout([reload], stuck, run(active, "active"))[0]).toEqual([flush]);
  });
});
