import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { rulesVersion, versionOf } from "../../src/risk/rules-version.ts";

const folder = new URL("../../src/risk/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => [path, readFileSync(new URL(path, folder), "utf8")] as const);

describe("the version of the built-in rules", () => {
  test("RR-18 is on every verdict and is that of the box's files, in whatever order they are read", () => {
    const { rulesVersion: shown } = createEvaluator()("uptime", { os: "linux", shell: "bash" });
    expect([shown, versionOf(files.toReversed())]).toEqual([rulesVersion, rulesVersion]);
  });

  test.each(files.map(([path]) => path))("RR-18 changes with one character of %s", (path) => {
    const changed = files.map(([name, text]) => [name, name === path ? `${text} ` : text] as const);
    expect(versionOf(changed)).not.toBe(rulesVersion);
  });

  test("RR-18 changes with a file that is added, taken away or renamed", () => {
    const [first = ["", ""], ...others] = files;
    const versions = [[...files, ["x.ts", ""] as const], others, [["x.ts", first[1]] as const, ...others]].map(
      versionOf,
    );
    expect(new Set([rulesVersion, ...versions]).size).toBe(4);
  });

  test("RR-18 changes with the operator's rules", () => {
    const own = createEvaluator({ rules: [{ id: "own.tool", names: "mytool", level: "low" }] });
    expect(own("uptime", { os: "linux", shell: "bash" }).rulesVersion).not.toBe(rulesVersion);
  });
});
