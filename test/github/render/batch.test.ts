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

test.each([
  ['{\n  "status": "ok"\n}\n', '"status": "ok"'],
  ["state  count\nidle   97\n(3 rows)\n", "idle 97"],
  ["a\nb\n1 row in set (0.00 sec)\n", "b"],
  ["one\n-----\n\n", "one"],
  ["}\n", ""],
  ["3 rows: none is locked\n", "3 rows: none is locked"],
])("AR-26 the line that decides says something: %j", (excerpt, line) => {
  expect(decides(excerpt)).toBe(line);
});
