/** PowerShell's operators and casts over constants. */
import {
  bounded,
  format,
  isList,
  isThing,
  known,
  listOf,
  safePattern,
  toNumber,
  toText,
  type Value,
} from "./values.ts";

type Binary = (left: Value, right: Value) => Value | undefined;

const numeric =
  (compute: (a: number, b: number) => number): Binary =>
  (left, right) => {
    const a = toNumber(left);
    const b = toNumber(right);
    return a === undefined || b === undefined ? undefined : compute(a, b);
  };

/** `?` and `*` as in a wildcard. */
export const wildcard = (pattern: string): RegExp | undefined =>
  pattern.split("*").length > 6 ? undefined : safeWildcard(pattern.toLowerCase());
const safeWildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|\\]/g, "\\$&")
      .replaceAll("*", "[^]*?")
      .replaceAll("?", "[^]")
      .replace(/\[(?!\^\])(?=[^\]]*$)/g, "\\[")}$`,
  );

const split: Binary = (left, right) => {
  const [pattern] = listOf(right);
  const found =
    pattern === undefined || (isThing(pattern) && pattern.is === "block")
      ? undefined
      : safePattern(toText(pattern), "i");
  return (
    found &&
    listOf(left).flatMap((item) =>
      toText(item)
        .split(found)
        .map((part) => part ?? ""),
    )
  );
};
const replace: Binary = (left, right) => {
  const [pattern, by] = listOf(right);
  const found = pattern === undefined ? undefined : safePattern(toText(pattern), "gi");
  if (!found || (isThing(by) && by.is === "block")) return undefined;
  const one = (item: Value): string => toText(item).replace(found, toText(by ?? "").replace(/\$\{(\d+)\}/g, "$$$1"));
  return isList(left) ? left.map(one) : one(left);
};

const operators: Readonly<Record<string, Binary>> = {
  "+": (left, right) => {
    if (isList(left)) return [...left, ...listOf(right)];
    if (typeof left === "number") return numeric((a, b) => a + b)(left, right);
    if (left === null) return right;
    return isThing(left) && left.is !== "char" ? undefined : toText(left) + toText(right);
  },
  "-": numeric((a, b) => a - b),
  "*": (left, right) => {
    const times = toNumber(right);
    if (typeof left !== "string" || times === undefined)
      return isList(left) ? undefined : numeric((a, b) => a * b)(left, right);
    return times * left.length > 20_000 ? undefined : left.repeat(Math.max(0, times));
  },
  "/": numeric((a, b) => a / b),
  "%": numeric((a, b) => a % b),
  "..": (left, right) => {
    const from = toNumber(left);
    const to = toNumber(right);
    if (from === undefined || to === undefined || Math.abs(to - from) > 2_000) return undefined;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => (to < from ? from - i : from + i));
  },
  "-f": (left, right) => format(toText(left), listOf(right)),
  "-join": (left, right) => listOf(left).map(toText).join(toText(right)),
  "-split": split,
  "-replace": replace,
  "-bxor": numeric((a, b) => a ^ b),
};

export function applyBinary(operator: string, left: Value, right: Value): Value | undefined {
  const name = operators[operator] ? operator : operator.replace(/^-[ic]/, "-");
  return bounded(operators[name]?.(left, right));
}

export function applyUnary(operator: string, of: Value): Value | undefined {
  const number = toNumber(of);
  switch (operator.replace(/^-[ic](?=split)/, "-")) {
    case "-":
      return number === undefined ? undefined : -number;
    case "+":
      return number;
    case "-bnot":
      return number === undefined ? undefined : ~number;
    case "-join":
      return listOf(of).map(toText).join("");
    case "-split":
      return listOf(of).flatMap((item) => toText(item).trim().split(/\s+/));
    default:
      return undefined;
  }
}

const integers = /^(u?int(16|32|64)?|long|short|byte|sbyte|u?short|ulong)$/;

/** `[char]73`, `[int[]]('1','2')`, `[string]…`; undefined for what is no plain conversion. */
export function cast(type: string, of: Value): Value | undefined {
  const element = /^(.*)\[\]$/.exec(type)?.[1];
  if (element !== undefined) {
    const items = element === "char" && typeof of === "string" ? [...of] : listOf(of);
    return known(items.map((item) => cast(element, item)));
  }
  if (type === "string") return toText(of);
  if (type === "char") {
    if (typeof of === "string" && of.length === 1) return { is: "char", code: of.charCodeAt(0) };
    const code = toNumber(of);
    return code === undefined ? undefined : { is: "char", code };
  }
  if (integers.test(type)) {
    const number = toNumber(of);
    return number === undefined ? undefined : Math.round(number);
  }
  if (/^(double|decimal|float|single)$/.test(type)) return toNumber(of);
  if (type === "bool") return undefined;
  if (/^(array|object|psobject|void|arraylist|collections\.arraylist|collections\.generic\.list\[.*\])$/.test(type))
    return of;
  if (/^(pscustomobject|ordered|hashtable|management\.automation\.pscustomobject)$/.test(type)) return of;
  if (/^(scriptblock|regex|uri|io\.fileinfo|io\.directoryinfo|text\.stringbuilder)$/.test(type)) {
    if (isThing(of)) return of;
    return type === "scriptblock" || type === "text.stringbuilder" ? undefined : toText(of);
  }
  if (type === "type")
    return {
      is: "type",
      name: toText(of)
        .toLowerCase()
        .replace(/^system\./, ""),
    };
  return undefined;
}
