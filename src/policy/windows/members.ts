/** Members of constants: what texts, lists and the few classes that build texts give back. */
import {
  bounded,
  format,
  formatOne,
  isList,
  isThing,
  known,
  listOf,
  safePattern,
  toNumber,
  toText,
  type Value,
} from "./values.ts";

type Args = readonly Value[];
type Method = (of: string, args: Args) => Value | undefined;

const number = (value: Value | undefined): number | undefined => (value === undefined ? undefined : toNumber(value));
const asText = (value: Value | undefined): string => (value === undefined ? "" : toText(value));

const methods: Readonly<Record<string, Method>> = {
  tostring: (of) => of,
  tolower: (of) => of.toLowerCase(),
  tolowerinvariant: (of) => of.toLowerCase(),
  toupper: (of) => of.toUpperCase(),
  toupperinvariant: (of) => of.toUpperCase(),
  normalize: (of) => of.normalize("NFC"),
  replace: (of, [from, to]) => (asText(from) === "" ? undefined : of.replaceAll(asText(from), () => asText(to))),
  substring: (of, [from, length]) => {
    const start = number(from);
    if (start === undefined) return undefined;
    return length === undefined ? of.slice(start) : of.slice(start, start + (number(length) ?? 0));
  },
  remove: (of, [from, length]) => {
    const start = number(from);
    if (start === undefined) return undefined;
    return of.slice(0, start) + (length === undefined ? "" : of.slice(start + (number(length) ?? 0)));
  },
  insert: (of, [at, part]) => {
    const start = number(at);
    return start === undefined ? undefined : of.slice(0, start) + asText(part) + of.slice(start);
  },
  split: (of, args) => {
    const signs = args.flatMap((arg) => (isList(arg) ? arg : [arg])).map(toText);
    const [first] = signs;
    if (first === undefined) return of.split(/\s/);
    return signs.reduce<string[]>(
      (parts, sign) => parts.flatMap((part) => (sign === "" ? [part] : part.split(sign))),
      [of],
    );
  },
  trim: (of, args) => trim(of, args, true, true),
  trimstart: (of, args) => trim(of, args, true, false),
  trimend: (of, args) => trim(of, args, false, true),
  padleft: (of, [width]) => of.padStart(Math.min(200, number(width) ?? 0)),
  padright: (of, [width]) => of.padEnd(Math.min(200, number(width) ?? 0)),
  tochararray: (of) => [...of],
  getenumerator: (of) => [...of],
  chars: (of, [at]) => of[number(at) ?? -1],
  get_chars: (of, [at]) => of[number(at) ?? -1],
  indexof: (of, [part]) => of.indexOf(asText(part)),
};

function trim(of: string, args: Args, isStart: boolean, isEnd: boolean): string {
  const signs = args.flatMap((arg) => [...toText(arg)]);
  const isOut = (char: string | undefined): boolean =>
    char !== undefined && (signs.length === 0 ? /\s/.test(char) : signs.includes(char));
  let from = 0;
  let to = of.length;
  while (isStart && from < to && isOut(of[from])) from++;
  while (isEnd && to > from && isOut(of[to - 1])) to--;
  return of.slice(from, to);
}

const encodings: Readonly<Record<string, BufferEncoding>> = {
  unicode: "utf16le",
  utf8: "utf8",
  ascii: "latin1",
  default: "latin1",
  utf7: "utf8",
};
const bytesOf = (value: Value | undefined): Buffer | undefined => {
  const bytes = value === undefined ? undefined : listOf(value).map(toNumber);
  return bytes?.every((byte) => byte !== undefined) ? Buffer.from(bytes) : undefined;
};

/** A method of a constant; undefined where the value is not known. */
export function callMethod(of: Value, name: string, args: Args): Value | undefined {
  if (isThing(of)) {
    if (of.is === "object" && of.type.startsWith("text.encoding.")) {
      const encoding = encodings[of.type.slice(14)];
      if (encoding === undefined) return undefined;
      if (name === "getstring") return bounded(bytesOf(args[0])?.toString(encoding));
      if (name === "getbytes") return bounded([...Buffer.from(asText(args[0]), encoding)]);
    }
    if (of.is === "named" && name === "tostring") return of.value;
    if (of.is === "char" && name === "tostring") return toText(of);
    return undefined;
  }
  if (name === "invoke" || name === "gettype") return undefined;
  if (isList(of)) {
    if (name === "tostring") return undefined;
    return known(of.map((item) => callMethod(item, name, args)));
  }
  if (typeof of === "number" && name === "tostring") return formatOne(of, asText(args[0]));
  if (typeof of !== "string") return undefined;
  return bounded(methods[name]?.(of, args));
}

