/** Calls of well-known functions and methods with constant arguments, as steps that make one token of several. */
import { functions, listMethods, members, methods } from "./calls.ts";
import {
  argumentsAt,
  isBound,
  isMemberSign,
  isWord,
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

export const callReductions: readonly Reduction[] = [mapping, called, method];
