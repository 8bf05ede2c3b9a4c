/** Looks at a run of tokens: what stands at a place, and the constant arguments of a call. */
import type { Token } from "./tokens.ts";

export type Value = string | number | readonly (string | number)[];

/** Several tokens that become others. */
export interface Reduced {
  readonly used: number;
  readonly tokens: readonly Token[];
}

export type Reduction = (tokens: readonly Token[], at: number) => Reduced | undefined;

/** The sign or word there; empty for a constant or the end. */
export function textAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.type === "sign" || token?.type === "word" ? token.text : "";
}

/** The constant there. */
export function valueAt(tokens: readonly Token[], at: number): Value | undefined {
  const token = tokens[at];
  if (token?.type === "string" || token?.type === "number") return token.value;
  return token?.type === "list" ? token.items : undefined;
}

export const isWord = (tokens: readonly Token[], at: number): boolean => tokens[at]?.type === "word";
export const spaceAt = (tokens: readonly Token[], at: number): string => tokens[at]?.space ?? "";

/** A token for a constant. */
export function tokenOf(value: Value, space: string): Token {
  if (typeof value === "string") return { type: "string", value: value.slice(0, maxText), space };
  if (typeof value === "number") return { type: "number", value, space };
  return { type: "list", items: value.slice(0, maxItems), space };
}
const maxText = 4000;
const maxItems = 2000;

export const reduced = (tokens: readonly Token[], at: number, used: number, value: Value): Reduced => ({
  used,
  tokens: [tokenOf(value, spaceAt(tokens, at))],
});

/** Texts of a constant: of a list, its elements. */
export const textsOf = (value: Value): readonly string[] =>
  typeof value === "object" ? value.map(String) : [String(value)];

export interface Given {
  readonly values: readonly Value[];
  /** Where the next token after the call stands. */
  readonly end: number;
}

/** The constants between `open` and its closing sign, separated by commas; undefined where one of them is none. */
export function valuesBetween(
  tokens: readonly Token[],
  at: number,
  [open, close]: readonly [string, string],
): Given | undefined {
  if (textAt(tokens, at) !== open) return undefined;
  const values: Value[] = [];
  for (let i = at + 1; i < tokens.length; ) {
    if (textAt(tokens, i) === close) return { values, end: i + 1 };
    if (textAt(tokens, i) === "...") i++;
    const value = valueAt(tokens, i);
    if (value === undefined) return undefined;
    values.push(value);
    i++;
    if (textAt(tokens, i) === ",") i++;
    else if (textAt(tokens, i) !== close) return undefined;
  }
  return undefined;
}

/** The constant arguments of a call: in parentheses, or as Perl and Ruby allow, up to the statement's end. */
export function argumentsAt(tokens: readonly Token[], at: number): Given | undefined {
  if (textAt(tokens, at) === "(") return valuesBetween(tokens, at, ["(", ")"]);
  const values: Value[] = [];
  let i = at;
  for (let value = valueAt(tokens, i); value !== undefined; value = valueAt(tokens, i)) {
    values.push(value);
    i++;
    if (textAt(tokens, i) !== ",") break;
    i++;
  }
  return values.length > 0 && textAt(tokens, i - 1) !== "," ? { values, end: i } : undefined;
}

/** A sign after which a member is named. */
export const isMemberSign = (text: string): boolean => /^(\.|->|::|\?\.|:)$/.test(text);

/** True where what stands before makes an opening bracket an index or a call. */
export function isBound(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return false;
  return before.type === "sign"
    ? /^[)\]]$/.test(before.text)
    : before.type !== "word" || !/^(in|return|print|echo|puts|and|or|not|if|x)$/.test(before.text);
}

/** True where what follows belongs to the value closer than an operator would. */
export const isTaken = (tokens: readonly Token[], at: number): boolean =>
  /^(\[|\*|\*\*)$/.test(textAt(tokens, at)) ||
  (isMemberSign(textAt(tokens, at)) &&
    isWord(tokens, at + 1) &&
    !(textAt(tokens, at) === "." && spaceAt(tokens, at + 1) !== ""));
