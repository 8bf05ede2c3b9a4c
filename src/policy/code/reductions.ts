/** Constant expressions of many languages, each as a step that makes one token of several. */
import { format, functions, listMethods, members, methods } from "./calls.ts";
import {
  argumentsAt,
  isWord,
  type Reduced,
  type Reduction,
  reduced,
  spaceAt,
  textAt,
  textsOf,
  type Value,
  valueAt,
  valuesBetween,
} from "./reading.ts";
import type { Token } from "./tokens.ts";

const isMemberSign = (text: string): boolean => /^(\.|->|::|\?\.|:)$/.test(text);

/** True where what stands before makes an opening bracket an index or a call. */
function isBound(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return false;
  return before.type === "sign"
    ? /^[)\]]$/.test(before.text)
    : before.type !== "word" || !/^(in|return|print|echo|puts|and|or|not|if|x)$/.test(before.text);
}

/** True where what follows belongs to the value closer than an operator would. */
const isTaken = (tokens: readonly Token[], at: number): boolean =>
  /^(\[|\*|\*\*)$/.test(textAt(tokens, at)) ||
  (isMemberSign(textAt(tokens, at)) &&
    isWord(tokens, at + 1) &&
    !(textAt(tokens, at) === "." && spaceAt(tokens, at + 1) !== ""));

const concatenate: Reduction = (tokens, at) => {
  const [left, right] = [tokens[at], tokens[at + 2]];
  if (left?.type !== "string") return undefined;
  const next = tokens[at + 1];
  // Neighbours are one text in Python and awk, unless a line ends between them.
  if (next?.type === "string" && !next.space.includes("\n") && !isTaken(tokens, at + 2))
    return reduced(tokens, at, 2, left.value + next.value);
  if (right?.type !== "string" || !/^(\+|\.|\.\.|~|<<|&)$/.test(textAt(tokens, at + 1)) || isTaken(tokens, at + 3))
    return undefined;
  return reduced(tokens, at, 3, left.value + right.value);
};

const sums: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "^": (a, b) => a ^ b,
  "**": (a, b) => a ** b,
  "%": (a, b) => a % b,
  "<<": (a, b) => a << b,
};

const calculate: Reduction = (tokens, at) => {
  const [left, right] = [valueAt(tokens, at), valueAt(tokens, at + 2)];
  const sign = textAt(tokens, at + 1);
  if (typeof left === "number" && typeof right === "number") {
    const value = sums[sign]?.(left, right);
    if (value === undefined || !Number.isSafeInteger(value) || /^\*\*?$/.test(textAt(tokens, at + 3))) return undefined;
    return reduced(tokens, at, 3, value);
  }
  if (typeof left === "string" && typeof right === "number" && /^(\*|x)$/.test(sign) && right * left.length < 2000)
    return reduced(tokens, at, 3, left.repeat(Math.max(0, right)));
  if (typeof left === "object" && typeof right === "object" && sign === "+")
    return reduced(tokens, at, 3, [...left, ...right]);
  if (typeof left === "string" && right !== undefined && sign === "%")
    return reduced(tokens, at, 3, format(left, typeof right === "object" ? right : [right]));
  return undefined;
};

/** `Path("/") / "etc"` has become two texts with a slash between. */
const divide: Reduction = (tokens, at) => {
  const [left, right] = [valueAt(tokens, at), valueAt(tokens, at + 2)];
  if (typeof left !== "string" || typeof right !== "string" || textAt(tokens, at + 1) !== "/") return undefined;
  return reduced(tokens, at, 3, `${left.replace(/\/$/, "")}/${right}`);
};

const parenthesised: Reduction = (tokens, at) => {
  if (textAt(tokens, at) !== "(" || isBound(tokens, at)) return undefined;
  const only = valueAt(tokens, at + 1);
  if (only !== undefined && textAt(tokens, at + 2) === ")") return reduced(tokens, at, 3, only);
  const given = valuesBetween(tokens, at, ["(", ")"]);
  return given && given.values.length > 1 ? listed(tokens, at, given) : undefined;
};

const listed = (
  tokens: readonly Token[],
  at: number,
  given: { readonly values: readonly Value[]; readonly end: number },
): Reduced | undefined =>
  given.values.some((value) => typeof value === "object")
    ? undefined
    : reduced(tokens, at, given.end - at, given.values.flat());

const bracketed: Reduction = (tokens, at) => {
  if (textAt(tokens, at) !== "[" || isBound(tokens, at)) return undefined;
  const given = valuesBetween(tokens, at, ["[", "]"]);
  return given && listed(tokens, at, given);
};

