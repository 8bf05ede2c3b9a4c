/** `sed` and `awk`: small languages that can write files and run commands. */

import { joinedStrings } from "../code/strings.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { hole, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { sedMayNotEnd } from "../engine/bounds.ts";
import { readPath, writePath } from "../engine/effects.ts";

/** A set of characters, in which GNU's sed finds no end of a pattern, and others do. */
const characters = /\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/y;

/** Takes `s/…/…/flags` and `y/…/…/` and addresses out of a sed script and leaves its commands. */
function sedCommands(script: string, hasSets: boolean): { readonly command: string; readonly rest: string }[] {
  const out: { command: string; rest: string }[] = [];
  let i = 0;
  const skipTo = (delimiter: string, isPattern = true): string => {
    const start = i;
    while (i < script.length && script[i] !== delimiter) {
      characters.lastIndex = i;
      if (hasSets && isPattern && script[i] === "[" && characters.test(script)) i = characters.lastIndex;
      else i += script[i] === "\\" ? 2 : 1;
    }
    const text = script.slice(start, i);
    i++;
    return text;
  };
  const line = (): string => {
    const end = script.indexOf("\n", i);
    const text = script.slice(i, end < 0 ? script.length : end);
    i = end < 0 ? script.length : end;
    return text.trim();
  };
  while (i < script.length) {
    const char = script[i++] ?? "";
    if (/[\s;{}!,0-9$~+]/.test(char)) continue;
    if (char === "/") skipTo("/");
    else if (char === "\\") skipTo(script[i++] ?? "");
    else if (/[IM]/.test(char) && out.length === 0) continue;
    else if (char === "#") line();
    else if (char === "s" || char === "y") {
      const delimiter = script[i++] ?? "";
      skipTo(delimiter, char === "s");
      const replacement = skipTo(delimiter, false);
      const start = i;
      while (i < script.length && /[gpeiImM0-9]/.test(script[i] ?? "")) i++;
      const flags = char === "s" ? script.slice(start, i) : "";
      if (flags.includes("e")) out.push({ command: "e", rest: replacement });
      if (script[i] === "w" && char === "s") {
        i++;
        out.push({ command: "w", rest: line() });
      }
    } else if (/[aicrRwWe:btTq]/.test(char)) {
      if (/[btTq:]/.test(char)) {
        const start = i;
        while (i < script.length && !/[;\n}]/.test(script[i] ?? "")) i++;
        out.push({ command: char, rest: script.slice(start, i).trim() });
      } else out.push({ command: char, rest: line() });
    } else if (/[nND]/.test(char)) out.push({ command: char, rest: "" });
  }
  return out;
}

/** `sed`: `-i` edits in place; `w` writes, `e` runs, `r` reads. */
export const sed: Check = ({ options, operands, has, scan, report, stdin }) => {
  const scripts = options.filter((o) => /^(-e|--expression)$/.test(o.name) && o.value).map((o) => o.value);
  const hasFile = has("-f", "--file");
  const [first] = operands;
  const files = scripts.length > 0 || hasFile ? operands : operands.slice(1);
  if (scripts.length === 0 && !hasFile && first) scripts.push(first);
  const given = options.find((o) => /^(-f|--file)$/.test(o.name))?.value;
  const text = given && (given.text === "-" ? stdin.text : scan.files.get(given.text)?.text);
  if (text !== undefined) scripts.push(literal(text));
  let level: "low" | "medium" = hasFile ? "medium" : "low";
  for (const [script, hasSets] of scripts.flatMap((one) => [[one, true] as const, [one, false] as const])) {
    const commands = sedCommands(script?.text ?? "", hasSets);
    if (sedMayNotEnd(commands)) scan.unbound("a loop in sed's script may never end");
    for (const { command, rest } of commands) {
      if (command === "e") {
        report("high", rest ? `sed runs ${shown(rest)}` : "sed runs its input as commands", script);
        scan.runShell(rest, nothing, "in sed");
      } else if (command === "w" || command === "W") writePath(literal(rest), "overwrite", scan);
      else if (command === "r" || command === "R") readPath(literal(rest), scan);
    }
  }
  if (has("-i", "--in-place")) {
    level = "medium";
    for (const file of files) writePath(file, "replace", scan);
  }
  for (const file of files) readPath(file, scan);
  report(level, has("-i", "--in-place") ? "sed edits in place" : "sed: only prints");
  return undefined;
};