/** A property of a constant. */
export function readMember(of: Value, name: string): Value | undefined {
  if (isThing(of)) {
    if (of.is === "hash") return of.entries.get(name);
    if (of.is === "named")
      return name === "name" || name === "key"
        ? of.name
        : /^(value|definition|resolvedcommand|resolvedcommandname|displayname|scriptblock|originalvalue)$/.test(name)
          ? of.value
          : undefined;
    if (of.is === "found")
      return /^(fullname|pspath|path|name|versioninfo|directory(name)?)$/.test(name) ? toText(of) : undefined;
    if (of.is === "object" && of.type === "match") return name === "value" ? of.args[0] : undefined;
    return undefined;
  }
  if (name === "length" || name === "count") return isList(of) ? of.length : typeof of === "string" ? of.length : 1;
  if (isList(of)) return known(of.map((item) => readMember(item, name)));
  return undefined;
}

const base64 = (value: Value | undefined): Value => [...Buffer.from(asText(value), "base64")];
const match = (value: string): Value => ({ is: "object", type: "match", args: [value] });

const statics: Readonly<Record<string, (...args: Args) => Value | undefined>> = {
  "string.join": (by, ...items) => items.flatMap((item) => listOf(item).map(toText)).join(asText(by)),
  "string.concat": (...items) => items.flatMap((item) => listOf(item).map(toText)).join(""),
  "string.format": (pattern, ...items) =>
    format(
      asText(pattern),
      items.flatMap((item) => [...listOf(item)]),
    ),
  "string.new": (of, times) =>
    isList(of) ? of.map(toText).join("") : asText(of).repeat(Math.min(2_000, number(times) ?? 1)),
  "char.convertfromutf32": (code) => String.fromCodePoint(Math.min(0x10ffff, Math.max(0, number(code) ?? 0))),
  "convert.frombase64string": base64,
  "convert.tobase64string": (bytes) => bytesOf(bytes)?.toString("base64"),
  "convert.tochar": (code) => String.fromCharCode(number(code) ?? 0),
  "convert.tostring": (of) => asText(of),
  "convert.fromhexstring": (of) => [...Buffer.from(asText(of), "hex")],
  "convert.tobyte": (of, base) => Number.parseInt(asText(of), number(base) ?? 10),
  "convert.toint32": (of, base) => (typeof of === "number" ? of : Number.parseInt(asText(of), number(base) ?? 10)),
  "convert.toint16": (of, base) => (typeof of === "number" ? of : Number.parseInt(asText(of), number(base) ?? 10)),
  "io.path.combine": (...parts) => parts.map(toText).join("\\"),
  "io.path.gettemppath": () => "$env:temp\\",
  "environment.getenvironmentvariable": (name) => `$env:${asText(name)}`,
  "regex.replace": (of, pattern, by) => {
    const found = safePattern(asText(pattern), "g");
    return found && asText(of).replace(found, asText(by));
  },
  "regex.split": (of, pattern) => {
    const found = safePattern(asText(pattern), "");
    return found && asText(of).split(found);
  },
  "regex.decoded": (of) =>
    asText(of).replace(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, a?: string, b?: string) =>
      String.fromCharCode(Number.parseInt(a ?? b ?? "0", 16)),
    ),
  "regex.matches": (of, pattern, options) => {
    const found = safePattern(asText(pattern), "gs");
    if (!found) return undefined;
    const all = (asText(of).match(found) ?? []).map(match);
    return /righttoleft/i.test(asText(options)) ? all.reverse() : all;
  },
  "uri.unescapedatastring": (of) => decoded(asText(of)),
  "net.webutility.urldecode": (of) => decoded(asText(of)),
  "web.httputility.urldecode": (of) => decoded(asText(of)),
  "net.webutility.htmldecode": (of) =>
    asText(of).replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
};
const decoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const typeName = (type: string): string =>
  type.replace(/^text\.regularexpressions\./, "").replace(/^(microsoft\.powershell\.)/, "");

/** `[type]::name(args)` over constants. */
export const callStatic = (type: string, name: string, args: Args): Value | undefined =>
  bounded(statics[`${typeName(type)}.${name}`]?.(...args));

/** `[type]::name`. */
export function readStatic(type: string, name: string): Value | undefined {
  if (type === "text.encoding" || type.startsWith("text.encoding"))
    return { is: "object", type: `text.encoding.${name}`, args: [] };
  if (type === "io.path" && name === "directoryseparatorchar") return "\\";
  if (type === "string" && name === "empty") return "";
  if (/regexoptions$/.test(type) || type === "environment") return type === "environment" ? undefined : name;
  return undefined;
}
