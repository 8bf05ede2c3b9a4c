/** Wrappers (`sudo`, `timeout 5`, `ssh host`, `xargs`): judges the program inside. */
import {
  type Arg,
  type Flow,
  hole,
  inWords,
  isForeign,
  literal,
  nothing,
  quoted,
  shown,
  textOf,
  unknownFlow,
} from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { words } from "../engine/options.ts";
import type { Scan, SeenCall } from "../engine/scan.ts";
import { setForProgram } from "../engine/variables.ts";
import type { OptionKind, Wraps } from "../program.ts";
import type { CompiledRule, Table } from "../table.ts";

interface WrapperRecord {
  readonly data: Wraps;
  readonly kinds: ReadonlyMap<string, OptionKind>;
}

function readyOf(rule: readonly CompiledRule[] | undefined): WrapperRecord | undefined {
  const compiled = rule?.find((one) => one.program.wraps);
  return compiled?.program.wraps && { data: compiled.program.wraps, kinds: compiled.grammar.kinds };
}

/** Whether a program only starts another one. */
export const isWrapper = (program: string, table: Table): boolean =>
  table.get(program)?.some((rule) => rule.program.wraps !== undefined) ?? false;

/** What an option was: harmless, taking the next word too, shell text, or unknown. */
type OptionStep = { readonly taken: number; readonly shell?: Arg | undefined } | "unknown";

function readOption({ kinds }: WrapperRecord, arg: Arg, next: Arg | undefined): OptionStep {
  const text = arg.text;
  if (kinds.get(text) === "flag") return { taken: 1 };
  const equals = text.indexOf("=");
  const name = equals > 0 && text.startsWith("--") ? text.slice(0, equals) : text;
  const value = name === text ? next : { ...arg, text: text.slice(equals + 1) };
  const step = (kind: OptionKind | undefined): OptionStep => ({
    taken: name === text && kind !== "flag" ? 2 : 1,
    shell: kind === "argv" ? value : undefined,
  });
  if (kinds.has(name)) return step(kinds.get(name));
  if (!text.startsWith("--")) {
    // A cluster of letters (`-nE`, `-uroot`, `-lc 'text'`).
    for (let i = 1; i < arg.text.length; i++) {
      const letter = `-${arg.text[i]}`;
      const kind = kinds.get(letter);
      const rest = arg.text.slice(i + 1);
      if (kind === undefined && !/^-\d$/.test(letter)) return "unknown";
      if (kind === undefined || kind === "flag") continue;
      const value = rest ? { ...arg, text: rest } : next;
      return { taken: rest ? 1 : 2, shell: kind === "argv" ? value : undefined };
    }
    return { taken: 1 };
  }
  const [only, ...more] = [...kinds.keys()].filter((known) => known.startsWith(name));
  return only === undefined || more.length > 0 ? "unknown" : step(kinds.get(only));
}

/**
 * Counts the words that are a wrapper's own and stand before the program that it starts. Returns undefined if it is no wrapper, joins its
 * words to a text for a shell, or has an unknown option.
 */
export function countOwn(args: readonly Arg[], rule: readonly CompiledRule[] | undefined): number | undefined {
  const ready = readyOf(rule);
  if (!ready || ready.data.joins || ready.data.runs !== undefined || ready.data.writesFirst) return undefined;
  const { data } = ready;
  let skip = data.skip ?? 0;
  let own = 0;
  for (let arg = args[own]; arg; arg = args[own]) {
    if (arg.text === "--") return own + 1 + skip;
    if (arg.text.startsWith("-")) {
      const step = readOption(ready, arg, args[own + 1]);
      if (step === "unknown" || step.shell) return undefined;
      own += step.taken;
    } else if ((data.assigns && /^\w+=/.test(arg.text)) || words(data.skipWords).includes(arg.text)) own++;
    else if (skip > 0) {
      skip--;
      own++;
    } else break;
  }
  return own;
}