/** `text[::-1]`, `text[0]`, `list[1]`, `text[1:3]`. */
const indexed: Reduction = (tokens, at) => {
  const value = valueAt(tokens, at);
  if (value === undefined || typeof value === "number" || textAt(tokens, at + 1) !== "[") return undefined;
  const end = tokens.findIndex((_, i) => i > at + 1 && i < at + 9 && textAt(tokens, i) === "]");
  if (end < 0) return undefined;
  const inner = tokens
    .slice(at + 2, end)
    .map((token) => (token.type === "number" ? String(token.value) : token.type === "sign" ? token.text : "?"))
    .join("");
  if (/^(::-1|-1\.\.0)$/.test(inner))
    return reduced(
      tokens,
      at,
      end - at + 1,
      typeof value === "string" ? [...value].reverse().join("") : value.toReversed(),
    );
  const [, from, isRange, to] = /^(-?\d*)(:?)(-?\d*)$/.exec(inner) ?? [];
  if (from === undefined) return undefined;
  const start = from === "" ? 0 : Number(from);
  if (isRange) return reduced(tokens, at, end - at + 1, value.slice(start, to === "" ? undefined : Number(to)));
  const item = value.at(start);
  return item === undefined ? undefined : reduced(tokens, at, end - at + 1, item);
};

/** `chr(47)`, `base64.b64decode("…")`, `join("", list)`: the words before the last name go. */
const called: Reduction = (tokens, at) => {
  if (!isWord(tokens, at)) return undefined;
  // A sign after a constant joins; anywhere else it makes this name a member.
  if (isMemberSign(textAt(tokens, at - 1)) && valueAt(tokens, at - 2) === undefined) return undefined;
  let last = at;
  while (isMemberSign(textAt(tokens, last + 1)) && isWord(tokens, last + 2)) last += 2;
  const name = textAt(tokens, last);
  const owner = last > at ? `${textAt(tokens, last - 2)} ${name}` : name;
  const call = Object.hasOwn(members, owner)
    ? members[owner]
    : Object.hasOwn(functions, name)
      ? functions[name]
      : undefined;
  if (!call) return undefined;
  if (
    last > at &&
    /^(join|reverse|list|char|str|array|String|bytes|Path|format)$/.test(name) &&
    !Object.hasOwn(members, owner)
  )
    return undefined;
  const given = argumentsAt(tokens, last + 1) ?? mapped(tokens, last + 1);
  if (!given) return undefined;
  const value = call(given.values);
  return value === undefined ? undefined : reduced(tokens, at, given.end - at, value);
};

/** `chr(x) for x in list` inside the parentheses of a call. */
function mapped(
  tokens: readonly Token[],
  at: number,
): { readonly values: readonly Value[]; readonly end: number } | undefined {
  if (textAt(tokens, at) !== "(") return undefined;
  const made = eachOf(tokens, at + 1);
  return made && textAt(tokens, made.end) === ")" ? { values: [made.value], end: made.end + 1 } : undefined;
}

function eachOf(tokens: readonly Token[], at: number): { readonly value: Value; readonly end: number } | undefined {
  const words = [0, 1, 2, 3, 4, 5, 6].map((i) => textAt(tokens, at + i));
  const [make = "", open, name, close, loop, again, within] = words;
  const isLoop = open === "(" && close === ")" && loop === "for" && name === again && within === "in";
  const list = isLoop ? valueAt(tokens, at + 7) : undefined;
  const call = Object.hasOwn(functions, make) ? functions[make] : undefined;
  if (list === undefined || !call) return undefined;
  const items = typeof list === "string" ? [...list] : textsOf(list);
  return { value: items.map((item) => String(call([/^\d+$/.test(item) ? Number(item) : item]) ?? "")), end: at + 8 };
}

/** `map(chr, list)`, `array_map("chr", list)`, `map { chr } list`, `[chr(x) for x in list]`. */
const mapping: Reduction = (tokens, at) => {
  if (textAt(tokens, at) === "[" && !isBound(tokens, at)) {
    const made = eachOf(tokens, at + 1);
    return made && textAt(tokens, made.end) === "]" ? reduced(tokens, at, made.end + 1 - at, made.value) : undefined;
  }
  if (!/^(map|array_map)$/.test(textAt(tokens, at))) return undefined;
  let i = at + 1;
  const isCall = textAt(tokens, i) === "(";
  if (isCall) i++;
  const [open, name, close] = [textAt(tokens, i), textAt(tokens, i + 1), textAt(tokens, i + 2)];
  const isBlock = open === "{" && name === "chr";
  const isName = open === "chr" || valueAt(tokens, i) === "chr";
  if (!isBlock && !isName) return undefined;
  if (isBlock) i += close === "}" ? 3 : textAt(tokens, i + 3) === "}" ? 4 : 6;
  else i++;
  if (textAt(tokens, i) === ",") i++;
  const given = isBlock && !isCall ? argumentsAt(tokens, i) : undefined;
  const items = given ? given.values.flat() : valueAt(tokens, i);
  if (items === undefined || typeof items !== "object") return undefined;
  const end = given ? given.end : i + 1;
  if (isCall && textAt(tokens, end) !== ")") return undefined;
  return reduced(
    tokens,
    at,
    end + (isCall ? 1 : 0) - at,
    items.map((item) => String.fromCodePoint(Math.min(Number(item) || 0, 0x10ffff))),
  );
};

