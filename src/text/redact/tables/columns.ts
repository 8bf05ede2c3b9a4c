import { insertedSecrets } from "../insertion.ts";
import { foreignNames } from "../languages.ts";
import { createScanner } from "../scanner.ts";
import type { Find, Span, Watch } from "../span.ts";
import {
  beginsOf,
  type Cell,
  type CellParting,
  cellsIn,
  isRule,
  isTableRecord,
  longestRow,
  partings,
} from "./cells.ts";
import { cellsUnder, type Heading, type Line, lineAt } from "./lines.ts";
import { readRow } from "./row.ts";
import { columnOf, columnsOf, isHeading, isPlainHeading, secretIn } from "./words.ts";

/** Cheap sign of a cell that may name a secret. */
const scan = createScanner(
  [..."pass pwd secret token credential key pw psk pin code puk".split(" "), ...foreignNames],
  {
    anyCase: true,
  },
);

/** Rows further down than this are looked at under no heading, and headings further up than this are not. */
const mostBelow = 100_000;
const mostAbove = 1000;

/** A table as far as it was read: where it begins, and up to where it is known. */
type KnownTable = {
  readonly parting: CellParting;
  readonly heading: Heading | undefined;
  readonly isRecord: boolean;
  readonly from: number;
  to: number;
};

/**
 * Secrets in tables of all kinds (psql, mysql, CSV, TSV, Markdown, kubectl, boxes): below a heading that names one, and in a
 * row behind a cell that names one; the values of an SQL INSERT. No value stands on another line than its name, but for those
 * below a heading, those of a record, and a cell that goes on in the next row.
 */
export const findColumns: Find = (text, watch) => {
  const spans: Span[] = [];
  let known: KnownTable | undefined;
  let doneTo = -1;
  scan(text, (index) => {
    if (index < doneTo) return;
    const line = lineAt(text, index);
    doneTo = line.end;
    if (line.text.length > longestRow) return;
    watch?.();
    for (const parting of partingsOf(text, line)) {
      const cells = parting.cells(line.text);
      if (cells.length < 2 && !isRule(lineAt(text, line.end + 1).text)) continue;
      if (!columnsOf(cells.map((cell) => cell.text)).some(Boolean)) continue;
      known = tableOf(text, line, parting, known);
      if (known.heading?.at === line.start) {
        doneTo = readBelow(text, line, known.heading, parting, spans, watch);
        known.to = doneTo;
      } else readRow({ text, line, parting, heading: known.heading, isRecord: known.isRecord }, spans);
      break;
    }
  });
  spans.push(...insertedSecrets(text));
  return spans;
};

function* partingsOf(text: string, line: Line): Generator<CellParting> {
  const isRuled = beginsOf(lineAt(text, line.end + 1).text).length > 0;
  for (const parting of partings) {
    if (parting.sign.test(line.text) || (parting.what === "blanks" && (isRuled || isLoneHeading(text, line))))
      yield parting;
  }
}

/** psql's only column: its heading, a rule, the rows and how many they are. */
const isLoneHeading = (text: string, { start, end }: Line): boolean => {
  const below = /\n-{3,}\r?\n(?: [^\n]{0,1000}\n){1,1000}\(\d+ rows?\)/y;
  below.lastIndex = end - (text[end - 1] === "\r" ? 1 : 0);
  return /^ {1,40}\S+ *\r?$/.test(text.slice(start, end)) && below.test(text);
};

/** The table a line stands in. Lines that were looked at before are not looked at again. */
function tableOf(text: string, line: Line, parting: CellParting, known: KnownTable | undefined): KnownTable {
  let first = line;
  for (let above = 0, at = line.start; at > 0 && above < mostAbove; above++) {
    const next = lineAt(text, at - 1);
    if (known?.parting === parting && next.end <= known.to && next.start >= known.from) {
      known.to = line.end;
      return known;
    }
    if (isTableRecord(next.text)) return { parting, heading: undefined, isRecord: true, from: at, to: line.end };
    if (!isRule(next.text) && !isRow(next.text, parting)) break;
    if (!isRule(next.text)) first = next;
    at = next.start;
  }
  return { parting, heading: headingOn(text, first, parting), isRecord: false, from: first.start, to: line.end };
}

const isRow = (line: string, parting: CellParting): boolean => line.length <= longestRow && parting.sign.test(line);

/** The line as a heading, if it is one: ruled, in capitals, or unlike the rows below. */
function headingOn(text: string, line: Line, parting: CellParting): Heading | undefined {
  if (parting.what === "colons") return undefined;
  const below = lineAt(text, line.end + 1);
  const begins = parting.what === "blanks" ? beginsOf(below.text) : [];
  const cells = begins.length > 0 ? cellsIn(line.text, begins) : parting.cells(line.text);
  if (!isHeading(cells.map((cell) => cell.text))) return undefined;
  const heading = { at: line.start, cells, begins };
  if (isRule(below.text)) return heading;
  if (cells.length < 2 || line.end >= text.length || !isPlainHeading(cells.map((cell) => cell.text))) return undefined;
  if (parting.what === "blanks" && /\p{Ll}/u.test(line.text) && !isAligned(below.text, cells, parting))
    return undefined;
  const next = parting.cells(below.text);
  if (parting.what !== "blanks" && next.length !== cells.length) return undefined;
  // A list of names and values: below a name there are names.
  const isName = (said: string): boolean =>
    columnOf(said)?.kind === "strong" || /^(?:[A-Z]+(?:_[A-Z\d]+)+|[a-z]+(?:_[a-z\d]+)+)$/.test(said);
  const isOfNames = cells.some(
    ({ text: said }, index) => columnOf(said)?.kind === "strong" && isName(next[index]?.text ?? ""),
  );
  return isOfNames ? undefined : heading;
}

/** Each cell of the row begins or ends where one of the heading does. */
const isAligned = (row: string, heading: readonly Cell[], parting: CellParting): boolean => {
  const cells = parting.cells(row);
  return (
    cells.length > 1 && cells.every(({ start, end }) => heading.some((one) => one.start === start || one.end === end))
  );
};

/** The secrets below a heading; tells how far it was read. */
function readBelow(
  text: string,
  line: Line,
  heading: Heading,
  parting: CellParting,
  spans: Span[],
  watch?: Watch,
): number {
  const columns = columnsOf(heading.cells.map((cell) => cell.text));
  let end = line.end;
  for (let row = 0; row < mostBelow && end < text.length; row++) {
    const next = lineAt(text, end + 1);
    if (!isRule(next.text)) {
      const cells = cellsUnder(next.text, heading, parting);
      if (!cells) break;
      for (const [index, column] of columns.entries()) {
        const cell = cells[index];
        if (column && cell && secretIn(cell.text, column))
          spans.push({ start: next.start + cell.start, end: next.start + cell.end });
      }
      if (cells.some((cell) => columnOf(cell.text)))
        readRow({ text, line: next, parting, heading, isRecord: false }, spans);
      watch?.();
    }
    end = next.end;
  }
  if (end > line.end) spans.push({ start: line.start, end, isExtent: true });
  return end;
}
