import { type Risk, stricter } from "../../base/risk.ts";
import { knowsDryRun } from "../knowledge/rehearsals.ts";
import type { Detail } from "../program.ts";
import { checks } from "../programs/checks.ts";
import { findListed, grammarWithReads } from "../reads.ts";
import { type CompiledRule, programFacts } from "../table.ts";
import { type Arg, type Flow, shown } from "./arg.ts";
import { closeWorld } from "./closed.ts";
import { applyEffects, handsOn, runSubCommands } from "./declared.ts";
import { isDryRun } from "./dry-run.ts";
import { type Grammar, type Option, type ParsedArguments, parseOptions } from "./options.ts";
import { decidingWords, fits, hiddenVerb, type LevelRow, optionsMet, type RowCall } from "./rows.ts";
import { inProduction, type SeenCall } from "./scan.ts";
import { runOptions, touchPaths } from "./touch.ts";

/** Applies the rules of one program to one call: level, options, sub-command, paths, and the checks in code. */

/** Why a call has a level, if its record says nothing. */
const defaultWhy: Readonly<Record<Risk, string>> = {
  low: "only reads",
  medium: "changes something",
  high: "destroys something or causes downtime",
  block: "must never run",
};

export type Application = SeenCall & { readonly rule: readonly CompiledRule[] };

/** What a check in code gets to see. */
export interface ProgramCall extends ParsedArguments, Pick<SeenCall, "program" | "args" | "stdin" | "scan"> {
  readonly ruleId: string;
  readonly detail: Detail;
  /** What is known of its options. */
  readonly grammar: Grammar;
  readonly verbs: CompiledRule["verbs"];
  /** The operands with the words of the sub-command. */
  readonly path: readonly Arg[];
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
  noteProject(application);
  if (application.scan.reports.risky === risky) closeWorld(application, applied);
  return applied.findLast(({ flow }) => flow)?.flow;
}

/** What a project's own code does, nobody listed: a call that loads it is medium, unless it only asks which version there is, or for help. */
function noteProject({ program, args, rule, scan, name }: Application): void {
  const { projects } = programFacts(program, scan.table.get(program));
  const [first, ...more] = args;
  const asks = more.length === 0 && /^(--?version|--?help|-V|-h|help)$/.test(first?.text ?? "");
  const [known] = rule;
  if (projects.length === 0 || !known || asks) return;
  const { options, operands } = parseOptions(args, grammarWithReads(known, { root: program, path: [] }));
  const met = projects.find((one) => fits(one, { program, args, options, operands, path: operands }));
  if (met) scan.report("medium", known.id, `${program} runs code of the project: ${met.row.why}`, name);
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
    // The record does not say whether it takes a value, so what that value may hide counts, too.
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
  const given = outer.operands.map(({ text }) => text);
  const path = [...above.path, ...(chosen.used > 0 ? given.slice(0, chosen.used) : (findListed(program, given) ?? []))];
  const behind = argsAfter(args, outer.operands[chosen.used - 1]);
  if (inner !== top && inner.hasSub) {
    const name = `${program} ${outer.operands[0]?.text ?? ""}`;
    const deeper = applyOne({ ...application, args: behind, program: name }, inner, { ...above, path });
    return { ...deeper, chain: [top, ...deeper.chain] };
  }
  const grammar = grammarWithReads(inner, { ...above, path });
  const parsed = parseOptions(inner === top ? args : behind, grammar);
  const operands = inner === top ? parsed.operands.slice(chosen.used) : parsed.operands;
  const parts: Parts = { top, inner, grammar, outer, parsed, operands, chosen };
  reportLevel(application, parts);
  return { flow: applyParts(application, parts), chain: inner === top ? [top] : [top, inner], path };
}

/** A call as its rule takes it apart: the rule and that of its sub-command, and what each is given. */
interface Parts {
  readonly top: CompiledRule;
  readonly inner: CompiledRule;
  readonly grammar: Grammar;
  readonly outer: ParsedArguments;
  readonly parsed: ParsedArguments;
  /** Behind the sub-command. */
  readonly operands: readonly Arg[];
  readonly chosen: ChosenRule;
}

/** Reports the level of a call by its rows, and why. The strictest row that fits decides; if none does, the record's own level. */
function reportLevel(application: Application, { top, inner, outer, parsed, chosen, operands }: Parts): void {
  const { program, args, scan, name } = application;
  const inside = { program, args, options: parsed.options, operands, path: parsed.operands };
  const around = { ...inside, options: outerOptions(outer, parsed) };
  const own = rowsMet(inner, inside);
  const met = [...(inner === top ? [] : rowsMet(top, around)), ...own];
  const said: { readonly level: Risk }[] = met.map(({ row }) => row);
  if ((own.length === 0 || inner.hasSub) && chosen.level) said.push({ level: chosen.level });
  const asked = said.map(({ level }) => level).reduce<Risk | undefined>((x, y) => (x ? stricter(x, y) : y), undefined);
  if (!asked) return;
  const [root = "", above] = program.split(" ");
  const isKnown = knowsDryRun(root, above ?? outer.operands[0]?.text);
  const isDry = [top, inner].some(
    ({ dry, grammar: { known } }) =>
      inner.dry !== undefined &&
      dry !== undefined &&
      isDryRun({ args, options: parsed.options, known }, (word) => dry.has(word) || (isKnown && word === "--dry-run")),
  );
  const level = isDry && asked !== "block" ? "low" : asked;
  const raised = inner.detail.tag === undefined ? level : inProduction(level, scan);
  const told = met.find(({ row }) => row.level === level && row.why)?.row.why ?? chosen.why ?? inner.detail.why;
  // What a program does is not said of its dry run.
  const why = (level === "low" && inner.detail.level !== "low" ? undefined : told) ?? defaultWhy[level];
  const what = [program, ...outer.operands.slice(0, chosen.used).map((a) => shown(a.text))].join(" ");
  const options = met
    .filter(({ row }) => row.level !== "low")
    .flatMap((row) => optionsMet(row, { ...inside, options: outer.options.concat(parsed.options) }));
  const reasons = [...new Set(options)].map((option) => ` ${option}`).join("");
  scan.report(raised, inner.id, `${what}${reasons}: ${why}${raised === level ? "" : " (production)"}`, name);
}

