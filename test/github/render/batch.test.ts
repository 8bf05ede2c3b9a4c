import { expect, test } from "vitest";
import { type Expectation, markAddressed } from "../../../src/base/run.ts";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { action, ink, run } from "./views.ts";

/** How the fact of a set's first check is introduced, and it. */
function decides(excerpt: string, of: { readonly trouble?: string; readonly expect?: Expectation } = {}) {
  const spec = { ...action(1).spec, set: [{ command: "look", expect: of.expect }, { command: "true" }] };
  const outcome = of.expect?.lacks === undefined ? null : ({ kind: "surprise", why: "it has it" } as const);
  // Longer than what is shown whole.
  const long = `\n\n\n\n\n${excerpt}`;
  const runs = [run({ step: 0, excerpt: long, trouble: of.trouble ?? null, outcome }), run({ step: 1, excerpt: "" })];
  const actions = [action(1, { state: "done", spec, runs })];
  const body = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
  const summary = /^(?:<details[^>]*><summary>)?1 .*?<br>(→|last line:) (?:<code>|`+)(.*?)(?:<\/code><\/summary>|`+)$/m;
  const [, by = "", fact = ""] = summary.exec(body) ?? [];
  return [by, fact.replaceAll(/&#34;|&quot;/g, '"').replace(/\s+/g, " ")];
}

test.each([
  // The only line that says something, or the state.
  ['{\n  "status": "ok"\n}\n', "→", '"status": "ok"'],
  ["SubState=running\nActiveEnterTimestamp=Mon 14:31\n", "→", "SubState=running"],
  ["HTTP/1.1 404 Not Found\nServer: nginx\n", "→", "HTTP/1.1 404 Not Found"],
  ["HTTP/1.1 is spoken\nServer: nginx\n", "last line:", "Server: nginx"],
  ["100\n", "→", "100"],
  ["b\n1 row in set (0.00 sec)\n", "→", "b"],
  ["3 rows: none is locked\n", "→", "3 rows: none is locked"],
  ["one\n-----\n\n", "→", "one"],
  ["● a.service\n  Loaded: loaded\n  Active: active (running)\n\n14:00 a: ready\n", "→", "Active: active (running)"],
  // The largest: by its head, by units, without the total and what holds all others.
  [" who | count\n-----+------\n api | 22\n a worker | 71\n(2 rows)\n", "→", "a worker | 71"],
  ["state count\nactive 3\nidle 97\n(2 rows)\n", "→", "idle 97"],
  ["40G /var\n9G /var/lib\n31G /var/log\n40G total\n", "→", "31G /var/log"],
  [
    "Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 20G 9G 11G 45% /\n/dev/sdb1 10G 8.5G 1.5G 85% /var\n",
    "→",
    "/dev/sdb1 10G 8.5G 1.5G 85% /var",
  ],
  // Sorted by the memory, so it is that, and not the last amount.
  ["PID %MEM %CPU COMMAND\n311 71 1 worker\n12 9 88 api\n", "→", "311 71 1 worker"],
  // Ids are no amounts, equals decide nothing, and logs have no largest line.
  ["311 nginx\n4711 nginx\n12 nginx\n9 nginx\n", "last line:", "9 nginx"],
  ["who | count\n a | 7\n b | 7\n c | 1\n", "last line:", "c | 1"],
  ["14:00 begun\n14:01 ended\n(2 rows)\n}\n", "last line:", "14:01 ended"],
  ["\n          total used free\nMem:   7900 3000 100\nSwap:  2000 0 2000\n", "last line:", "Swap: 2000 0 2000"],
  ["}\n(0 rows)\n", "", ""],
])("AR-26 DC-4 the line that decides bears the fact, and a last line is called so: %j", (excerpt, by, line) => {
  expect(decides(excerpt)).toEqual([by, line]);
});

test("AR-26 DC-5 an output of one line is not shown twice, and a line that was cut has its output below", () => {
  const drawn = (excerpt: string) => {
    const spec = { ...action(1).spec, set: [{ command: "look" }, { command: "true" }] };
    const actions = [
      action(1, { state: "done", spec, runs: [run({ step: 0, excerpt }), run({ step: 1, excerpt: "" })] }),
    ];
    return renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink).split("\n\n").slice(1);
  };
  expect(drawn("ok\n")).toEqual(["1 ✅ `look`<br>→ `ok`", "2 ✅ `true`"]);
  expect(drawn("x".repeat(200)).join()).toMatch(/<details><summary>1 .*…<\/code><\/summary>,```text\nx{200}\n```/);
});

test("AR-26 DC-4 trouble decides before a state, and what broke or met an expectation", () => {
  const excerpt = "Active: active (running)\n14:00 no space left on device\nretry 7\n";
  const trouble = "14:00 no space left on device";
  expect(decides(excerpt, { trouble })).toEqual(["→", trouble]);
  expect(decides(excerpt, { trouble, expect: { exit: 0, lacks: "retry" } })).toEqual(["→", "retry 7"]);
  expect(decides(excerpt, { expect: { exit: 0, contains: "14:* device" } })).toEqual(["→", trouble]);
  expect(decides(excerpt)).toEqual(["→", "Active: active (running)"]);
  // A line that speaks to the agent decides nothing, and is told below its own check.
  const spec = { ...action(1).spec, set: [{ command: "true" }, { command: "look" }] };
  const runs = [run({ step: 0, excerpt: "" }), run({ step: 1, excerpt: "a\nb\n", trouble: markAddressed("b") })];
  const actions = [action(1, { state: "done", spec, runs })];
  expect(renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink)).toMatch(
    /1 ✅ `true`[\s\S]*<summary>2 [\s\S]*<\/details>\n\n\*\*Its output speaks to the agent\.\*\*/,
  );
  expect(decides("a\nb\n", { trouble: markAddressed("b") })).toEqual(["", ""]);
});