/** String literals of a program text, unescaped. */
const stringsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map((m) => (m[1] ?? "").replace(/\\(["\\/])/g, "$1"));

/** The script with its variables' constant values in their place: those of the command line, and those it sets itself. */
function withValues(script: string, given: readonly string[]): string {
  const set = [
    ...given.map((text) => /^(\w+)=(.*)$/s.exec(text)),
    ...script.matchAll(/\b(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"/g),
  ];
  let text = script.replace(/\bARGV\s*\[\s*(\d+)\s*\]/g, (whole, at: string) =>
    given[Number(at) - 1] === undefined ? whole : `"${given[Number(at) - 1]}"`,
  );
  for (const [, name = "", value = ""] of set.filter((one) => one !== null).slice(0, maxValues))
    text = text.replace(new RegExp(`\\b${name}\\b(?!\\s*=[^=])`, "g"), () => `"${value}"`);
  return text;
}
const maxValues = 10;

/** `awk`: `system()`, pipes and `print >` are found outside of strings and patterns. */
export const awk: Check = (call) => {
  const { operands, options, has, report, scan } = call;
  const scripts = options.filter((o) => /^(-e|--source)$/.test(o.name) && o.value).map((o) => o.value?.text ?? "");
  const files = has("-f", "--file") || scripts.length > 0 ? operands : operands.slice(1);
  if (has("-f", "--file")) report("medium", "awk runs a program from a file");
  if (has("-i", "--include") && options.some((o) => o.value?.text === "inplace"))
    report("medium", "awk edits in place");
  for (const { name, value } of options) {
    const text = /^(-f|--file)$/.test(name) && value ? scan.files.get(value.text)?.text : undefined;
    if (text !== undefined) scripts.push(text);
  }
  const program = operands[0];
  if (!has("-f", "--file") && scripts.length === 0 && program) scripts.push(program.text);
  const given = [
    ...options.filter((o) => /^(-v|--assign)$/.test(o.name)).map((o) => o.value?.text ?? ""),
    ...files.map(({ text }) => text),
  ];
  if (has("-l", "--load", "-i", "--include")) report("medium", `${call.program} loads more than its program`);
  for (const script of scripts) {
    for (const text of new Set([script, joinedStrings(withValues(joinedStrings(script), given))])) {
      checkAwk(withoutPatterns(text, false), call);
      if (/\)\s*\//.test(text)) checkAwk(withoutPatterns(text, true), call);
    }
  }
  for (const file of files) if (!/^\w+=/.test(file.text)) readPath(file, scan);
  report("low", "awk: only prints");
  // What it makes from constants is not read: neither its own, nor those of a text that the command holds.
  const isMade =
    scripts.some((script) => /\bBEGIN\b/.test(script)) || (files.length === 0 && call.stdin.text !== undefined);
  return isMade ? { present: true, taint: call.stdin.taint ?? "decoded" } : undefined;
};

/** Outside of texts and patterns every `|` is a pipe, even if its command is computed. */
const runsCommands = (bare: string): boolean =>
  /\bsystem\s*\(|@\s*\w+\s*\(/.test(bare) || bare.replace(/\|\|/g, "").includes("|");

const beforePattern = /(?:^|[^\w)\]$"./](?<!\+\+|--)|\b(?:print|printf|return|in|case|do|else|getline))$/;

/**
 * A program text without its comments and patterns: a quotation mark in one of those begins no string, which would hide what
 * follows it. Behind a parenthesis a slash may divide or begin a pattern.
 */
function withoutPatterns(script: string, isPatternBehindParenthesis: boolean): string {
  const part = /"(?:[^"\\]|\\.)*"?|#[^\n]*|\/(?:\[\^?\]?[^\]\n]*\]|[^/\\\n[]|\\.)*\/|[^"#/]+|\//gs;
  let text = "";
  let before = "";
  for (let found = part.exec(script); found; found = part.exec(script)) {
    let [piece] = found;
    if (piece.startsWith("#")) continue;
    if (piece.startsWith("/")) {
      const isPattern = beforePattern.test(before) || (isPatternBehindParenthesis && before.endsWith(")"));
      if (!isPattern) part.lastIndex = found.index + 1;
      piece = isPattern && piece.length > 1 ? "//" : "/";
    }
    text += piece;
    before = piece.replace(/[ \t]+$/, "").slice(-20) || before;
  }
  return text;
}

/** The text with what stands in parentheses left out. */
function outsideParentheses(text: string): string {
  let depth = 0;
  let out = "";
  for (const char of text) {
    if (char === ")") depth = Math.max(0, depth - 1);
    if (depth === 0) out += char;
    if (char === "(") depth++;
  }
  return out;
}

/** `print x | "sort"`, `"date" | getline d`: a pipe whose command is one constant, so that it can be judged by itself. */
const constantPipe = /\|&?\s*""\s*(?=[;})\n]|$)|(?<=(?:^|[({;&|!,=<>]|\bwhile|\bif)\s*)""\s*\|\s*getline\b/g;

/** The programs in a text that are piped to or from. */
const pipes = /\|&?\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*getline\b/gs;

function checkAwk(script: string, { report, scan, program }: ProgramCall): void {
  const strings = stringsOf(script);
  const bare = script.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  if (runsCommands(bare)) {
    const isPiped = !runsCommands(bare.replace(constantPipe, ";"));
    const before = scan.reports.risky;
    for (const [, to, from] of script.matchAll(pipes))
      scan.runShell((to ?? from ?? "").replaceAll(hole, "x"), to ? unknownFlow : nothing, `in ${program}`);
    for (const text of strings) {
      const run = (): unknown => scan.runShell(text.replaceAll(hole, "x"), nothing, `in ${program}`);
      if (isPiped) scan.attempt(run);
      else run();
    }
    // What a program that does more than read is given is known only when it runs.
    const isHarmless = isPiped && scan.reports.risky === before;
    report(isHarmless ? "low" : "high", `${program} ${isHarmless ? "pipes to or from a program" : "runs commands"}`);
  }
  if (/\/inet\//.test(script)) report("block", `${program} opens a network connection`);
  const writes = [...script.matchAll(/print[^;}\n]*?>{1,2}\s*"([^"]*)"/g)];
  for (const match of writes)
    writePath(literal(match[1] ?? ""), match[0].includes(">>") ? "append" : "overwrite", scan);
  // What stands there may be a number: `print $1 > 80` writes a file of that name.
  if (/\bprintf?\b[^;}\n]*>\s*[\w$(!@+-]/.test(outsideParentheses(bare))) report("medium", `${program} writes files`);
  if (/@\s*(load|include)\b/.test(bare)) report("medium", `${program} loads more than its program`);
  for (const text of strings) if (text.startsWith("/")) readPath(literal(text), scan);
}
