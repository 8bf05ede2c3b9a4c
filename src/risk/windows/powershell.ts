import { shown } from "../engine/arg.ts";
import { checkWaiting } from "../engine/bounds.ts";
import { maxDepth } from "../engine/scan.ts";
import { keeping } from "../engine/variables.ts";
import { steeringVariables } from "../knowledge/windows/rules.ts";
import { checkProperty, checkStage } from "./calls.ts";
import { type Context, isListed, judgeName } from "./command.ts";
import { deleteWindows, noteDownload, noteScript, readWindows, writeWindows } from "./paths.ts";
import {
  assignment,
  goesOn,
  isExpression,
  isOpenBracket,
  isStray,
  keyword,
  type Script,
  type Stage,
  type StageAssignment,
  type Token,
} from "./stage.ts";
import {
  type Argument,
  commonOrigin,
  isHidden,
  maxText,
  readPipeline,
  readTokens,
  readWords,
  type Value,
  values,
} from "./words.ts";

/** PowerShell: a script statement by statement; everything nested in it is walked. */

/** Judges a text; adds findings. */
export function walkPowerShell(text: string, context: Context) {
  const { script, broken } = parsePowerShell(text);
  const why = "cannot be read as PowerShell: a quote or bracket that is never closed, or the like";
  if (broken) context.scan.refuse("windows.unreadable", why);
  walkScript(script, context);
}

function walkScript(script: Script, context: Context) {
  for (const stages of script) if (context.scan.spend()) walkPipeline(stages, context);
}

function walkPipeline(stages: readonly Stage[], context: Context) {
  const { scan, state } = context;
  if (state.nesting >= maxDepth * 4) return scan.refuse("evaluate.depth", "nests commands too deeply to be classified");
  state.nesting++;
  walkStatement(stages, context);
  state.nesting--;
}

function walkStatement(stages: readonly Stage[], context: Context) {
  const [first = [], ...others] = stages;
  const assigned = isExpression(first) ? assignment(first) : undefined;
  for (const stage of [assigned?.value ?? first, ...others])
    for (const path of filesIn(stage)) readWindows(path, context.scan);
  const [head, ...rest] = first;
  const word = head?.kind === "bare" ? head.text : "";
  if (assigned) walkAssignment(assigned, others, context);
  else if (/^(return|throw|exit|break|continue)$/i.test(word)) {
    if (rest.length + others.length > 0) walkPipeline([rest, ...others], context);
  } else if (/^(param|using)$/i.test(word)) {
    const [kind] = rest;
    if (/^using$/i.test(word) && !/^namespace$/i.test(kind?.text ?? ""))
      context.scan.report("high", "windows.using", `loads ${shown(rest.map(({ source }) => source).join(" "))}`);
    walkNested(rest, context);
  } else if (keyword.test(word) && rest.some(({ kind }) => kind !== "bare")) walkFlow(first, context);
  else {
    let input: Value | undefined;
    for (const [i, stage] of stages.entries()) {
      // The first stage is paid for as a statement.
      if (i > 0 && !context.scan.spend()) return;
      walkStage(stage, input, i > 0, context);
      input = readPipeline([stage], context.state, input);
    }
  }
}

/** `${C:\file}`: a variable of a drive is what stands in a file. */
const filesIn = (tokens: readonly Token[]): readonly string[] =>
  tokens.flatMap(({ text }) => [...text.matchAll(/\ue000([a-z]:[^\ue001]*)\ue001/g)].map(([, path = ""]) => path));

function walkNested(tokens: readonly Token[], context: Context, but?: Token) {
  for (const token of tokens) {
    if (token === but) continue;
    for (const script of token.nested) walkScript(token.kind === "table" ? tableOf(script) : script, context);
  }
}

/** The values of a table, and the keys that are worked out. */
const tableOf = (script: Script): Script =>
  script.flatMap(([first = [], ...others]) => {
    const { target = [], value = first } = assignment(first) ?? {};
    const keys = target.filter(({ kind }) => kind === "group");
    return [...(keys.length > 0 ? [[keys]] : []), [value, ...others]];
  });

