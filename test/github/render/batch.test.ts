import { expect, test } from "vitest";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { action, ink, run } from "./views.ts";

/** The last cell of a check's row. */
function decides(excerpt: string): string | undefined {
  const spec = { ...action(1).spec, set: [{ command: "uptime" }, { command: "df -h" }] };
  const runs = [run({ step: 0, excerpt }), run({ step: 1 })];
  const actions = [{ ...action(1, { state: "done", spec, runs }), records: [] }];
  const body = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
  return /^\| 1 \|.*\| ([^|]*) \|$/m.exec(body)?.[1]?.replaceAll("`", "");
}

test("DC-4 a line decides that shows trouble or meets what was expected; if none does, the column has the last", () => {
  const drawn = (
    set: readonly { command: string; expect?: { exit: number; contains: string } }[],
    trouble: string | null,
  ) => {
    const spec = { ...action(1).spec, set };
    const excerpt = "ok so far\nlag of replica 2: 0 s\nend\n";
    const runs = set.map((_, step) => run({ step, excerpt, trouble: step === 0 ? trouble : null }));
    const actions = [{ ...action(1, { state: "done", spec, runs }), records: [] }];
    const rows = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink).match(/^\|.*\|$/gm) ?? [];
    return [0, 2, 3].map((at) => rows[at]?.split(" | ").at(-1)?.replace(/[`|]/g, "").trim());
  };
  const [plain, wanted] = [{ command: "a" }, { command: "b", expect: { exit: 0, contains: "replica *: 0 s" } }];
  expect(drawn([plain, plain], null)).toEqual(["last line", "end", "end"]);
  expect(drawn([plain, wanted], null)).toEqual(["the line that decides", "", "lag of replica 2: 0 s"]);
  expect(drawn([plain, plain], "lag")).toEqual(["the line that decides", "lag", ""]);
});

test.each([
  ['{\n  "status": "ok"\n}\n', '"status": "ok"'],
  ["state  count\nidle   97\n(3 rows)\n", "idle 97"],
  ["a\nb\n1 row in set (0.00 sec)\n", "b"],
  ["one\n-----\n\n", "one"],
  ["}\n", ""],
  ["3 rows: none is locked\n", "3 rows: none is locked"],
])("AR-26 the last line says something: %j", (excerpt, line) => {
  expect(decides(excerpt)).toBe(line);
});
