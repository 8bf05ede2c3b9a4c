import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { rulesVersion, tables, versionOf } from "../../src/risk/rules-version.ts";

const folder = new URL("../../src/risk/", import.meta.url);
const source = (path: string): string => readFileSync(new URL(path, folder), "utf8");

/** The files of `rules/` that a file imports, and those that these import. */
const reached = (path: string): readonly string[] =>
  [...source(path).matchAll(/^import (?!type).*"\.\/(?:rules\/)?([\w-]+\.ts)"/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => rules.includes(name))
    .flatMap((name) => [name, ...reached(`rules/${name}`)]);
const rules = readdirSync(new URL("rules/", folder)).filter((name) => /^(?!reach\.)/.test(name));

describe("the version of the built-in rules", () => {
  test("RR-18 is on every verdict and is the hash of what the tables say", () => {
    const { rulesVersion: shown } = createEvaluator()("uptime", { os: "linux", shell: "bash" });
    expect([shown, versionOf({ ...tables })]).toEqual([rulesVersion, rulesVersion]);
  });

  test("RR-18 counts every file of the tables", () => {
    const counted = new Set([...reached("rules-version.ts"), ...reached("table.ts")]);
    expect(rules.filter((name) => !counted.has(name))).toEqual([]);
  });

  test.each(Object.keys(tables))("RR-18 changes with one word of %s", (name) => {
    expect(versionOf({ ...tables, [name]: [tables[name], "x"] })).not.toBe(rulesVersion);
  });

  test("RR-18 tells patterns, sets and maps apart by their content", () => {
    const data = [/a/, /b/, /a/i, new Set(["a"]), new Set(["b"]), new Map([["a", 1]]), new Map([["a", 2]])];
    expect(new Set(data.map(versionOf)).size).toBe(data.length);
  });

  test("RR-18 changes with the operator's rules", () => {
    const own = createEvaluator({ rules: [{ id: "own.tool", names: "mytool", level: "low" }] });
    expect(own("uptime", { os: "linux", shell: "bash" }).rulesVersion).not.toBe(rulesVersion);
  });
});
