/** Words → arguments: quotes, ANSI-C, braces, variables, constant substitutions; what is left unknown is a hole. */

import { expandArithmetic } from "../shell/arithmetic.ts";
import { expandParameter, readVariable } from "../shell/parameters.ts";
import { forEachSubstitution, parseShell, type Word, type WordPart } from "../shell/parse.ts";
import { type Arg, type Flow, hole, nothing, type Taint } from "./arg.ts";
import { type Scan, unitsFor } from "./scan.ts";

/** A longer word than any command that is read: it can only come from expansions, and is then unknown. */
const maxWordLength = 20_000;

/** Each brace at least doubles the words; ten of them are a thousand. */
const maxBraces = 10;

/** The parser looks through the rest of the word for the end of each `${`. */
const unitsForWord = (text: string): number =>
  unitsFor(text.length) + (text.includes("${") ? ((text.split("${").length - 1) * text.length) >> 10 : 0);

interface WordDraft {
  text: string;
  dynamic: boolean;
  glob: boolean;
  /** False while an unquoted expansion has added nothing: such a field is dropped. */
  exists: boolean;
  taint: Taint | undefined;
  /** False once something unknown is in it that may be no number. */
  isTame: boolean;
  reveals?: string | undefined;
}

/** Fields of one word under construction. */
interface Build {
  readonly scan: Scan;
  readonly fields: WordDraft[];
}

const emptyDraft = (): WordDraft => ({
  text: "",
  dynamic: false,
  glob: false,
  exists: false,
  taint: undefined,
  isTame: true,
});

/** The arguments a word becomes: none (an empty unquoted variable), one, or several (braces, splitting, arrays). */
export function resolveWord(word: Word, scan: Scan): Arg[] {
  if (!scan.spend(unitsForWord(word.text))) return [{ text: hole, dynamic: true, glob: false }];
  const parts = word.parts;
  const span = scan.text.startsWith(word.text, word.pos) ? ([word.pos, word.end] as const) : undefined;
  if (!parts && !isHome(word, scan)) return [{ text: word.value, dynamic: false, glob: false, span }];
  const braces = (parts ?? []).filter((p) => p.type === "BraceExpansion");
  if (braces.length > maxBraces) {
    scan.refuse("shell.budget", "has more brace expansions in one word than can be looked at");
    return [{ text: hole, dynamic: true, glob: true, span }];
  }
  const [brace] = braces;
  if (brace) {
    const alternatives = expandBrace(word.text, brace.pos - word.pos, brace.end - word.pos);
    if (alternatives) return alternatives.flatMap((text) => resolveText(text, scan).map((arg) => ({ ...arg, span })));
  }
  const build: Build = { scan, fields: [emptyDraft()] };
  if (!parts) add(build, word.value);
  for (const part of parts ?? []) addPart(build, part, false);
  expandHome(word, build);
  return build.fields.filter((f) => f.exists).map(({ exists: _, ...field }) => ({ ...field, span }));
}

// `{a,b}` and `{1..5}`: the texts a word becomes, bounded.

const maxAlternatives = 100;

