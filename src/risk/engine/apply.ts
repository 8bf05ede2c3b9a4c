import { type Risk, stricter } from "../../base/risk.ts";
import { knowsDryRun } from "../knowledge/rehearsals.ts";
import type { CallEffect, Detail } from "../program.ts";
import { docker, kubectl } from "../programs/containers.ts";
import { deviceConsole, family } from "../programs/families.ts";
import { chmod, dd, find, mount, tar } from "../programs/files.ts";
import { interpreter } from "../programs/interpreters.ts";
import { curl, listen, rsync, socat } from "../programs/network.ts";
import { kill, restartUnit, stopUnit } from "../programs/processes.ts";
import { pwsh, runsText, shell, sourceFile, xargs } from "../programs/shells.ts";
import { mongo, redis, sqlClient } from "../programs/sql.ts";
import { awk, sed } from "../programs/text-tools.ts";
import { findListed, findReads, grammarWithReads, isListed, type KnownReads } from "../reads.ts";
import { runText as runShellText } from "../shell/unwrap.ts";
import { type CompiledEffect, type CompiledRule, programFacts } from "../table.ts";
import {
  type Arg,
  type Flow,
  hole,
  isForeign,
  literal,
  nothing,
  perhapsFlow,
  quoted,
  shown,
  unknownFlow,
} from "./arg.ts";
import { isDryRun } from "./dry-run.ts";
import { deletePath, readPath, tryStartup, writePath } from "./effects.ts";
import { type Grammar, type Option, type ParsedArguments, parseOptions, words } from "./options.ts";
import { normalise } from "./paths.ts";
import {
  decidingWords,
  fits,
  hiddenVerb,
  isOperators,
  isSub,
  type LevelRow,
  optionsMet,
  type RowCall,
} from "./rows.ts";
import { inProduction, type SeenCall } from "./scan.ts";
import { runOptions, touchPaths } from "./touch.ts";
import { findWritten } from "./written.ts";

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

// Low is a closed world: a call that nothing raised is low only if each of its words is known to only read.

/** What is known of the words of every call of one sub-command. */
interface World {
  readonly reads: KnownReads;
  readonly grammar: Grammar;
  /** Of options that end in `*` in a record, what stands before it. */
  readonly starts: readonly string[];
  readonly isComplete: boolean;
  /** Whether its operands are looked at, or known to be names. */
  readonly hasRole: boolean;
}

/** By what is known to only read, which many paths of a tree share, and by the rules. */
const worlds = new WeakMap<KnownReads, Map<string, World>>();

function worldOf(program: string, path: readonly string[], chain: readonly CompiledRule[]): World {
  const reads = findReads(program, path);
  const byRules = worlds.get(reads) ?? new Map<string, World>();
  worlds.set(reads, byRules);
  const key = [program, ...chain.map(({ id }) => id)].join(" ");
  const found = byRules.get(key);
  if (found) return found;
  const { flags, takes, valued, attached, names } = reads;
  const isComplete = isListed(program);
  const isClosed = findListed(program, path) !== undefined;
  const known = new Set([...flags, ...takes, ...chain.flatMap(saidBy)]);
  const made: World = {
    reads,
    grammar: {
      kinds: new Map(),
      takes: new Set(chain.flatMap((rule) => [...rule.grammar.takes])).difference(flags).union(takes).union(valued),
      known,
      completed: [],
      oneDash: chain.some((rule) => rule.grammar.oneDash),
      attached,
    },
    starts: [...known].flatMap((word) => (word.endsWith("*") && word.length > 2 ? [word.slice(0, -1)] : [])),
    isComplete,
    hasRole:
      names === true ||
      chain.some(
        ({ role, decides, levels, detail }) =>
          role !== undefined ||
          // A family tells its operands by their verbs alone; a list of sub-commands tells more.
          (decides && !(detail.check === "family" && isClosed)) ||
          (!isComplete && levels.some(looksAtOperands)),
      ),
  };
  byRules.set(key, made);
  return made;
}

