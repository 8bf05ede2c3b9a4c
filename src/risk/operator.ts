import { z } from "zod";
import { OperatorError, type Problem } from "../base/errors.ts";
import { schemaFindings } from "../base/problems.ts";
import { risks, type Verdict } from "../base/risk.ts";
import { words } from "./engine/options.ts";
import { argumentRoles, type Detail, effectKinds, type OperatorProgram, optionKinds } from "./program.ts";

/** What the operator adds to the policy (docs/policy.md: `policy.rules`, `policy.trust`): read strictly, every mistake named. */

const list = z.string().min(1);
function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}
const flag = z.boolean().optional();
const level = z.enum(risks).optional();
const pattern = list.refine(isPattern, "is no regular expression").optional();
const options = z.partialRecord(z.enum(optionKinds), list).optional();
const effect = z.strictObject({
  is: z.enum(effectKinds),
  ...{ after: list.optional(), why: list.optional(), prefix: list.optional(), if: pattern, level },
  ...{ all: flag, stdin: flag, file: flag, tried: flag, joins: flag, input: flag },
  operand: z.int().min(0).optional(),
});
const reach = z.strictObject({
  kind: z.enum(["request", "lookup", "service", "copy", "account"]),
  operands: z.enum(["hosts", "host-first"]).optional(),
  options,
  ...{ stays: list.optional(), stdin: flag },
});
const ends = z.strictObject({
  ...{ endless: list.optional(), ends: list.optional(), does: list, instead: list.optional() },
  ...{ interval: z.int().min(1).optional(), counted: z.int().min(1).optional() },
});
const row = z.strictObject({
  ...{ names: list.optional(), words: z.string().optional(), if: pattern, unless: pattern, operands: flag },
  ...{ level, why: list.optional(), reach: reach.optional(), ends: ends.optional() },
  does: z.union([z.enum([...argumentRoles, ...effectKinds]), effect]).optional(),
  is: z.enum(["rehearsal", "undry", "local"]).optional(),
});
const detail: z.ZodType<Detail> = z.lazy(() => z.strictObject(parts)) as unknown as z.ZodType<Detail>;
const parts = {
  ...{ level, why: list.optional(), options, oneDash: flag },
  tag: z.enum(["database", "cluster"]).optional(),
  rows: z.array(row).optional(),
  deep: z.record(z.string(), detail).optional(),
};
const commands = z.array(z.string().min(1)).min(1);
const whole = z
  .strictObject({
    ...parts,
    id: z.string().regex(/^[\w.-]+$/, "is not a word of letters, digits, dots and dashes"),
    names: list.refine((names) => !names.includes("/"), "holds a path: name programs without their folder"),
    match: z.partialRecord(z.enum(risks), commands).optional(),
    not_match: commands.optional(),
  })
  .transform(({ id, ...rest }) => ({ ...rest, id: `operator.${id}` })) as unknown as z.ZodType<OperatorProgram>;

/** What keys of a rule were called, and what is written now. */
const former: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["when", "sub", "flags", "verbs"].map((key) => [key, "`rows: [{ words: …, level: … }]`"])),
  ...{ otherSub: '`rows: [{ words: "*", level: … }]`', noSub: '`rows: [{ words: "()", level: … }]`' },
  ladder: "`rows: [{ if: …, level: … }]`",
  effects: "`rows: [{ does: { is: … } }]`",
  operands: "`rows: [{ does: … }]`",
  dry: "`rows: [{ words: …, is: rehearsal }]`",
  subWhy: "`rows: [{ words: …, level: …, why: … }]`",
  reach: "`rows: [{ reach: { kind: … } }]`",
  unbounded: "`rows: [{ ends: { does: … } }]`",
  examples: "`match`",
  ...{ takes: "`options.value`", reads: "`options.path-read`", writes: "`options.path-write`" },
  ...{ runs: "`options.script`", execs: "`options.argv`" },
};

/** One command that the operator lowers, until a day. */
const trust = z.strictObject({
  rule: list,
  command: list,
  level: z.enum(["low", "medium", "high"]),
  expires: z.iso.date(),
});
type Trust = z.infer<typeof trust>;

const problemsOf = (type: z.ZodType, place: string, record: unknown, error: z.ZodError): readonly Problem[] =>
  schemaFindings(type, record, error.issues).map(({ path, message, remedy }) => ({
    place: [place, ...path].map(String).join("."),
    message,
    remedy: renamed(String(path.at(-1))) ?? remedy ?? "docs/policy.md has the form of a rule",
  }));

const renamed = (key: string): string | undefined =>
  Object.hasOwn(former, key) ? `write ${former[key]} instead` : undefined;

/** Reads the operator's rules, then the trust; throws an OperatorError with every problem of the first that has any. */
export const readAdditions = (written: {
  readonly rules?: readonly unknown[];
  readonly trust?: readonly unknown[];
}): { readonly rules: readonly OperatorProgram[]; readonly trust: readonly Trust[] } => ({
  rules: readAll(whole, written.rules ?? [], "policy.rules"),
  trust: readAll(trust, written.trust ?? [], "policy.trust"),
});

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

/** What of a rule says low, by its place in the rule. */
const lowersBy = ({ level, rows = [], deep = {} }: Detail): readonly string[] => [
  ...(level === "low" ? ["level"] : []),
  ...rows.flatMap((row, i) => (row.level === "low" ? [`rows.${i}`] : [])),
  ...Object.entries(deep).flatMap(([word, inner]) => lowersBy(inner).map((key) => `deep.${word}.${key}`)),
];

/**
 * Rules that only seem to work: one that says low of a program that the built-in rules know, which it can only raise, with no example
 * that shows what it raises; one for a program that is seen through before any rule is asked (`sudo`).
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
          remedy: "fix the rule or the example; a rule can only raise a program the built-in rules know",
        })),
    ),
    ...not_match
      .filter((command) => judge(command).findings.some(({ ruleId }) => `${ruleId}.`.startsWith(`${id}.`)))
      .map((command) => ({
        place: id,
        message: `the rule says something of \`${command}\`, which stands in its \`not_match\``,
        remedy: "fix the rule or the example",
      })),
  ]);
}
