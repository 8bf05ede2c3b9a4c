import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Risk, risks } from "../../src/base/risk.ts";
import { words } from "../../src/risk/engine/options.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { looks } from "../../src/risk/knowledge/windows/cmdlets.ts";
import { windowsPrograms } from "../../src/risk/knowledge/windows/programs.ts";
import { readTable } from "../../src/risk/reads.ts";
import { builtInRules, builtInTable } from "../../src/risk/table.ts";
import { withoutActingForms } from "./no-acting-forms.ts";

/** A command that acts, the level it must have at least, and what it does. Those of Windows say their shell. */
interface Acting {
  readonly cmd: string;
  readonly want: Risk;
  readonly why: string;
  readonly shell?: "cmd" | "powershell";
}

const folder = new URL("../data/acting/", import.meta.url);
const rowsOf = <T>(named: (name: string) => boolean): readonly T[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl") && named(name))
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as T);
const isReads = (name: string): boolean => /(^|\/)reads-/.test(name);
const acting = rowsOf<Acting>((name) => !isReads(name));
const reads = rowsOf<Omit<Acting, "want" | "why">>(isReads);

const evaluate = createEvaluator({ egress: ["*.example.com", "example.com", "*.internal"] });
const riskOf = (command: string, shell?: Acting["shell"]): Risk =>
  evaluate(command, shell ? { os: "windows", shell } : { os: "linux", shell: "bash" }).risk;

/** Every program of the tables that some call without an option can be low of. */
function programsThatCanBeLow(): readonly string[] {
  const examples = builtInRules.flatMap(({ match }) => match.low ?? []).map((command) => command.split(" ")[0] ?? "");
  const names = new Set([...builtInTable.keys(), ...readTable.keys()]);
  return [...names].filter((name) => {
    const subs = [
      ...(builtInTable.get(name) ?? []).flatMap(({ sub, deep }) => [...sub.keys(), ...deep.keys()]),
      ...Object.keys(readTable.get(name)?.sub ?? {}).flatMap((list) => words(list)),
    ];
    const calls = ["", "abc1", "/var/log/x.log", ...subs.flatMap((sub) => [sub, `${sub} abc1`])];
    return (
      examples.includes(name) || calls.some((call) => riskOf(`${name} ${call.replaceAll("_", " ")}`.trim()) === "low")
    );
  });
}

describe("commands that act", () => {
  test("PA-7 every one has its level at least", () => {
    const weaker = acting
      .map(({ cmd, want, shell }) => ({ cmd, want, risk: riskOf(cmd, shell) }))
      .filter(({ want, risk }) => risks.indexOf(risk) < risks.indexOf(want));
    expect(weaker).toEqual([]);
  });

  test("PA-7 every program that can be low has one, or stands in the list of those that never act", () => {
    const called = new Set(acting.flatMap(({ cmd }) => cmd.match(/[^\s|;&]+/g) ?? []));
    const written = new Set(
      readdirSync(folder)
        .filter((name) => /^[a-z]\.jsonl$/.test(name))
        .map((name) => name[0]),
    );
    const names = programsThatCanBeLow()
      .filter((name) => !/^[a-z]/i.test(name) || written.has(name[0]?.toLowerCase()))
      .map((name) => name.replace(/-bpfcc$|\.bt$/, ""));
    const without = names.filter((name) => !called.has(name) && !withoutActingForms.has(name));
    expect(
      without,
      "write a command of it that acts into test/data/acting/, or its name into no-acting-forms.ts",
    ).toEqual([]);
  });
});

describe("commands of Windows that act", () => {
  test("PA-7 every program that can be low has one, or only prints", () => {
    const called = new Set(
      acting.flatMap(({ cmd, shell }) => (shell ? (cmd.toLowerCase().match(/[^\s|;&(]+/g) ?? []) : [])),
    );
    const without = windowsPrograms
      .filter(({ low }) => low)
      .flatMap(({ names }) => words(names))
      .filter((name) => riskOf(name, "cmd") === "low" && !called.has(name) && !printing.has(name));
    expect(without).toEqual([]);
  });

  test("PA-7 a noun that one verb looks at is changed by others", () => {
    const changing = [
      "Set",
      "Remove",
      "New",
      "Clear",
      "Restart",
      "Stop",
      "Start",
      "Invoke",
      "Disable",
      "Update",
      "Reset",
    ];
    const left = Object.values(looks)
      .flatMap((list) => words(list))
      .flatMap((noun) => changing.map((verb) => `${verb}-${noun}`))
      // A variable of the script, and a place.
      .filter((cmdlet) => !/^(Set|Remove|New|Clear)-(variable|host)$|^Set-location$|^Invoke-webrequest$/.test(cmdlet));
    expect(left.length).toBeGreaterThan(10_000);
    expect(left.filter((cmdlet) => riskOf(`${cmdlet} x`, "powershell") === "low")).toEqual([]);
  });

  test("PA-7 what one looks at is changed by what it is piped to", () => {
    const left = words(looks.get)
      .filter((noun) => noun !== "variable")
      .flatMap((noun) => [`Get-${noun} | Remove-${noun}`, `(Get-${noun} x).Delete()`]);
    expect(left.filter((command) => riskOf(command, "powershell") === "low")).toEqual([]);
  });
});

/** Programs of Windows that print what they are asked about, whatever they are given. */
const printing = new Set(
  words(
    "systeminfo netstat ping tracert pathping nslookup whoami hostname fc tree getmac qwinsta quser vol portqry timeout choice qprocess psping title color " +
      "prompt cls rem echo echo. pause exit help pslist psloggedon psinfo tcpvcon listdlls du64 strings64 qappsrv popd pushd cd chdir setlocal " +
      "endlocal shift goto break dsget comp",
  ),
);

test("PA-7 what only looks stays low", () => {
  expect(reads.filter(({ cmd, shell }) => riskOf(cmd, shell) !== "low").map(({ cmd }) => cmd)).toEqual([]);
});