/** Judges what a wrapper runs; undefined if the program is no wrapper. */
export function unwrap(wrapped: SeenCall): Flow | undefined {
  const { program, name, args, scan } = wrapped;
  const ready = readyOf(wrapped.rule);
  if (!ready) return undefined;
  if (program === "command" && /^-[pvV]*[vV]/.test(args[0]?.text ?? "")) {
    scan.report("low", "wrapper.look", "looks up where a program is", name);
    return unknownFlow;
  }
  if (program === "sudo" && args.some((a, i) => /^(-e|--edit)$/.test(a.text) && i < 3))
    scan.report("high", "wrapper.edit", "edits a file as another user", name);
  const { own, text } = readOwn(wrapped, ready);
  if (text) {
    const others = args.slice(own);
    // The file that `script -c TEXT FILE` writes, after the text.
    const file = ready.data.writesFirst ? others.find((arg) => !arg.text.startsWith("-")) : undefined;
    if (file) writePath(file, "overwrite", scan);
    else if (ready.data.writesFirst) writePath(literal("typescript"), "replace", scan);
    return runText(wrapped, [text, ...others]);
  }
  return runRest(wrapped, ready.data, own);
}

/** How many words are the wrapper's own, and the shell text among them, behind which nothing is read. */
function readOwn(wrapped: SeenCall, ready: WrapperRecord): { readonly own: number; readonly text?: Arg | undefined } {
  const { program, args, scan } = wrapped;
  const { data, kinds } = ready;
  let skip = data.skip ?? 0;
  let own = 0;
  for (let arg = args[own]; arg; arg = args[own]) {
    const [, variable, value = ""] = (data.assigns && /^([A-Za-z_][\w%]*)=(.*)$/s.exec(arg.text)) || [];
    if (arg.text === "--") {
      own++;
      if (skip === 0) break;
    } else if (arg.text.startsWith("-") && arg.text.length > (kinds.has("-") ? 0 : 1)) {
      const step = readOption(ready, arg, args[own + 1]);
      if (step === "unknown") {
        scan.markUnknown();
        const what = `${program} has the option ${shown(arg.text)}, which the rules do not know`;
        scan.report("high", "wrapper.option", what, arg);
        own++;
        continue;
      }
      const next = step.taken === 2 ? args[own + 1] : undefined;
      checkValue(wrapped, ready, { name: arg, value: next });
      own += step.taken;
      if (step.shell) return { own, text: step.shell };
      if (program === "ssh" && arg.text.startsWith("-o"))
        checkSshOption(arg.text === "-o" ? next : { ...arg, text: arg.text.slice(2) }, scan);
    } else if (variable !== undefined) {
      const inner = args.slice(own + 1).find(({ text }) => !/^[\w%]+=/.test(text))?.text ?? program;
      setForProgram({ name: variable, value, program: inner }, scan);
      own++;
    } else if (words(data.skipWords).includes(arg.text)) own++;
    else if (skip === 0) break;
    else {
      if (data.writesFirst) writePath(arg, "overwrite", scan);
      skip--;
      own++;
    }
  }
  return { own };
}

/** Runs what stands behind the wrapper's own words: as a program, or joined to a shell text. */
function runRest(wrapped: SeenCall, data: Wraps, own: number): Flow {
  const { program, name, args, scan, stdin } = wrapped;
  const rest = args.slice(own);
  const ownTexts = args.slice(0, own).map(({ text }) => text);
  if (data.level && rest.length > 0)
    scan.report(data.level, "wrapper.level", `runs a command through ${program}`, name);
  if (data.runs && args.some((arg) => arg.text === "--")) return scan.runArgs([literal(data.runs), ...rest], stdin);
  if (rest.length === 0) {
    const isShell =
      /^(sudo|su|doas|runuser)$/.test(program) &&
      args.some((a) => (a.text === "-l" ? program !== "sudo" : /^(-i|-s|-|--login|--shell)$/.test(a.text)));
    // A shell that is given nothing runs nothing, but what it takes to get there (a tunnel, a login) is done all the same.
    const isFed = stdin.present && stdin.text?.trim() !== "";
    if (isFed && (isShell || /^(su|ssh|chroot|nsenter|unshare)$/.test(program)))
      return scan.runArgs([literal("sh")], stdin);
    const looks = data.looks !== undefined && new RegExp(data.looks).test(inWords(args));
    const level = program === "sudo" && isShell ? "medium" : looks ? "low" : (data.alone ?? "medium");
    scan.report(level, "wrapper.alone", `${program} without a command`, name);
    return unknownFlow;
  }
  if (/^(sg|newgrp)$/.test(program)) {
    const command = rest.filter((a) => a.text !== "-c");
    return runText(wrapped, command, true);
  }
  if (data.joins) {
    if (program === "watch" && ownTexts.some((text) => /^(-[a-z]*x[a-z]*|--exec)$/.test(text)))
      return scan.runArgs(rest, stdin);
    if (program === "ssh" || program === "autossh") tryWindows(textOf(rest), scan);
    const flow = runText(wrapped, rest, true);
    const isRemote = (program === "ssh" || program === "autossh") && flow.text === undefined;
    return isRemote ? { ...flow, present: true, taint: flow.taint ?? "network", from: "another host" } : flow;
  }
  // Only what it is certain to end is limited by it; `timeout 0` never does.
  const isLimited = program === "timeout" && within.test(ownTexts.join(" "));
  if (isLimited) scan.limits++;
  const flow = scan.runArgs(rest, stdin);
  if (isLimited) scan.limits--;
  return flow;
}

