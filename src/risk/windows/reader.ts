/** A place in a PowerShell text, and the smallest pieces: spaces, comments, quotes, variables, numbers. */
import { type Expr, type Script, text } from "./syntax.ts";

export interface Reader {
  readonly source: string;
  at: number;
  depth: number;
  /** Where a comma parts the arguments of a call instead of making a list. */
  inArguments: boolean;
  /** Set once a quote or bracket never closes, or the nesting is too deep. */
  broken: boolean;
  /** Reads statements up to the closing bracket, and that bracket. */
  readonly script: (reader: Reader, close: string) => Script;
}

const maxNesting = 60;

export const singles = "'\u2018\u2019\u201a\u201b";
export const doubles = '"\u201c\u201d\u201e';
export const dashes = "-\u2013\u2014\u2015";

export const peek = (reader: Reader, ahead = 0): string => reader.source[reader.at + ahead] ?? "";
export const isIn = (char: string, set: string): boolean => char !== "" && set.includes(char);

/** What stands here by a sticky pattern; read over when it does. */
export function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = Math.min(reader.at, reader.source.length);
  const found = pattern.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

export function looksAt(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = Math.min(reader.at, reader.source.length);
  return pattern.test(reader.source);
}

/** Reads something nested; too deep, it reads to the end and says so. */
export function deeper<T>(reader: Reader, read: () => T, otherwise: T): T {
  if (reader.depth >= maxNesting) {
    reader.broken = true;
    reader.at = reader.source.length;
    return otherwise;
  }
  reader.depth++;
  const found = read();
  reader.depth--;
  return found;
}

/** Reads over spaces, comments and continued lines; over line ends too where the grammar allows. */
export function skip(reader: Reader, isOverLines = false): void {
  for (;;) {
    const before = reader.at;
    take(reader, isOverLines ? /(?:\s|`\r?\n)+/y : /(?:[^\S\n]|`\r?\n)+/y);
    if (looksAt(reader, /<#/y)) {
      const end = reader.source.indexOf("#>", reader.at);
      if (end < 0) reader.broken = true;
      reader.at = end < 0 ? reader.source.length : end + 2;
    } else if (peek(reader) === "#") take(reader, /#[^\n]*/y);
    if (reader.at === before) return;
  }
}

/** As Windows PowerShell has them; there a backtick before an e is no escape. */
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "",
  a: "",
  b: "",
  f: "",
  v: "",
};

/** After a backtick: what the two stand for. */
export function readEscape(reader: Reader): string {
  const code = take(reader, /`u\{[0-9a-f]{1,6}\}/iy);
  if (code) {
    const point = Number.parseInt(code.slice(3, -1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "";
  }
  const next = peek(reader, 1);
  reader.at = Math.min(reader.at + 2, reader.source.length);
  return escapes[next] ?? next;
}

/** `'…'`. */
export function readSingle(reader: Reader): Expr {
  let value = "";
  for (reader.at++; ; reader.at++) {
    const char = peek(reader);
    if (char === "") {
      reader.broken = true;
      return text(value);
    }
    if (isIn(char, singles)) {
      reader.at++;
      if (!isIn(peek(reader), singles)) return text(value);
    }
    value += peek(reader);
  }
}

/** `"…"`, or what is in a here-string, up to where `isEnd` says. */
export function readDouble(reader: Reader): Expr {
  reader.at++;
  return readExpandable(reader, () => {
    if (!isIn(peek(reader), doubles)) return false;
    reader.at++;
    if (!isIn(peek(reader), doubles)) return true;
    return false;
  });
}

function readExpandable(reader: Reader, ends: () => boolean): Expr {
  const parts: Expr[] = [];
  let value = "";
  while (!ends()) {
    const char = peek(reader);
    if (char === "") {
      reader.broken = true;
      break;
    }
    if (char === "`") value += readEscape(reader);
    else if (char === "$" && looksAt(reader, variableStart)) {
      if (value !== "") parts.push(text(value));
      value = "";
      parts.push(readVariable(reader));
    } else {
      value += char;
      reader.at++;
    }
  }
  if (parts.length === 0) return text(value);
  if (value !== "") parts.push(text(value));
  return { kind: "expand", parts };
}

/** `@'…'@` and `@"…"@`; undefined where none begins. */
export function readHereString(reader: Reader): Expr | undefined {
  const open = take(reader, /@(?:['\u2018-\u201b]|["\u201c-\u201e])[^\S\n]*\n/y);
  if (!open) return undefined;
  const isPlain = isIn(open[1] ?? "", singles);
  const close = isPlain ? /\n?['\u2018-\u201b]@/y : /\n?["\u201c-\u201e]@/y;
  const isEnd = (): boolean =>
    (peek(reader) === "\n" || reader.source[reader.at - 1] === "\n") && take(reader, close) !== undefined;
  if (!isPlain) return readExpandable(reader, isEnd);
  let value = "";
  while (!isEnd()) {
    if (peek(reader) === "") {
      reader.broken = true;
      break;
    }
    value += peek(reader);
    reader.at++;
  }
  return text(value);
}

export const variableStart = /\$(?:[\w?^$({]|[\p{L}])/uy;
const drives = /^(env|function|alias|variable|cert|hklm|hkcu|wsman)$/;

/** `$x`, `${x y}`, `$env:x`, `$(…)`, `@x`. */
export function readVariable(reader: Reader): Expr {
  const isSplat = peek(reader) === "@";
  if (peek(reader, 1) === "(") {
    reader.at += 2;
    return { kind: "group", script: reader.script(reader, ")"), list: false };
  }
  reader.at++;
  let name: string | undefined;
  if (peek(reader) === "{") {
    const inside = take(reader, /\{(?:[^}`]|`[\s\S])*\}?/y) ?? "";
    name = inside.replace(/^\{|\}$/g, "").replaceAll("`", "");
  } else name = take(reader, /(?:\w+:(?=\w))?[\w\p{L}]+\??|[?^$]/uy) ?? "";
  const [scope = "", rest] = name.toLowerCase().split(/:(.*)/s);
  if (rest === undefined) return { kind: "variable", name: scope.replace(/\?$/, "") || "?", splat: isSplat };
  return {
    kind: "variable",
    name: drives.test(scope) && scope !== "variable" ? `${scope}:${rest}` : rest,
    splat: isSplat,
  };
}

const units: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40, pb: 2 ** 50 };
/** A number that ends there: `7z` is a program. */
export const numberStart =
  /(?:0x[0-9a-f]+|0b[01]+|(?:\d+\.(?!\.)\d*|\.?\d+)(?:e[-+]?\d+)?)(?:u?[lsy]|[dn])?(?:[kmgtp]b)?(?![\w\\:])/iy;

export function readNumber(reader: Reader): Expr {
  const source = (take(reader, numberStart) ?? "0").toLowerCase();
  const unit = source.startsWith("0x") && !/[kmgtp]b$/.test(source) ? "" : (/[kmgtp]b$/.exec(source)?.[0] ?? "");
  const bare = source.slice(0, source.length - unit.length);
  const digits = bare.startsWith("0x") ? bare.replace(/[lusy]+$/, "") : bare.replace(/[a-df-z]+$/, "");
  return { kind: "number", value: Number(digits) * (units[unit] ?? 1) };
}
