/** PowerShell: each command by alias, verb and name; expressions by the types and methods they use. */
import type { Risk } from "../../types.ts";
import { shown } from "../arg.ts";
import { aliases, cmdlets, verbs } from "../rules/windows.ts";
import { maxDepth, type Scan } from "../scan.ts";
import { type Context, has, type Named, type PsState } from "./context.ts";
import { checkExpression } from "./expressions.ts";
import { lexPowerShell, type PsCommand, type PsWord } from "./lex.ts";
import { baseName, judgeNative } from "./native.ts";
import { deleteWindows, writeWindows } from "./paths.ts";
import { specials } from "./specials.ts";

const levels = (lists: Partial<Readonly<Record<Risk, string>>>): ReadonlyMap<string, Risk> =>
  new Map(
    Object.entries(lists).flatMap(([risk, list]) =>
      list.split(" ").map((word): [string, Risk] => [word, risk as Risk]),
    ),
  );
const verbLevels = levels(verbs);
const cmdletLevels = levels(cmdlets);

const keywords = new Set(
  "if else elseif foreach for while do until switch try catch finally function filter param return begin process end trap break continue exit throw in class using data workflow".split(
    " ",
  ),
);

/** Judges a script; adds findings. */
export function walkPowerShell(text: string, context: Context) {
  const { scan } = context;
  if (scan.calls >= maxDepth * 4) {
    scan.report("high", "evaluate.depth", "nests commands too deeply to be classified");
    return;
  }
  scan.calls++;
  const unclosed = (): void => {
    scan.report("high", "windows.unreadable", "has a quote or bracket that is never closed");
  };
  for (const pipeline of lexPowerShell(text, unclosed)) {
    for (const [i, command] of pipeline.entries()) {
      if (!scan.spend()) break;
      walkCommand(command, i > 0, context);
    }
  }
  scan.calls--;
}

const fill = (text: string, { variables }: PsState): string =>
  text.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => variables.get(name.toLowerCase()) ?? whole);

