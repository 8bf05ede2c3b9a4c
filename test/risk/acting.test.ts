import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Risk, risks } from "../../src/base/risk.ts";
import { words } from "../../src/risk/engine/options.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { readTable } from "../../src/risk/reads.ts";
import { builtInRules, builtInTable } from "../../src/risk/table.ts";
import { withoutActingForms } from "./no-acting-forms.ts";

/** A command that acts, the level it must have at least, and what it does. */
interface Acting {
  readonly cmd: string;
  readonly want: Risk;
  readonly why: string;
}

const folder = new URL("../data/acting/", import.meta.url);
const rowsOf = <T>(named: (name: string) => boolean): readonly T[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl") && named(name))
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as T);
const isReads = (name: string): boolean => name.startsWith("reads-");
const acting = rowsOf<Acting>((name) => !isReads(name));
const reads = rowsOf<{ readonly cmd: string }>(isReads);

const evaluate = createEvaluator({ egress: ["*.example.com", "example.com", "*.internal"] });
const riskOf = (command: string): Risk => evaluate(command, { os: "linux", shell: "bash" }).risk;

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
      .map(({ cmd, want }) => ({ cmd, want, risk: riskOf(cmd) }))
      .filter(({ want, risk }) => risks.indexOf(risk) < risks.indexOf(want));
    expect(weaker).toEqual([]);
  });

  test("PA-7 every program that can be low has one, or stands in the list of those that never act", () => {
    const called = new Set(acting.flatMap(({ cmd }) => cmd.match(/[^\s|;&]+/g) ?? []));
    const written = new Set(
      readdirSync(folder)
        .filter((name) => !isReads(name))
        .map((name) => name[0]),
    );
    const names = programsThatCanBeLow()
      .filter((name) => !/^[a-z]/i.test(name) || written.has(name[0]?.toLowerCase()))
      .map((name) => name.replace(/-bpfcc$/, ""));
    const without = names.filter((name) => !called.has(name) && !withoutActingForms.has(name));
    expect(without).toEqual([]);
  });
});

test("PA-7 what only looks stays low", () => {
  expect(reads.filter(({ cmd }) => riskOf(cmd) !== "low").map(({ cmd }) => cmd)).toEqual([]);
});
