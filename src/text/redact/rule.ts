import { matchLines } from "./lines.ts";
import { nameKind } from "./names.ts";
import { isDrawn, looksRandom } from "./randomness.ts";
import { createScanner } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue } from "./values.ts";

/**
 * A place where a secret stands without a setting's name of its own. The first group of the pattern is what stays before
 * it, the last group the secret, a group between them the name it is given. All quantifiers are bounded.
 */
export type Rule = {
  readonly what: string;
  /** The pattern begins with one of these words (lower case), or with `^`. It is tried only there, which keeps redaction fast. */
  readonly at?: readonly string[] | "^";
  /** For a pattern that begins with anything: the text must hold one of these words, spelled as in the pattern. */
  readonly needs?: readonly string[];
  readonly pattern: RegExp;
  /** Where the last group holds several: what one of them is, as its own last group; a group before it is its name. */
  readonly each?: RegExp;
  /** The form itself has several lines: no other rule takes a value from a line below its name's. */
  readonly isOverLines?: true;
  /** Has the last word: is this one a secret? */
  readonly when?: (secret: string, name: string) => boolean;
};

/** A shell's sign in the midst of a word: `ps` shows arguments without the quotes that kept it from the shell. */
export const joined = String.raw`(?<=[^\s|;&<>])[|;&](?=[^\s|;&<>"'])`;

/** A shell word or a quoted string. */
export const word = String.raw`(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|(?:[^\s"'|;&<>]|${joined}){1,500})`;

/** Arguments in between, on the same simple command. */
export const args = String.raw`[^\n|;&]{0,300}?\s`;

const quoteMarks = /^\\*["']|\\*["']$/g;

export const isUnnamedSecret = (secret: string): boolean => isSecretValue(secret.replace(quoteMarks, ""), "strong");
/** No word, path or id of a sentence or list. */
export const isDrawnWord = (secret: string): boolean => isUnnamedSecret(secret) && isDrawn(secret);
export const isRandom = (secret: string): boolean => looksRandom(secret);

/** A value whose name says that it is a secret. */
export function isNamedSecret(secret: string, name: string): boolean {
  const kind = nameKind(name);
  return kind !== undefined && isSecretValue(secret.replace(quoteMarks, ""), kind);
}

const piece = /\\s|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<?[=!])?|\)/g;

/** The pattern with blanks that are no line's end, but for what it only looks at before and behind the match. */
function onOneLine(source: string): string {
  const groups: boolean[] = [];
  return source.replace(piece, (part) => {
    if (part.startsWith("(")) groups.push(part !== "(" || groups.at(-1) === true);
    else if (part === ")") groups.pop();
    return part === "\\s" && groups.at(-1) !== true ? "[^\\S\\r\\n]" : part;
  });
}

/** A layer that tries each of the rules. */
export function createFindByRules(rules: readonly Rule[]): Find {
  const ready = rules.map((rule) => ({
    ...rule,
    pattern: new RegExp(
      rule.isOverLines ? rule.pattern.source : onOneLine(rule.pattern.source),
      `${rule.pattern.flags.replace("g", "")}${rule.at ? "y" : "g"}`,
    ),
  }));
  const anywhere = ready.filter(({ at }) => !at);
  const onLines = ready.filter(({ at }) => at === "^");
  const onWords = ready.flatMap((rule) => (Array.isArray(rule.at) ? [{ ...rule, at: rule.at }] : []));
  const words = [...new Set(onWords.flatMap(({ at }) => at))];
  // A longer word also stands for the shorter ones it begins with.
  const rulesAt = new Map(
    words.map((one) => [one, onWords.filter(({ at }) => at.some((other) => one.startsWith(other)))]),
  );
  const linePatterns = onLines.map(({ pattern }) => pattern);
  const scan = createScanner(words, { anyCase: true });
  return (text, watch) => {
    const spans: Span[] = [];
    const take = ({ when, each, isOverLines }: Rule, match: RegExpExecArray): void => {
      if (!isOverLines && match[0].includes("\n")) return;
      const name = match.length > 3 ? (match[2] ?? "") : "";
      if (each) spans.push(...secretsOfEach(match, each, name, when));
      else if (!when || when(match.at(-1) ?? "", name)) spans.push(secretOf(match));
    };
    for (const rule of anywhere) {
      if (rule.needs && !rule.needs.some((one) => text.includes(one))) continue;
      for (const match of text.matchAll(rule.pattern)) take(rule, match);
    }
    matchLines(text, linePatterns, (match, index) => {
      const rule = onLines[index];
      if (rule) take(rule, match);
    });
    const doneTo = new Map<Rule, number>();
    scan(text, (index, found) => {
      watch?.();
      for (const rule of rulesAt.get(found) ?? []) {
        if (index < (doneTo.get(rule) ?? 0)) continue;
        rule.pattern.lastIndex = index;
        const match = rule.pattern.exec(text);
        if (!match) continue;
        doneTo.set(rule, index + match[0].length);
        take(rule, match);
      }
      return "enough";
    });
    return spans;
  };
}

/** What `each` finds in the last group; where it has no name of its own, the name of all of them. */
function secretsOfEach(match: RegExpExecArray, each: RegExp, name: string, when: Rule["when"]): Span[] {
  const all = match.at(-1) ?? "";
  const from = match.index + match[0].length - all.length;
  return [...all.matchAll(new RegExp(each.source, `${each.flags}g`))].flatMap((one) => {
    const secret = one.at(-1) ?? "";
    if (secret === "" || (when && !when(secret, one.length > 2 ? (one[1] ?? "") : name))) return [];
    return [withoutQuotes(secret, from + one.index + one[0].length - secret.length)];
  });
}

/** The last group without its quotes. */
function secretOf(match: RegExpExecArray): Span {
  return withoutQuotes(match.at(-1) ?? "", match.index + (match[1]?.length ?? 0));
}

function withoutQuotes(secret: string, start: number): Span {
  const open = /^\\*["']/.exec(secret)?.[0] ?? "";
  const closed = open !== "" && secret.length > open.length && secret.endsWith(open) ? open.length : 0;
  return { start: start + open.length, end: start + secret.length - closed };
}
