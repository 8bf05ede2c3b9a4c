import { expect, test } from "vitest";
import { plainText } from "../../demo/plain-text.ts";

test.each([
  ["**1** ✅ `df -h` on `web-1` · [card](http://x/1)", "1 ✅ df -h on web-1 · card"],
  ["pg\\_stat\\_activity &lt;/dev/null \\| head", "pg_stat_activity </dev/null | head"],
  [
    "- [x] **1** · low\n  ```sh\n  a\n\n  b\n  ```\n- [ ] **2**",
    "[x] 1 · low\n    ┌\n    │ a\n    │\n    │ b\n    └\n[ ] 2",
  ],
  ["| # | state |\n|---|---|\n| **1** | a \\| b |\n| 10 | c |", "#   state\n1   a | b\n10  c"],
  [
    "<details><summary>3 <code>df</code></summary>\n\n```text\n<b>&amp;\n```\n\n</details>",
    "▸ 3 df\n\n┌\n│ <b>&amp;\n└",
  ],
  ["<sub>Board</sub>\n\n<!-- countersign-record {} -->\n<!-- countersign x -->", "Board"],
  ["> [!NOTE]\n> a\n> b", "> Note\n> a\n> b"],
  ["2. a\n3. b", "2. a\n3. b"],
  ["`<b>` and ``a`b``", "<b> and a`b"],
  ["a  \nb<br>c", "a\nb\nc"],
  ["", ""],
])("%j reads %j", (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