function walkFlow(stage: Stage, context: Context) {
  const { scan, state } = context;
  const [head, ...rest] = stage;
  const word = head?.text.toLowerCase() ?? "";
  const source = rest.map((token) => token.source).join(" ");
  if (/^(if|elseif|for|while|until)$/.test(word) && rest[0]?.kind !== "group")
    scan.refuse("windows.unreadable", `cannot be read as PowerShell: ${shown(`${word} ${source}`)}`);
  if (/^(class|enum|data)$/.test(word))
    scan.report("high", "windows.unread", `holds ${shown(source)}, which the rules do not read`);
  if (/^(function|filter|workflow|configuration)$/.test(word))
    state.functions.add((rest[0]?.text ?? "").toLowerCase().replace(/^(global|script|local|private):/, ""));
  const group = rest.find(({ kind }) => kind === "group");
  if (/^(while|until|for|do)$/.test(word) && group) checkWaiting(group.source, scan, "");
  const [clause = [], ...others] = group?.nested[0]?.[0] ?? [];
  const [variable, sign, ...of] = clause;
  if (word === "foreach" && variable?.kind === "variable" && sign?.text.toLowerCase() === "in") {
    walkScript([[of, ...others]], context);
    state.variables.set(variable.text.slice(1, -1), readPipeline([of, ...others], state));
    return walkNested(rest, context, group);
  }
  checkStage(rest, false, context);
  walkNested(rest, context);
}

function walkAssignment({ target, value, adds }: StageAssignment, others: readonly Stage[], context: Context) {
  const { scan, state } = context;
  walkPipeline([value, ...others], context);
  walkNested(target, context);
  for (const path of filesIn(target)) writeWindows(path, scan);
  checkStage(target, false, context);
  checkProperty(target, context);
  const found = readPipeline([value, ...others], state);
  if (target.some(({ kind, text }) => kind === "bare" && !/^(,|(\[[^\]]*\]+)+)$/.test(text))) return;
  const names = target.filter(({ kind }) => kind === "variable").map(({ text }) => text.slice(1, -1));
  for (const [i, name] of names.entries()) {
    const isText = adds || /^\[string\]$/i.test(target[0]?.text ?? "");
    const own = names.length > 1 ? { ...found, texts: found.texts.slice(i, i + 1) } : found;
    const parts = adds ? [state.variables.get(name) ?? own, own] : [own];
    const text = parts.map(({ texts }) => texts.join(" ")).join("");
    const [, drive, rest = ""] = /^(env|alias|function):(.*)$/.exec(name) ?? [];
    if (drive === "alias" || steeringVariables.test(name))
      scan.report("medium", "windows.variable", `sets $${name}, which changes what commands do`);
    if (drive === "alias") state.aliases.set(rest, text.toLowerCase());
    else if (drive === "function") {
      state.functions.add(rest);
      // A text is code if the function is called.
      if (!own.block) scan.report("high", "windows.variable", `makes ${shown(text)} a function`);
      if (!own.block) walkPowerShell(text, context);
    } else if (drive === "env") {
      scan.report("medium", "windows.variable", `sets $${name}, which programs are given`);
    }
    const origin = adds && !/listed|open/.test(commonOrigin(parts)) ? "made" : commonOrigin(parts);
    state.variables.set(name, isText ? { ...own, texts: [text.slice(0, maxText)], origin } : own);
  }
}

