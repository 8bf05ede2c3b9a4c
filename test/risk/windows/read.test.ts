import { describe, expect, test } from "vitest";
import { parsePowerShell } from "../../../src/risk/windows/powershell.ts";
import { isExpression, type Script } from "../../../src/risk/windows/stage.ts";

/** Of each pipeline how many tokens every stage has, after what kind of stage it is. */
const outline = (script: Script): string =>
  script
    .map((stages) => stages.map((stage) => `${isExpression(stage) ? "e" : "c"}${stage.length}`).join("|"))
    .join("; ");

const texts: readonly (readonly [text: string, outline: string])[] = [
  ["Get-Service | Where-Object { $_.Status -eq 'Stopped' } | ft Name,Status -a", "c1|c2|c5"],
  ["$x = Get-Date; $x.Year", "e3; e2"],
  ["if (Test-Path a) { b } elseif (c) { d } else { e } f", "c3; c3; c2; c1"],
  ["$y = if ($x) { 1 } else { 2 }", "e5; c2"],
  ["foreach ($i in 1..3) { gc $i }", "c3"],
  ["& 'C:\\a b\\c.exe' -x:1 y", "c4"],
  ["a && b || c & d", "c1; c1; c1; c1"],
  ["a <# b #> c # d", "c2"],
  ["a `\n  b", "c2"],
  ["7z x a.zip", "c3"],
  ["5 * 3", "e3"],
  ["@{a = 1; b = { x }}", "e1"],
  ["iex(b)", "c2"],
  ["'a' 2>&1 > c.txt", "e4"],
  ["$x = gps -Name\nRemove-Item a", "e4; c2"],
  ["gps =\nRemove-Item a", "c2; c2"],
  ["gps = & Remove-Item a", "c2; c2"],
  ["@'\nit's\n'@ | a", "e1|c1"],
  ["a |\n b\n| c", "c1|c1|c1"],
];

describe("PowerShell's words", () => {
  test.each(texts)("SR-33 %s is read whole", (text, expected) => {
    const { script, broken } = parsePowerShell(text);
    expect({ outline: outline(script), broken }).toEqual({ outline: expected, broken: false });
  });

  test.each(["'a", '"a', "(a", "{ a", "a )", "@{a=", "a |", "<# a", `${"(".repeat(99)}a${")".repeat(99)}`])(
    "SR-33 %j is said to be broken",
    (text) => {
      expect(parsePowerShell(text).broken).toBe(true);
    },
  );
});
