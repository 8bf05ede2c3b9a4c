import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parseStopOutput, stopScript } from "../../src/ssh/stop.ts";

describe("the stop script", () => {
  it("AR-08 holds nothing but its three numbers", () => {
    const script = stopScript({ index: 2, count: 5, graceMs: 5_000 });
    expect(script).toContain("INDEX=2; COUNT=5; GRACE=50");
    expect(script.replace("INDEX=2; COUNT=5; GRACE=50", "")).toBe(
      stopScript({ index: 0, count: 1, graceMs: 100 }).replace("INDEX=0; COUNT=1; GRACE=1", ""),
    );
  });

  it("is valid for sh and holds no quote that would end it", () => {
    const script = stopScript({ index: 0, count: 1, graceMs: 100 });
    expect(script.split("'")).toHaveLength(3);
    execFileSync("sh", ["-n", "-c", script.split("'")[1] ?? ""]);
  });

  it.each([
    ["@countersign done\n", { kind: "stopped", killed: false, survivors: [] }],
    ["noise of a login\n@countersign killed\n@countersign done\n", { kind: "stopped", killed: true, survivors: [] }],
    [
      "@countersign survivor 12 root my prog\n@countersign done\n",
      { kind: "stopped", killed: false, survivors: ["pid 12 (root, my prog)"] },
    ],
    ["@countersign absent\n", { kind: "absent" }],
    [
      "@countersign unsure 3\n",
      { kind: "unverified", why: "its process could not be told from others on this connection" },
    ],
    ["", { kind: "unverified", why: "the check could not run on this server" }],
    [
      "'exec' is not recognized as an internal or external command\r\n",
      { kind: "unverified", why: "the check could not run on this server" },
    ],
  ])("reads %j", (output, verdict) => {
    expect(parseStopOutput(output)).toEqual(verdict);
  });

  it("a survivor's name, which it chose itself, is cut and made printable", () => {
    const verdict = parseStopOutput(`@countersign survivor 1 u \x1b[2Jé${"x".repeat(99)}\n@countersign done\n`);
    expect(verdict).toEqual({ kind: "stopped", killed: false, survivors: [`pid 1 (u, ?[2J?${"x".repeat(27)})`] });
  });
});
