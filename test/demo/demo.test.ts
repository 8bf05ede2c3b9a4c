import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDemo } from "../../src/demo/demo.ts";
import { playOnce } from "../../src/demo/once.ts";

describe("the demo", () => {
  it("DC-1 DC-3 DC-4 DC-5 S14 plays an incident through to its end", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-demo-log-"));
    const demo = await startDemo({ port: 0, logFile: join(folder, "countersign.log") });
    const lines: string[] = [];
    await playOnce(demo, (line) => lines.push(line));
    expect(lines.join("\n")).toContain("the issue is closed with a summary");
    await demo.close();
    // A newcomer's first log has nothing in it that looks like trouble.
    const log = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
    expect(log.filter((line) => !/^\{"level":"(info|debug)"/.test(line))).toEqual([]);
    expect(log.length).toBeGreaterThan(50);
    rmSync(folder, { recursive: true });
  });
});
