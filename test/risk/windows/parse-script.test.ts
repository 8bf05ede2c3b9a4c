import { describe, expect, test } from "vitest";
import { parsePowerShell } from "../../../src/risk/windows/parse-script.ts";
import type { Script, Statement } from "../../../src/risk/windows/syntax.ts";

/** Statements by kind, and of each pipeline how many words every stage has. */
const outline = (script: Script): string =>
  script.statements
    .map((statement: Statement) => {
      switch (statement.kind) {
        case "pipeline":
          return statement.stages.map((stage) => `${stage.kind[0]}${stage.words.length}`).join("|");
        case "flow":
          return `flow(${statement.parts.map(outline).join(" / ")})`;
        case "function":
          return `function ${statement.name}(${statement.parameters.join(",")})`;
        default:
          return statement.kind;
      }
    })
    .join("; ");

const texts: readonly (readonly [text: string, outline: string])[] = [
  ["Get-Service | Where-Object { $_.Status -eq 'Stopped' } | ft Name,Status -a", "c1|c2|c3"],
  ["$x = Get-Date; $x.Year", "assign; e1"],
  ["if (Test-Path a) { b } elseif (c) { d } else { e }", "flow(c2 / c1); flow(c1 / c1); flow(c1)"],
  ["foreach ($i in 1..3) { gc $i }", "flow(e1 / c2)"],
  ["function f($a, [int]$b = 2) { $a }", "function f(a,b)"],
  ["& 'C:\\a b\\c.exe' -x:1 y", "c3"],
  ["a && b || c & d", "c1; c1; c1; c1"],
  ["a <# b #> c # d", "c2"],
  ["a `\n  b", "c2"],
  ["7z x a.zip", "c3"],
  ["5 * 3", "e1"],
  ["@{a = 1; b = { x }}", "e1"],
  ["iex(b)", "c2"],
  ["'a' 2>&1 > c.txt", "e1"],
  ["switch (1) { 1 { a } default { b } }", "flow(e1 / e1; e1; e1; e1)"],
  ["@'\nit's\n'@ | a", "e1|c1"],
];

describe("PowerShell's grammar", () => {
  test.each(texts)("SR-33 %s is read whole", (text, expected) => {
    const { script, broken } = parsePowerShell(text);
    expect({ outline: outline(script), broken }).toEqual({ outline: expected, broken: false });
  });

  test.each(["'a", '"a', "(a", "{ a", "a )", "@{a=", "a |", "<# a", `${"(".repeat(99)}a${")".repeat(99)}`, "a `"])(
    "SR-33 %j is said to be broken, or read to its end",
    (text) => {
      const { script, broken } = parsePowerShell(text);
      expect(broken || script.statements.length === 1).toBe(true);
    },
  );
});