/** The value of a constant expression: quoted texts joined by `+`, or a known variable. */
function constant(text: string, state: PsState): string | undefined {
  const bare = fill(text.trim().replace(/^\((.*)\)$/s, "$1"), state);
  const parts = bare.split(/\s*\+\s*/);
  const values = parts.map(
    (part) =>
      /^(["'])(.*)\1$/s.exec(part.trim())?.[2] ?? (/^[\w\-\\.:*]+$/.test(part.trim()) ? part.trim() : undefined),
  );
  if (values.every((value) => value !== undefined)) return values.join("");
  const format = /^(["'])(.*)\1\s*-f\s*(.*)$/s.exec(bare);
  if (format) {
    const given = (format[3] ?? "").split(",").map((part) => part.trim().replace(/^["']|["']$/g, ""));
    return (format[2] ?? "").replace(/\{(\d+)\}/g, (_, n: string) => given[Number(n)] ?? "");
  }
  const joined = /^\(?((?:["'][^"']*["']\s*,?\s*)+)\)?\s*-join\s*(["'])(.*?)\2$/s.exec(bare);
  if (joined) return [...(joined[1] ?? "").matchAll(/["']([^"']*)["']/g)].map((m) => m[1]).join(joined[3]);
  return undefined;
}

function walkCommand(command: PsCommand, isPiped: boolean, context: Context) {
  const { scan, state } = context;
  for (const target of command.redirects) writeWindows(fill(target, state), scan);
  for (const word of command.words) for (const inner of word.nested) walkPowerShell(inner, context);
  let words = command.words;
  const joined = words.map((word) => word.text).join(" ");
  checkExpression(joined, context);
  const assignment = /^\$(?:(?:global|script|local|private):)?(\w+)$/i.exec(words[0]?.text ?? "");
  if (words[0]?.text.startsWith("$") && /^[-+*/]?=$/.test(words[1]?.text ?? "")) {
    assign(words, assignment?.[1], context);
    words = words.slice(2);
    if (words.length === 0 || words[0]?.quoted || words[0]?.dynamic || /^[\d[]/.test(words[0]?.text ?? "")) return;
  }
  const first = words[0];
  if (!first) return;
  if (first.text === "&" || first.text === ".") return callComputed(words.slice(1), context);
  if (keywords.has(first.text.toLowerCase().replace(/[({].*$/s, ""))) return walkKeyword(words, isPiped, context);
  if (first.quoted || /^[$([{@\d-]/.test(first.text)) return;
  judgeName({ name: first.text, words: words.slice(1), isPiped }, context);
}

function assign(words: readonly PsWord[], name: string | undefined, { scan, state }: Context) {
  const value = words
    .slice(2)
    .map((word) => (word.quoted ? `'${word.text}'` : word.text))
    .join(" ");
  const known = constant(value, state);
  if (name) {
    if (known === undefined) state.variables.delete(name.toLowerCase());
    else state.variables.set(name.toLowerCase(), known);
  }
  const target = words[0]?.text ?? "";
  if (/^\$\{?env:/i.test(target))
    scan.report(/path|psmodule/i.test(target) ? "medium" : "low", "windows.variable", `sets ${target}`);
  else if (/[.[]/.test(target) && !/^\$\w+\[/.test(target))
    scan.report("medium", "windows.property", `sets ${shown(target)}`);
}

function walkKeyword(words: readonly PsWord[], isPiped: boolean, context: Context) {
  const [first, second] = words;
  if (first && /^(function|filter)$/i.test(first.text) && second)
    context.state.functions.add(second.text.replace(/[({].*$/s, "").toLowerCase());
  if (first && /^(return|else|do|throw)$/i.test(first.text) && words.length > 1)
    walkCommand({ words: words.slice(1), redirects: [] }, isPiped, context);
}

/** `& 'name'`, `& $x`, `& { … }`, `& ("a"+"b")`. */
function callComputed(words: readonly PsWord[], context: Context) {
  const [first, ...rest] = words;
  if (!first) return;
  if (first.text.startsWith("{")) return;
  const name = first.dynamic || first.text.startsWith("(") ? constant(first.text, context.state) : first.text;
  if (name !== undefined && !/[$({]/.test(name)) {
    const parts = name.trim().split(/\s+/);
    if (/\.ps1$/i.test(name))
      context.scan.report(
        context.state.fetched ? "block" : "medium",
        "windows.script",
        `runs the script ${shown(name)}`,
      );
    else
      judgeName(
        { name: parts.length > 1 && !/[\\/]/.test(name) ? (parts[0] ?? "") : name, words: rest, isPiped: false },
        context,
      );
    return;
  }
  context.scan.markUnknown();
  context.scan.report("high", "windows.dynamic", `runs ${shown(first.text)}, known only when it runs`);
  for (const word of rest)
    if (!word.text.startsWith("-") && /^[a-z]:\\?($|\*|windows)/i.test(word.text))
      deleteWindows(word.text, context.scan, "may hit");
}

function judgeName({ name, words, isPiped }: Named, context: Context) {
  const { scan, languages, state } = context;
  const attached = /^([a-z-]+)\(/i.exec(name)?.[1];
  if (attached) {
    judgeName({ name: attached, words, isPiped }, context);
    return;
  }
  const bare = (/^[\w.]+\\([\w-]+)$/.exec(name)?.[1] ?? name).toLowerCase();
  const own = state.aliases.get(bare);
  const isProgram = /\.(exe|com|bat|cmd)$/i.test(bare) || /[\\/]/.test(bare);
  const cmdlet = own ?? (isProgram ? bare : (aliases.get(bare) ?? bare));
  const filled = words.map((word) => ({
    ...word,
    text: word.quoted && !word.dynamic ? word.text : fill(word.text, state),
  }));
  if (/[$]/.test(bare)) {
    scan.markUnknown();
    return scan.report("high", "windows.dynamic", `the program ${shown(name)} is known only when it runs`);
  }
  if (/[^ -~]/.test(bare))
    return scan.report("high", "windows.look-alike", `the name ${shown(name)} has letters that are not ASCII`);
  if (/\.ps1$/.test(bare))
    return scan.report(state.fetched ? "block" : "medium", "windows.script", `runs the script ${shown(name)}`);
  if (state.functions.has(bare)) return;
  if (!/^[a-z]+-[a-z]\w*$/.test(cmdlet)) {
    if (/^(set-?alias)$/.test(cmdlet)) return;
    return judgeNative([name, ...filled.map((word) => word.text)], scan, languages);
  }
  judgeCmdlet({ name: cmdlet, words: filled, isPiped }, context);
}

function judgeCmdlet(named: Named, context: Context) {
  const { name, words } = named;
  const { scan } = context;
  const [verb = ""] = name.split("-");
  let risk: Risk = cmdletLevels.get(name) ?? verbLevels.get(verb) ?? "medium";
  if (!cmdletLevels.has(name) && !verbLevels.has(verb)) scan.markUnknown();
  if (has(words, "w", "whatif") && words.some((w) => /^-wh/i.test(w.text)) && risk !== "low") {
    return scan.report("medium", "windows.whatif", `${name} -WhatIf: only says what it would do`);
  }
  const special = specials[name] ?? specials[`${verb}-*`];
  const raised = special?.(named, context);
  if (raised) risk = raised;
  scan.report(
    risk,
    `windows.${name}`,
    `${name} ${shown(words.map((word) => word.text).join(" "))}${risk === "low" ? ": only reads" : ""}`,
  );
}

/** `Get-WmiObject Win32_ShadowCopy | Remove-WmiObject` and the like: the pipeline as a whole. */
export function checkPipelines(text: string, scan: Scan) {
  if (/win32_shadowcopy/i.test(text) && /remove-|rwmi|rcim|\.delete\(|delete\(\)/i.test(text))
    scan.report("block", "windows.shadow", "deletes the shadow copies");
  for (const pipeline of lexPowerShell(text)) {
    const names = pipeline.map((command) => baseName(command.words[0]?.text ?? ""));
    const deletes = names.findIndex((name, i) => i > 0 && /^(remove-item|rm|del|ri|rd|erase|rmdir)$/.test(name));
    if (deletes > 0)
      for (const word of pipeline[0]?.words.slice(1) ?? [])
        if (!word.text.startsWith("-")) deleteWindows(word.text, narrow(pipeline, scan), "deletes what it finds in");
    if (
      /^(get-eventlog|get-winevent|wevtutil)$/.test(names[0] ?? "") &&
      names.some((name, i) => i > 0 && /^(clear-eventlog|wevtutil)$/.test(name))
    )
      scan.report("block", "windows.log", "clears the event logs");
  }
}

/** With a filter in between or in the first command, only part of the folder is deleted: high, not block. */
function narrow(pipeline: readonly PsCommand[], scan: Scan): Scan {
  const isNarrow =
    pipeline
      .slice(1)
      .some((command) => /^(where|where-object|\?|select-object|select)$/i.test(command.words[0]?.text ?? "")) ||
    pipeline[0]?.words.some((word) => /^-(filter|include|name)$/i.test(word.text));
  return isNarrow
    ? { ...scan, report: (risk, id, text) => scan.report(risk === "block" ? "high" : risk, id, text) }
    : scan;
}