test.each([
  ["an only line stands once", "3:level: debug\n", "1 ✅ `look`<br>→ `3:level: debug`", false],
  [
    "nor an only line that says something",
    '{\n  "status": "ok"\n}\n',
    '1 ✅ `look`<br>→ `"status": "ok"`\n\n2 ',
    false,
  ],
  ["two lines are shown whole", "a\n3:level: debug\n", "1 ✅ `look`\n\n```text\na\n3:", false],
  ["three with the state, too", "a\nActive: failed\nb\n", "1 ✅ `look`\n\n```text\na\nActive: failed\nb", false],
  ["five are shown whole", "a\nb\nc\nd\n3:level: debug\n", "1 ✅ `look`\n\n```text\na\nb\nc\nd\n3:", false],
  ["six lines are one tap away", "a\nb\nc\nd\ne\n3:level: debug\n", "last line: <code>3:level: debug", true],
  ["nor are two long lines", `a\n${"b".repeat(121)}\n`, "last line: <code>b", true],
  ["a code span would change its spaces", "a  b\n", "1 ✅ `look`\n\n```text\na  b\n", false],
])("PRODUCT nothing is said twice of a check: %s", (_what, excerpt, says, isFolded) => {
  const spec = { ...action(1).spec, set: [{ command: "look" }, { command: "true" }] };
  const runs = [run({ step: 0, excerpt }), run({ step: 1, excerpt: "" })];
  const actions = [action(1, { state: "done", spec, runs })];
  const body = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
  expect(body).toContain(says);
  expect(body.includes("<details>")).toBe(isFolded);
});

test("DC-5 a result of which all ran by a later approval says so, and is never empty", () => {
  const view = { login: "lee", note: null, waitsFor: null, actions: [], moved: [6, 7] };
  expect(renderBatch(view, ink)).toContain(
    "Not run by this approval: 6, 7. What was approved again has its own result.",
  );
  expect(renderBatch({ ...view, note: "Stopped." }, ink)).toContain("Stopped.");
});
