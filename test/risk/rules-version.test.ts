import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { rulesVersion, tables, versionOf } from "../../src/risk/rules-version.ts";
import { readTree, root } from "../architecture/source-tree.ts";

const tree = readTree(root, ["src/risk"]);

/** The files that a file loads, and those that these load. */
function loadedBy(path: string): ReadonlySet<string> {
  const found = new Set([path]);
  for (const each of found)
    for (const { target, how } of tree.find((source) => source.path === each)?.imports ?? [])
      if (how === "static") found.add(target);
  return found;
}

describe("the version of the built-in rules", () => {
  test("RR-18 is on every verdict and is the hash of what the tables say", () => {
    const { rulesVersion: shown } = createEvaluator()("uptime", { os: "linux", shell: "bash" });
    expect([shown, versionOf({ ...tables })]).toEqual([rulesVersion(), rulesVersion()]);
  });

  test("RR-18 counts every file of the tables", () => {
    const counted = loadedBy("src/risk/rules-version.ts");
    const files = tree.map(({ path }) => path).filter((path) => path.startsWith("src/risk/knowledge/"));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => !counted.has(path))).toEqual([]);
  });

  test.each(Object.keys(tables))("RR-18 changes with one word of %s", (name) => {
    expect(versionOf({ ...tables, [name]: [tables[name], "x"] })).not.toBe(rulesVersion());
  });

  test("RR-18 tells patterns, sets and maps apart by their content", () => {
    const data = [/a/, /b/, /a/i, new Set(["a"]), new Set(["b"]), new Map([["a", 1]]), new Map([["a", 2]])];
    expect(new Set(data.map(versionOf)).size).toBe(data.length);
  });

  test("RR-18 changes with the operator's rules", () => {
    const own = createEvaluator({ rules: [{ id: "own.tool", names: "mytool", level: "low" }] });
    expect(own("uptime", { os: "linux", shell: "bash" }).rulesVersion).not.toBe(rulesVersion());
  });
});