/** Splits the inside of a brace at commas that are not nested or quoted. */
function splitAlternatives(inside: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let i = 0; i < inside.length; i++) {
    const char = inside[i];
    if (char === "\\") i++;
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    else if (char === "," && depth === 0) {
      parts.push(inside.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(inside.slice(start));
  return parts;
}

function expandSequence(inside: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?\d{1,9})?$/.exec(inside);
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(inside);
  const [from, to] = numbers
    ? [Number(numbers[1]), Number(numbers[2])]
    : letters
      ? [(letters[1] ?? "").charCodeAt(0), (letters[2] ?? "").charCodeAt(0)]
      : [];
  if (from === undefined || to === undefined) return undefined;
  const step = from <= to ? 1 : -1;
  const out: string[] = [];
  for (let n = from; step > 0 ? n <= to : n >= to; n += step) {
    if (out.length === maxAlternatives) break;
    out.push(numbers ? String(n) : String.fromCharCode(n));
  }
  return out;
}

/** The texts of a word whose brace stands at `[start, end)`; undefined if it is none or has too many. */
function expandBrace(word: string, start: number, end: number): string[] | undefined {
  const inside = word.slice(start + 1, end - 1);
  const alternatives = expandSequence(inside) ?? splitAlternatives(inside);
  if (alternatives.length < 2 || alternatives.length > maxAlternatives) return undefined;
  return alternatives.map((alternative) => word.slice(0, start) + alternative + word.slice(end));
}

/** `~` where this script has set HOME to something else. */
const isHome = (word: Word, scan: Scan): boolean => /^~(\/|$)/.test(word.text) && scan.variables.has("HOME");

function expandHome(word: Word, build: Build): void {
  const [first] = build.fields;
  if (first && isHome(word, build.scan)) first.text = readVariable("HOME", build.scan).value + first.text.slice(1);
}

/** Resolves a word given as text; more than one word there (a brace with a space in quotes lost) is kept as one. */
function resolveText(text: string, scan: Scan): Arg[] {
  if (!scan.spend(unitsFor(text.length))) return [{ text: hole, dynamic: true, glob: true }];
  const command = parseShell(`: ${text}`).commands[0]?.command;
  if (command?.type !== "Command") return [{ text, dynamic: true, glob: true }];
  return command.suffix.flatMap((w) => (w.type === "Word" ? resolveWord(w, scan) : []));
}

/** A word where no splitting happens (assignment value, redirect target): always one argument. */
export function resolveOne(word: Word, scan: Scan): Arg {
  const args = resolveWord(word, scan);
  const [first] = args;
  if (args.length === 1 && first) return first;
  return {
    text: args.map((a) => a.text).join(" "),
    dynamic: args.some((a) => a.dynamic),
    glob: args.some((a) => a.glob),
    taint: args.find((a) => a.taint)?.taint,
    isTame: args.every((a) => a.isTame),
    span: first?.span,
  };
}

/** The text of parts inside a here-document or double quotes. */
export function resolveParts(parts: readonly WordPart[], scan: Scan): Arg {
  const build: Build = { scan, fields: [emptyDraft()] };
  for (const part of parts) addPart(build, part, true);
  const field = build.fields[0] ?? emptyDraft();
  const { text, dynamic, taint, isTame, reveals } = field;
  return { text, dynamic, glob: false, taint, isTame, reveals };
}

function add(build: Build, text: string, extra: Partial<WordDraft> = {}): void {
  const last = build.fields.at(-1);
  if (!last) return;
  if (last.text.length + text.length > maxWordLength) {
    last.text = hole;
    last.dynamic = true;
    last.isTame = false;
    return;
  }
  last.text += text;
  last.exists = true;
  last.dynamic ||= extra.dynamic ?? false;
  last.glob ||= extra.glob ?? false;
  last.taint ??= extra.taint;
  last.reveals ??= extra.reveals;
  if (extra.dynamic || extra.glob) last.isTame &&= extra.isTame ?? false;
}

interface AddedValue {
  readonly quoted: boolean;
  readonly taint: Taint | undefined;
  readonly isTame?: boolean | undefined;
  readonly reveals?: string | undefined;
}

/** Adds the value of an expansion: split at IFS where it stands unquoted. */
function addValue(build: Build, value: string, how: AddedValue) {
  if (!build.scan.spend(value.length >> 6)) return add(build, hole, { dynamic: true });
  const dynamic = value.includes(hole);
  const { taint, isTame = false, reveals } = how;
  if (how.quoted) return add(build, value, { dynamic, taint, isTame, reveals });
  const separators = build.scan.variables.get("IFS")?.values[0] ?? " \t\n";
  let piece = "";
  const flush = (): void => {
    if (piece) add(build, piece, { dynamic: piece.includes(hole), glob: /[*?[]/.test(piece), taint, isTame, reveals });
    piece = "";
  };
  for (const char of value) {
    if (!separators.includes(char)) {
      piece += char;
      continue;
    }
    flush();
    if (!startField(build)) return;
  }
  flush();
}

/** Begins the next field where the last one holds something; false once the budget is spent. */
function startField(build: Build): boolean {
  if (!build.fields.at(-1)?.exists) return true;
  if (!build.scan.spend()) {
    add(build, hole, { dynamic: true });
    return false;
  }
  build.fields.push(emptyDraft());
  return true;
}

const flowValue = (flow: Flow): string => flow.text?.replace(/\n+$/, "") ?? hole;

function addPart(build: Build, part: WordPart, quoted: boolean) {
  const { scan } = build;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return add(build, part.value);
    case "Glob":
      return add(build, part.value, { glob: !quoted });
    case "ExtendedGlob":
      forEachSubstitution(part, (script) => scan.runScript(script, nothing));
      return add(build, "*", { glob: true });
    case "BraceExpansion":
      return add(build, part.text, { glob: true });
    case "DoubleQuoted":
    case "LocaleString":
      add(build, "");
      for (const child of part.parts) addPart(build, child, true);
      return;
    case "SimpleExpansion": {
      const name = part.text.slice(1);
      return addVariable(build, name, quoted);
    }
    case "ParameterExpansion": {
      const isPlain = !part.operation && !part.prefix && !part.index;
      if (isPlain) return addVariable(build, part.parameter, quoted);
      const found = expandParameter(part, scan, (word) => resolveOne(word, scan));
      if (found.list && (quoted || found.list.length > 1)) return addList(build, found.list, found.taint, found.listed);
      if (found.listed && /[*?[]/.test(found.value)) return add(build, found.value, { glob: true, dynamic: true });
      return addValue(build, found.value, { quoted, taint: found.taint, isTame: found.isTame });
    }
    case "CommandExpansion": {
      const flow: Flow = part.script ? scan.runScript(part.script, nothing) : { present: true };
      if (flow.text === undefined && flow.lists) return addListed(build, flow.lists);
      return addValue(build, flowValue(flow), { quoted, taint: flow.taint, isTame: flow.isTame });
    }
    case "ProcessSubstitution": {
      const flow: Flow = part.script ? scan.runScript(part.script, { present: true }) : { present: true };
      if (part.operator !== "<") return add(build, hole, { dynamic: true });
      const path = `/dev/fd/${63 + scan.files.size}`;
      scan.files.set(path, flow);
      return add(build, path, { taint: flow.taint });
    }
    case "ArithmeticExpansion": {
      const value = expandArithmetic(part, scan);
      return value === undefined ? add(build, hole, { dynamic: true, isTame: true }) : add(build, String(value));
    }
  }
}

/** What a program lists (`$(find / -name x)`): globs of paths that no rule has seen. */
function addListed(build: Build, lists: readonly string[]): void {
  for (const text of lists) if (startField(build)) add(build, text, { glob: true, dynamic: true });
}

function addVariable(build: Build, name: string, quoted: boolean) {
  const found = readVariable(name, build.scan);
  if (found.listed && /[*?[]/.test(found.value)) return add(build, found.value, { glob: true, dynamic: true });
  if (found.list) return addList(build, found.list, found.taint);
  addValue(build, found.value, { quoted, taint: found.taint, isTame: found.isTame, reveals: found.reveals });
}

function addList(build: Build, list: readonly string[], taint: Taint | undefined, listed = false): void {
  list.forEach((item, i) => {
    if (i === 0 || startField(build)) add(build, item, { dynamic: item.includes(hole), glob: listed, taint });
  });
}
