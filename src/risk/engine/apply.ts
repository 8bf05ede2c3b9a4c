/** Applies the rules of one program to one call: level, options, sub-command, paths, and the checks in code. */

import { type Risk, stricter } from "../../base/risk.ts";
import { climb, defaultWhy } from "../ladder.ts";
import type { Detail } from "../program.ts";
import { checks } from "../programs/checks.ts";
import { grammarWithReads } from "../reads.ts";
import type { CompiledRule } from "../table.ts";
import { type Arg, type Flow, shown } from "./arg.ts";
import { closeWorld } from "./closed.ts";
import { applyEffects, runSubCommands } from "./declared.ts";
import { isDryRun } from "./dry-run.ts";
import { changingOptions, decideWhen, onlyLooks, optionLevels } from "./level.ts";
import { type Option, type ParsedArguments, parseOptions, words } from "./options.ts";
import { inProduction, type SeenCall } from "./scan.ts";
import { hiddenVerb, verbBehind } from "./second-verb.ts";
import { runOptions, touchPaths } from "./touch.ts";

export type Application = SeenCall & { readonly rule: readonly CompiledRule[] };

/** What a check in code gets to see. */
export interface ProgramCall extends ParsedArguments, Pick<SeenCall, "program" | "args" | "stdin" | "scan"> {
  readonly ruleId: string;
  readonly detail: Detail;
  /** Adds a finding of this rule. */
  report(risk: Risk, text: string, at?: Arg): void;
  has(...names: string[]): boolean;
  value(...names: string[]): Arg | undefined;
}

/** A predicate in code; gives back what the program prints where it knows. */
export type Check = (call: ProgramCall) => Flow | undefined;

/** Applies all rules of a program; the output where a check knows it. A call that no rule raised is low only if all of it is known to only read. */
export function applyRule(application: Application): Flow | undefined {
  const { risky } = application.scan.reports;
  const applied = application.rule.map((compiled) =>
    applyOne(application, compiled, { root: application.program, path: [] }),
  );
  if (application.scan.reports.risky === risky) closeWorld(application, applied);
  return applied.findLast(({ flow }) => flow)?.flow;
}

/** One rule applied: the rules of its sub-commands, down to the last, and the words that name them. */
export interface AppliedRule {
  readonly flow: Flow | undefined;
  readonly chain: readonly CompiledRule[];
  readonly path: readonly string[];
}

/** The program itself, and the words of the sub-commands above. */
interface Above {
  readonly root: string;
  readonly path: readonly string[];
}

function applyOne(application: Application, top: CompiledRule, above: Above): AppliedRule {
  const { program, args, scan } = application;
  const outer = parseOptions(args, grammarWithReads(top, above));
  const chosen = chooseSub(top, outer);
  const hiding = hidingOption(top, outer, args);
  if (hiding) {
    // Whether it takes a value nobody knows: what it may hide counts, and alone where nothing else is known.
    const { option, value } = hiding;
    const taken = `takes ${shown(value.text)} for the value of ${shown(option.text)}, which the rules do not know`;
    scan.report("low", top.id, taken, option);
    const applied = applyOne(
      { ...application, args: args.filter((arg) => arg !== option && arg !== value) },
      top,
      above,
    );
    if (!chosen.isListed) return applied;
  }
  const inner = chosen.rule;
  const path = [...above.path, ...outer.operands.slice(0, chosen.used).map(({ text }) => text)];
  const behind = argsAfter(args, outer.operands[chosen.used - 1]);
  if (inner !== top && (inner.detail.sub || inner.detail.deep)) {
    const name = `${program} ${outer.operands[0]?.text ?? ""}`;
    const deeper = applyOne({ ...application, args: behind, program: name }, inner, { ...above, path });
    return { ...deeper, chain: [top, ...deeper.chain] };
  }
  const parsed = parseOptions(inner === top ? args : behind, grammarWithReads(inner, { ...above, path }));
  const parts: Parts = { top, inner, outer, parsed, chosen };
  reportLevel(application, parts);
  return { flow: applyParts(application, parts), chain: inner === top ? [top] : [top, inner], path };
}

