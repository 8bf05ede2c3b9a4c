/**
 * Finds the row that is not as its peers are (AR-15): in a column where others say `up` or `Synced`, the word that no list knows says
 * that something is wrong; so does a counter of errors that is 0 for the others. It needs no head and no tool's own words.
 */

/** A row that differs from its peers: how many lines ago it was read, and where its cell begins. */
export interface OddRow {
  readonly back: number;
  readonly line: string;
  readonly at: number;
}

/** What tools call a thing that is as it should be. */
const good =
  /^(?:up|ok|okay|good|fine|healthy|green|normal|nominal|optimal|pass(?:ed|ing)?|alive|live|active|online|running|ready|stable|clean|(?:in[- ]?)?synced|in[- ]sync|serving|available|success(?:ful)?|succeeded|established|connected|joined|reachable|registered|bound|mounted|deployed|valid|current|claimed|streaming|replicating)$/i;

/** What says nothing against a thing: it is new, at rest, done, of another role or switched off by somebody. */
const neutral =
  /^(?:n\/?a|none|null|unknown|unset|new|never|pending|queued|scheduled|waiting|wait|starting|started|start|stopping|initiali[sz]ing|creating|created|updating|progressing|maintenance|draining|idle|standby|spare|avail|inuse|in-use|free|empty|done|complete|completed|finished|ended|exited|stopped|shut|terminated|terminating|disabled|enabled|masked|static|indirect|generated|alias|transient|optional|unmanaged|unused|notconnect|closed|open|listen(?:ing)?|syn[-_]?(?:sent|recv)|time[-_]wait|close[-_]wait|fin[-_]wait[-_]?[12]?|last[-_]ack|released|superseded|uninstalled|skipp?ed|skipping|changed|unchanged|cancell?ed|warming|joining|leaving|leader|follower|voter|learner|observer|arbiter|primary|secondary|master|replica|slave|backup|member|yes|no|true|false|on|off|info|manual|auto|automatic|manually|dead|sleep|sleeping)$/i;

/** A counter of what should not happen, or of how far behind something is. */
const counter = /err|fail|drop|discard|uncorrect|reject|timeout|(?:^|[._-])(?:ue|lost|lag|delay|backlog)(?:$|[._-])/i;
const leastCounted = 10;
const countIn = (cell: string): number | undefined =>
  /^\d{1,3}(?:,\d{3}){0,5}$|^\d{1,18}$/.test(cell) ? Number(cell.replaceAll(",", "")) : undefined;

/** A column of states needs no second peer. */
const state = /stat(?:e|us)|health|condition|sync/i;

const mostCells = 40;
const longestRow = 400;
const sentence = /(?:\S+\s+){12}\S/;
const mostHeld = 5;
const mostColumns = 200;

interface RowCell {
  readonly text: string;
  readonly at: number;
  /** The same for cells of one column: by its number between separators, else by where it begins or ends. */
  readonly places: readonly string[];
}

interface PeerColumn {
  readonly name: string;
  /** The last good word that stood in it. */
  word: string | undefined;
  odd: number;
  zeros: number;
  /** Odd cells that no peer has shown to be odd yet. */
  held: { readonly line: string; readonly at: number; readonly row: number }[];
}

interface PeerTable {
  readonly head: readonly RowCell[];
  readonly columns: Map<string, PeerColumn>;
  /** How often each good word stands in it: columns that share one say the same kind of thing. */
  readonly words: Map<string, number>;
}

const newTable = (head: readonly RowCell[]): PeerTable => ({ head, columns: new Map(), words: new Map() });

/** Splits a row by its bars, tabs, commas or gaps; a line without any by its blanks, if it is no sentence. */
function cellsOf(line: string): readonly RowCell[] {
  const isBarred = /^\s*\||\s\|\s/.test(line);
  const isGapped = /\S {2,}\S/.test(line);
  const by = isBarred
    ? /[^|]+/g
    : /\S\t/.test(line)
      ? /[^\t]+/g
      : !isGapped && /,.*,/.test(line)
        ? /[^,]+/g
        : undefined;
  if (by === undefined && !isGapped && sentence.test(line)) return [];
  const found = [...line.matchAll(by ?? (isGapped ? /\S+(?: \S+)*/g : /\S+/g))];
  return found.map(({ 0: cell, index }, place) => {
    const text = cell.trim();
    const at = index + Math.max(0, cell.search(/\S/));
    const places =
      by === undefined && isGapped ? [`from ${at}`, `to ${at + text.length}`] : [`${place} of ${found.length}`];
    return { text, at, places };
  });
}

/** What the head calls the column of a cell. */
function nameOf({ head }: PeerTable, { at, text, places }: RowCell): string {
  const own = head.find((cell) => cell.places.some((place) => places.includes(place)));
  if (own) return own.text;
  const over = head.find((cell) => cell.at < at + text.length && at < cell.at + cell.text.length);
  // Names of columns that are a blank apart are one cell of the head.
  return over && /^(?:from|to) /.test(places[0] ?? "") ? (/^\S+/.exec(over.text.slice(at - over.at))?.[0] ?? "") : "";
}

