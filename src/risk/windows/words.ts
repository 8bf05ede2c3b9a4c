import { aliases, automaticVariables } from "../knowledge/windows/rules.ts";
import { assignment, isExpression, type Script, type Stage, type Token } from "./stage.ts";

/** The words of PowerShell: those that are literal, and of all others the literals that stand in them. Nothing is worked out. */

/** Where a value comes from; of several parts the last of these holds. */
const origins = ["literal", "own", "listed", "open", "made"] as const;

export interface Value {
  /** The literals it consists of; a variable that holds no literal as it is written. */
  readonly texts: readonly string[];
  /**
   * "own" comes of literals, and is not followed; "listed" are the paths that a listing gives; "open" is known only when it runs; "made" could
   * stand there in full, and is put together instead, which hides what it is.
   */
  readonly origin: (typeof origins)[number];
  /** The text that gave it, in lower case. */
  readonly said: string;
  readonly block?: Script | undefined;
}

/** A word of a command. */
export interface Argument extends Value {
  /** `-Name`, in lower case. */
  readonly parameter?: string | undefined;
  readonly attached: boolean;
  readonly source: string;
}

export interface State {
  /** What each variable was set to last. */
  readonly variables: Map<string, Value>;
  readonly aliases: Map<string, string>;
  readonly functions: Set<string>;
  /** Set once anything was fetched from the network: what is written after that may be it. */
  fetched: boolean;
  /** How many scripts are around the one walked just now. */
  nesting: number;
}

const hole = "$unknown";
export const maxText = 2000;
const maxList = 64;
const maxSaid = 500;
const literal = (...texts: string[]): Value => ({ texts, origin: "literal", said: "" });
const open = (said: string, texts: readonly string[] = [hole]): Value => ({ texts, origin: "open", said });

/** The last origin of the parts. */
export const commonOrigin = (parts: readonly Value[]): Value["origin"] =>
  origins.findLast((one) => parts.some(({ origin }) => origin === one)) ?? "literal";

/** What writes a word as something else than its letters: sums, formats, joins, letters by number or place. */
const joins =
  / \+|-[ic]?(f|join|replace|bxor)\b|\[char|\[-?\d|\.(replace|insert|remove|substring|trim\w*|tolower|toupper|tochararray|pad\w+|chars|getstring|invoke|normalize)\b|::(join|concat|format|replace|frombase64string|toint\w*|tochar|getstring|reverse)\b/i;
/** Letters picked by their places, from any text. */
const letters = /\[-?\d+\s*(,|\.\.)[-\d\s,.]*\]\s*-join/;
const number = /^(?=.*\d)([-+*/%.\d]+|0x[\da-f]+)([kmgtp]b|[lud])?$/i;

const sourceOf = (tokens: readonly Token[]): string =>
  tokens
    .reduce((said, { source, gap }) => said + (gap ? " " : "") + source, "")
    .trim()
    .toLowerCase()
    .slice(0, maxSaid);

/** What quotes or a group hold; a variable in a text stands for each literal that it holds. */
function readToken({ text, nested, kind }: Token, state: State): Value {
  if (kind === "table") {
    const values = (nested[0] ?? []).map(([first = [], ...others]) =>
      readPipeline([assignment(first)?.value ?? first, ...others], state),
    );
    return { texts: values.flatMap(({ texts }) => texts), origin: commonOrigin(values), said: "" };
  }
  const parts = text.split(/\ue000([^\ue001]*)\ue001/).map((part, i) => {
    if (i % 2 === 0) return literal(part);
    const [only, other] = part.startsWith("#") ? (nested[Number(part.slice(1))] ?? []) : [];
    if (part.startsWith("#")) return only && !other ? readPipeline(only, state) : open("");
    const automatic = automaticVariables[part];
    return state.variables.get(part) ?? (automatic === undefined ? open("", [`$${part}`]) : literal(automatic));
  });
  const [before, whole, behind] = parts;
  if (whole && parts.length === 3 && before?.texts[0] === "" && behind?.texts[0] === "") return whole;
  const texts = parts.reduce<readonly string[]>(
    (all, part) => all.flatMap((one) => part.texts.map((next) => (one + next).slice(0, maxText))).slice(0, maxList),
    [""],
  );
  return { texts, origin: commonOrigin(parts), said: "" };
}

/** A word, or a whole expression; in a word bare letters stand for themselves. */
export function readTokens(tokens: readonly Token[], state: State, isWord = false): Value {
  const items: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "bare" && token.text === ",") items.push([]);
    else if (token.kind !== "into") items.at(-1)?.push(token);
  }
  const all = items.map((item) => readItem(item, state, isWord));
  if (all.length === 1 && all[0]) return all[0];
  return {
    texts: all.flatMap(({ texts }) => texts).slice(0, maxList),
    origin: commonOrigin(all),
    said: sourceOf(tokens),
  };
}

