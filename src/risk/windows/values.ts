/** What words of PowerShell say, as far as texts and variables that hold texts tell; what is worked out by more than a sum stays open. */
import { aliases, automaticVariables } from "../knowledge/windows/rules.ts";
import { assignment, isExpression, type Script, type Stage, type Token } from "./stage.ts";
import type { Argument } from "./words.ts";

export interface Value {
  /** Several for a list. What is not known is as it is written, or a hole. */
  readonly texts: readonly string[];
  readonly dynamic: boolean;
  /** True where something that only the server knows is in it. */
  readonly open: boolean;
  /** True where it could have been written out, and is put together instead: that hides what it is. */
  readonly made: boolean;
  /** What made it, for patterns of what is called of it. */
  readonly said: string;
  /** True for the paths that a listing gives, with nothing left out. */
  readonly found?: boolean;
  readonly block?: Script | undefined;
  readonly entries?: ReadonlyMap<string, Value>;
  /** Of a list. */
  readonly items?: readonly Value[];
}

export interface State {
  readonly variables: Map<string, Value>;
  readonly aliases: Map<string, string>;
  readonly functions: Set<string>;
  /** Set once anything was fetched from the network: what is written after that may be it. */
  fetched: boolean;
  /** How many scripts are around the one walked just now. */
  nesting: number;
}

/** Stands for what is not known. */
const hole = "$unknown";
const unknown = (said: string): Value => ({ texts: [hole], dynamic: true, open: true, made: false, said });
/** A text of the command itself. */
const known = (...texts: string[]): Value => ({ texts, dynamic: false, open: false, made: false, said: "" });

/** What undoes a disguise: sums, formats, joins, letters by number or place. */
const undoing =
  / \+|-[ic]?(f|join|replace|bxor)\b|\[char|\[-?\d|\.(replace|insert|remove|substring|trim\w*|tolower|toupper|tochararray|pad\w+|chars|getstring|invoke|normalize)\b|::(join|concat|format|replace|frombase64string|toint\w*|tochar|getstring|reverse)\b/i;
/** Letters picked by their places; whatever they are picked from. */
const letters = /\[-?\d+\s*(,|\.\.)[-\d\s,.]*\]\s*-join/;
const isNumber = (text: string): boolean => /^[-+]?(0x[\da-f]+|\d[\d.]*)([kmgtp]b|[lud])?$/i.test(text);
const maxRange = 20;
export const maxText = 2000;
const maxList = 64;
const maxSaid = 500;

/** What holds of the whole where it holds of a part. */
export const mixed = (parts: readonly Value[]): Pick<Value, "dynamic" | "open" | "made"> => ({
  dynamic: parts.some(({ dynamic }) => dynamic),
  open: parts.some(({ open }) => open),
  made: parts.some(({ made }) => made),
});

/** The value of a variable with its members: `$x.Name`, `$x[0]`. */
function variableOf(name: string, path: string, state: State): Value {
  const automatic = automaticVariables[name];
  let value = state.variables.get(name) ?? (automatic === undefined ? undefined : known(automatic));
  for (const [, member = "", index] of path.matchAll(/\.(\w+)|\[([^\]]*)\]/g)) {
    const isPath = value?.found || pathMembers.test(member);
    if (index === undefined) value = value?.entries?.get(member.toLowerCase()) ?? (isPath ? value : undefined);
    else if (automatic === undefined) value = value && { ...value, texts: [value.texts.at(Number(index)) ?? hole] };
    else value = { ...unknown(""), open: false, made: true };
  }
  return value ?? { ...unknown(state.variables.get(name)?.said ?? ""), texts: [`$${name}${path}`] };
}
const pathMembers = /^(fullname|pspath|path|name|value|key|definition|source|directory(name)?)$/i;

/** A text with the variables in it filled in. */
function fill({ text, nested }: Token, state: State): Value {
  const parts: Value[] = [];
  const filled = text.replace(/\ue000([^\ue001]*)\ue001/g, (_all, name: string) => {
    const script = name.startsWith("#") ? (nested[Number(name.slice(1))] ?? []) : undefined;
    const part = script ? valueOfScript(script, state) : variableOf(name, "", state);
    parts.push(part);
    return part.texts.join(" ");
  });
  if (parts[0] && /^\ue000[^\ue001]*\ue001$/.test(text)) return parts[0];
  return { texts: [filled.slice(0, maxText)], said: "", ...mixed(parts) };
}

const sourceOf = (tokens: readonly Token[]): string =>
  tokens
    .reduce((said, { source, gap }) => said + (gap ? " " : "") + source, "")
    .trim()
    .toLowerCase();

/** A word, or a whole expression; in a word bare letters stand for themselves. */
export function evaluate(tokens: readonly Token[], state: State, isWord = false): Value {
  const items: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "bare" && token.text === ",") items.push([]);
    else if (token.kind !== "into") items.at(-1)?.push(token);
  }
  const all = items.map((item) => evaluateItem(item, state, isWord));
  if (all.length === 1 && all[0]) return all[0];
  const texts = all.flatMap((one) => one.texts).slice(0, maxList);
  return { ...mixed(all), texts, said: sourceOf(tokens), items: all };
}

