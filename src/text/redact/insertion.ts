import type { Span } from "./span.ts";
import { columnOf, secretIn } from "./tables/words.ts";

const insertion =
  /\b(?:insert|replace)\s{1,4}(?:ignore\s)?into\s{1,4}[^\s(]{1,100}\s{0,4}\(([^()]{1,2000})\)\s{0,4}values\s{0,4}\(((?:'(?:[^'\\]|\\.|''){0,4000}'|[^()']|\([^()]{0,200}\)){1,4000})\)/gi;

/** The values of an SQL INSERT whose columns are named after secrets. */
export const insertedSecrets = (text: string): readonly Span[] => [...text.matchAll(insertion)].flatMap(secretsOf);

function secretsOf(match: RegExpExecArray): Span[] {
  const [whole, names = "", values = ""] = match;
  const columns = names.split(",").map((name) => columnOf(name));
  const from = match.index + whole.length - 1 - values.length;
  const spans: Span[] = [];
  const literals = [...values.matchAll(/\s*('(?:[^'\\]|\\.|'')*'|[^,'(]*(?:\([^)]*\))?)\s*(?:,|$)/g)];
  for (const [index, literal] of literals.entries()) {
    const column = columns[index];
    const cell = literal[0].replace(/,\s*$/, "");
    const value = cell.trim().replace(/^["']|["']$/g, "");
    if (!column || !secretIn(value, column)) continue;
    const start = from + literal.index + cell.indexOf(value);
    spans.push({ start, end: start + value.length });
  }
  return spans;
}