/** `MII Status: up`, `State = running`: its peers are the lines of the same key. */
const keyed = /^\s*(?:- )?["']?(?<key>\p{L}[\p{L}\p{N} ._/-]{0,40}?)["']?\s*[:=]\s+(?<value>\S.*)$/u;

/** `Missing blocks: 318`, `[/dev/sdr].corruption_errs  1844`: the peers of a counter are the other counters. */
const counted = /^\s*(?<name>\S.{0,80}?)(?:\s*[:=]\s*|\s+)(?<count>\d{1,3}(?:,\d{3}){0,5}|\d{1,18})$/;

const firstWord = (cell: string): string => cell.split(/[\s(|+,;:/]/, 1)[0] ?? "";

/** What a cell says: its first word, as far as that is one. */
function meaningOf(cell: string): "good" | "neutral" | "odd" | "other" {
  const first = firstWord(cell);
  if (good.test(first) || good.test(cell)) return "good";
  if (neutral.test(first) || neutral.test(cell)) return "neutral";
  return /^\p{L}[\p{L}_-]{2,}(?: \p{Ll}+){0,3}$/u.test(cell) ? "odd" : "other";
}

/** Counts a cell for its column, and returns the rows that are odd by what is known then. */
function judgeCell(table: PeerTable, cell: RowCell, line: string, row: number): readonly OddRow[] {
  const known = cell.places.map((place) => table.columns.get(place)).find((column) => column !== undefined);
  const column = known ?? { name: nameOf(table, cell), word: undefined, odd: 0, zeros: 0, held: [] };
  if (table.columns.size < mostColumns) for (const place of cell.places) table.columns.set(place, column);
  const meaning = meaningOf(cell.text);
  if (meaning === "good") {
    column.word = firstWord(cell.text).toLowerCase();
    table.words.set(column.word, (table.words.get(column.word) ?? 0) + 1);
  }
  const count = counter.test(column.name) ? countIn(cell.text) : undefined;
  if (count === 0) column.zeros += 1;
  if (meaning === "odd" || (count !== undefined && count >= leastCounted)) {
    column.odd += 1;
    column.held = [...column.held, { line, at: cell.at, row }].slice(0, mostHeld);
  }
  const peers = count === undefined ? (table.words.get(column.word ?? "") ?? 0) : column.zeros * 2;
  if (peers < (state.test(column.name) ? 1 : 2) || column.odd > peers) return [];
  const odd = column.held.map((held) => ({ back: row - held.row, line: held.line, at: held.at }));
  column.held = [];
  return odd;
}

/** A head names its columns, with words such as `ready` and `available`. */
const isHead = (line: string): boolean =>
  !/\d/.test(line) || (line === line.toUpperCase() && !/(?:^|[\s|,])\d/.test(line));

/** Begins a table below another one. */
const isTitle = (line: string): boolean => line === line.toUpperCase() && !/\d/.test(line) && meaningless(line);
const meaningless = (line: string): boolean => cellsOf(line).every(({ text }) => !good.test(text));

/** Reads lines in their order and returns the rows that turn out odd with each. Holds a bounded number of columns and rows. */
export function createPeerReader(): (line: string) => readonly OddRow[] {
  let row = 0;
  /** Until a blank line. */
  let table: PeerTable | undefined;
  /** What was taken for its head, until the next row. */
  let first: { readonly cells: readonly RowCell[]; readonly line: string; readonly row: number } | undefined;
  const fields = newTable([]);
  const counters = newTable([{ text: "errors", at: 0, places: ["counter"] }]);
  return (given) => {
    const line = /[─-╿]/.test(given) ? given.replace(/[─━═]/g, " ").replace(/[│┃║┌-╿]/g, "|") : given;
    row += 1;
    if (!/\S/.test(line)) table = undefined;
    if (line.length > longestRow || /^[\s|+:=-]*$/.test(line)) return [];
    const { name = "", count } = (/\d$/.test(line) ? counted.exec(line) : null)?.groups ?? {};
    if (count !== undefined && counter.test(name) && !/\s{2}|\||\d$/.test(name))
      return judgeCell(counters, { text: count, at: 0, places: ["counter"] }, given, row);
    const { key, value = "" } = keyed.exec(line)?.groups ?? {};
    if (key !== undefined && !/ {2,}\S|\t|\s\|\s|, /.test(value))
      return judgeCell(fields, { text: value.trim(), at: line.lastIndexOf(value), places: [key] }, given, row);
    const cells = cellsOf(line);
    if (cells.length < 2 || cells.length > mostCells) return [];
    if (table === undefined || (cells.length > 2 && isTitle(line))) {
      const isNamed = isHead(line);
      table = newTable(isNamed ? cells : []);
      first = isNamed ? { cells, line: given, row } : undefined;
      if (isNamed) return [];
    }
    const open = table;
    // What says the same as the row below it named no column.
    const isRow = first?.cells.some(({ text, places }) =>
      cells.some(
        (cell) => good.test(text) && cell.text === text && cell.places.some((place) => places.includes(place)),
      ),
    );
    const before = isRow && first ? [first] : [];
    first = undefined;
    return [...before, { cells, line: given, row }].flatMap((one) =>
      one.cells.flatMap((cell) => judgeCell(open, cell, one.line, one.row)),
    );
  };
}
