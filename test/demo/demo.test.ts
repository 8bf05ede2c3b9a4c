import { describe, expect, it } from "vitest";
import { startDemo } from "../../src/demo/demo.ts";
import { playOnce } from "../../src/demo/once.ts";

describe("the demo", () => {
  it("DC-1 DC-3 DC-4 DC-5 plays an incident through to its end", { timeout: 120_000 }, async () => {
    const demo = await startDemo({ port: 0 });
    const lines: string[] = [];
    await playOnce(demo, (line) => lines.push(line));
    expect(lines.join("\n")).toContain("the issue is closed with a summary");
    await demo.close();
  });
});