/** `"x".decode()`, `"x".reverse`, `list.join("")`, `47.chr`, `list.map(&:chr)`. */
const method: Reduction = (tokens, at) => {
  const value = valueAt(tokens, at);
  const isMember = isMemberSign(textAt(tokens, at + 1)) && isWord(tokens, at + 2) && spaceAt(tokens, at + 2) === "";
  if (value === undefined || !isMember) return undefined;
  const name = textAt(tokens, at + 2);
  const call = textAt(tokens, at + 3) === "(";
  if (name === "chr" && typeof value === "number")
    return reduced(tokens, at, call ? 5 : 3, String.fromCodePoint(value % 0x110000));
  if (/^(map|collect)$/.test(name) && typeof value === "object") {
    const close = tokens.findIndex((_, i) => i > at + 3 && i < at + 20 && /^[)}]$/.test(textAt(tokens, i)));
    const isChr = tokens
      .slice(at + 3, close)
      .some((token) => token.type === "word" && /^(chr|fromCharCode|fromCodePoint)$/.test(token.text));
    if (close < 0 || !isChr) return undefined;
    const end = textAt(tokens, close + 1) === ")" && textAt(tokens, close) === ")" ? close + 2 : close + 1;
    return reduced(
      tokens,
      at,
      end - at,
      value.map((item) => String.fromCodePoint(Math.min(Number(item) || 0, 0x10ffff))),
    );
  }
  const given = call
    ? (valuesBetween(tokens, at + 3, ["(", ")"]) ?? mapped(tokens, at + 3))
    : { values: [], end: at + 3 };
  if (!given) return undefined;
  const made =
    typeof value === "string" && Object.hasOwn(methods, name)
      ? methods[name]?.(value, given.values)
      : typeof value === "object" && Object.hasOwn(listMethods, name)
        ? listMethods[name]?.(value, given.values)
        : undefined;
  return made === undefined ? undefined : reduced(tokens, at, given.end - at, made);
};

const isName = (value: Value | undefined): value is string => typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);

/** `getattr(os, "system")`, `os["system"]`, `__import__("os")`, `send("system", …)`, `"system"(…)`: a name is a name. */
const named: Reduction = (tokens, at) => {
  const text = textAt(tokens, at);
  const word = (name: string): Token => ({ type: "word", text: name, space: spaceAt(tokens, at) });
  const dot: Token = { type: "sign", text: ".", space: "" };
  const first = valueAt(tokens, at + 2);
  if (/^(__import__|import_module)$/.test(text) && isName(first) && textAt(tokens, at + 3) === ")")
    return { used: 4, tokens: [word(first)] };
  if (
    /^(send|public_send|__send__)$/.test(text) &&
    textAt(tokens, at + 1) === "(" &&
    isName(first) &&
    textAt(tokens, at + 3) === ","
  )
    return { used: 4, tokens: [word(first), { type: "sign", text: "(", space: "" }] };
  if (text === "getattr" && textAt(tokens, at + 1) === "(") {
    const comma = tokens.findIndex((_, i) => i > at + 1 && i < at + 9 && textAt(tokens, i) === ",");
    const name = valueAt(tokens, comma + 1);
    if (comma < 0 || !isName(name) || textAt(tokens, comma + 2) !== ")") return undefined;
    return { used: comma + 3 - at, tokens: [...tokens.slice(at + 2, comma), dot, { ...word(name), space: "" }] };
  }
  const key = valueAt(tokens, at + 1);
  if (
    text === "[" &&
    isBound(tokens, at) &&
    isName(key) &&
    textAt(tokens, at + 2) === "]" &&
    /^[(.[]$/.test(textAt(tokens, at + 3))
  )
    return { used: 3, tokens: [dot, { ...word(key), space: "" }] };
  const called = valueAt(tokens, at);
  if (isName(called) && textAt(tokens, at + 1) === "(" && spaceAt(tokens, at + 1) === "" && !isWord(tokens, at - 1))
    return { used: 1, tokens: [word(called)] };
  return undefined;
};

export const reductions: readonly Reduction[] = [
  parenthesised,
  bracketed,
  mapping,
  called,
  method,
  indexed,
  calculate,
  concatenate,
  divide,
  named,
];