/** One item of a list: its operands one behind the other where nothing else stands between them, else what is not known. */
function evaluateItem(given: readonly Token[], state: State, isWord: boolean): Value {
  const [only, behind] = given;
  if (only?.kind === "block" && !behind) return { ...unknown(""), open: false, block: only.nested[0] };
  const table = given.length <= 2 ? given.find(({ kind }) => kind === "table") : undefined;
  const entries = table && entriesOf(table.nested[0] ?? [], state);
  if (entries) return { ...unknown(""), ...mixed([...entries.values()]), open: false, entries };
  const operands: Value[] = [];
  let isPlain = true;
  let code = "";
  let path = "";
  for (const [i, token] of given.entries()) {
    const next = given[i + 1];
    if (token.kind === "bare") {
      const text = token.text.slice(path.length);
      const isMember = i > 0 && !token.gap && (!isWord || i === 1) && /^(\.\w|::|\[)/.test(text);
      code += ` ${text}`;
      path = "";
      if (text === "" || (!isWord && /^(\+|(\[(?!char)[^\]]*\]+)+)$/i.test(text))) continue;
      if (isWord && !isMember && !/^\[[\w.[\]]+\](::|$)/.test(text)) operands.push(known(text));
      else if (isNumber(text)) operands.push(known(text));
      else if (/^-?\d+\.\.-?\d+$/.test(text)) operands.push(known(...rangeOf(text)));
      else isPlain = false;
    } else if (token.kind === "variable" && next?.kind === "bare" && !next.gap && (!isWord || i === 0)) {
      path = /^(?:\.\w+|\[-?\d+\])*/.exec(next.text)?.[0] ?? "";
      const isCalled = path === next.text && given[i + 2]?.kind === "group" && !given[i + 2]?.gap;
      operands.push(variableOf(token.text.slice(1, -1), isCalled ? "" : path, state));
      if (isCalled) path = "";
    } else operands.push(fill(token, state));
  }
  const [inner] = operands;
  const source = sourceOf(given);
  const mix = mixed(operands);
  const said = inner?.said && given.length <= 2 ? inner.said : source.slice(0, maxSaid);
  const made = mix.made || letters.test(source) || (!mix.open && undoing.test(code));
  if (!isPlain) return { ...unknown(said), open: mix.open, made };
  if (operands.length === 1 && inner) return { ...inner, made, said };
  const text = operands.map(({ texts }) => texts.join(" ")).join("");
  return { ...mix, texts: operands.length === 0 ? [] : [text.slice(0, maxText)], made, said };
}

function rangeOf(text: string): string[] {
  const [from = 0, to = 0] = text.split("..").map(Number);
  const count = Math.abs(to - from) + 1;
  return count > maxRange ? [hole] : Array.from({ length: count }, (_one, i) => String(from + (to < from ? -i : i)));
}

function entriesOf(script: Script, state: State): Map<string, Value> {
  const entries = new Map<string, Value>();
  for (const [first = [], ...others] of script) {
    const { target, value } = assignment(first) ?? {};
    const key = target && evaluate(target, state, true).texts[0];
    if (key !== undefined && value) entries.set(key.toLowerCase(), valueOfStages([value, ...others], state));
  }
  return entries;
}

/** What a group gives: that of its only pipeline. */
function valueOfScript(script: Script, state: State): Value {
  const [only, other] = script;
  return only && !other ? valueOfStages(only, state) : { ...unknown(""), texts: script.length === 0 ? [] : [hole] };
}

const narrows = /^-(fi(?!le$)\w*|inc\w*|exc\w*|filter)/i;

