/** What the operator adds to the policy (docs/policy.md: `policy.rules`, `policy.trust`): read strictly, every mistake named. */
import { z } from "zod";
import { OperatorError, type Problem } from "../base/errors.ts";
import { type Risk, risks } from "../base/types.ts";
import type { Verdict } from "../base/verdict.ts";
import { words } from "./engine/options.ts";
import type { Detail, OperatorRule } from "./rule.ts";

const list = z.string().min(1);
const levels = z.partialRecord(z.enum(risks), list);
const detail: z.ZodType<Detail> = z.lazy(() =>
  z.strictObject({
    level: z.enum(risks).optional(),
    takes: list.optional(),
    flags: levels.optional(),
    safe: list.optional(),
    when: levels.optional(),
    sub: levels.optional(),
    otherSub: z.enum(risks).optional(),
    noSub: z.enum(risks).optional(),
    deep: z.record(z.string(), detail).optional(),
    operands: z
      .enum(["read", "pattern-read", "write", "append", "delete", "target-last", "touch", "edit", "stat"])
      .optional(),
    reads: list.optional(),
    writes: list.optional(),
    execs: list.optional(),
    runs: list.optional(),
    dry: list.optional(),
    oneDash: z.boolean().optional(),
    tag: z.enum(["database", "cluster"]).optional(),
    why: list.optional(),
  }),
) as z.ZodType<Detail>;
const head = z.looseObject({
  id: z.string().regex(/^[\w.-]+$/, "is not a word of letters, digits, dots and dashes"),
  names: list,
  examples: z.partialRecord(z.enum(risks), z.array(z.string().min(1)).min(1)).optional(),
});

/** One command that the operator lowers, until a day. */
const trust = z.strictObject({
  rule: list,
  command: list,
  level: z.enum(["low", "medium", "high"]),
  expires: z.iso.date(),
});
export type Trust = z.infer<typeof trust>;

type Parsed<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

function problemsOf(place: string, error: z.ZodError): Problem[] {
  return error.issues.map((issue) => ({
    place: [place, ...issue.path].join("."),
    message: issue.message,
    remedy: "write it in the form of the built-in rules",
  }));
}

function parseRule(record: unknown, place: string): Parsed<OperatorRule> {
  const first = head.safeParse(record);
  if (!first.success) return { problems: problemsOf(place, first.error) };
  const { id, names, examples, ...rest } = first.data;
  const inner = detail.safeParse(rest);
  if (!inner.success) return { problems: problemsOf(place, inner.error) };
  if (words(names).some((name) => name.includes("/")))
    return {
      problems: [{ place: `${place}.names`, message: "holds a path", remedy: "name programs without their folder" }],
    };
  return { value: { ...inner.data, id: `operator.${id}`, names, ...(examples ? { examples } : {}) } };
}

/** Reads the operator's rules; throws an OperatorError with every problem of every rule. */
export function loadOperatorRules(records: readonly unknown[]): readonly OperatorRule[] {
  return collect(records.map((record, i) => parseRule(record, `policy.rules.${i}`)));
}

/** Reads the operator's trust; throws an OperatorError with every problem. */
export function loadTrust(records: readonly unknown[]): readonly Trust[] {
  return collect(
    records.map((record, i): Parsed<Trust> => {
      const read = trust.safeParse(record);
      return read.success ? { value: read.data } : { problems: problemsOf(`policy.trust.${i}`, read.error) };
    }),
  );
}

function collect<T>(parsed: readonly Parsed<T>[]): readonly T[] {
  const problems = parsed.flatMap((one) => ("problems" in one ? one.problems : []));
  if (problems.length > 0) throw new OperatorError(problems);
  return parsed.flatMap((one) => ("value" in one ? [one.value] : []));
}

/** What of a rule says low, by its place in the rule. */
const lowersBy = ({ level, otherSub, noSub, flags, when, sub, deep }: Detail): readonly string[] => [
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
  rules: readonly OperatorRule[],
  known: { readonly hasRule: (name: string) => boolean; readonly isWrapper: (name: string) => boolean },
): readonly Problem[] {
  return rules.flatMap((rule) => {
    const named = words(rule.names);
    const ruled = named.find((name) => known.hasRule(name));
    const lowers = ruled === undefined || rule.examples !== undefined ? [] : lowersBy(rule);
    return [
      ...lowers.map((key) => ({
        place: `${rule.id}.${key}`,
        message: `says low of \`${ruled}\`, which the built-in rules know: a rule can only raise it`,
        remedy: "take that out, or add `examples` that show what the rule raises",
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

/** Examples that a rule does not give the risk it claims; a rule that only seems to work is a problem, too. */
export function exampleProblems(rules: readonly OperatorRule[], riskOf: (command: string) => Risk): readonly Problem[] {
  return rules.flatMap((rule) =>
    Object.entries(rule.examples ?? {}).flatMap(([risk, commands]) =>
      commands
        .filter((command) => riskOf(command) !== risk)
        .map((command) => ({
          place: rule.id,
          message: `the example \`${command}\` is ${riskOf(command)}, not ${risk}`,
          remedy: "mend the rule or the example; a rule can only raise a program the built-in rules know",
        })),
    ),
  );
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
