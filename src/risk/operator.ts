/** What the operator adds to the policy (docs/policy.md: `policy.rules`, `policy.trust`): read strictly, every mistake named. */
import { z } from "zod";
import { OperatorError, type Problem } from "../base/errors.ts";
import { schemaFindings } from "../base/problems.ts";
import { risks, type Verdict } from "../base/risk.ts";
import { effectKinds } from "./call-effect.ts";
import { argumentRoles, type Detail, type OperatorProgram, optionKinds } from "./program.ts";

const list = z.string().min(1);
const levels = z.partialRecord(z.enum(risks), list);
function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}
const flag = z.boolean().optional();
const pattern = list.refine(isPattern, "is no regular expression");

/** What the options of a record were called before they had kinds. */
const former = { takes: "value", reads: "path-read", writes: "path-write", runs: "script", execs: "argv" } as const;
const named = Object.fromEntries(Object.keys(former).map((key) => [key, list.optional()]));

function withOptions(given: Readonly<Record<string, unknown>>): Detail {
  const { takes, reads, writes, runs, execs, options, ...rest } = given;
  const all: Record<string, unknown> = { ...(options as Detail["options"]) };
  for (const [key, value] of Object.entries({ takes, reads, writes, runs, execs }))
    if (value !== undefined) {
      const kind = former[key as keyof typeof former];
      all[kind] = [all[kind], value].filter(Boolean).join(" ");
    }
  return Object.keys(all).length === 0 ? rest : { ...rest, options: all };
}

const options = z.partialRecord(z.enum(optionKinds), list).optional();
const detail: z.ZodType<Detail> = z.lazy(() => z.strictObject(parts).transform(withOptions));
const parts = {
  ...named,
  options,
  level: z.enum(risks).optional(),
  flags: levels.optional(),
  safe: list.optional(),
  when: levels.optional(),
  sub: levels.optional(),
  otherSub: z.enum(risks).optional(),
  noSub: z.enum(risks).optional(),
  deep: z.record(z.string(), detail).optional(),
  operands: z.enum(argumentRoles).optional(),
  dry: list.optional(),
  oneDash: z.boolean().optional(),
  tag: z.enum(["database", "cluster"]).optional(),
  why: list.optional(),
  subWhy: z.record(z.string(), list).optional(),
  verbs: levels.optional(),
  ladder: z
    .array(
      z.strictObject({
        level: z.enum(risks),
        names: list.optional(),
        if: pattern.optional(),
        unless: pattern.optional(),
        operands: z.boolean().optional(),
        why: list.optional(),
      }),
    )
    .optional(),
  effects: z
    .array(
      z.strictObject({
        does: z.enum(effectKinds),
        ...{ names: list.optional(), after: list.optional(), why: list.optional(), prefix: list.optional() },
        ...{ if: pattern.optional(), where: pattern.optional(), unless: pattern.optional() },
        ...{ all: flag, stdin: flag, file: flag, operands: flag, tried: flag, joins: flag, appends: flag, input: flag },
        operand: z.int().min(0).optional(),
        level: z.enum(risks).optional(),
      }),
    )
    .optional(),
};
const commands = z.array(z.string().min(1)).min(1);
const matches = z.partialRecord(z.enum(risks), commands).optional();
const fact = { names: list.optional(), sub: list.optional() };
const whole = z
  .strictObject({
    ...parts,
    id: z.string().regex(/^[\w.-]+$/, "is not a word of letters, digits, dots and dashes"),
    names: list.refine((names) => !names.includes("/"), "holds a path: name programs without their folder"),
    match: matches,
    /** As `match` was called before. */
    examples: matches,
    not_match: commands.optional(),
    reach: z
      .array(
        z.strictObject({
          ...fact,
          kind: z.enum(["request", "lookup", "service", "copy", "account"]),
          operands: z.enum(["hosts", "host-first"]).optional(),
          options,
          stays: list.optional(),
          stdin: z.boolean().optional(),
        }),
      )
      .optional(),
    unbounded: z
      .array(
        z.strictObject({
          ...fact,
          endless: list.optional(),
          ends: list.optional(),
          interval: z.int().min(1).optional(),
          counted: z.int().min(1).optional(),
          does: list,
          instead: list.optional(),
        }),
      )
      .optional(),
  })
  .transform(({ examples, match = examples, id, ...rest }) => ({
    ...withOptions(rest),
    id: `operator.${id}`,
    ...(match ? { match } : {}),
  })) as unknown as z.ZodType<OperatorProgram>;

/** One command that the operator lowers, until a day. */
const trust = z.strictObject({
  rule: list,
  command: list,
  level: z.enum(["low", "medium", "high"]),
  expires: z.iso.date(),
});
export type Trust = z.infer<typeof trust>;

const problemsOf = (type: z.ZodType, place: string, record: unknown, error: z.ZodError): readonly Problem[] =>
  schemaFindings(type, record, error.issues).map(({ path, message, remedy }) => ({
    place: [place, ...path].map(String).join("."),
    message,
    remedy: remedy ?? "docs/policy.md has the form of a rule",
  }));

/** Reads the operator's rules; throws an OperatorError with every problem of every rule. */
export function loadOperatorRules(records: readonly unknown[]): readonly OperatorProgram[] {
  return readAll(whole, records, "policy.rules");
}

/** Reads the operator's trust; throws an OperatorError with every problem. */
export function loadTrust(records: readonly unknown[]): readonly Trust[] {
  return readAll(trust, records, "policy.trust");
}

function readAll<T>(type: z.ZodType<T>, records: readonly unknown[], place: string): readonly T[] {
  const read = records.map((record) => type.safeParse(record));
  const problems = read.flatMap(({ error }, i) => (error ? problemsOf(type, `${place}.${i}`, records[i], error) : []));
  if (problems.length > 0) throw new OperatorError(problems);
  return read.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

/** Lowers the verdict of exactly one command by exactly one rule until its day; a block never (docs/policy.md, "Trust"). */
export function applyTrust(verdict: Verdict, command: string, trusted: readonly Trust[], now: number): Verdict {
  const found = trusted.find(
    (one) =>
      one.command === command &&
      verdict.risk !== "block" &&
      risks.indexOf(one.level) < risks.indexOf(verdict.risk) &&
      now < Date.parse(`${one.expires}T00:00:00Z`) &&
      verdict.findings.every(
        (finding) => finding.ruleId === one.rule || risks.indexOf(finding.risk) <= risks.indexOf(one.level),
      ),
  );
  if (!found) return verdict;
  const text = `would be ${verdict.risk}, but the operator trusts exactly this command until ${found.expires}`;
  return {
    ...verdict,
    risk: found.level,
    findings: [{ ruleId: "operator.trust", risk: found.level, text }, ...verdict.findings],
  };
}
