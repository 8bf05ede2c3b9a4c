/** Constant expressions of many languages, each as a step that makes one token of several. */
import { callReductions } from "./call-reductions.ts";
import { format } from "./calls.ts";
import {
  isBound,
  isTaken,
  isWord,
  type Reduced,
  type Reduction,
  reduced,
  spaceAt,
  textAt,
  type Value,
  valueAt,
  valuesBetween,
} from "./reading.ts";
import type { Token } from "./tokens.ts";

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
  ...callReductions,
  indexed,
  calculate,
  concatenate,
  divide,
  named,
];
