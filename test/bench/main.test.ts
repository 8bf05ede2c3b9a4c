import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

describe("npm run bench", () => {
  it("names the benchmarks there are to somebody who asks for another, and runs none", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "wbhook"], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^there is no benchmark wbhook; there are .*\bssh\b.*\bsuggest\b.*\bwebhook\b/);
    expect(stderr).not.toMatch(/\b(main|row|webhook-server)\b/);
  });
});