function rowsMet({ levels, lowers }: CompiledRule, call: RowCall): readonly LevelRow[] {
  if (levels.length === 0) return levels;
  const { all, looking } = decidingWords(call, lowers);
  return levels.filter((one) => fits(one, call, one.row.level === "low" ? looking : all));
}

/** What a call does beside its level: paths, effects, and the check in code. */
function applyParts(
  application: Application,
  { top, inner, grammar, outer, parsed, operands }: Parts,
): Flow | undefined {
  const { program, args, stdin, scan } = application;
  touchPaths(inner, { program, options: parsed.options, operands }, scan);
  // What the sub-command says of an option of its own counts.
  if (inner !== top)
    runOptions(
      top,
      outer.options.filter(({ name }) => !inner.grammar.kinds.has(name)),
      scan,
    );
  const check = inner.detail.check ?? (inner === top ? undefined : top.detail.check);
  const run = check ? checks[check] : undefined;
  const isFed = stdin.present && outer.operands.length === 0;
  const takesInput = isFed && top.sub.size + top.deep.size + top.verbs.size > 0 && !onlyLooks(outer.options);
  if (!run && !takesInput && inner.effects.length === 0 && top.effects.length === 0) return undefined;
  const options = [...outer.options, ...parsed.options];
  const { id: ruleId, detail, verbs } = inner;
  const path = outer.operands;
  const call = createCall({ program, args, stdin, scan, ruleId, detail, grammar, verbs, options, operands, path });
  if (takesInput) runSubCommands(call);
  const above = inner === top ? undefined : applyEffects(top, call);
  const flow = applyEffects(inner, call) ?? above;
  // Of what is handed on, the words are a program's, not the tool's own.
  if (check === "family" && [...top.effects, ...inner.effects].some((one) => handsOn(one, call))) return flow;
  return run?.(call) ?? flow;
}

const outerOptions = (outer: ParsedArguments, inner: ParsedArguments): readonly Option[] =>
  outer.options.slice(0, Math.max(0, outer.options.length - inner.options.length));

function argsAfter(args: readonly Arg[], operand: Arg | undefined): readonly Arg[] {
  return operand ? args.slice(args.indexOf(operand) + 1) : args;
}

interface ChosenRule {
  readonly rule: CompiledRule;
  readonly level: Risk | undefined;
  readonly why?: string | undefined;
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

/** Finds the sub-command: more words before fewer, exact before a prefix, else the rule's default, never low by itself. */
function chooseSub(rule: CompiledRule, parsed: ParsedArguments): ChosenRule {
  const { detail, noSub, otherSub } = rule;
  if (!rule.hasSub) {
    const level = detail.level ?? (rule.decides || rule.role ? undefined : "medium");
    return { rule, level, used: 0, isListed: true };
  }
  const [first] = parsed.operands;
  if (!first) return { rule, level: noSub ?? detail.level ?? "low", used: 0, isListed: true };
  const given = parsed.operands.slice(0, maxSubWords).map((a) => a.text);
  for (let used = given.length; used > 0; used--) {
    const key = given.slice(0, used).join("_");
    const deep = rule.deep.get(key);
    const prefix = rule.subPrefixes.find(([start]) => key.startsWith(start) && (used === 1 || start.includes("_")));
    const row = rule.sub.get(key) ?? prefix?.[1];
    const level = row?.level;
    if (deep) {
      const nested = deep.hasSub ? undefined : deep.detail.level;
      return {
        rule: deep,
        level: nested ?? level ?? (deep.decides ? undefined : "medium"),
        why: row?.why,
        used,
        isListed: true,
      };
    }
    const last = parsed.operands[used - 1] ?? first;
    const hidden = level === "low" ? hiddenVerb(rule, last, parsed.operands[used]) : undefined;
    if (hidden ?? level) return { rule, level: hidden ?? level, why: row?.why, used, isListed: true };
  }
  return { rule, level: otherSub ?? "medium", used: 1, isListed: false };
}

/** Whether the options ask for something to look at, or for help. */
const onlyLooks = (options: readonly Option[]): boolean =>
  options.some(({ name }) => /^(-V|-h|--version|--help)$/.test(name));

function createCall(base: Omit<ProgramCall, "report" | "has" | "value">): ProgramCall {
  return {
    ...base,
    report: (risk, text, at) => base.scan.report(risk, base.ruleId, text, at),
    has: (...names) => base.options.some((o) => names.includes(o.name)),
    value: (...names) => base.options.findLast((o) => names.includes(o.name) && o.value)?.value,
  };
}