/** Makes a call medium for each word that is not known to only read. */
function closeWorld({ program, args, stdin, scan, name }: Application, applied: readonly AppliedRule[]): void {
  const chain = applied.flatMap((one) => one.chain);
  if (chain.some(isOperators)) return;
  const said = applied.map((one) => one.path).reduce((a, b) => (b.length > a.length ? b : a));
  const given = parseOptions(args, worldOf(program, said, chain).grammar).operands.map(({ text }) => text);
  const listed = findListed(program, given);
  const path = listed && listed.length > said.length ? listed : said;
  const { reads, grammar, starts, isComplete, hasRole } = worldOf(program, path, chain);
  if (reads.isText) return;
  const whole = parseOptions(args, grammar);
  const own = withoutInner(
    { program, args, options: whole.options, operands: whole.operands.slice(path.length), path: whole.operands },
    chain,
    reads.runs,
  );
  const { options, operands } = own.length < args.length ? parseOptions(own, grammar) : whole;
  const report = (what: string, level: Risk = "medium"): void => {
    const called = [program, ...path].map(shown).join(" ");
    scan.report(level, chain[0]?.id ?? "", `${what} ${called} is not known to only read`, name);
  };
  // What destroys unless it is told only to look may be told more: `sfdisk -l --delete`, `mdadm -D --stop`.
  const unknown = chain.at(-1)?.detail.level === "high" ? "high" : "medium";
  const isRehearsed = chain.every((rule) => rule.dry !== undefined) && knowsDryRun(program, given[0]);
  // A record over several programs writes `PROGRAM_-option`; of some options one value is known: `-lock=false`.
  const isKnown = ({ name: option, value }: Option): boolean =>
    grammar.known.has(option) ||
    grammar.known.has(`${option}=${value?.text}`) ||
    grammar.known.has(`${program}_${option}`) ||
    /^-\d+$/.test(option) ||
    (option === "--dry-run" && isRehearsed) ||
    starts.some((start) => option.startsWith(start));
  for (const option of options) if (!isKnown(option)) report(`${shown(option.name)} of`, unknown);
  // A list over several programs may hold for a value what is an option to one of them: `hg status -c --config x=y`.
  const swallowed = options.find(
    ({ name: option, value }) =>
      value &&
      own.includes(value) &&
      /^--?[A-Za-z]$|^--[A-Za-z]/.test(value.text) &&
      !/^(-e|--regexp|--grep)$/.test(option),
  );
  if (swallowed) report(`${shown(swallowed.value?.text ?? "")} behind ${swallowed.name} of`);
  const { names } = reads;
  // A row's `list_*` takes the word behind for its own; a pattern of what may stand there is about that word, too.
  const behind = operands.slice(names instanceof RegExp && listed ? listed.length : path.length);
  const isDry = chain.some(
    ({ dry }) =>
      dry &&
      isDryRun(
        { args, options, known: grammar.known },
        (option) => dry.has(option) || (isRehearsed && option === "--dry-run"),
      ),
  );
  if (listed?.length === 0 && given[0] !== undefined && !isDry) report(`${shown(given[0])} of`);
  const operand =
    names instanceof RegExp ? behind.find(({ text }) => !names.test(text)) : hasRole ? undefined : behind[0];
  if (operand) report(`${shown(operand.text)} given to`);
  // What it is told about by name alone may be a file that it writes, or ask for a secret: `storcli … file=/srv/x`.
  const file =
    names === true
      ? behind.find(({ text }) => /^((out|log)?file|(show|reveal)[-_]?(secrets?|tokens?))=./i.test(text))
      : undefined;
  if (file && chain.every(({ role }) => role === undefined)) report(`${shown(file.text)} given to`);
  if (stdin.present && stdin !== perhapsFlow && !isComplete) report("what is on the standard input of");
}

/** Whether a row has looked at what is no option. */
const looksAtOperands = ({ row, anywhere, met, unmet }: LevelRow): boolean =>
  met !== undefined || unmet !== undefined || row.level === "low" || anywhere.some((word) => !/^[-+]/.test(word));