/** A call as its rule takes it apart: the rule and that of its sub-command, and what each is given. */
interface Parts {
  readonly top: CompiledRule;
  readonly inner: CompiledRule;
  readonly outer: ParsedArguments;
  readonly parsed: ParsedArguments;
  readonly chosen: ChosenRule;
}

/** Reports the level of a call by its words and options, and why. */
function reportLevel({ program, args, scan, name }: Application, { top, inner, outer, parsed, chosen }: Parts): void {
  const what = [program, ...outer.operands.slice(0, chosen.used).map((a) => shown(a.text))].join(" ");
  const outerRisks = inner === top ? [] : optionLevels(top, outerOptions(outer, parsed));
  const given = decideWhen(inner, { program, parsed }) ?? chosen.level;
  const optionRisks = [
    ...outerRisks,
    ...optionLevels(inner, parsed.options),
    ...(given === "low" ? changingOptions([top, inner], outer.options) : []),
  ];
  const asked = optionRisks.reduce<Risk | undefined>((a, [, risk]) => (a ? stricter(a, risk) : risk), given);
  const isDry =
    inner.detail.dry !== "" &&
    [top, inner].some(({ detail, grammar: { known } }) =>
      isDryRun({ args, options: parsed.options, known }, (word) => saysDryRun(word, detail.dry)),
    );
  const level = isDry && asked !== "block" ? "low" : asked;
  if (!level) return;
  const raised = inner.detail.tag === undefined ? level : inProduction(level, scan);
  const verb = outer.operands[0]?.text ?? "";
  const told = inner.detail.why ?? (chosen.used > 0 ? top.detail.subWhy?.[verb] : top.detail.why);
  // What a program does is not said of its dry run.
  const why = (level === "low" && inner.detail.level !== "low" ? undefined : told) ?? defaultWhy[level];
  const reasons = optionRisks.flatMap(([option, risk]) => (risk === "low" ? [] : ` ${option}`)).join("");
  const text = `${what}${reasons}: ${why}${raised === level ? "" : " (production)"}`;
  scan.report(raised, inner.id, text, name);
}

/** What a call does beside its level: paths, the ladder, effects, and the check in code. */
function applyParts(application: Application, { top, inner, outer, parsed, chosen }: Parts): Flow | undefined {
  const { program, args, stdin, scan, name } = application;
  const operands = inner === top ? parsed.operands.slice(chosen.used) : parsed.operands;
  touchPaths(inner, { program, options: parsed.options, operands }, scan);
  if (inner !== top) runOptions(top, outer.options, scan);
  climb(inner.ladder.length > 0 ? inner : top, { args, operands }, { program, scan, name });
  const check = inner.detail.verbs ? "family" : (inner.detail.check ?? (inner === top ? undefined : top.detail.check));
  const run = check ? checks[check] : undefined;
  const takesInput = stdin.present && outer.operands.length === 0 && hasSubCommands(top) && !onlyLooks(outer.options);
  if (!run && !takesInput && inner.effects.length === 0 && top.effects.length === 0) return undefined;
  const options = [...outer.options, ...parsed.options];
  const call = createCall({ ...application, ruleId: inner.id, detail: inner.detail, options, operands });
  if (takesInput) runSubCommands(call);
  const above = inner === top ? undefined : applyEffects(top, call);
  const flow = applyEffects(inner, call) ?? above;
  return run?.(call) ?? flow;
}

const hasSubCommands = ({ sub, deep, detail }: CompiledRule): boolean =>
  sub.size > 0 || deep.size > 0 || detail.verbs !== undefined;

const outerOptions = (outer: ParsedArguments, inner: ParsedArguments): readonly Option[] =>
  outer.options.slice(0, Math.max(0, outer.options.length - inner.options.length));

