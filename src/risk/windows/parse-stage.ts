/** One command of a PowerShell pipeline: its name, its words, its redirections. */
import { readBehind, readValue } from "./parse-expression.ts";
import {
  dashes,
  doubles,
  isIn,
  looksAt,
  numberStart,
  peek,
  type Reader,
  readDouble,
  readEscape,
  readSingle,
  readVariable,
  singles,
  skip,
  take,
  variableStart,
} from "./reader.ts";
import { type Expr, type Stage, text, type Word } from "./syntax.ts";

const isEnd = (reader: Reader): boolean => looksAt(reader, /[\n;|&)}]|$/y);

/** Reads the rest of an expression's stage (its redirections), or a whole command. */
export function readStage(reader: Reader, first?: Pick<Stage, "kind" | "words">): Stage {
  const redirects: Expr[] = [];
  const words: Word[] = [...(first?.words ?? [])];
  const invoked = !first && take(reader, /[&.](?=[\s({$'"\u2018-\u201f])/y) !== undefined;
  for (;;) {
    skip(reader);
    if (isEnd(reader)) return { kind: first?.kind ?? "command", invoked, words, redirects };
    const before = reader.at;
    if (take(reader, /[\d*]?>{1,2}&\d|<(?!#)/y) !== undefined) continue;
    if (take(reader, /[1-6*]?>{1,2}/y) !== undefined) {
      skip(reader);
      if (!isEnd(reader)) redirects.push(readArgument(reader));
    } else if (first) {
      // Behind a value only redirections may stand: whatever else is here is no grammar of ours.
      reader.broken = true;
      return { kind: first.kind, invoked, words, redirects };
    } else if (take(reader, /--%/y)) {
      const rest = take(reader, /[^\n|]*/y) ?? "";
      for (const part of rest.match(/"[^"]*"|\S+/g) ?? [])
        words.push({ expr: text(part.replaceAll('"', "")), source: part });
    } else words.push(readWord(reader, words.length === 0 && !invoked));
    if (reader.at === before) reader.at++;
  }
}

const parameter = new RegExp(`[${dashes}][a-z_?]\\w*(?=[\\s:;|&)}({\\n,]|$)`, "iy");

function readWord(reader: Reader, isName: boolean): Word {
  const start = reader.at;
  const sourceOf = (): string => reader.source.slice(start, reader.at);
  const written = isName ? undefined : take(reader, parameter);
  if (written !== undefined) {
    const name = written.slice(1).toLowerCase();
    if (!take(reader, /:[^\S\n]*(?=[^\s;|)}])/y))
      return { expr: text(take(reader, /:/y) ? `${written}:` : written), source: sourceOf(), parameter: name };
    return { expr: readList(reader), source: sourceOf(), parameter: name, attached: true };
  }
  return { expr: isName ? readName(reader) : readList(reader), source: sourceOf() };
}

/** `a, b, c` is one word. */
function readList(reader: Reader): Expr {
  const first = readArgument(reader);
  const items = [first];
  while (looksAt(reader, /[^\S\n]*,/y)) {
    take(reader, /[^\S\n]*,/y);
    skip(reader, true);
    if (isEnd(reader)) break;
    items.push(readArgument(reader));
  }
  return items.length === 1 ? first : { kind: "array", items };
}

/** A command's name ends where a bracket begins: `iex(…)`. */
const readName = (reader: Reader): Expr => readParts(reader);

function readArgument(reader: Reader): Expr {
  const char = peek(reader);
  if (char === "[" && looksAt(reader, /\[[\w.[\],\s]+\](?:::|\$|\(|')/y)) return readParts(reader);
  if (isIn(char, `({${singles}${doubles}`) || looksAt(reader, /@[({'"\u2018-\u201f\w]/y)) return readValue(reader);
  if (looksAt(reader, numberStart) && looksAt(reader, /[\d.xa-f]+[kmgtp]?b?(?=[\s,;|)}]|$)/iy)) {
    const start = reader.at;
    take(reader, numberStart);
    return text(reader.source.slice(start, reader.at));
  }
  if (!looksAt(reader, variableStart)) return readParts(reader);
  const value = readBehind(reader, readVariable(reader));
  if (isEnd(reader) || looksAt(reader, /[\s,>({]/y)) return value;
  const rest = readParts(reader);
  return { kind: "expand", parts: [value, ...(rest.kind === "expand" ? rest.parts : [rest])] };
}

/** A bare word: letters, quotes, variables and `$(…)` side by side. */
function readParts(reader: Reader): Expr {
  const parts: Expr[] = [];
  let value = "";
  const add = (expr: Expr): void => {
    if (expr.kind === "text") value += expr.value;
    else {
      if (value !== "") parts.push(text(value));
      value = "";
      parts.push(expr);
    }
  };
  for (;;) {
    const char = peek(reader);
    if (char === "" || /[\s;|&(){},>]/.test(char)) break;
    if (char === "`" && /\r?\n/y.test(reader.source.slice(reader.at + 1, reader.at + 3))) break;
    // In a bare word the letter is taken as it is: a name with a control in it would be nobody's name.
    if (char === "`" && !looksAt(reader, /`u\{/iy)) {
      value += peek(reader, 1);
      reader.at = Math.min(reader.at + 2, reader.source.length);
    } else if (char === "`") value += readEscape(reader);
    else if (isIn(char, singles)) add(readSingle(reader));
    else if (isIn(char, doubles)) add(readDouble(reader));
    else if (looksAt(reader, variableStart)) add(readVariable(reader));
    else {
      value += char;
      reader.at++;
    }
  }
  if (parts.length === 0) return text(value);
  if (value !== "") parts.push(text(value));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "expand", parts };
}
