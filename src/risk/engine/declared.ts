/** Applies the effects that a record declares: what a call does with its own words and its input, found by where they stand. */
import type { CallEffect } from "../program.ts";
import { restartUnit, stopUnit } from "../programs/processes.ts";
import { runText as runShellText } from "../shell/unwrap.ts";
import type { CompiledEffect, CompiledRule } from "../table.ts";
import type { ProgramCall } from "./apply.ts";
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
  textOf,
  unknownFlow,
} from "./arg.ts";
import { deletePath, readPath, tryStartup, writePath } from "./effects.ts";
import { parseOptions, words } from "./options.ts";
import { normalise } from "./paths.ts";
import { fits, isSub, type RowCall } from "./rows.ts";
import { findWritten } from "./written.ts";

/** Applies all effects of a rule to a call; gives back what a program that it runs prints. */
export function applyEffects({ effects, grammar }: CompiledRule, call: ProgramCall): Flow | undefined {
  let flow: Flow | undefined;
  for (const one of effects) {
    if (!fits(one.row, call)) continue;
    const { is, stdin, file } = one.effect;
    if (is === "runs-argv") flow = runArguments(one.effect, grammar, call) ?? flow;
    else if (is === "runs-elsewhere") flow = runElsewhere(one, call);
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
export function runSubCommands(call: ProgramCall): void {
  if (call.stdin === perhapsFlow) return;
  const effect = { is: "runs-text", stdin: true, prefix: `${call.program} ` } as const;
  runInput({ effect, pattern: subCommand }, call.stdin, call);
}
const subCommand = /^(?!\s*(?:#|(?:quit|exit|bye|q|help)?\s*$))(.+)$/gm;

/** What stands behind a word, or from an operand on, is a program with its arguments; one word with blanks is shell text. */
function runArguments(effect: CallEffect, grammar: CompiledRule["grammar"], call: ProgramCall): Flow | undefined {
  const { args, program, scan, stdin } = call;
  const names = words(effect.after);
  const at = args.findIndex(({ text }) => isNamed(text, names));
  if (effect.after !== undefined && at < 0) return undefined;
  const behind = effect.after === undefined ? call.operands : parseOptions(args.slice(at + 1), grammar).operands;
  const first = behind[effect.operand ?? 0];
  if (!first) return undefined;
  const inner = args.slice(args.indexOf(first));
  if (effect.level)
    call.report(
      effect.level,
      `${program} ${effect.why ?? "runs a program given in its words"}: ${shown(first.text)}`,
      first,
    );
  if (effect.joins || (inner.length === 1 && /\s/.test(first.text)))
    return scan.runShell(textOf(inner), nothing, `in ${program}`);
  const appended = effect.appends ? call.operands.slice(1).filter((arg) => args.indexOf(arg) < at) : [];
  return scan.runArgs([...inner, ...appended], stdin);
}

/** Whether a call hands a command on to another place by this effect. */
export const handsOn = ({ row, effect }: CompiledEffect, call: RowCall): boolean =>
  effect.is === "runs-elsewhere" && fits(row, call);

/** What a call hands on: the text of an option, and the words that follow. */
export function handedOn(
  { row, effect }: CompiledEffect,
  call: RowCall,
): { readonly text: Arg | undefined; readonly words: readonly Arg[] } {
  const { args, operands, path } = call;
  const text = effect.after === undefined ? undefined : wordsOf(effect, call)[0];
  if (effect.operand === undefined) return { text, words: [] };
  const sub = Math.max(0, ...row.subs.filter((one) => isSub(one, path)).map((one) => one.split("_").length));
  const taken = operands[0] ? Math.max(0, path.indexOf(operands[0])) : 0;
  const first = operands[Math.max(0, sub - taken) + effect.operand];
  const dashes = args.findIndex((arg) => arg.text === "--");
  if (first) return { text, words: args.slice(args.indexOf(first)) };
  return { text, words: dashes < 0 ? [] : args.slice(dashes + 1) };
}

/** Judges what is handed on to another place as if it stood here; a shell there runs what it is given on its input. */
function runElsewhere(one: CompiledEffect, call: ProgramCall): Flow {
  const { args, grammar, options, program, report, scan, stdin } = call;
  const { level, why = "runs a command elsewhere", joins } = one.effect;
  const { text, words: inner } = handedOn(one, call);
  const [first] = inner;
  if (level) report(level, `${program} ${why}`);
  const own = args.slice(0, first && args.indexOf(first)).map((arg) => arg.text);
  const odd = options.find(({ name }) => own.includes(name) && !grammar.known.has(name));
  if (first && !text && odd && !own.includes("--"))
    report("high", `${program} has the option ${shown(odd.name)}, which the rules do not know, before a command`);
  const run = (): Flow => {
    if (text && (!first || /\s/.test(text.text))) return runShellText(call, [text]);
    if (text) return scan.runArgs([text, ...inner], stdin);
    // What stands before `--` may be a version or a folder (`mise x node@20 -- …`).
    const dashes = inner.findIndex((arg) => arg.text === "--");
    if (level && dashes > 0) scan.runArgs(inner.slice(dashes + 1), stdin);
    if (joins || (inner.length === 1 && /\s/.test(first?.text ?? ""))) return runShellText(call, inner, true);
    return scan.runArgs(inner, stdin);
  };
  if (!text && !first) {
    report("medium", `${program} opens a shell elsewhere`);
    return stdin.present && stdin !== perhapsFlow ? scan.runArgs([literal("sh")], stdin) : unknownFlow;
  }
  const depth = level ? 0 : 1;
  scan.inside += depth;
  const flow = run();
  scan.inside -= depth;
  return flow;
}
