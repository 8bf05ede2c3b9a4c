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
  toupper: (of) => of.toUpperCase(),
  replace: (of, [from, to]) => (asText(from) === "" ? undefined : of.replaceAll(asText(from), () => asText(to))),
  substring: (of, [from, length]) => {
    const start = number(from);
    if (start === undefined) return undefined;
    return length === undefined ? of.slice(start) : of.slice(start, start + (number(length) ?? 0));
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
  tochararray: (of) => [...of],
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
  "convert.frombase64string": base64,
  "convert.toint32": (of, base) => (typeof of === "number" ? of : Number.parseInt(asText(of), number(base) ?? 10)),
};

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
