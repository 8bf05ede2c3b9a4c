/** A cell of a table's row without blanks, quotes and marks round it: offsets into its line, end exclusive. */
export type Cell = { readonly start: number; readonly end: number; readonly text: string };

/** Longer lines are no rows that a person reads. */
export const longestRow = 4000;

/** How the cells of a table's rows are parted. */
export type CellParting = {
  readonly what: "bars" | "tabs" | "semicolons" | "commas" | "blanks" | "colons";
  /** Cheap: a row of such a table matches, and so do many other lines. */
  readonly sign: RegExp;
  readonly cells: (line: string) => readonly Cell[];
};

const bar = /[|│┃║]/;
const inFrame = /^┌─+[^─┬┐]/;

/** `+----+`, `|---|:--|`, `├───┼`, `===  ===`: no row, but the rule between rows. */
const rule = /^[\s+|:=\-_─━═│┃║┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝┏┳┓┣╋┫┗┻┛╞╪╡╤╧╟╫╢╭╮╰╯┠┨┯┷╇┡┩└]+$/;

export const isRule = (line: string): boolean => rule.test(line) && /[-=_─━═]{2}/.test(line);

/** What stands above each record that is printed from top to bottom, a name and its value in a line. */
export const isTableRecord = (line: string): boolean => /^(?:[-─*]\[ RECORD \d|\*{9,} \d+\. row \*{9,})/.test(line);

/** Markdown's code and bold, CSV's and JSON's quotes. */
const marks = /^(?:\*\*|__|["'`])|(?:\*\*|__|["'`])$/g;

/** By its number for ASCII: a pattern for each character of each cell is most of the time of a long table. */
function isBlank(line: string, at: number): boolean {
  const unit = line.charCodeAt(at);
  return unit < 0x80 ? unit === 32 || (unit > 8 && unit < 14) : /\s/.test(line.charAt(at));
}

/** The cell between two offsets. psql marks a cell that goes on in the next row with a plus or full stop at its edge. */
function cellOf(line: string, from: number, to: number): Cell {
  let [start, end] = [Math.min(from, line.length), Math.min(to, line.length)];
  while (start < end && isBlank(line, start)) start++;
  const isMarked = /[+↵]/.test(line.charAt(end - 1)) && /^.+ +[+↵]$/.test(line.slice(from, to));
  if (isMarked) end--;
  while (end > start && isBlank(line, end - 1)) end--;
  const inner = line.slice(start, end);
  const open = /^(\*\*|__|["'`])/.exec(inner)?.[0] ?? "";
  if (open !== "" && inner.length > 2 * open.length && inner.endsWith(open)) {
    start += open.length;
    end -= open.length;
  }
  return { start, end, text: line.slice(start, end).replace(marks, "") === "" ? "" : line.slice(start, end) };
}

/** Cells at a sign, except inside of double quotes that open and close a cell. */
function cellsAt(line: string, isSign: (unit: string, at: number) => boolean, isQuoting: boolean): Cell[] {
  const cells: Cell[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    const unit = line[at] ?? "";
    if (isQuoting && unit === '"' && (isQuoted || line.slice(start, at).trim() === "")) isQuoted = !isQuoted;
    else if (isQuoting && unit === '"' && line[at - 1] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || !isSign(unit, at) || (unit === "|" && line[at - 1] === "\\"))) continue;
    cells.push(cellOf(line, start, at));
    start = at + 1;
  }
  return cells;
}

const atSign =
  (sign: string) =>
  (line: string): Cell[] =>
    cellsAt(line, (unit) => unit === sign, sign !== "\t");

/** Between bars at both ends of a row no cell is empty: what stands outside of them is none. Beside bars among blanks others are a cell's own. */
function barred(line: string): readonly Cell[] {
  // ClickHouse writes its headings into the frame: `┌─name─┬─auth_type─┐`.
  if (inFrame.test(line))
    return cellsAt(line, (unit) => /[┌┬┐]/.test(unit), false)
      .slice(1, -1)
      .map(({ start, end, text }) => {
        const said = text.replace(/^─+|─+$/g, "");
        const at = start + text.indexOf(said);
        return { start: at, end: at + said.length || end, text: said };
      });
  const isSpaced = /(?:^|\s)[|│┃║]\s/.test(line);
  const parts = (unit: string, at: number): boolean =>
    bar.test(unit) && !(isSpaced && /\S/.test(line.charAt(at - 1) + line.charAt(at + 1)));
  const cells = cellsAt(line, parts, false);
  const isFramed = /^\s*[|│┃║].*[|│┃║]\s*$/.test(line);
  return isFramed ? cells.slice(1, -1) : cells;
}

/** mysql's vertical records. */
function atColon(line: string): readonly Cell[] {
  const sign = line.indexOf(": ");
  return sign === -1 ? [] : [cellOf(line, 0, sign), cellOf(line, sign + 1, line.length)];
}

const stretch = /\S+(?:[ \u00a0]\S+)*/g;

/** In this order: what stands in bars may hold commas and blanks. */
export const partings: readonly CellParting[] = [
  { what: "bars", sign: /[|│┃║]|^┌─/, cells: barred },
  { what: "tabs", sign: /\t/, cells: atSign("\t") },
  { what: "semicolons", sign: /;/, cells: atSign(";") },
  { what: "commas", sign: /,/, cells: atSign(",") },
  {
    what: "blanks",
    sign: /\S[ \u00a0]{2,}\S/,
    cells: (line) =>
      [...line.matchAll(stretch)].map((found) => cellOf(line, found.index, found.index + found[0].length)),
  },
  { what: "colons", sign: /^ *\w+: /, cells: atColon },
];

/** The cells that stand in the columns whose begins these are, as a rule or a heading tells them. */
export const cellsIn = (line: string, begins: readonly number[]): readonly Cell[] =>
  begins.map((begin, column) => cellOf(line, column === 0 ? 0 : begin, begins[column + 1] ?? line.length));

/** Where the columns begin that a rule of blanks and dashes draws: `----  -----`. Empty for others. */
export const beginsOf = (ruled: string): readonly number[] =>
  /^\s*[-=─]{2,}(?:\s+[-=─]+)+\s*$/.test(ruled) ? [...ruled.matchAll(/[-=─]+/g)].map(({ index }) => index) : [];

/** A heading over ids and digests, above the begin of what stands at a place. */
const idHeading = /^[ \t](?:u?u?id|guid|digest|hash|checksum|e-?tag|commit|sha-?\d{0,3}|fingerprint)(?:\s|$)/i;
const mostRows = 50;

/** Whether such a heading stands in one of the lines above, in any kind of table. */
export function isUnderId(text: string, at: number): boolean {
  let start = text.lastIndexOf("\n", at - 1) + 1;
  const column = at - start;
  if (column === 0 || column > 200) return false;
  for (let row = 0; row < mostRows && start > 0; row++) {
    const end = start - 1;
    start = text.lastIndexOf("\n", end - 1) + 1;
    if (idHeading.test(text.slice(start + column - 1, Math.min(end, start + column + 16))))
      return !/\d/.test(text.slice(start, Math.min(end, start + 400)));
  }
  return false;
}
