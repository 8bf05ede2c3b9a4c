/** Members of constants: what texts, lists and the few classes that build texts give back. */
import { bounded, isList, isThing, known, listOf, toNumber, toText, type Value } from "./values.ts";

type Args = readonly Value[];
type Method = (of: string, args: Args) => Value | undefined;

const number = (value: Value | undefined): number | undefined => (value === undefined ? undefined : toNumber(value));
const asText = (value: Value | undefined): string => (value === undefined ? "" : toText(value));

const methods: Readonly<Record<string, Method>> = {
  tolower: (of) => of.toLowerCase(),
  split: (of, [sign]) => of.split(sign === undefined ? /\s+/ : asText(sign)),
  toupper: (of) => of.toUpperCase(),
  replace: (of, [from, to]) => (asText(from) === "" ? undefined : of.replaceAll(asText(from), () => asText(to))),
  trim: (of, args) => (args.length === 0 ? of.trim() : undefined),
};

const encodings: Readonly<Record<string, BufferEncoding>> = {
  unicode: "utf16le",
  utf8: "utf8",
  ascii: "latin1",
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
    return undefined;
  }
  if (name === "invoke" || name === "gettype") return undefined;
  if (isList(of)) {
    return known(of.map((item) => callMethod(item, name, args)));
  }
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
    return undefined;
  }
  if (name === "length" || name === "count") return isList(of) ? of.length : typeof of === "string" ? of.length : 1;
  if (isList(of)) return known(of.map((item) => readMember(item, name)));
  return undefined;
}

const base64 = (value: Value | undefined): Value => [...Buffer.from(asText(value), "base64")];

const statics: Readonly<Record<string, (...args: Args) => Value | undefined>> = {
  "string.join": (by, ...items) => items.flatMap((item) => listOf(item).map(toText)).join(asText(by)),
  "convert.frombase64string": base64,
  "convert.toint32": (of, base) => (typeof of === "number" ? of : Number.parseInt(asText(of), number(base) ?? 10)),
};

/** `[type]::name(args)` over constants. */
export const callStatic = (type: string, name: string, args: Args): Value | undefined =>
  bounded(statics[`${type}.${name}`]?.(...args));

/** `[type]::name`. */
export function readStatic(type: string, name: string): Value | undefined {
  if (type === "text.encoding" || type.startsWith("text.encoding"))
    return { is: "object", type: `text.encoding.${name}`, args: [] };
  return undefined;
}