/** One item of a list. Literals one behind the other, or with a plus between them, are joined; of all else each stands for itself. */
function readItem(tokens: readonly Token[], state: State, isWord: boolean): Value {
  const [only, behind] = tokens;
  const said = sourceOf(tokens);
  if (only?.kind === "block" && !behind) return { ...literal(), block: only.nested[0] };
  const parts: Value[] = [];
  let isJoined = true;
  let code = "";
  for (const [i, { kind, text, gap, ...token }] of tokens.entries()) {
    if (kind !== "bare") {
      parts.push(readToken({ kind, text, gap, ...token }, state));
      continue;
    }
    const isMember = i > 0 && !gap && (!isWord || i === 1) && /^(\.\w|::|\[)/.test(text);
    code += ` ${text}`;
    if ((isWord && !isMember && !/^\[[\w.[\]]+\](::|$)/.test(text)) || number.test(text)) parts.push(literal(text));
    else if (!/^(\+|(\[(?!char)[^\]]*\]+)+)$/i.test(text)) isJoined = false;
  }
  const [first] = parts;
  const isAlone = parts.length === 1 && first !== undefined;
  const origin = commonOrigin(parts);
  const isMade = letters.test(said) || (joins.test(code) && !/listed|open/.test(origin)) || origin === "made";
  const kept = { said: (tokens.length <= 2 && first?.said) || said, block: undefined };
  // Members of what a listing gives are its paths.
  if (isAlone && (isJoined || /listed|open/.test(origin)))
    return { ...first, ...kept, block: first.block, origin: isMade ? "made" : origin };
  const joined = parts.flatMap(({ texts }) => texts).join("");
  const apart = [hole, ...parts.flatMap(({ texts }) => texts).filter((text) => !text.startsWith("$"))];
  const texts = !isJoined ? apart.slice(0, maxList) : parts.length > 0 ? [joined.slice(0, maxText)] : [];
  return { ...kept, texts, origin: isMade ? "made" : origin === "literal" && !isJoined ? "own" : origin };
}

/** True for what is put together so that its letters do not stand there. */
export const isHidden = ({ origin, texts }: Value): boolean => origin === "made" && texts[0] === hole;

/** What comes out of a pipeline: a value, or the paths that a listing gives; what any other command prints is open. */
export const readPipeline = (stages: readonly Stage[], state: State, input?: Value): Value =>
  stages.reduce<Value | undefined>((value, stage) => readStage(stage, state, value), input) ?? open("");

