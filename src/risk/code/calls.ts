/** What well-known functions make of constants, whatever the language calls them. */
import { fromBase32, fromBase64, fromHex, reversed, translate } from "../engine/transforms.ts";
import { textsOf, type Value } from "./reading.ts";

const rot13 = (text: string): string => translate(["A-Za-z", "N-ZA-Mn-za-m"], false, text);
const unquote = (text: string): string =>
  text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const decoders: Readonly<Record<string, (text: string) => string>> = {
  hex: fromHex,
  base64: fromBase64,
  base32: fromBase32,
  rot13,
  rot_13: rot13,
};

/** `%s`, `%d`, `%c`, `{}`, `{0}` filled in. */
export function format(template: string, values: readonly (string | number)[]): string {
  let next = 0;
  const take = (index: string | undefined): string => String(values[index ? Number(index) : next++] ?? "");
  return template
    .replace(/%[-0-9.]*([sdcxr])/g, (_, kind: string) => {
      const value = take(undefined);
      return kind === "c" && /^\d+$/.test(value) ? String.fromCharCode(Number(value)) : value;
    })
    .replace(/\{(\d*)\}/g, (_, index: string) => take(index));
}

const characters = (values: readonly Value[]): string =>
  values
    .flatMap(textsOf)
    .map((text) => (/^\d+$/.test(text) ? String.fromCodePoint(Math.min(Number(text), 0x10ffff)) : text))
    .join("");

function pack(template: string, values: readonly Value[]): string {
  const texts = values.flatMap(textsOf);
  if (/^[Hh]/.test(template)) return fromHex(texts.join(""));
  return characters(values);
}

type Call = (values: readonly Value[]) => Value | undefined;

const onText =
  (change: (text: string) => Value): Call =>
  ([first]) =>
    typeof first === "string" ? change(first) : undefined;

/** Elements joined by the first value. */
const join: Call = ([separator, ...lists]) =>
  typeof separator === "string" && lists.length > 0 ? lists.flatMap(textsOf).join(separator) : undefined;

const same: Call = ([first]) => first;
const reverse: Call = ([first, ...more]) => {
  if (typeof first === "string" && more.length === 0) return reversed(first);
  return first === undefined || typeof first === "number" ? undefined : [first, ...more].flatMap(textsOf).toReversed();
};

const byEncoding: Call = ([text, encoding]) =>
  typeof text === "string"
    ? (decoders[String(encoding ?? "").toLowerCase()]?.(text) ?? text)
    : text && characters([text]);

/** Functions by their last name; given their constant arguments. */
export const functions: Readonly<Record<string, Call>> = {
  chr: (values) => characters(values.slice(0, 1)),
  unichr: characters,
  char: characters,
  fromCharCode: characters,
  fromCodePoint: characters,
  bytes: ([first]) => (typeof first === "object" ? characters([first]) : typeof first === "string" ? first : undefined),
  bytearray: ([first]) => (typeof first === "object" ? characters([first]) : undefined),
  str: same,
  String: same,
  list: ([first]) => (typeof first === "string" ? [...first] : first),
  tuple: same,
  array: (values) => values.flat(),
  ord: onText((text) => text.charCodeAt(0)),
  int: ([first, base]) => (typeof first === "string" ? Number.parseInt(first, Number(base ?? 10)) : first),
  fromhex: onText(fromHex),
  unhexlify: onText(fromHex),
  a2b_hex: onText(fromHex),
  hex2bin: onText(fromHex),
  b64decode: onText(fromBase64),
  standard_b64decode: onText(fromBase64),
  urlsafe_b64decode: onText(fromBase64),
  a2b_base64: onText(fromBase64),
  base64_decode: onText(fromBase64),
  decode_base64: onText(fromBase64),
  decode64: onText(fromBase64),
  strict_decode64: onText(fromBase64),
  urlsafe_decode64: onText(fromBase64),
  atob: onText(fromBase64),
  b32decode: onText(fromBase32),
  str_rot13: onText(rot13),
  urldecode: onText(unquote),
  rawurldecode: onText(unquote),
  unquote: onText(unquote),
  decodeURIComponent: onText(unquote),
  strrev: onText(reversed),
  reversed: reverse,
  reverse,
  implode: join,
  join,
  sprintf: ([template, ...values]) => (typeof template === "string" ? format(template, values.flat()) : undefined),
  pack: ([template, ...values]) => (typeof template === "string" ? pack(template, values) : undefined),
  Path: (values) => values.flatMap(textsOf).join("/"),
  PurePath: (values) => values.flatMap(textsOf).join("/"),
  lc: onText((text) => text.toLowerCase()),
  strtolower: onText((text) => text.toLowerCase()),
};

