import type { Span } from "./span.ts";
import { columnOf, secretIn } from "./tables/words.ts";

const table = String.raw`[^\s(]{1,100}\s{0,4}\(([^()]{1,2000})\)\s{0,4}`;
const row = String.raw`\(((?:'(?:[^'\\]|\\.|''){0,4000}'|[^()']|\([^()]{0,200}\)){1,4000})\)`;

const insertion = new RegExp(
  String.raw`\b(?:insert|replace)\s{1,4}(?:ignore\s)?into\s{1,4}${table}values\s{0,4}(?=\()`,
  "gi",
);
const nextRow = new RegExp(String.raw`[\s,]{0,40}${row}`, "y");
const literal = /\s*('(?:[^'\\]|\\.|'')*'|[^,'(]*(?:\([^)]*\))?)\s*(?:,|$)/g;

const copy = new RegExp(String.raw`^copy\s{1,4}${table}from\s{1,4}stdin[^\n]{0,100}\n`, "gim");
const copiedRow = /(?!\\\.)([^\n]{1,4000})(?:\n|$)/y;
const field = /([^\t]*)(?:\t|$)/g;

/** The values whose columns are named after secrets: of an SQL INSERT, and of a COPY with its rows below. */
export const insertedSecrets = (text: string): readonly Span[] => [
  ...rowsBelow(text, insertion, nextRow, literal),
  ...rowsBelow(text, copy, copiedRow, field),
];

function rowsBelow(text: string, head: RegExp, next: RegExp, cell: RegExp): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(head)) {
    const columns = (match[1] ?? "").split(",").map((name) => columnOf(name));
    if (!columns.some(Boolean)) continue;
    const begin = match.index;
    next.lastIndex = begin + match[0].length;
    for (let found = next.exec(text); found; found = next.exec(text)) {
      const [whole, values = ""] = found;
      const from = found.index + whole.indexOf(values);
      for (const [index, one] of [...values.matchAll(cell)].entries()) {
        const column = columns[index];
        const value = (one[1] ?? "").trim().replace(/^["']|["']$/g, "");
        if (!column || !secretIn(value, column)) continue;
        const start = from + one.index + one[0].indexOf(value);
        spans.push({ start, end: start + value.length });
      }
      // What is copied ends at its own mark, which may be far.
      spans.push({ start: begin, end: found.index + whole.length, isExtent: true });
    }
  }
  return spans;
}
