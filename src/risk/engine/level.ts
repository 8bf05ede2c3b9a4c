/** What the words and options of a call say of its level. */
import { type Risk, stricter } from "../../base/risk.ts";
import { optionVerbs } from "../knowledge/verbs.ts";
import { type CompiledRule, isOperators } from "../table.ts";
import { levelsOf, type Option, type ParsedArguments } from "./options.ts";
import { isChanging } from "./second-verb.ts";

export type OptionLevels = readonly (readonly [name: string, risk: Risk])[];

/** Options that a rule gives a level. */
export const optionLevels = (rule: CompiledRule, options: readonly Option[]): OptionLevels =>
  options.flatMap((option) => {
    const risk = optionLevel(rule, option);
    return risk ? [[option.name, risk] as const] : [];
  });

function optionLevel(rule: CompiledRule, option: Option): Risk | undefined {
  const listed = rule.flagLevels.get(option.name);
  if (listed) return listed;
  if (!rule.safe || rule.safe.has(option.name) || /^-\d+$/.test(option.name)) return undefined;
  return "medium";
}

/** Options that are verbs, without their dashes. */
export const verbOptions: ReadonlyMap<string, Risk> = new Map(levelsOf(optionVerbs));

/** Options that change something by their name, where no rule knows them: `powertop --calibrate`. */
export const changingOptions = (rules: readonly CompiledRule[], options: readonly Option[]): OptionLevels =>
  options.flatMap(({ name }) => {
    const risk = name.startsWith("--") ? verbOptions.get(name.slice(2)) : undefined;
    const isSaid = rules.some((rule) => rule.grammar.known.has(name) || isOperators(rule));
    if (!risk || risk === "low" || isSaid) return [];
    return [[name, risk] as const];
  });

/** Whether the options ask for something to look at, or for help. */
export const onlyLooks = (options: readonly Option[]): boolean =>
  options.some(({ name }) => /^(-V|-h|--version|--help)$/.test(name) || verbOptions.get(name.slice(2)) === "low");

/** The strictest level of the words that decide it; undefined where none is met. */
export function decideWhen(
  rule: CompiledRule,
  { program, parsed }: { program: string; parsed: ParsedArguments },
): Risk | undefined {
  if (rule.when.length === 0) return undefined;
  const values = parsed.options.flatMap((o) => (o.value ? [o.value.text, `${o.name}=${o.value.text}`] : []));
  const operands = parsed.operands.map((a) => a.text);
  const given = [program, ...parsed.options.map((o) => o.name), ...values];
  const all = [...given, ...operands];
  // Behind a verb that changes something, a word that would lower the level is a name: `dmsetup load status`.
  const verb = operands.findIndex((text) => isChanging(text) && !rule.lowers.has(text));
  const before = verb < 0 ? all : [...given, ...operands.slice(0, verb)];
  let level: Risk | undefined;
  for (const [listed, risk] of rule.when) {
    const present = risk === "low" ? before : all;
    const word = listed.startsWith(`${program}_`) ? listed.slice(program.length + 1) : listed;
    const isMet = rule.names.has(word)
      ? word === program
      : word.endsWith("*")
        ? present.slice(1).some((p) => p.startsWith(word.slice(0, -1).replace(/_$/, " ")))
        : present.includes(word);
    if (isMet) level = level ? stricter(level, risk) : risk;
  }
  return level;
}
