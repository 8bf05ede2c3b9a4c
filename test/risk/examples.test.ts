import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Risk } from "../../src/base/risk.ts";
import { checks } from "../../src/risk/engine/apply.ts";
import { words } from "../../src/risk/engine/options.ts";
import { outputs } from "../../src/risk/engine/output.ts";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";
import { argumentRoles, type Detail, type Program } from "../../src/risk/program.ts";
import { builtInRules } from "../../src/risk/table.ts";

const evaluate = createEvaluator();
const linux: ScanPlace = { os: "linux", shell: "bash" };

interface Row {
  readonly id: string;
  readonly command: string;
  readonly os: "linux" | "windows";
  readonly shell: "bash" | "powershell" | "cmd";
  readonly expected: Risk;
  readonly accept?: readonly Risk[];
}
const rows = readFileSync(new URL("../data/commands.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

describe("the rule table", () => {
  test.each(builtInRules.map((rule) => [rule.id, rule] as const))(
    "SR-33 rule %s gives its examples their risk",
    (_id, rule) => {
      const examples = Object.entries(rule.match).flatMap(([risk, list]) => list.map((command) => ({ command, risk })));
      expect(examples.length).toBeGreaterThan(0);
      const got = examples.map(({ command }) => ({ command, risk: evaluate(command, linux).risk }));
      expect(got).toEqual(examples);
    },
  );

  test("SR-33 a record is to be reviewed: no line of a table is longer than 120 characters", () => {
    const folder = new URL("../../src/risk/knowledge/", import.meta.url);
    const long = readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }))
      .filter(({ text }) => text.includes("readonly Program[] ="))
      .flatMap(({ name, text }) =>
        text.split("\n").flatMap((line, i) => (line.length > 120 ? [`${name}:${i + 1}`] : [])),
      );
    expect(long).toEqual([]);
  });

  test("SR-33 every program has one record, so that none is unreachable", () => {
    const names = builtInRules.flatMap((rule) => words(rule.names));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.length).toBeGreaterThan(2400);
  });

  test("SR-33 a record has an example of each level it can give", () => {
    const levelsOf = ({ level, rows = [], deep = {} }: Detail): readonly (string | undefined)[] => [
      level,
      ...rows.map((row) => row.level),
      ...Object.values(deep).flatMap(levelsOf),
    ];
    const without = builtInRules.flatMap((rule) =>
      [...levelsOf(rule), rule.wraps?.level, rule.wraps?.alone]
        .filter((level) => level !== undefined && !(level in rule.match))
        .map((level) => `${rule.id}: ${level}`),
    );
    expect(without).toEqual([]);
  });

  test("SR-33 a fact names only programs of its record", () => {
    const strangers = builtInRules.flatMap(({ names, rows = [] }: Program) =>
      rows.flatMap((row) => words(row.names)).filter((name) => !words(names).includes(name)),
    );
    expect(strangers).toEqual([]);
  });

  test("SR-33 a role is said once, of all operands of a whole record", () => {
    const roles = new Set<unknown>(argumentRoles);
    const partial = ({ rows = [], deep = {} }: Detail): readonly string[] => {
      const told = rows.filter(({ does }) => roles.has(does));
      const isPartly = told.some((row) => row.names ?? row.words ?? row.if ?? row.unless);
      return [
        ...(told.length > 1 || isPartly ? told.map(({ does }) => String(does)) : []),
        ...Object.values(deep).flatMap(partial),
      ];
    };
    expect(builtInRules.flatMap((rule) => partial(rule).map((role) => `${rule.id}: ${role}`))).toEqual([]);
  });

  test("every way of printing that a record names exists, and every one is named", () => {
    const named = builtInRules.flatMap(({ rows = [] }) => rows.flatMap(({ prints }) => prints ?? []));
    expect([...new Set(named)].sort()).toEqual(Object.keys(outputs).sort());
  });

  test("every check a rule names exists, and every check is named", () => {
    const named = (detail: Detail): string[] => [
      ...(detail.check ? [detail.check] : []),
      ...Object.values(detail.deep ?? {}).flatMap(named),
    ];
    expect([...new Set(builtInRules.flatMap(named))].sort()).toEqual(Object.keys(checks).sort());
    // A table that needs code for every second program is no table: say it as an effect, or change what effects can say.
    expect(Object.keys(checks).length).toBeLessThanOrEqual(25);
  });
});

describe("the labelled commands", () => {
  const judged = rows.map((row) => {
    const { risk } = evaluate(row.command, { os: row.os, shell: row.shell });
    return { ...row, risk, accepted: [row.expected, ...(row.accept ?? [])].includes(risk) };
  });
  const wrong = judged.filter((row) => !row.accepted);
  const listed = (list: readonly { readonly command: string; readonly risk: Risk }[]): string[] =>
    list.map(({ command, risk }) => `${risk}: ${command}`);

  test("AR-01 no command to block is missed", () => {
    expect(listed(wrong.filter((row) => row.expected === "block"))).toEqual([]);
  });

  test("PA-7 no risky command is called low", () => {
    expect(listed(wrong.filter((row) => row.expected !== "low" && row.risk === "low"))).toEqual([]);
  });

  test("PA-7 no harmless command is blocked", () => {
    expect(listed(wrong.filter((row) => row.risk === "block"))).toEqual([]);
  });

  test("PA-7 at most two of a hundred harmless commands are more than low", () => {
    const benign = judged.filter((row) => row.expected === "low");
    expect(wrong.filter((row) => row.expected === "low").length / benign.length).toBeLessThanOrEqual(0.02);
  });
});