function argsAfter(args: readonly Arg[], operand: Arg | undefined): readonly Arg[] {
  return operand ? args.slice(args.indexOf(operand) + 1) : args;
}

interface ChosenRule {
  readonly rule: CompiledRule;
  readonly level: Risk | undefined;
  /** How many operands the sub-command is. */
  readonly used: number;
  /** False where no rule lists it. */
  readonly isListed: boolean;
}

/** The option that the rules do not know and that the first operand, no listed sub-command, may be the value of. */
function hidingOption(
  { grammar, sub, deep }: CompiledRule,
  { operands }: ParsedArguments,
  args: readonly Arg[],
): { readonly option: Arg; readonly value: Arg } | undefined {
  const [value, next] = operands;
  const option = value && args[args.indexOf(value) - 1];
  if (!value || !next || !option || !/^--?[A-Za-z][\w-]*$/.test(option.text) || grammar.known.has(option.text))
    return undefined;
  return sub.has(next.text) || deep.has(next.text) ? { option, value } : undefined;
}

/** The most words a sub-command has (`ceph osd crush rule ls`). */
const maxSubWords = 4;

const decidesItself = ({ check, verbs, ladder, effects }: Detail): boolean =>
  [check, verbs, ladder, effects].some((one) => one !== undefined);

/** Finds the sub-command: more words before fewer, exact before a prefix, else the rule's default, never low by itself. */
function chooseSub(rule: CompiledRule, parsed: ParsedArguments): ChosenRule {
  const { detail } = rule;
  if (!detail.sub && !detail.deep) {
    return {
      rule,
      level: detail.level ?? (decidesItself(detail) || detail.operands ? undefined : "medium"),
      used: 0,
      isListed: true,
    };
  }
  const [first, second] = parsed.operands;
  if (!first) return { rule, level: detail.noSub ?? detail.level ?? "low", used: 0, isListed: true };
  const given = parsed.operands.slice(0, maxSubWords).map((a) => a.text);
  for (let used = given.length; used > 0; used--) {
    const key = given.slice(0, used).join("_");
    const deep = rule.deep.get(key);
    const prefix = rule.subPrefixes.find(([start]) => key.startsWith(start) && (used === 1 || start.includes("_")));
    const level = rule.sub.get(key) ?? prefix?.[1];
    if (deep) {
      const nested = deep.detail.sub || deep.detail.deep ? undefined : deep.detail.level;
      return {
        rule: deep,
        level: nested ?? level ?? (deep.detail.check || deep.detail.effects ? undefined : "medium"),
        used,
        isListed: true,
      };
    }
    // A verb that stands second decides only where the first word is not listed itself: `npm uninstall list`.
    const isOther = !rule.sub.has(key) && prefix?.[0] === "";
    const last = parsed.operands[used - 1] ?? first;
    const hidden = level === "low" ? hiddenVerb(rule, last, parsed.operands[used]) : undefined;
    if (hidden) return { rule, level: hidden, used, isListed: true };
    if (level) return { rule, level: isOther ? (verbBehind(rule, second) ?? level) : level, used, isListed: true };
  }
  return { rule, level: verbBehind(rule, second) ?? detail.otherSub ?? "medium", used: 1, isListed: false };
}

/** `--dry-run` means the same to every program that has it; others are listed by the rule. */
const saysDryRun = (name: string, listed: string | undefined): boolean =>
  name === "--dry-run" || words(listed).includes(name);

function createCall(base: Omit<ProgramCall, "report" | "has" | "value">): ProgramCall {
  return {
    ...base,
    report: (risk, text, at) => base.scan.report(risk, base.ruleId, text, at),
    has: (...names) => base.options.some((o) => names.includes(o.name)),
    value: (...names) => base.options.findLast((o) => names.includes(o.name) && o.value)?.value,
  };
}
