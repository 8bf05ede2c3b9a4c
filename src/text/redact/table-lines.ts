import { type Cell, cellsIn, longestRow, type Parting } from "./cells.ts";

/** A line of the text and where it stands there. */
export type Line = { readonly start: number; readonly end: number; readonly text: string };

/** The row above all others of a table; without cells where they have none. */
export type Heading = { readonly at: number; readonly cells: readonly Cell[]; readonly begins: readonly number[] };

/** The cells of a row below the heading's, one for each; nothing where the row is none of this table. */
export function cellsUnder(row: string, heading: Heading, parting: Parting): readonly Cell[] | undefined {
  if (row.trim() === "" || row.length > longestRow || /^\(\d+ rows?\)/.test(row)) return undefined;
  const { begins, cells: heads } = heading;
  if (begins.length > 0 && begins.every((at) => at === 0 || /^\s?$/.test(row.charAt(at - 1)))) return cellsIn(row, begins);
  const cells = parting.cells(row);
  if (cells.length === heads.length) return cells;
  if (parting.what !== "blanks") return cells.length > heads.length && parting.what === "bars" ? cells.slice(0, heads.length) : undefined;
  if (cells.length === 0) return undefined;
  // A cell without content is not seen among blanks: those that stand below each heading.
  return heads.map((head) => cells.find(({ start, end }) => start < head.end && end > head.start) ?? { start: 0, end: 0, text: "" });
}

export function lineAt(text: string, at: number): Line {
  const start = at > text.length ? text.length : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", Math.max(start, at));
  const end = newline === -1 ? text.length : newline;
  return { start, end, text: text.slice(start, end) };
}
