import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../harness/until.ts";
import { hand, readable } from "./by-hand.ts";

const asked = (...told: readonly string[]) => ({
  model: "hand",
  messages: [{ role: "system", content: "be brief" }, ...told.map((content) => ({ role: "user", content }))],
  tools: [{ function: { name: "propose_actions" } }],
});

describe("DC-5 somebody plays the model by hand", () => {
  it("finds each request as a file and answers by a file beside it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-hand-"));
    const answer = hand(folder);
    const first = answer(asked("opened"));
    await until(() => expect(readFileSync(join(folder, "request-1.md"), "utf8")).toContain("opened"));
    writeFileSync(join(folder, "reply-1.json"), '{"text": "LIKELY"}');
    expect(await first).toEqual({ text: "LIKELY" });
    writeFileSync(join(folder, "reply-2.json"), '{"text": "CONFIRMED"}');
    expect(await answer(asked("opened", "ran"))).toEqual({ text: "CONFIRMED" });
  });

  it("reads tools and system once, then what is new", () => {
    const first = asked("opened");
    expect(readable(first, [])).toContain("===== system\nbe brief");
    const next = readable(asked("opened", "ran"), [first]);
    expect(next).toContain("===== user\nran");
    expect(next).not.toMatch(/be brief|opened|\{"name"/);
  });
});
