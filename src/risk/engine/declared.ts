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
export function runSubCommands(call: ProgramCall): void {
  if (call.stdin === perhapsFlow) return;
  const effect = { is: "runs-text", stdin: true, prefix: `${call.program} ` } as const;
  runInput({ effect, pattern: subCommand }, call.stdin, call);
}
const subCommand = /^(?!\s*(?:#|(?:quit|exit|bye|q|help)?\s*$))(.+)$/gm;

/** Whether a call hands a command on to another place by this effect. */
export const handsOn = ({ row, effect }: CompiledEffect, call: RowCall): boolean =>
  effect.is === "runs-elsewhere" && fits(row, call);

/** The command in a call's own words: the text of an option, and the words from the first of a program on. */
export function commandIn(
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
