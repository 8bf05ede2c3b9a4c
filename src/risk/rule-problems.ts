/** What is wrong with the operator's rules though they can be read: a rule that only seems to work is refused at the start. */
import type { Problem } from "../base/errors.ts";
import type { Verdict } from "../base/risk.ts";
import { words } from "./engine/options.ts";
import type { Detail, OperatorProgram } from "./program.ts";

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
