import { nameKind } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue } from "./values.ts";

/**
 * A place where a secret stands without a setting's name of its own. The first group of the pattern is what stays before
 * it, the last group the secret, a group between them the name it is given. All quantifiers are bounded.
 */
export type Rule = {
  readonly what: string;
  /** Words (lower case) of which the pattern begins with one; it is tried only there, which keeps the whole fast. */
  readonly at?: readonly string[];
  /** For a pattern that begins with anything: words of which the text must hold one. */
  readonly needs?: readonly string[];
  readonly pattern: RegExp;
  /** Has the last word: is this one a secret? */
  readonly when?: (secret: string, name: string) => boolean;
};

/** A shell word or a quoted string. */
export const word = String.raw`(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"'|;&<>]{1,500})`;

/** Arguments in between, on the same simple command. */
export const args = String.raw`[^\n|;&]{0,300}?\s`;

const quoteMarks = /^\\*["']|\\*["']$/g;

export const isSecret = (secret: string): boolean => isSecretValue(secret.replace(quoteMarks, ""), "strong");
export const isRandom = (secret: string): boolean => looksRandom(secret);

/** A value whose name says that it is a secret. */
export function isNamedSecret(secret: string, name: string): boolean {
  const kind = nameKind(name);
  return kind !== undefined && isSecretValue(secret.replace(quoteMarks, ""), kind);
}

/** ASCII only: other letters could change the text's length. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
};

/** A layer that tries each of the rules. */
export function createFindByRules(rules: readonly Rule[]): Find {
  const ready = rules.map((rule) => ({
    ...rule,
    pattern: new RegExp(rule.pattern.source, `${rule.pattern.flags.replace("g", "")}${rule.at ? "y" : "g"}`),
  }));
  return (text) => {
    const lower = lowerCase(text);
    const spans: Span[] = [];
    for (const rule of ready) {
      if (rule.needs && !rule.needs.some((one) => lower.includes(one))) continue;
      const matches = rule.at ? matchesAt(text, lower, rule.at, rule.pattern) : text.matchAll(rule.pattern);
      for (const match of matches) {
        const span = secretOf(match);
        const name = match.length > 3 ? (match[2] ?? "") : "";
        if (!rule.when || rule.when(match.at(-1) ?? "", name)) spans.push(span);
      }
    }
    return spans;
  };
}

function* matchesAt(
  text: string,
  lower: string,
  words: readonly string[],
  pattern: RegExp,
): Generator<RegExpExecArray> {
  for (const one of words) {
    for (let at = lower.indexOf(one); at !== -1; at = lower.indexOf(one, at + 1)) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      yield match;
      at += match[0].length - 1;
    }
  }
}

/** The last group without its quotes. */
function secretOf(match: RegExpExecArray): Span {
  const secret = match.at(-1) ?? "";
  const start = match.index + (match[1]?.length ?? 0);
  const open = /^\\*["']/.exec(secret)?.[0] ?? "";
  const closed = open !== "" && secret.length > open.length && secret.endsWith(open) ? open.length : 0;
  return { start: start + open.length, end: start + secret.length - closed };
}
