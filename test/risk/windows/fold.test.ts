import { describe, expect, test } from "vitest";
import { fold, type Scope } from "../../../src/risk/windows/fold.ts";
import { parsePowerShell } from "../../../src/risk/windows/parse-script.ts";
import { produce } from "../../../src/risk/windows/producers.ts";
import { toText } from "../../../src/risk/windows/values.ts";

const scope = (steps = 10_000): Scope => {
  let left = steps;
  return {
    variables: new Map(),
    aliases: new Map(),
    functions: new Map(),
    names: ["invoke-expression", "remove-item"],
    spend: () => left-- > 0,
    produce,
    depth: 0,
  };
};

/** The value of a text in brackets, as PowerShell would print it. */
function textFor(text: string, steps?: number): string | undefined {
  const value = fold({ kind: "group", script: parsePowerShell(text).script, list: false }, scope(steps));
  return value === undefined ? undefined : toText(value);
}

const constants: readonly (readonly [text: string, value: string])[] = [
  ["'i'+'e'+'x'", "iex"],
  ['"i`ex"', "iex"],
  ["'{1}{0}' -f 'x','ie'", "iex"],
  ["-join('x','e','i')[2..0]", "iex"],
  ["('i','e','x') -join ''", "iex"],
  ["[char]105+[char]101+[char]120", "iex"],
  ["-join([char[]](105,101,120))", "iex"],
  ["[string]::Join('',@('i','e','x'))", "iex"],
  ["'iQeQx'.Replace('Q','')", "iex"],
  ["'iQeQx' -replace 'Q',''", "iex"],
  ["'i,e,x' -split ',' -join ''", "iex"],
  ["'105 101 120' -split ' ' | % { [char][int]$_ }", "i e x"],
  ["-join('69','65','78' | % { [char][convert]::ToInt32($_,16) })", "iex"],
  ["-join(104,100,121 | % { [char]($_ -bxor 1) })", "iex"],
  ["[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('aWV4'))", "iex"],
  ["[Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('aQBlAHgA'))", "iex"],
  ["$a='ie'; $b='x'; \"$a$b\"", "iex"],
  ["$x=@{n='iex'}; $x.n", "iex"],
  ["'xei'[2,1,0] -join ''", "iex"],
  ["$env:ComSpec[4,26,25] -join ''", "Iex"],
  ["$PSHOME[4]+$PSHOME[30]+'x'", "iex"],
  ["(Get-Variable '*mdr*').Name[3,11,2] -join ''", "iex"],
  ["(Get-Alias iex).Definition", "invoke-expression"],
  ["(Get-Command *ke-exp*).Name", "invoke-expression"],
  ["'  iex '.Trim().ToUpper()", "IEX"],
  ["Join-Path 'C:\\' '\\Windows'", "C:\\Windows"],
  ["1KB + 0x10", "1040"],
];

describe("constant expressions of PowerShell", () => {
  test.each(constants)("AR-01 %s is %s", (text, value) => {
    expect(textFor(text)).toBe(value);
  });

  test.each(["$unknown + 'x'", "Get-Content x", "'a' * 100000", "(1..2000) * 2000", "'x' -replace '(a+)+(b+)+$',''"])(
    "SR-33 %s stays unknown",
    (text) => {
      expect(textFor(text)).toBeUndefined();
    },
  );

  test("SR-33 a value that costs more than the budget stays unknown", () => {
    expect(textFor(`'a'${"+'a'".repeat(500)}`)).toBe("a".repeat(501));
    expect(textFor(`'a'${"+'a'".repeat(500)}`, 100)).toBeUndefined();
  });

  test("SR-33 a list that doubles is bounded", () => {
    expect(textFor(`$a=1..9;${"$a=$a,$a;".repeat(60)}$a`)).toBeUndefined();
  });
});