/** The same names as members of something (`base64.b64decode`, `Buffer.from`, `path.join`). */
export const members: Readonly<Record<string, Call>> = {
  "path join": (values) =>
    values
      .flatMap(textsOf)
      .join("/")
      .replace(/.*\/\//, "/"),
  "File join": (values) => values.flatMap(textsOf).join("/"),
  "table concat": ([list, separator]) =>
    typeof list === "object" ? textsOf(list).join(String(separator ?? "")) : undefined,
  "Buffer from": byEncoding,
  "codecs decode": byEncoding,
  "string reverse": reverse,
  "string char": characters,
  "string format": ([template, ...values]) => functions.sprintf?.([template ?? "", ...values]),
};

type Method = (text: string, values: readonly Value[]) => Value | undefined;
const keep: Method = (text) => text;
const replace: Method = (text, [from, to]) =>
  typeof from === "string" && typeof to === "string" ? text.replaceAll(from, to) : undefined;

/** Methods of a constant text. */
export const methods: Readonly<Record<string, Method>> = {
  decode: (text, [encoding]) => decoders[String(encoding ?? "")]?.(text) ?? text,
  encode: keep,
  toString: keep,
  to_s: keep,
  to_str: keep,
  str: keep,
  strip: keep,
  trim: keep,
  chomp: keep,
  freeze: keep,
  lower: (text) => text.toLowerCase(),
  downcase: (text) => text.toLowerCase(),
  toLowerCase: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  upcase: (text) => text.toUpperCase(),
  toUpperCase: (text) => text.toUpperCase(),
  swapcase: (text) => [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join(""),
  reverse: (text) => reversed(text),
  replace,
  replaceAll: replace,
  gsub: replace,
  sub: replace,
  tr: (text, [from, to]) => translate([String(from), String(to)], false, text),
  delete: (text, [from]) => (typeof from === "string" ? translate([from], true, text) : undefined),
  format: (text, values) => format(text, values.flat()),
  concat: (text, values) => text + values.flatMap(textsOf).join(""),
  repeat: (text, [count]) => (Number(count) * text.length < 2000 ? text.repeat(Number(count)) : undefined),
  join: (text, values) => {
    const [list, ...more] = values;
    // Perl's `"/".join("", …)`: a function after the sign that joins.
    if (more.length > 0) return text + String(join(values));
    return list === undefined ? undefined : (typeof list === "string" ? [...list] : textsOf(list)).join(text);
  },
  split: (text, [by]) => text.split(typeof by === "string" ? by : /\s+/),
  chars: (text) => [...text],
  unpack: (text, [kind]) => (/^m/.test(String(kind)) ? fromBase64(text) : undefined),
  unpack1: (text, [kind]) => (/^m/.test(String(kind)) ? fromBase64(text) : undefined),
};

type ListMethod = (items: readonly (string | number)[], values: readonly Value[]) => Value | undefined;

/** Methods of a constant list. */
export const listMethods: Readonly<Record<string, ListMethod>> = {
  join: (items, [separator]) => items.join(typeof separator === "string" ? separator : ""),
  reverse: (items) => items.toReversed(),
  pack: (items, [template]) => pack(String(template), [items]),
  first: (items) => items[0],
  last: (items) => items.at(-1),
  pop: (items) => items.at(-1),
};
