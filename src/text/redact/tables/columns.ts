import { foreignNames } from "../languages.ts";
import { type NameKind, nameKind } from "../names.ts";
import { isDrawn, looksLikeKey } from "../randomness.ts";
import { createScanner } from "../scanner.ts";
import type { Find, Span, Watch } from "../span.ts";
import { isCount, isIdentifier, isPlainWord, isSecretValue, withoutBrackets } from "../values.ts";
import {
  beginsOf,
  type Cell,
  type CellParting,
  cellsIn,
  isRule,
  isTableRecord,
  isUnderId,
  longestRow,
  partings,
} from "./cells.ts";

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

/** A line of the text and where it stands there. */
type Line = { readonly start: number; readonly end: number; readonly text: string };

/** The row above all others of a table; without cells where they have none. */
type Heading = { readonly at: number; readonly cells: readonly Cell[]; readonly begins: readonly number[] };

/** The cells of a row below the heading's, one for each; nothing where the row is none of this table. */
function cellsUnder(row: string, heading: Heading, parting: CellParting): readonly Cell[] | undefined {
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

/** A row among blanks keeps the heading's columns, at least one of those behind the first. */
const isBelow = (cells: readonly Cell[], heads: readonly Cell[]): boolean =>
  heads.length === 1 ||
  (cells.length === heads.length && heads.length > 2) ||
  (cells.length > 1 &&
    cells.length <= heads.length &&
    cells
      .slice(1)
      .some(({ start, end }) => heads.some((head) => head.start > 0 && (head.start === start || head.end === end))));

function lineAt(text: string, at: number): Line {
  const start = at > text.length ? text.length : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", Math.max(start, at));
  const end = newline === -1 ? text.length : newline;
  return { start, end, text: text.slice(start, end) };
}

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
  spans.push(...rowsBelow(text, insertion, nextRow, literal), ...rowsBelow(text, copy, copiedRow, field));
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
  const heading = headingOn(text, first, parting);
  // Another table begins right below, with columns of its own.
  const isOther = parting.what === "blanks" && heading?.cells.length !== parting.cells(line.text).length;
  const own = isOther ? headingOn(text, line, parting) : undefined;
  const from = own ? line.start : first.start;
  return { parting, heading: own ?? heading, isRecord: false, from, to: line.end };
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
  const next = parting.cells(below.text);
  // A long cell moves the next ones from below their headings.
  const isMoved =
    next.length === cells.length &&
    cells.length > 2 &&
    cells.some(({ text: said }, at) => columnOf(said)?.kind === "strong" && isDrawnCell(next[at]?.text ?? "", ""));
  if (parting.what === "blanks" && /\p{Ll}/u.test(line.text) && !isMoved && !isAligned(below.text, cells, parting))
    return undefined;
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
function readRow(row: Row, spans: Span[]): boolean {
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
      !(
        isAny ||
        (isDrawnCell(value.text, column.name) && !((under || cells.length > 3) && isKindWord(value.text))) ||
        isQuotedDrawn(line.text, value)
      )
    )
      continue;
    if (parting.what === "blanks" && (/^(?:[=:|`[({]|->)/.test(value.text) || (!under && /\s/.test(value.text))))
      continue;
    if (!under && (!mayBeRow(row, cells, at) || isUnderId(row.text, line.start + value.start))) continue;
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
    if (!/^[-–—.]*$/.test(said) && !typeWord.test(said) && !isHarmlessHeading(headings[at] ?? "")) return at;
  }
  return cells.length;
}

/** CSV puts into quotes what holds blanks. */
const isQuotedDrawn = (line: string, { start, text }: Cell): boolean =>
  line[start - 1] === '"' && isDrawnCell(text.replace(/\s/g, "-"), "");

/** Such signs part more than cells: code, lists in a sentence, a pattern's choices. */
function mayBeRow({ text, line, parting }: Row, cells: readonly Cell[], value: number): boolean {
  if (parting.what === "bars" && /\([\w-]+(?:\|[\w-]+)+\)/.test(line.text)) return false;
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

/** What the name in a cell says of the value that belongs to it. */
type Column = { readonly name: string; readonly kind: NameKind };

/** A name in a table is short, and no sentence. */
const nameCell = /^["'`*]*(?:\p{L}|\/(?=.*\/))[\p{L}\p{N} _.:()/-]{0,40}(?<![.:])["'`*]*$/u;

/** Accounts' plug-ins, which are called after what they check. */
const plugin = /^(?:mysql_native|caching_sha2|sha256|mysql_old|mysql_clear|scram|md5)_password$/i;

const foreign = new Set(foreignNames);

/** The secret that a cell names; nothing where it names none. */
function columnOf(cell: string): Column | undefined {
  const name = cell.trim().replace(/["'`*]/g, "");
  if (name === "" || !nameCell.test(name) || plugin.test(name)) return undefined;
  const kind = foreign.has(name.toLowerCase()) ? "strong" : nameKind(name.replaceAll("/", "."));
  return kind && { name, kind };
}

/** What each heading says of the cells below it: a value beside the name of a key is a key. */
function columnsOf(headings: readonly string[]): readonly (Column | undefined)[] {
  const isOfKeys = headings.some((heading) => /^key[ _-]?name$/i.test(heading));
  // `Secret | Value`: the first has names.
  const isNamed = (heading: string): boolean =>
    /^["'`*]*secrets?["'`*]*$/i.test(heading) && headings.some((heading) => /^values?$/i.test(heading));
  return headings.map(
    (heading) =>
      (isNamed(heading) ? undefined : columnOf(heading)) ??
      (isOfKeys && isValueHeading(heading) ? { name: "key", kind: "weak" } : undefined),
  );
}

/** Words that hold a place: no heading has them, and no secret. */
const stand = /^(?:null|nil|none|true|false|yes|no|on|off|t|f|n\/a|-+|\d.*)$/i;

/** Whether a row's cells can all be headings of columns. */
const isHeading = (cells: readonly string[]): boolean => {
  const said = cells.filter((cell) => cell !== "");
  return (
    said.length > 0 &&
    new Set(said).size === said.length &&
    said.every((cell) => nameCell.test(cell) && !stand.test(cell) && !looksLikeKey(cell))
  );
};

/** A heading over what belongs to a name: types, ages, owners. */
const harmless =
  /^(?:.*[ _-])?(?:type|kind|data|age|created|updated|modified|changed|status|state|ready|restarts|driver|u?u?id|guid|digest|checksum|fingerprint|hash|sha-?\d{1,3}|md5|e-?tag|commit|revision|namespace|labels?|owner|schema|table|size|rows|count|null|nullable|collation|default|extra|host|user|login|mail|e-?mail|unit|description|comment|note|since|expires|expiry|version|scope|source|plugin|access|accessor|rotated|used|by|at|on|date|time|storage|compression|privileges)(?:[ _-](?:at|on|by|id))?$/i;

const isHarmlessHeading = (heading: string): boolean => harmless.test(heading.trim());

/** A heading over the values of the names beside it. */
const valued =
  /^(?:.*[ _-])?(?:values?|val|setting|current|content|text|plain|secret|wert|inhalt|valeur|valor|contenu)$/i;
const naming = /^(?:.*[ _-])?(?:names?|key|variable|parameter|param|setting|option|field|item|property|entry)$/i;

const isValueHeading = (heading: string): boolean => valued.test(heading.trim());
const isNameHeading = (heading: string): boolean => naming.test(heading.trim());

/** Without a rule below it a heading says by some word that it is one. */
const isPlainHeading = (cells: readonly string[]): boolean =>
  !cells.some((cell) => cell === "" || /[./]/.test(cell)) &&
  (cells.length < 3 || cells.some((cell) => !columnOf(cell))) &&
  cells.some((cell) => columnOf(cell) || isNameHeading(cell) || isValueHeading(cell) || harmless.test(cell));

/** Between a name and its value there may stand what kind of value it is. */
const typeWord =
  /^(?:str(?:ing)?|text|password|secret|secure ?string|encrypted|plain|bool(?:ean)?|int(?:eger)?|number|json|yaml|env|opaque|bytea|blob|uuid|(?:n?var)?char(?:acter)?(?: varying)?(?:2)?(?:\(\d+\))?|(?:tiny|medium|long)(?:text|blob)|(?:small|big)int(?:\(\d+\))?|reg_\w+|not null|u?int\d+|\w{0,6}property|\w{0,6}method)$/i;

/** A name of another setting or object, as a list has it: no value. */
const listed = /^[A-Za-z][A-Za-z]*(?:[_.-][A-Za-z]+)*$/;

/** Whether what stands in a cell is the secret itself. */
const secretIn = (value: string, { name, kind }: Column): boolean =>
  value !== "" &&
  // A cell holds no tag of YAML, and a bracket opens nothing unless it closes.
  isSecretValue(/^[\w.]+\(.*\)$/.test(value) ? value : withoutBrackets(value.replace(/^!/, "")), kind) &&
  !isCount(name, value) &&
  !isIdentifier(name, value) &&
  !isPlainWord(value) &&
  !(listed.test(value) && columnOf(value)?.kind === "strong") &&
  !(
    /^(?:secrets?|credentials?)$/i.test(name) &&
    /^[a-z]+(?:[-/.][a-z0-9]+)+$/.test(value) &&
    !/\d[a-z]+\d/.test(value)
  );

/** A setting's own name, and a word that may be its value as well as one of a list. */
const isWordOf = (value: string, name: string, others: readonly string[]): boolean =>
  /[a-z\d][_.][a-z]|[a-z][A-Z]/i.test(name) &&
  /^\p{L}{4,30}\d{0,4}$/u.test(value) &&
  !/^(?:table|view|index|sequence|vault|file|environment)$/i.test(value) &&
  (others.length === 0 || others.some((other) => /^\d|[/@:]|^(?:true|false|yes|no)$/.test(other)));

/** A kind or a state, as a column that is not of values has them: `ClusterSecretStore`, `OutOfSync`. */
const isKindWord = (value: string): boolean => /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)+$/.test(value);

/** Where nothing says that a table goes here: no word of a sentence, program or list. */
const isDrawnCell = (value: string, name: string): boolean =>
  value.length >= 6 &&
  isDrawn(value) &&
  !/\s/.test(value) &&
  // A list's type: `ApiKey[]`.
  !/^(?:[A-Z][a-z]+)+\[\]$/.test(value) &&
  // `address2` may stand beside `password` in a list, but not beside a setting's name.
  (/[._/-]|[a-z][A-Z]/.test(name) || !/^[A-Z]?[a-z]+[_-]?\d$/.test(value)) &&
  !/^[\w.-]+@[\w-]+\.[\w.]+$|^[A-Z]?[a-z]+[_-]?$|^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(value) &&
  (/\d/.test(value) || /[a-z][A-Z]|[^\w\s.,:;'-]/.test(value));
