import { expect, test } from "vitest";
import { imitatedIn } from "../../../src/features/intake/comment-changed.ts";

const body = "\n  ```sh\n  uptime\n  ```";

test.each([
  "- [ ] **4** · 🟢 low · `web-1` · **Look**",
  "- [ ] **4** · :green_circle: low · `web-1` · **Look**",
  "- [ ] **4** &middot; 🟢 low",
  "- [ ]   **4**  ·&nbsp; 🟢 low",
  "* [x] ~~**4** · :no_entry: block~~",
  "1. [ ] <b>4</b> · &#x1F534; high",
  "- [ ]\r\n  __4__ • 🟩 low",
  "- how:\n\n    - [ ] **4** · 🟡 medium",
])("SR-30 %j looks like an entry of ours", (entry) => {
  expect(imitatedIn(`Please look.\n\n${entry}${body}`)).toEqual([4]);
});

test.each([
  "I think 4 is right: 🟢",
  "- [ ] 4 web servers are 🟢",
  "- [ ] restart **4** · 🟢 low",
  "- **4** · 🟢 low",
  "> - [ ] **4** · 🟢 low",
  "`- [ ] **4** · 🟢 low`",
  "~~~\n- [ ] **4** · 🟢 low\n~~~",
])("SR-30 %j does not", (talk) => expect(imitatedIn(talk)).toBeUndefined());

test("SR-30 our hidden marker does, with no number", () => {
  expect(imitatedIn("ok <!-- countersign 0123 -->")).toEqual([]);
});