/** A name taken from a list of names by a pattern, or from where names are kept. */
const picking =
  /^\(\s*(gcm|get-command)\b.*[*?(+]|^\(.*\b(gal|gv|get-alias|get-variable)\b|^\(.*\b(gi|get-item|gci|ls|dir)\s+(alias|env|variable|function):/is;
function walkStage(stage: Stage, input: Value | undefined, isPiped: boolean, context: Context) {
  const { scan, state } = context;
  const isValue = isExpression(stage);
  // A block sees what comes through the pipe.
  keeping(state.variables, ["_", "psitem"], () => {
    for (const name of ["_", "psitem"]) if (isPiped && !isValue) set(name, input, context);
    walkNested(
      stage.filter((token, i) => !isFilter(token, stage[i - 1])),
      context,
    );
    checkStage(stage, !isValue, context);
  });
  for (const target of targetsOf(stage, state)) {
    writeWindows(target, scan);
    if (state.fetched) noteDownload(target, scan);
    const end = stage.findIndex(({ kind }) => kind === "into");
    noteScript(target, readPipeline([stage.slice(0, end)], state, input).texts.join("\n"), scan);
  }
  if (isValue && isStray(stage)) {
    const source = stage.map((token) => token.source).join(" ");
    scan.refuse("windows.unreadable", `cannot be read as PowerShell: ${shown(source)}`);
  }
  if (isValue) return;
  const isCalled = stage[0]?.text === "&" && stage.length > 1;
  const body = isCalled ? stage.slice(1) : stage;
  const end = body.findIndex(
    ({ gap, kind }, i) => i > 0 && (gap || kind === "block" || kind === "into" || (kind === "group" && !isCalled)),
  );
  const name = end < 0 ? body : body.slice(0, end);
  const rest = end < 0 ? [] : body.slice(end);
  const words = readWords(rest, state);
  const value = readTokens(name, state, true);
  if (value.block) return;
  const source = name.map((token) => token.source).join("");
  const called = value.texts[isHidden(value) ? 1 : 0] ?? "";
  // A path that is put together is judged as what it is.
  if (value.origin === "made" ? isHidden(value) || !/[\\/]/.test(called) : picking.test(source))
    scan.report("block", "windows.hidden", `hides what it runs: ${shown(source)}`);
  if (value.origin !== "literal") runUnknown(source, words, context);
  // Of a path that is not known as a whole the last part still tells the program.
  if (value.origin !== "literal" && !/[\\/][\w.-]+$/.test(called)) return;
  const lower = called.trim().toLowerCase();
  // A function of the text's own was judged where it stands; one that takes a known name may never come to be.
  if (!state.functions.has(lower) || isListed(lower, state))
    judgeName({ name: called.trim(), words, isPiped, input }, context);
}

function set(name: string, value: Value | undefined, { state }: Context) {
  if (value === undefined) state.variables.delete(name);
  else state.variables.set(name, value);
}

/** The files that a stage writes by `>`. */
const targetsOf = (stage: Stage, state: Context["state"]): string[] =>
  stage.flatMap(({ kind, text }, i) => {
    if (kind !== "into" || !/>$/.test(text)) return [];
    let end = i + 2;
    while (stage[end]?.gap === false) end++;
    return readTokens(stage.slice(i + 1, end), state, true).texts;
  });

/** `-Filter {Name -eq 'x'}`: a text that asks a directory, written as a block; it compares and runs nothing. */
const isFilter = (token: Token, before: Token | undefined): boolean =>
  token.kind === "block" &&
  /^-fi/i.test(before?.text ?? "") &&
  (token.nested[0] ?? []).every(
    (stages) =>
      stages.length === 1 &&
      !stages[0]?.some(({ nested }) => nested.length > 0) &&
      /^-[ic]?(eq|ne|[gl][te]|(not)?like|b?and|b?or)$/i.test(stages[0]?.[1]?.text ?? ""),
  );

const maxNames = 20;

/** `& $x …`: what it runs is known only when it runs; each word of the text may be it, and each of its words what it hits. */
function runUnknown(source: string, words: readonly Argument[], context: Context) {
  const { scan, languages, state } = context;
  scan.markUnknown();
  scan.report("high", "windows.dynamic", `runs ${shown(source)}, known only when it runs`);
  const texts = values(words);
  for (const text of texts) if (/^[a-z]:([\\/]|$)/i.test(text)) deleteWindows(text, scan, "may hit");
  if (state.nesting > maxDepth * 2) return;
  const named = { words, isPiped: false, input: undefined };
  const names = new Set(scan.text.match(/(?<![\w$\\/.-])[a-z][\w-]{2,40}(?![\w\\/:])/gi));
  for (const name of [...names].slice(0, maxNames)) scan.attempt(() => judgeName({ ...named, name }, context));
  for (const text of texts) if (/\s/.test(text)) scan.attempt(() => languages.cmd(text, "as a text that it is given"));
}

// PowerShell as words: what is parted by spaces, pipes and line ends, with what brackets hold. Nothing of it is worked out.

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
  broken: boolean;
}

const maxNesting = 60;

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** What never closes: the rest is left out, and the text counts as broken. */
function breakOff(reader: Reader) {
  reader.broken = true;
  reader.at = reader.source.length;
}

/** Reads a text; where it is broken, the rest is read all the same. */
export function parsePowerShell(source: string): { readonly script: Script; readonly broken: boolean } {
  const reader: Reader = { source, at: 0, depth: 0, broken: false };
  return { script: readScript(reader, ""), broken: reader.broken };
}

function readScript(reader: Reader, close: string, isTable = false): Script {
  const script: Stage[][] = [];
  let pipeline: Stage[] = [];
  let stage: Token[] = [];
  const endStage = (): void => {
    if (stage.length > 0) pipeline.push(stage);
    stage = [];
  };
  const endPipeline = (): void => {
    reader.broken ||= stage.length === 0 && pipeline.length > 0;
    endStage();
    if (pipeline.length > 0) script.push(pipeline);
    pipeline = [];
  };
  if (++reader.depth > maxNesting) breakOff(reader);
  for (;;) {
    const gap = skip(reader) || stage.length === 0;
    const char = reader.source[reader.at];
    if (char === undefined || char === close) {
      reader.broken ||= char !== close && close !== "";
      reader.at++;
      break;
    }
    if (take(reader, /\n\s*/y)) {
      // Newer versions let a line begin with the pipe.
      const isPending = (stage.length === 0 && pipeline.length > 0) || goesOn(stage);
      if (!isPending && !/^\|(?!\|)/.test(reader.source.slice(reader.at, reader.at + 2))) endPipeline();
    } else if (take(reader, /;|&&|\|\|/y) || (!isOpenBracket(stage, isTable) && take(reader, /&/y))) endPipeline();
    else if (take(reader, /\|/y)) endStage();
    else if (/[)}]/.test(char)) {
      reader.broken = true;
      reader.at++;
    } else {
      const token = readToken(reader, gap, isOpenBracket(stage, isTable));
      stage.push(token);
      const isParam = token.kind === "group" && stage.length === 2 && /^param$/i.test(stage[0]?.text ?? "");
      if (isParam || (token.kind === "block" && isWholeStage(stage))) endPipeline();
    }
  }
  endPipeline();
  reader.depth--;
  return script;
}

/** True where a block ends its statement: that of a keyword, or of a clause of `switch`. */
function isWholeStage(stage: Stage): boolean {
  const isValue = isExpression(stage);
  const [first, second] = isValue ? (assignment(stage)?.value ?? stage) : stage;
  return first !== undefined && second !== undefined && (keyword.test(first.text) || (isValue && stage.length === 2));
}

/** Reads over spaces, comments and continued lines; tells whether there was any. */
function skip(reader: Reader): boolean {
  const isAny = take(reader, /(?:[^\S\n]|`\r?\n|(?<![^\s;|(){}])#[^\n]*|<#[\s\S]*?#>)+/y) !== undefined;
  if (reader.source.startsWith("<#", reader.at)) breakOff(reader);
  return isAny;
}

const bare =
  /(?:\[[a-z_][\w.]{0,99}(?:\[[\w.,\s[\]]{0,99}\])?\]|`[^\r\n]|@(?![({'"\u2018-\u201f])|[^@\s;|&(){}'"$`,<>\u2018-\u201f]|\$(?![\w?^$({\p{L}]))+/iuy;

function readToken(reader: Reader, gap: boolean, canBegin: boolean): Token {
  const start = reader.at;
  const made = (kind: Token["kind"], text: string, nested: readonly Script[] = []): Token => ({
    kind,
    text,
    gap,
    source: reader.source.slice(start, reader.at),
    nested,
  });
  const open = take(reader, /[$@]?\(|@?\{/y);
  if (open !== undefined) {
    const inner = readScript(reader, open.endsWith("(") ? ")" : "}", open === "@{");
    return made(open === "{" ? "block" : open === "@{" ? "table" : "group", "\ue000#0\ue001", [inner]);
  }
  const here = take(reader, /@(['"\u2018-\u201f])[^\S\n]*\n/y);
  if (here !== undefined) {
    const isPlain = /['\u2018-\u201b]/.test(here);
    const [text, nested] = readText(reader, isPlain ? /\n?['\u2018-\u201b]@/y : /\n?["\u201c-\u201e]@/y, isPlain);
    return made("text", text, nested);
  }
  const quote = take(reader, /['"\u2018-\u201f]/y);
  if (quote !== undefined) {
    const isPlain = /['\u2018-\u201b]/.test(quote);
    const [text, nested] = readText(reader, isPlain ? /['\u2018-\u201b]/y : /["\u201c-\u201e]/y, isPlain, true);
    return made("text", text, nested);
  }
  const variable = readVariable(reader) ?? (gap ? take(reader, /@\w+(?=[\s;|)}]|$)/y)?.slice(1) : undefined);
  if (variable !== undefined) return made("variable", `\ue000${variable.toLowerCase()}\ue001`);
  if (take(reader, /,/y)) return made("bare", ",");
  const into = take(reader, gap ? /[\d*]?>{1,2}(?:&\d)?|</y : />{1,2}(?:&\d)?|</y);
  // There is no reading from a file in PowerShell.
  if (into === "<") reader.broken = true;
  if (into !== undefined) return made("into", into);
  if (canBegin && take(reader, /&|\.(?=[\s({$'"\u2018-\u201f])/y)) return made("bare", "&");
  if (gap && !canBegin && take(reader, /--%(?=\s|$)/y)) return made("text", take(reader, /[^\n|]*/y)?.trim() ?? "");
  const word = take(reader, bare) ?? take(reader, /[\s\S]/y) ?? "";
  return made(
    "bare",
    word.replace(/`(?:u\{([0-9a-f]{1,5})\}|(.))/giu, (_all, code?: string, one = "") => (code ? letter(code) : one)),
  );
}

const letter = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16));

/** `$x`, `${x y}`, `$env:x`: its name. */
function readVariable(reader: Reader): string | undefined {
  return take(reader, /\$(?:\{(?:[^}`]|`[\s\S])*\}|(?:\w+:(?=\w))?[\w\p{L}]+|[?^$])/uy)
    ?.replace(/^\$\{?|\}$/g, "")
    .replaceAll("`", "")
    .replace(/^(global|script|local|private|using|variable):/i, "");
}

/** As Windows PowerShell has them; a backtick before an e is no escape there. Letters that stand for signs without a shape are read as letters. */
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "" };

/** What is in quotes; twice the quote is one of it. */
function readText(reader: Reader, end: RegExp, isPlain: boolean, isDoubled = false): [string, Script[]] {
  const nested: Script[] = [];
  let text = "";
  while (reader.at < reader.source.length) {
    const quote = take(reader, end);
    if (quote !== undefined) {
      const second = isDoubled ? take(reader, end) : undefined;
      if (second === undefined) return [text, nested];
      text += second;
      continue;
    }
    const variable = isPlain ? undefined : readVariable(reader);
    if (variable !== undefined) text += `\ue000${variable.toLowerCase()}\ue001`;
    else if (!isPlain && take(reader, /\$\(/y)) {
      nested.push(readScript(reader, ")"));
      text += `\ue000#${nested.length - 1}\ue001`;
    } else if (!isPlain && take(reader, /`/y)) {
      const code = take(reader, /u\{[0-9a-f]{1,5}\}/iy);
      const next = code === undefined ? (take(reader, /[\s\S]/y) ?? "") : letter(code.slice(2, -1));
      text += escapes[next] ?? next;
    } else text += take(reader, isPlain ? /[^'\u2018-\u201b\n]+|[\s\S]/y : /[^"$`\u201c-\u201e\n]+|[\s\S]/y) ?? "";
  }
  reader.broken = true;
  return [text, nested];
}