function readStage(stage: Stage, state: State, input: Value | undefined): Value | undefined {
  if (isExpression(stage)) return readTokens(assignment(stage)?.value ?? stage, state);
  const said = `${input?.said ?? ""} ${sourceOf(stage)}`.trim().slice(0, maxSaid);
  const written = stage[0]?.text.toLowerCase() ?? "";
  const name = aliases.get(written) ?? written;
  const partOf = (paths: readonly string[], names: readonly string[]): Value => {
    const texts = paths.flatMap((path) => names.map((one) => `${path}\\${one}`));
    return open(said, texts.slice(0, maxList));
  };
  if (/^(where|select)-object$/.test(name) && input?.origin === "listed") return partOf(input.texts, [hole]);
  if (/^(sort|tee|where|select)-object$|^out-string$/.test(name)) return input && { ...input, said };
  if (name === "foreach-object" && input && !/listed|open/.test(input.origin))
    return { texts: [hole], origin: /\[char|-bxor|convert/.test(said) ? "made" : "own", said };
  if (!/^(get-(child)?item|resolve-path|write-output|join-path|new-object)$/.test(name)) return open(said);
  const words = readWords(stage.slice(1), state);
  const operands = words.filter(({ parameter, attached }) => parameter === undefined || attached);
  const texts = operands.flatMap((word) => word.texts);
  if (name === "write-output") return operands[0];
  if (name === "new-object") return open(texts.join(" ").toLowerCase().replace("system.", ""));
  if (name === "join-path") return open(said, [texts.join("\\").replace(/(?<=[^\\])[\\/]{2,}/g, "\\")]);
  const names = ["filter", "include", "exclude"].flatMap((one) => valueAt(words, one, 2)?.texts ?? []);
  const given = texts.filter((text) => !names.includes(text));
  const paths = given.length > 0 ? given : (input?.texts ?? ["."]);
  if (commonOrigin(operands) !== "literal" || names.length > 0) return partOf(paths, [...names, `${hole}\\${hole}`]);
  return { texts: paths, origin: "listed", said };
}

const parameter = /^[-\u2013-\u2015]([a-z_?]\w*)(?::(.*))?$/is;

/** The words of a command; `a, b, c` is one; what follows a `>` is none. */
export function readWords(tokens: readonly Token[], state: State): Argument[] {
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
  return groups.map((group) => readWord(group, state));
}

function readWord(group: readonly Token[], state: State): Argument {
  const [first, ...others] = group;
  const source = group.map((token) => (token.gap && token !== first ? " " : "") + token.source).join("");
  const [, name, rest = ""] = (first?.kind === "bare" && parameter.exec(first.text)) || [];
  const attached = name !== undefined && (rest !== "" || (others.length > 0 && first?.text.endsWith(":") === true));
  const own = { parameter: name?.toLowerCase(), attached, source };
  if (!first || (name !== undefined && !attached)) return { ...literal(first?.text ?? ""), ...own };
  const body = attached ? (rest === "" ? others : [{ ...first, text: rest }, ...others]) : group;
  const value = readTokens(body, state, true);
  // `@x` is spread out: it may hold any parameter.
  return { ...value, ...own, origin: first.kind === "variable" && source.startsWith("@") ? "open" : value.origin };
}

/** Words that are no parameter and no value of one; a switch takes none, but the text does not say which are switches. */
export const operandsOf = (words: readonly Argument[]): readonly Argument[] =>
  words.filter(
    ({ parameter: name }, i) =>
      name === undefined && (words[i - 1]?.parameter === undefined || words[i - 1]?.attached === true),
  );

/** Operands and values: all but the names of parameters. */
export const values = (words: readonly Argument[]): string[] =>
  words.filter((word) => word.parameter === undefined || word.attached).flatMap(({ texts }) => texts);

const indexOf = (words: readonly Argument[], whole: string, least: number): number =>
  words.findIndex(({ parameter: name }) => name !== undefined && name.length >= least && whole.startsWith(name));

/** True where a parameter is given, by any prefix of at least `least` letters. */
export const has = (words: readonly Argument[], whole: string, least = 1): boolean => indexOf(words, whole, least) >= 0;

/** The value of a parameter, by any prefix of at least `least` letters. */
export function valueAt(words: readonly Argument[], whole: string, least = 1): Argument | undefined {
  const at = indexOf(words, whole, least);
  return words[at]?.attached ? words[at] : at < 0 ? undefined : words[at + 1];
}

/** All words of a call as one text, for patterns. */
export const textOf = (words: readonly Argument[]): string =>
  words
    .map(({ parameter: name, attached, texts }) =>
      name !== undefined && !attached ? `-${name}` : `${name ? `-${name} ` : ""}${texts.join(",")}`,
    )
    .join(" ");