/** The other host may be a Windows one, whose shell reads the text its own way; only what must be blocked counts. */
function tryWindows(text: string, scan: Scan): void {
  if (!/\b[a-z]:|\\|\b[a-z]+-[a-z]+\b/i.test(text) || scan.trials > 0) return;
  for (const words of [[text], ["cmd", "/c", text]])
    scan.attempt(() => scan.runArgs(["pwsh", "-c", ...words].map(literal), nothing));
}

/** `timeout`'s options and an hour at most. */
const within = /(^| )(?!0+(\.0*)?[smhd]?$)(\d{1,3}s?|[1-3]\d{3}s?|\d+\.\d+s?|[1-5]?\dm|1h)$/;

/** A file that the wrapper itself reads or writes; a key that it uses is no file it prints. */
function checkValue(
  { scan }: SeenCall,
  { kinds }: WrapperRecord,
  { name, value }: { readonly name: Arg; readonly value: Arg | undefined },
): void {
  const equals = name.text.startsWith("--") ? name.text.indexOf("=") : -1;
  const [option, given] =
    equals > 0 ? [name.text.slice(0, equals), { ...name, text: name.text.slice(equals + 1) }] : [name.text, value];
  if (!given) return;
  const kind = kinds.get(option);
  if (kind === "path-write") writePath(given, "overwrite", scan);
  else if (kind !== "secret") readPath(given, scan);
}

/** The rest is shell text: constant text is judged, fetched text is block, unknown text high. */
export function runText(
  { program, scan, stdin }: Pick<SeenCall, "program" | "scan" | "stdin">,
  rest: readonly Arg[],
  joins = false,
): Flow {
  const tainted = rest.find(isForeign);
  if (tainted) {
    scan.report("block", "flow.run", `${program} runs what was downloaded or decoded`, tainted);
    return unknownFlow;
  }
  const [first, ...others] = rest;
  // `env -S` cuts its string only, and gives on the words behind it; a shell's own text takes them as its parameters.
  const isCut = program === "env";
  if (first && others.length > 0 && !isCut && !joins)
    return scan.runArgs([literal("sh"), literal("-c"), first, ...others], stdin);
  const text = isCut && first ? `${first.text.replaceAll(hole, "$__unknown")} ${quoted(others)}` : textOf(rest);
  if (text.replaceAll(hole, "").trim() === "" || (rest[0]?.dynamic && rest[0].text.startsWith(hole))) {
    scan.report("high", "wrapper.dynamic", `${program} runs a text that is known only when it runs`, first);
  }
  return scan.runShell(text.replaceAll(hole, "$__unknown"), stdin, `in ${program}`);
}

/** `ssh -o ProxyCommand=…` runs a program here. */
function checkSshOption(option: Arg | undefined, scan: Scan): void {
  const match = /^(ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(option?.text ?? "");
  if (!match) return;
  scan.report("high", "wrapper.ssh", "runs a command through an option of ssh", option);
  scan.runShell(match[2] ?? "", nothing, `in ${match[1]}`);
}
