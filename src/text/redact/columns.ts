import { type NameKind, nameKind } from "./names.ts";
import { looksLikeKey } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isCount, isSecretValue } from "./values.ts";

/** Cheap sign of a heading that may name a secret. */
const hint = /pass|pwd|secret|token|credential|api_?key|private_?key/gi;

/** A heading is short, and so are its names; it is no sentence. */
const longestHeading = 600;
const headingCell = /^["'`]?[A-Za-z_][\w .()-]{0,40}(?<!\.)["'`]?$/;

/** How the cells of a table are parted; tried in this order. */
const separators = ["\t", "|", ";", ","] as const;

/** Rows further down than this are looked at under no heading. */
const mostRows = 100_000;

/** Columns of tables (CSV, TSV, psql, Markdown) whose heading names a secret, and the values of an SQL INSERT. */
export const findColumns: Find = (text, watch) => {
  const spans: Span[] = [];
  let doneTo = 0;
  for (const { index } of text.matchAll(hint)) {
    watch?.();
    if (index < doneTo) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = lineEnd(text, index);
    doneTo = end;
    if (end - start <= longestHeading) doneTo = readTable(text, start, end, spans) ?? end;
  }
  for (const insert of text.matchAll(insertion)) spans.push(...secretsOfInsert(insert));
  return spans;
};

type Column = { readonly name: string; readonly kind: NameKind };

/** The end of the table whose heading is this line; nothing if it is none. */
function readTable(text: string, start: number, end: number, spans: Span[]): number | undefined {
  const heading = text.slice(start, end);
  const separator = separators.find((one) => heading.includes(one));
  if (!separator) return undefined;
  const cells = heading.split(separator);
  const named = cells.filter((cell) => cell.trim() !== "");
  if (named.length < 2 || !named.every((cell) => headingCell.test(cell.trim()))) return undefined;
  // psql's expanded rows: a name and its value.
  if (named.some((cell) => looksLikeKey(cell.trim()))) return undefined;
  const columns = cells.map((cell) => columnOf(cell));
  if (!columns.some((column) => column)) return undefined;
  let at = end + 1;
  for (let row = 0; row < mostRows && at < text.length; row++) {
    const rowEnd = lineEnd(text, at);
    const line = text.slice(at, rowEnd);
    const isRule = /^[\s|+:=-]+$/.test(line);
    const parts = isRule ? [] : cellsOf(line, separator);
    if (!isRule && parts.length !== cells.length) break;
    for (const [index, part] of parts.entries()) {
      const column = columns[index];
      if (column) pushSecret(spans, at + part.start, line.slice(part.start, part.end), column);
    }
    at = rowEnd + 1;
  }
  const tableEnd = Math.min(at, text.length);
  if (tableEnd > end + 1) spans.push({ start, end: tableEnd, isExtent: true });
  return tableEnd;
}

function columnOf(cell: string): Column | undefined {
  const name = cell.trim().replace(/["'`]/g, "");
  const kind = nameKind(name);
  return kind && { name, kind };
}

/** Cells by the separator, except inside double quotes. */
function cellsOf(line: string, separator: string): Span[] {
  const cells: Span[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== separator)) continue;
    cells.push({ start, end: at });
    start = at + 1;
  }
  return cells;
}

function pushSecret(spans: Span[], at: number, cell: string, { name, kind }: Column): void {
  const value = cell.trim().replace(/^["']|["']$/g, "");
  if (value === "" || !isSecretValue(value, kind) || isCount(name, value)) return;
  const start = at + cell.indexOf(value);
  spans.push({ start, end: start + value.length });
}

const insertion =
  /\b(?:insert|replace)\s{1,4}(?:ignore\s)?into\s{1,4}[^\s(]{1,100}\s{0,4}\(([^()]{1,2000})\)\s{0,4}values\s{0,4}\(((?:'(?:[^'\\]|\\.|''){0,4000}'|[^()']|\([^()]{0,200}\)){1,4000})\)/gi;

function secretsOfInsert(match: RegExpExecArray): Span[] {
  const [whole, names = "", values = ""] = match;
  const columns = names.split(",").map((name) => columnOf(name));
  const from = match.index + whole.length - 1 - values.length;
  const spans: Span[] = [];
  const literals = [...values.matchAll(/\s*('(?:[^'\\]|\\.|'')*'|[^,'(]*(?:\([^)]*\))?)\s*(?:,|$)/g)];
  for (const [index, literal] of literals.entries()) {
    const column = columns[index];
    if (column) pushSecret(spans, from + literal.index, literal[0].replace(/,\s*$/, ""), column);
  }
  return spans;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
