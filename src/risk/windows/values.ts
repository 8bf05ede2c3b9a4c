/** What a PowerShell expression is worth where the text alone tells; undefined stands for what only the server knows. */
import type { Script } from "./syntax.ts";

export type Value = string | number | boolean | null | readonly Value[] | Thing;

export type Thing =
  | { readonly is: "char"; readonly code: number }
  | { readonly is: "block"; readonly script: Script; readonly source: string }
  | { readonly is: "type"; readonly name: string }
  | { readonly is: "hash"; readonly entries: ReadonlyMap<string, Value | undefined> }
  /** Files that a command lists; `narrow` where a filter leaves only some of them. */
  | { readonly is: "found"; readonly path: string; readonly narrow: boolean }
  /** What `Get-Command`, `Get-Alias` and `Get-Variable` give back. */
  | { readonly is: "named"; readonly name: string; readonly value: string }
  /** An object of a class, e.g. a text encoding or a web client. */
  | { readonly is: "object"; readonly type: string; readonly args: readonly (Value | undefined)[] };

const maxSize = 20_000;

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const isThing = (value: Value | undefined): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const listOf = (value: Value): readonly Value[] => (isList(value) ? value : value === null ? [] : [value]);

/** As PowerShell would write it into a text. */
export function toText(value: Value): string {
  if (value === null) return "";
  if (isList(value)) return value.map(toText).join(" ");
  if (typeof value === "boolean") return value ? "True" : "False";
  if (!isThing(value)) return String(value);
  switch (value.is) {
    case "char":
      return String.fromCharCode(value.code);
    case "block":
      return value.source;
    case "type":
    case "named":
      return value.name;
    case "found":
      return `${value.path}\\*`;
    default:
      return "";
  }
}

export function toNumber(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (value === null) return 0;
  if (isThing(value)) return value.is === "char" ? value.code : undefined;
  if (isList(value)) return value.length === 1 && value[0] !== undefined ? toNumber(value[0]) : undefined;
  const number = Number(value.trim() === "" ? "0" : value);
  return Number.isNaN(number) ? undefined : number;
}

/** How large a value is, as far as the bound. */
function sizeOf(value: Value, left: number): number {
  if (typeof value === "string") return value.length;
  if (!isList(value)) return 1;
  let size = 0;
  for (const item of value) {
    size += 1 + sizeOf(item, left - size);
    if (size > left) return size;
  }
  return size;
}

/** A text or list that is not too large to go on with. */
export const bounded = (value: Value | undefined): Value | undefined =>
  value === undefined || sizeOf(value, maxSize) > maxSize ? undefined : value;

/** A list in which nothing is unknown. */
export function known(values: readonly (Value | undefined)[]): Value[] | undefined {
  const found: Value[] = [];
  for (const value of values) {
    if (value === undefined) return undefined;
    found.push(value);
  }
  return found;
}

/** A .NET pattern as one of ours; undefined where it could take long (more than one repetition) or is none. */
export function safePattern(pattern: string, flags: string): RegExp | undefined {
  if ((pattern.match(/[*+{]/g)?.length ?? 0) > 1) return undefined;
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** `{0}{1,5}{2:X2}`: .NET's format. */
export function format(pattern: string, args: readonly Value[]): string | undefined {
  let isKnown = true;
  const text = pattern.replace(
    /\{\{|\}\}|\{(\d+)(?:,-?\d+)?(?::([^}]*))?\}/g,
    (whole, at: string | undefined, how?: string) => {
      if (at === undefined) return whole.slice(1);
      const value = args[Number(at)];
      if (value === undefined) isKnown = false;
      return value === undefined ? "" : formatOne(value, how);
    },
  );
  return isKnown ? text : undefined;
}

function formatOne(value: Value, how = ""): string {
  const number = typeof value === "number" ? value : undefined;
  const [, kind = "", digits = ""] = /^([a-z])(\d*)$/i.exec(how) ?? [];
  if (number === undefined || kind === "") return toText(value);
  if (/x/i.test(kind)) {
    const hex = number.toString(16).padStart(Number(digits), "0");
    return kind === "X" ? hex.toUpperCase() : hex;
  }
  if (/d/i.test(kind)) return String(number).padStart(Number(digits), "0");
  return /[nf]/i.test(kind) ? number.toFixed(Math.min(20, Number(digits || 2))) : String(number);
}
