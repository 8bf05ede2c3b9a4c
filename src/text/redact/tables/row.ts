import type { Span } from "../span.ts";
import { type Cell, type CellParting, isTableRecord } from "./cells.ts";
import { cellsUnder, type Heading, type Line, lineAt } from "./lines.ts";
import {
  columnOf,
  isDrawnCell,
  isHarmlessHeading,
  isNameHeading,
  isTypeWord,
  isValueHeading,
  isWordOf,
  secretIn,
} from "./words.ts";

type Row = {
  readonly text: string;
  readonly line: Line;
  readonly parting: CellParting;
  readonly heading: Heading | undefined;
  /** A record from top to bottom: all of its rows are a name and a value. */
  readonly isRecord: boolean;
};

/** Rows over which one cell goes on, or a record keeps the value of its name. */
const mostNext = 40;

const empty: Cell = { start: 0, end: 0, text: "" };

/** Takes the value behind each cell that names a secret; tells whether there was one. */
export function readRow(row: Row, spans: Span[]): boolean {
  const { line, parting, heading } = row;
  if (parting.what === "colons" && !row.isRecord) return false;
  const under = heading && cellsUnder(line.text, heading, parting);
  const cells = under ?? parting.cells(line.text);
  const headings = under && heading ? heading.cells.map((cell) => cell.text) : [];
  const isFramed = parting.what === "bars" && /^\s*[|│┃║]|^ \S/.test(line.text);
  let isFound = false;
  for (const [index, cell] of cells.entries()) {
    const column = columnOf(cell.text);
    if (!column || isHarmlessHeading(headings[index] ?? "")) continue;
    if (/\s/.test(cell.text) && !under && !isFramed) continue;
    if (row.isRecord && index > 0 && isNameHeading(cells[0]?.text ?? ""))
      isFound = readRecord(row, column, spans) || isFound;
    const at = valueBehind(cells, index, headings);
    const value = cells[at] ?? empty;
    const others = cells.filter((_, other) => other !== index && other !== at).map(({ text }) => text);
    const isSetting =
      !under &&
      (parting.what !== "blanks" || (others.length === 0 && /^[A-Z\d_]+$/.test(cell.text))) &&
      isWordOf(value.text, column.name, others);
    const isAny =
      isSetting || isValueHeading(headings[at] ?? "") || row.isRecord || (isFramed && cells.length === 2 && !under);
    if (
      !secretIn(value.text, column) ||
      !(isAny || isDrawnCell(value.text, column.name) || isQuotedDrawn(line.text, value))
    )
      continue;
    if (parting.what === "blanks" && (/^(?:[=:|`[({]|->)/.test(value.text) || (!under && /\s/.test(value.text))))
      continue;
    if (!under && !mayBeRow(row, cells, at)) continue;
    spans.push({ start: line.start + value.start, end: line.start + value.end });
    if (parting.what === "bars") takeContinued(row, cells.length, at, spans);
    isFound = true;
  }
  return isFound;
}

/** The cell under a heading of values; else the next that is not empty, and neither tells its kind nor stands under a heading of something else. */
function valueBehind(cells: readonly Cell[], name: number, headings: readonly string[]): number {
  const isNamed = isNameHeading(headings[name] ?? "");
  const behind = headings.map((heading, at) => (isNamed && at > name ? heading.trim() : ""));
  const plain = behind.findIndex((heading) => /^values?$/i.test(heading));
  const valued = plain === -1 ? behind.findIndex(isValueHeading) : plain;
  if (valued !== -1) return valued;
  for (let at = name + 1; at < cells.length; at++) {
    const said = cells[at]?.text ?? "";
    if (!/^[-–—.]*$/.test(said) && !isTypeWord(said) && !isHarmlessHeading(headings[at] ?? "")) return at;
  }
  return cells.length;
}

/** CSV puts into quotes what holds blanks. */
const isQuotedDrawn = (line: string, { start, text }: Cell): boolean =>
  line[start - 1] === '"' && isDrawnCell(text.replace(/\s/g, "-"), "");

/** Commas and semicolons part more than cells: code, lists in a sentence. */
function mayBeRow({ text, line, parting }: Row, cells: readonly Cell[], value: number): boolean {
  if (parting.what !== "commas" && parting.what !== "semicolons") return true;
  if (cells.some(({ text: said }, at) => at !== value && /[(){}[\]=]|: |^\S+(?: \S+){5,}/.test(said))) return false;
  if (!/[,;]\s/.test(line.text.replace(/"[^"]*"/g, "")) || cells.every(({ start }) => line.text[start - 1] === '"'))
    return true;
  return [line.start - 1, line.end + 1].some(
    (at) => at > 0 && at < text.length && parting.cells(lineAt(text, at).text).length === cells.length,
  );
}

/** A cell that goes on in the next rows, which have no other. */
function takeContinued({ text, line, parting }: Row, count: number, at: number, spans: Span[]): void {
  let end = line.end;
  for (let row = 0; row < mostNext && end < text.length; row++) {
    const next = lineAt(text, end + 1);
    const cells = parting.sign.test(next.text) ? parting.cells(next.text) : [];
    const more = cells[at];
    if (cells.length !== count || !more?.text || cells.some(({ text: said }, other) => other !== at && said !== ""))
      return;
    spans.push({ start: next.start + more.start, end: next.start + more.end });
    end = next.end;
  }
}

/** `name | smtp_password`, and below it in the same record `value | …`. */
function readRecord({ text, line, parting }: Row, column: Parameters<typeof secretIn>[1], spans: Span[]): boolean {
  let end = line.end;
  for (let row = 0; row < mostNext && end < text.length; row++) {
    const next = lineAt(text, end + 1);
    if (isTableRecord(next.text) || !parting.sign.test(next.text)) return false;
    const [name = empty, value = empty] = parting.cells(next.text);
    if (isValueHeading(name.text) && secretIn(value.text, column)) {
      spans.push({ start: next.start + value.start, end: next.start + value.end });
      return true;
    }
    end = next.end;
  }
  return false;
}
