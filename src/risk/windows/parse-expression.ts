/** PowerShell expressions: operators by their precedence, then members, calls and indexes behind a value. */
import {
  deeper,
  doubles,
  isIn,
  looksAt,
  numberStart,
  peek,
  type Reader,
  readDouble,
  readHereString,
  readNumber,
  readSingle,
  readVariable,
  singles,
  skip,
  take,
  variableStart,
} from "./reader.ts";
import { type Expr, type Script, text } from "./syntax.ts";

const dash = "[-\\u2013-\\u2015]";
const compared =
  "[ic]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|replace|contains|notcontains|in|notin|split)|join|is|isnot|as";
/** By how tightly they bind, loosest first; the comma is the tightest. */
const levels: readonly RegExp[] = [
  /\?\?(?!=)|\?(?=\s)/y,
  new RegExp(`${dash}(?:and|or|xor)\\b`, "iy"),
  new RegExp(`${dash}(?:band|bor|bxor|shl|shr)\\b`, "iy"),
  new RegExp(`${dash}(?:${compared})(?![\\w-])`, "iy"),
  new RegExp(`\\+(?![+=])|${dash}(?![-=a-z\\u2013-\\u2015])`, "iy"),
  /[*/%](?!=)/y,
  new RegExp(`${dash}f(?![\\w-])`, "iy"),
  /\.\.(?!\.)/y,
  /,/y,
];
const commaLevel = levels.length - 1;
const unary = new RegExp(`(?:\\+\\+|--|!|\\+|${dash}(?:(?:not|bnot|join|[ic]?split)\\b|(?=[\\d.$(\\['"])))`, "iy");
const named = (operator: string): string => operator.toLowerCase().replace(/^[\u2013-\u2015]/, "-");