/** What comes out of a pipeline, as far as what is in it tells. */
export function valueOfStages(stages: readonly Stage[], state: State, given?: Value): Value {
  const last = stages.reduce<Value | undefined>((value, stage) => valueOfStage(stage, state, value), given);
  return last ?? unknown("");
}

function valueOfStage(stage: Stage, state: State, value: Value | undefined): Value | undefined {
  if (isExpression(stage)) return evaluate(assignment(stage)?.value ?? stage, state);
  const said = `${value?.said ?? ""} ${sourceOf(stage)}`.trim().slice(0, maxSaid);
  const written = stage[0]?.text.toLowerCase() ?? "";
  const name = aliases.get(written) ?? written;
  if (/^(sort|tee)-object$|^out-string$/.test(name)) return value && { ...value, said };
  const part = (texts: readonly string[]): Value => ({
    ...unknown(said),
    texts: texts.map((one) => `${one}\\${hole}\\${hole}`),
  });
  if (/^(where|select)-object$/.test(name)) return value?.found ? part(value.texts) : value && { ...value, said };
  if (name === "foreach-object" && value && !value.open)
    return { ...unknown(said), open: false, made: /\[char|-bxor|convert/.test(said) };
  if (!/^(get-(child)?item|resolve-path|write-output|join-path|new-object)$/.test(name)) return unknown(said);
  const words = valueWords(stage.slice(1), state);
  const operands = words.filter(({ parameter, attached }) => parameter === undefined || attached);
  const texts = operands.flatMap((word) => word.texts);
  const { dynamic } = mixed(operands);
  if (name === "write-output") return operands[0] ?? known();
  if (name === "new-object") return unknown(texts.join(" ").toLowerCase().replace("system.", ""));
  const path = texts.join("\\").replace(/(?<=[^\\])[\\/]{2,}/g, "\\");
  if (name === "join-path") return { ...known(path), dynamic, open: true };
  const paths = texts.length > 0 ? texts : (value?.texts ?? ["."]);
  if (dynamic || words.some(({ source }) => narrows.test(source))) return part(paths);
  return { ...unknown(said), texts: paths, dynamic: false, found: true };
}

const parameter = /^[-\u2013-\u2015]([a-z_?]\w*)(?::(.*))?$/is;

/** The words of a command; `a, b, c` is one, a table or list by `@x` is spread out; what follows a `>` is none. */
export function valueWords(tokens: readonly Token[], state: State): Argument[] {
  const groups: Token[][] = [];
  let isInto = false;
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    const isFirst = before?.kind === "into" || (before?.kind === "bare" && parameter.test(before.text));
    const isGlued = (!token.gap && before?.kind !== "into") || (token.text === "," && !isFirst) || before?.text === ",";
    // A bare word ends where a bracket begins, but for a static call.
    const isName = before?.kind === "bare" && before.gap && !/^,$|\]::|:$/.test(before.text);
    const isOwn = /^(group|block)$/.test(token.kind) && (before?.kind === "block" || isName);
    const group = groups.at(-1);
    if (token.kind === "into") isInto = !/&\d$/.test(token.text);
    else if (isInto) isInto = tokens[i + 1]?.gap === false;
    else if (group && isGlued && !isOwn) group.push(token);
    else groups.push([token]);
  }
  return groups.flatMap((group) => wordOf(group, state));
}

function wordOf(group: readonly Token[], state: State): Argument[] {
  const [first, ...others] = group;
  if (!first) return [];
  const source = group.map((token) => (token.gap && token !== first ? " " : "") + token.source).join("");
  const [, name, rest = ""] = (first.kind === "bare" && parameter.exec(first.text)) || [];
  const attached = name !== undefined && (rest !== "" || (others.length > 0 && first.text.endsWith(":")));
  const own = { parameter: name?.toLowerCase(), attached, source };
  if (name !== undefined && !attached) return [{ ...known(first.text), ...own }];
  const body = attached ? (rest === "" ? others : [{ ...first, text: rest }, ...others]) : group;
  const value = evaluate(body, state, true);
  const isSplat = first.kind === "variable" && source.startsWith("@") && others.length === 0;
  return isSplat ? spread(value, source) : [{ ...value, ...own }];
}

function spread(value: Value, source: string): Argument[] {
  if (!value.entries) return value.texts.map((text) => ({ ...value, texts: [text], attached: false, source }));
  return [...value.entries].map(([name, of]) => ({ ...of, parameter: name, attached: true, source }));
}