/** The options whose meaning a record knows. One that only takes a value does not count: the list of reads decides about it. */
function saidBy({ grammar, levels }: CompiledRule): readonly string[] {
  const leveled = new Set(levels.flatMap(({ anywhere }) => anywhere));
  const isPlain = (word: string): boolean => grammar.kinds.get(word) === "value" && !leveled.has(word);
  return [...grammar.known].filter((word) => !isPlain(word));
}

/** The call's own words, without those of a program that it runs, whose options are judged there. */
function withoutInner(call: RowCall, chain: readonly CompiledRule[], runs: ReadonlySet<string>): readonly Arg[] {
  const { args, operands } = call;
  const starts = chain.flatMap(({ effects, grammar }) =>
    effects
      .filter(({ row, effect: { is } }) => /^runs-(argv|elsewhere)$/.test(is) && fits(row, call))
      .flatMap((one) =>
        commandIn(one, grammar, call)
          .words.slice(0, 1)
          .map((inner) => args.indexOf(inner)),
      ),
  );
  const [first] = operands;
  if (first && runs.has("operand")) starts.push(args.indexOf(first));
  let isInner = false;
  return args.slice(0, Math.min(args.length, ...starts)).filter(({ text }) => {
    const wasInner = isInner;
    isInner = isInner ? text !== ";" && text !== "+" : runs.has(text);
    return !wasInner;
  });
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
  const around = {
    ...inside,
    options: outer.options.slice(0, Math.max(0, outer.options.length - parsed.options.length)),
  };
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

function rowsMet({ levels, lowers, grammar }: CompiledRule, call: RowCall): readonly LevelRow[] {
  if (levels.length === 0) return levels;
  const { all, looking } = decidingWords(call, lowers, grammar);
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
  const hasSubs = top.sub.size + top.deep.size + top.verbs.size > 0 || findListed(program, []) !== undefined;
  const takesInput = isFed && hasSubs && !onlyLooks(outer.options);
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

// The named checks that records refer to: languages and orders of words that a table cannot say.

// biome-ignore format: filled to the width
export const checks: Readonly<Record<string, Check>> = {
  awk, chmod, curl, dd, deviceConsole, docker, family, find, interpreter, kill, kubectl, listen, mongo, mount, pwsh, redis,
  rsync, runsText, sed, shell, socat, sourceFile, sqlClient, tar, xargs,
};

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

// Applies the effects that a record declares: what a call does with its own words and its input, found by where they stand.

/** Applies all effects of a rule to a call; gives back what a program that it runs prints. */
function applyEffects({ effects, grammar }: CompiledRule, call: ProgramCall): Flow | undefined {
  let flow: Flow | undefined;
  for (const one of effects) {
    if (!fits(one.row, call)) continue;
    const { is, stdin, file } = one.effect;
    if (is === "runs-argv" || is === "runs-elsewhere") flow = runCommand(one, grammar, call) ?? flow;
    else if (stdin) runInput(one, call.stdin, call);
    else if (file) for (const word of wordsOf(one.effect, call)) runInput(one, findWritten(word, call.scan), call);
    else for (const word of matched(one, wordsOf(one.effect, call))) flow = touch(one.effect, word, call) ?? flow;
  }
  return flow;
}

/** The words that an effect is about: those behind others, one operand, every word, or every operand. */
function wordsOf({ after, operand, all }: CallEffect, { args, options, operands }: RowCall): readonly Arg[] {
  if (after === undefined) return all ? args : operand === undefined ? operands : operands.slice(operand, operand + 1);
  const names = words(after);
  const behind = args.filter((_, i) => isNamed(args[i - 1]?.text, names));
  return [
    ...new Set([...options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : [])), ...behind]),
  ];
}

const isNamed = (text: string | undefined, names: readonly string[]): boolean =>
  text !== undefined && names.some((name) => (name.endsWith("*") ? text.startsWith(name.slice(0, -1)) : text === name));