/** Whether an expression begins here rather than a command's name. */
export function startsExpression(reader: Reader): boolean {
  const char = peek(reader);
  if (isIn(char, `(@[{!,${singles}${doubles}`)) return char !== "@" || looksAt(reader, /@[({'"\u2018-\u201f]/y);
  return looksAt(reader, variableStart) || looksAt(reader, numberStart) || looksAt(reader, unary);
}

const absent: Expr = text("");

/** Reads an expression that binds at least as tightly as `level`. */
export function readExpression(reader: Reader, level = 0): Expr {
  return deeper(reader, () => readBinary(reader, level), absent);
}

function readBinary(reader: Reader, from: number): Expr {
  let left = readUnary(reader);
  for (;;) {
    const start = reader.at;
    // A line end after a value ends the expression; brackets make their own statements.
    skip(reader);
    const level = levels.findIndex(
      (pattern, i) => i >= from && !(reader.inArguments && i === commaLevel) && looksAt(reader, pattern),
    );
    const pattern = levels[level];
    if (!pattern) {
      reader.at = start;
      return left;
    }
    const operator = named(take(reader, pattern) ?? "");
    skip(reader, true);
    if (level === commaLevel) {
      const items = [left, readBinaryOperand(reader, commaLevel + 1)];
      for (skip(reader); take(reader, /,/y); skip(reader)) {
        skip(reader, true);
        items.push(readBinaryOperand(reader, commaLevel + 1));
      }
      left = { kind: "array", items };
    } else if (operator === "?") {
      const yes = readBinaryOperand(reader, 1);
      skip(reader, true);
      take(reader, /:/y);
      skip(reader, true);
      left = { kind: "binary", operator, left, right: { kind: "array", items: [yes, readBinaryOperand(reader, 0)] } };
    } else left = { kind: "binary", operator, left, right: readBinaryOperand(reader, level + 1) };
  }
}

const readBinaryOperand = (reader: Reader, level: number): Expr =>
  deeper(reader, () => readBinary(reader, level), absent);

function readUnary(reader: Reader): Expr {
  if (take(reader, /,/y)) {
    skip(reader, true);
    return { kind: "array", items: [deeper(reader, () => readUnary(reader), absent)] };
  }
  const operator = take(reader, unary);
  if (operator !== undefined) {
    skip(reader);
    // `-join` and `-split` take a whole list, the others one value.
    const level = /join|split/i.test(operator) ? commaLevel : commaLevel + 1;
    return { kind: "unary", operator: named(operator), of: readBinaryOperand(reader, level) };
  }
  if (peek(reader) !== "[") return readValue(reader);
  const name = readType(reader);
  skip(reader);
  if (looksAt(reader, /::|[\])},;|=.]|$|\n/y)) return readBehind(reader, { kind: "type", name });
  const isOperand = startsExpression(reader) && !levels.some((pattern) => looksAt(reader, pattern));
  if (!isOperand) return { kind: "type", name };
  return { kind: "cast", type: name, of: deeper(reader, () => readUnary(reader), absent) };
}

/** `[a.b[c]]`: the name in lower case; an attribute's arguments are dropped. */
function readType(reader: Reader): string {
  let open = 0;
  let name = "";
  do {
    const char = peek(reader);
    if (char === "") {
      reader.broken = true;
      break;
    }
    if (char === "[") open++;
    else if (char === "]") open--;
    name += char === "`" ? "" : char;
    reader.at++;
  } while (open > 0);
  return name
    .slice(1, -1)
    .replace(/\s/g, "")
    .toLowerCase()
    .replace(/^system\./, "");
}

/** A value, with what stands right behind it. */
export function readValue(reader: Reader): Expr {
  return readBehind(reader, readPrimary(reader));
}

function readPrimary(reader: Reader): Expr {
  const char = peek(reader);
  const here = char === "@" ? readHereString(reader) : undefined;
  if (here) return here;
  if (isIn(char, singles)) return readSingle(reader);
  if (isIn(char, doubles)) return readDouble(reader);
  if (char === "@" && peek(reader, 1) === "{") return readHash(reader);
  if (char === "@" && peek(reader, 1) === "(") {
    reader.at += 2;
    return { kind: "group", script: reader.script(reader, ")"), list: true };
  }
  if (char === "(") {
    reader.at++;
    return { kind: "group", script: reader.script(reader, ")"), list: false };
  }
  if (char === "{") {
    const start = ++reader.at;
    const script = reader.script(reader, "}");
    return { kind: "block", script, source: reader.source.slice(start, reader.at - 1) };
  }
  if (looksAt(reader, variableStart) || looksAt(reader, /@\w/y)) return readVariable(reader);
  if (looksAt(reader, numberStart)) return readNumber(reader);
  // Nothing that is a value: a bare word, so that reading goes on.
  const word = take(reader, /[^\s;|&(){},'"$]+/y);
  if (word === undefined && char !== ")" && char !== "}" && char !== "") reader.at++;
  return text(word ?? "");
}

/** Members, calls, indexes: `.Name`, `::Name`, `.'Name'`, `.(…)`, `(…)`, `[…]`. */
export function readBehind(reader: Reader, value: Expr): Expr {
  let of = value;
  for (let count = 0; count < 200; count++) {
    if (looksAt(reader, /\??\.(?!\.)\s*[\w('"$\u2018-\u201f{]|::/y)) {
      const isStatic = (take(reader, /\??\.\s*|::\s*/y) ?? "").startsWith("::");
      const name = readMemberName(reader);
      if (peek(reader) === "(") of = { kind: "call", of, name, isStatic, args: readArguments(reader) };
      else of = { kind: "member", of, name, isStatic };
    } else if (looksAt(reader, /\??\[/y)) {
      take(reader, /\??\[/y);
      skip(reader, true);
      const at = within(reader, false, () => readExpression(reader));
      skip(reader, true);
      if (take(reader, /\]/y) === undefined) reader.broken = true;
      of = { kind: "index", of, at };
    } else if (take(reader, /\+\+|--(?![\w-])/y)) of = { kind: "unary", operator: "++", of };
    else return of;
  }
  reader.broken = true;
  return of;
}

function readMemberName(reader: Reader): Expr {
  const char = peek(reader);
  if (isIn(char, singles) || isIn(char, doubles) || isIn(char, "($")) return readPrimary(reader);
  return text((take(reader, /[\w`]+/y) ?? "").replaceAll("`", ""));
}

function readArguments(reader: Reader): Expr[] {
  reader.at++;
  const args: Expr[] = [];
  for (;;) {
    skip(reader, true);
    if (take(reader, /\)/y)) return args;
    if (peek(reader) === "") {
      reader.broken = true;
      return args;
    }
    const before = reader.at;
    args.push(within(reader, true, () => readExpression(reader)));
    skip(reader, true);
    take(reader, /,/y);
    if (reader.at === before) reader.at++;
  }
}

/** Between the arguments of a call a comma parts them; in brackets within it makes a list again. */
function within<T>(reader: Reader, inArguments: boolean, read: () => T): T {
  const outer = reader.inArguments;
  reader.inArguments = inArguments;
  const found = read();
  reader.inArguments = outer;
  return found;
}

function readHash(reader: Reader): Expr {
  reader.at += 2;
  const entries: (readonly [Expr, Script])[] = [];
  for (;;) {
    take(reader, /;/y);
    skip(reader, true);
    if (take(reader, /\}/y)) break;
    if (peek(reader) === "") {
      reader.broken = true;
      break;
    }
    const before = reader.at;
    const bare = take(reader, /[\w.-]+(?=\s*=)/y);
    const key = bare === undefined ? deeper(reader, () => readUnary(reader), absent) : text(bare);
    skip(reader, true);
    if (take(reader, /=/y)) {
      skip(reader, true);
      entries.push([key, reader.script(reader, "=")]);
    }
    skip(reader, true);
    if (reader.at === before) reader.at++;
  }
  return { kind: "hash", entries };
}
