import { expect, test } from "vitest";
import { taskWords } from "../../src/text/tasks.ts";

test.each([
  ["- [ ] **4** · 🟢 low", ["4 · 🟢 low"]],
  ["* [x] ~~__4__ · :green_circle: low~~ void", ["4 · 🟢 low void"]],
  ["1. [ ]    4&nbsp;&middot;&#32; &#x1f534; high", ["4 · 🔴 high"]],
  ["- [ ]\n  <b>4</b><!-- x --> ·\u200b\n  :no_entry: block", ["4 · ⛔ block"]],
  ["- x\n\n    + [ ] 4 · `:red_circle:` high", ["4 · :red_circle: high"]],
  ["- [ ] one\n  - [ ] two\n\n    more", ["one", "two"]],
  ["> said\n- [ ] mine", ["mine"]],
  ["> - [ ] said\n\n```\n- [ ] code\n```\n\n<!--\n- [ ] hidden\n-->\n- none\n- \\[ ] none", []],
])("SR-30 the tasks of %j read %j", (markdown, words) => expect(taskWords(markdown)).toEqual(words));

test("SR-30 no crowd of marks and no depth hides a task, and none of them hangs", { tags: ["long"] }, () => {
  const task = "* [ ] **4** · :green_circle: low";
  const crowd = "*a _b ~c ".repeat(6_000);
  const deep = Array.from({ length: 250 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n");
  for (const around of [crowd, "[".repeat(30_000), `${">".repeat(30_000)} x`, "- [ ] ".repeat(4_000), deep])
    expect(taskWords(`${around}\n${task}`).some((words) => words.startsWith("4 · 🟢 low"))).toBe(true);
});
