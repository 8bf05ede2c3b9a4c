import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

describe("npm run bench -- NAME --json", () => {
  it("prints an array of the cases, with the peer's name and how much better we are", () => {
    const { status, stdout } = spawnSync(process.execPath, [program, "suggest", "--json"], { encoding: "utf8" });
    expect(status).toBe(0);
    const rows = JSON.parse(stdout);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      expect(row).toEqual({
        case: expect.any(String),
        unit: expect.stringMatching(/^(share|ms)$/),
        ours: expect.any(Number),
        peer: expect.any(Number),
        peerName: expect.stringContaining("minisearch"),
        ratio: expect.any(Number),
        better: expect.stringMatching(/^(higher|lower)$/),
        runs: expect.any(Number),
      });
    }
  });
});
