import { type Cell, type CellParting, cellsIn, longestRow } from "./cells.ts";

/** A line of the text and where it stands there. */
export type Line = { readonly start: number; readonly end: number; readonly text: string };

/** The row above all others of a table; without cells where they have none. */
export type Heading = { readonly at: number; readonly cells: readonly Cell[]; readonly begins: readonly number[] };

/** The cells of a row below the heading's, one for each; nothing where the row is none of this table. */
export function cellsUnder(row: string, heading: Heading, parting: CellParting): readonly Cell[] | undefined {
  if (row.trim() === "" || row.length > longestRow || /^\(\d+ rows?\)/.test(row)) return undefined;
  const { begins, cells: heads } = heading;
  const cells = parting.cells(row);
  // A line of a single word stands below a table, not in it.
  if (heads.length > 1 && cells.length < 2 && begins.length > 0 && !/\s\S/.test(row.trim())) return undefined;
  if (begins.length > 0 && begins.every((at) => at === 0 || /^\s?$/.test(row.charAt(at - 1))))
    return cellsIn(row, begins);
  if (parting.what === "blanks" && begins.length === 0 && !isBelow(cells, heads)) return undefined;
  if (cells.length === heads.length) return cells;
  if (parting.what !== "blanks") return undefined;
  if (cells.length === 0) return undefined;
  // A cell without content is not seen among blanks: those that stand below each heading.
  return heads.map(
    (head) => cells.find(({ start, end }) => start < head.end && end > head.start) ?? { start: 0, end: 0, text: "" },
  );
}

/** A row among blanks keeps the heading's columns, at least one of those behind the first. */
const isBelow = (cells: readonly Cell[], heads: readonly Cell[]): boolean =>
  heads.length === 1 ||
  (cells.length === heads.length && heads.length > 2) ||
  (cells.length > 1 &&
    cells.length <= heads.length &&
    cells
      .slice(1)
      .some(({ start, end }) => heads.some((head) => head.start > 0 && (head.start === start || head.end === end))));

export function lineAt(text: string, at: number): Line {
  const start = at > text.length ? text.length : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", Math.max(start, at));
  const end = newline === -1 ? text.length : newline;
  return { start, end, text: text.slice(start, end) };
}
