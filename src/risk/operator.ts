/** What the operator adds to the policy (docs/policy.md: `policy.rules`, `policy.trust`): read strictly, every mistake named. */
import { z } from "zod";
import { OperatorError, type Problem } from "../base/errors.ts";
import { risks, type Verdict } from "../base/risk.ts";
import { words } from "./engine/options.ts";
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

function problemsOf(place: string, error: z.ZodError): Problem[] {
  return error.issues.map((issue) => ({
    place: [place, ...issue.path].join("."),
    message: issue.message,
    remedy: "write it in the form of the built-in rules",
  }));
}

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
  const problems = read.flatMap(({ error }, i) => (error ? problemsOf(`${place}.${i}`, error) : []));
  if (problems.length > 0) throw new OperatorError(problems);
  return read.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

/** What of a rule says low, by its place in the rule. */
const lowersBy = ({ level, otherSub, noSub, flags, when, sub, deep, ladder }: Detail): readonly string[] => [
  ...(ladder?.some((rung) => rung.level === "low") ? ["ladder"] : []),
  ...Object.entries({ level, otherSub, noSub }).flatMap(([key, risk]) => (risk === "low" ? [key] : [])),
  ...Object.entries({ flags, when, sub }).flatMap(([key, lists]) => (lists?.low === undefined ? [] : [`${key}.low`])),
  ...Object.entries(deep ?? {}).flatMap(([word, inner]) => lowersBy(inner).map((key) => `deep.${word}.${key}`)),
];

/** Words that no call can hold where the rule looks for them. */
function unmetIn({ flags, sub, deep }: Detail): readonly { readonly at: string; readonly word: string }[] {
  const wordsOf = (key: string, lists: Detail["flags"]) =>
    Object.entries(lists ?? {}).flatMap(([risk, list]) => words(list).map((word) => ({ at: `${key}.${risk}`, word })));
  return [
    ...wordsOf("flags", flags).filter(({ word }) => !/^[-+]/.test(word)),
    ...wordsOf("sub", sub).filter(({ word }) => word.startsWith("-")),
    ...Object.entries(deep ?? {}).flatMap(([word, inner]) =>
      unmetIn(inner).map((one) => ({ ...one, at: `deep.${word}.${one.at}` })),
    ),
  ];
}

/**
 * Rules that only seem to work: one that says low of a program that the built-in rules know, which it can only raise, with no example
 * that shows what it raises; one that looks for an option or a sub-command where none can stand; one for a program that is seen
 * through before any rule is asked (`sudo`).
 */
export function vainProblems(
  rules: readonly OperatorProgram[],
  known: { readonly hasRule: (name: string) => boolean; readonly isWrapper: (name: string) => boolean },
): readonly Problem[] {
  return rules.flatMap((rule) => {
    const named = words(rule.names);
    const ruled = named.find((name) => known.hasRule(name));
    const lowers = ruled === undefined || rule.match !== undefined ? [] : lowersBy(rule);
    return [
      ...lowers.map((key) => ({
        place: `${rule.id}.${key}`,
        message: `says low of \`${ruled}\`, which the built-in rules know: a rule can only raise it`,
        remedy: "take that out, or add `match` that show what the rule raises",
      })),
      ...unmetIn(rule).map(({ at, word }) => ({
        place: `${rule.id}.${at}`,
        message: `\`${word}\` can never be met there`,
        remedy: "options (`--force`) stand in `flags`, sub-commands (`drop`) in `sub`",
      })),
      ...named
        .filter((name) => known.isWrapper(name))
        .map((name) => ({
          place: `${rule.id}.names`,
          message: `\`${name}\` only starts another program, and that one is judged: the rule can never be met`,
          remedy: "name the program that it starts",
        })),
    ];
  });
}

/** Commands that a record does not judge as it claims; one that only seems to work is a problem, too. */
export function matchProblems(
  records: readonly OperatorProgram[],
  judge: (command: string) => Pick<Verdict, "risk" | "findings">,
): readonly Problem[] {
  return records.flatMap(({ id, match = {}, not_match = [] }) => [
    ...Object.entries(match).flatMap(([risk, commands]) =>
      commands
        .filter((command) => judge(command).risk !== risk)
        .map((command) => ({
          place: id,
          message: `the example \`${command}\` is ${judge(command).risk}, not ${risk}`,
          remedy: "mend the rule or the example; a rule can only raise a program the built-in rules know",
        })),
    ),
    ...not_match
      .filter((command) => judge(command).findings.some(({ ruleId }) => `${ruleId}.`.startsWith(`${id}.`)))
      .map((command) => ({
        place: id,
        message: `the rule says something of \`${command}\`, which stands in its \`not_match\``,
        remedy: "mend the rule or the example",
      })),
  ]);
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