/** What an effect's pattern finds in the words: its first group, as often as it fits. */
function matched({ pattern, effect: { joins } }: Omit<CompiledEffect, "row">, given: readonly Arg[]): readonly Arg[] {
  if (!pattern) return given;
  return given.flatMap((arg) => {
    const found = [...arg.text.matchAll(pattern)].map((one) => ({
      ...arg,
      text: one.slice(1).find((group) => group !== undefined) ?? "",
    }));
    return joins && found.length > 0 ? [{ ...arg, text: quoted(found) }] : found;
  });
}

function touch({ is, level, why, input, ...how }: CallEffect, word: Arg, call: ProgramCall): Flow | undefined {
  const { program, report, scan, stdin } = call;
  if (level) report(level, `${program} ${why ?? "runs a command given in its words"}: ${shown(word.text)}`, word);
  switch (is) {
    case "reads":
      readPath(word, scan);
      return undefined;
    case "writes":
    case "appends": {
      writePath(word, is === "appends" ? "append" : "overwrite", scan);
      if (!input) return undefined;
      const path = normalise(word.text, scan.cwd);
      scan.files.set(path, stdin);
      tryStartup(path, stdin.text, scan);
      return undefined;
    }
    case "deletes":
      deletePath(word, scan, why);
      return undefined;
    case "stops":
      stopUnit(word, why ?? "stops", call);
      return undefined;
    case "restarts":
      restartUnit(word, call);
      return undefined;
    default:
      return runText(word.text, how.tried ?? false, call);
  }
}

function runText(text: string, tried: boolean, { program, scan }: ProgramCall): Flow | undefined {
  const run = (): Flow => scan.runShell(text.replaceAll(hole, "$__unknown"), nothing, `in ${program}`);
  if (!tried) return run();
  scan.attempt(run);
  return undefined;
}

/** What comes on its input, or stands in a file that this script has written, is run. */
function runInput(one: Omit<CompiledEffect, "row">, given: Flow | undefined, call: ProgramCall): void {
  const { level, prefix, tried, stdin } = one.effect;
  if (!given?.present) return;
  const { program, report } = call;
  if (level) report(level, `${program} runs what it is given`);
  const text = given.text ?? given.pieces;
  if (isForeign(given)) report("block", `${program} runs what was downloaded or decoded`);
  else if (text === undefined && stdin) report("high", `${program} runs what comes through a pipe`);
  for (const line of matched(one, [literal(text ?? "")]).slice(0, maxLines))
    if (line.text !== "") runText(`${prefix ?? ""}${line.text}`, tried ?? false, call);
}
const maxLines = 100;

/** A tool of sub-commands that is called with none takes them from its input, a line each (`chronyc`, `virsh`), if it takes any. */
function runSubCommands(call: ProgramCall): void {
  if (call.stdin === perhapsFlow) return;
  const effect = { is: "runs-text", stdin: true, prefix: `${call.program} ` } as const;
  runInput({ effect, pattern: subCommand }, call.stdin, call);
}
const subCommand = /^(?!\s*(?:#|(?:quit|exit|bye|q|help)?\s*$))(.+)$/gm;

/** Whether a call hands a command on to another place by this effect. */
const handsOn = ({ row, effect }: CompiledEffect, call: RowCall): boolean =>
  effect.is === "runs-elsewhere" && fits(row, call);

/** The command in a call's own words: the text of an option, and the words from the first of a program on. */
function commandIn(
  { row, effect: { is, after, operand } }: CompiledEffect,
  grammar: CompiledRule["grammar"],
  call: RowCall,
): { readonly text?: Arg | undefined; readonly words: readonly Arg[] } {
  const { args, operands, path } = call;
  const from = (first: Arg | undefined): readonly Arg[] => (first ? args.slice(args.indexOf(first)) : []);
  if (is === "runs-argv") {
    const at = args.findIndex(({ text }) => isNamed(text, words(after)));
    const behind = after === undefined ? operands : at < 0 ? [] : parseOptions(args.slice(at + 1), grammar).operands;
    return { words: from(behind[operand ?? 0]) };
  }
  const text = after === undefined ? undefined : wordsOf({ is, after }, call)[0];
  if (operand === undefined) return { text, words: [] };
  const sub = Math.max(0, ...row.subs.filter((one) => isSub(one, path)).map((one) => one.split("_").length));
  const taken = operands[0] ? Math.max(0, path.indexOf(operands[0])) : 0;
  const first = operands[Math.max(0, sub - taken) + operand];
  return { text, words: first ? from(first) : behindDashes(args) };
}

const behindDashes = (args: readonly Arg[]): readonly Arg[] =>
  args.slice(args.findIndex((arg) => arg.text === "--") + 1 || args.length);

/**
 * Judges a command in a call's words; one word with blanks is shell text. What is handed on to another place is judged as if it stood here; a shell
 * there runs what it is given on its input.
 */
function runCommand(one: CompiledEffect, rule: CompiledRule["grammar"], call: ProgramCall): Flow | undefined {
  const { args, grammar, options, program, report, scan, stdin } = call;
  const { is, level, why = is === "runs-argv" ? "runs a program" : "runs a command elsewhere", joins } = one.effect;
  const { text, words: inner } = commandIn(one, rule, call);
  const [first] = inner;
  const isElsewhere = is === "runs-elsewhere";
  if (!isElsewhere && !first) return undefined;
  if (level) report(level, `${program} ${why}${first ? `: ${shown(first.text)}` : ""}`, first);
  const own = args.slice(0, first && args.indexOf(first));
  const isOwn = (name: string): boolean => own.some((arg) => arg.text === name);
  const set = isElsewhere ? readPlace(own) : undefined;
  if (first && set?.loads) report("medium", `${program} sets ${shown(set.loads)} for a command elsewhere`, first);
  const odd = isElsewhere ? options.find(({ name }) => isOwn(name) && !grammar.known.has(name)) : undefined;
  if (first && !text && odd && !isOwn("--"))
    report("high", `${program} has the option ${shown(odd.name)}, which the rules do not know, before a command`);
  if (!text && !first) {
    report("medium", `${program} opens a shell elsewhere`);
    return stdin.present && stdin !== perhapsFlow ? scan.runArgs([literal("sh")], stdin) : unknownFlow;
  }
  // What stands before `--` may be a version or a folder (`mise x node@20 -- …`).
  if (isElsewhere && level && first?.text !== "--") scan.runArgs(behindDashes(inner), stdin);
  const isText = joins || (inner.length === 1 && /\s/.test(first?.text ?? ""));
  const depth = isElsewhere && !level ? 1 : 0;
  scan.inside += depth;
  const { cwd } = scan;
  if (set?.folder) scan.cwd = normalise(set.folder, undefined);
  // Who joins the words for a shell there is not always known.
  if (isElsewhere && !isText && inner.some((arg) => separator.test(arg.text))) runShellText(call, inner, true);
  const flow =
    text && (!first || /\s/.test(text.text))
      ? runShellText(call, [text])
      : isText && !text
        ? runShellText(call, inner, true)
        : scan.runArgs([...(text ? [text] : []), ...inner], stdin);
  scan.inside -= depth;
  scan.cwd = cwd;
  return flow;
}

const separator = /^(?:&&|\|\|?|;|&|\d?>{1,2}|<)$|\$\(|`/;

/** What the options before a command say of the place where it runs: its folder, and a variable or shell that may load something. */
function readPlace(own: readonly Arg[]): { readonly folder?: string | undefined; readonly loads?: string | undefined } {
  const text = own.map((arg) => arg.text).join(" ");
  return {
    folder: /(?:^| )(?:-w[ =]?|-d |--(?:workdir|cwd|directory|working-directory)[ =])(\/\S*)/.exec(text)?.[1],
    loads:
      /(?:^| )(?:-e ?|-E ?|--(?:env|env-file|setenv|putenv|shell)[ =])(?!(?:TERM|LANG|LANGUAGE|LC_\w+|TZ|COLUMNS|LINES|NO_COLOR)=)(\w\S*|\/\S*)/.exec(
        text,
      )?.[1],
  };
}
