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
const good = new Set(
  "up ok okay good fine healthy green normal nominal optimal optl onln pass passed passing alive live active online running ready stable clean synced insync in-sync serving available success successful succeeded established connected joined reachable registered bound mounted deployed valid current claimed streaming replicating".split(
    " ",
  ),
);

const isPeer = new RegExp(String.raw`(?:^|[\s|,:])(?:0|${[...good].join("|")})(?![\w.-])`, "i");

/** What says nothing against a thing: it is new, at rest, done, of another role or switched off on purpose. The `n` is what is left of `n/a`. */
const neutral = new Set(
  "n none null unknown unset new never pending queued scheduled waiting wait starting started start stopping initializing initialising creating created updating progressing maintenance draining idle standby spare avail inuse in-use free empty done complete completed finished ended exited stopped shut terminated terminating disabled enabled masked static indirect generated alias transient optional unmanaged unused notconnect closed open listen listening syn-sent syn_sent syn-recv syn_recv time-wait time_wait close-wait close_wait fin-wait fin_wait fin-wait-1 fin_wait1 fin-wait-2 fin_wait2 last-ack last_ack released superseded uninstalled skipped skipping changed unchanged canceled cancelled warming joining leaving leader follower voter learner observer arbiter primary secondary master replica slave backup member yes no true false on off info manual auto automatic manually dead sleep sleeping".split(
    " ",
  ),
);

/** A counter of what should not happen, and of how far behind something is; below these it is no news. */
const errors =
  /(?:^|[^a-z])(?:errs?|errors?|fail(?:s|ed|ures?)?|drops?|dropped|discards?|rejects?|\w*uncorrect\w*|ue)$/i;
const behind = /(?:^|[._ -])(?:lag|\w*_delay|backlog|max_?wait|waiting)$/i;
const leastOf = (name: string): number => (errors.test(name) ? 10 : behind.test(name) ? 50 : Number.POSITIVE_INFINITY);
/** By itself in a line it has counted since the start. */
const leastLonely = 100;
const countIn = (cell: string): number | undefined =>
  /^(?:yes|true)$/i.test(cell)
    ? 1_000
    : /^(?:no|false)$/i.test(cell)
      ? 0
      : /^\d{1,3}(?:,\d{3}){0,5}$|^\d{1,18}$/.test(cell)
        ? Number(cell.replaceAll(",", ""))
        : undefined;

const isFew = (count: string): boolean => count !== "0" && (countIn(count) ?? 0) < leastLonely;

/** A column of states needs no second peer. */
const state = /stat(?:e|us)|health|condition|sync/i;

const mostCells = 40;
const longestRow = 400;
const sentence = /(?:\S+\s+){8}\S/;
const mostHeld = 5;
const mostColumns = 200;
/** After so many lines without a good word or a zero nothing is a peer of what comes: a log costs a look a line. */
const mostDull = 100;

interface RowCell {
  readonly text: string;
  readonly at: number;
  /** The same for cells of one column: by its number between separators, else by where it begins or ends. */
  readonly places: readonly string[];
}

interface PeerColumn {
  /** From which number on its name tells of trouble. */
  readonly least: number;
  readonly isState: boolean;
  /** The last good word that stood in it. */
  word: string | undefined;
  odd: number;
  zeros: number;
  /** Odd cells that no peer has shown to be odd yet. */
  held: { readonly line: string; readonly at: number; readonly row: number }[];
}

const newColumn = (name: string): PeerColumn => ({
  least: leastOf(name),
  isState: state.test(name),
  word: undefined,
  odd: 0,
  zeros: 0,
  held: [],
});

type Separator = "bars" | "tabs" | "commas" | "gaps" | "blanks";

interface PeerTable {
  readonly by: Separator;
  readonly head: readonly RowCell[];
  readonly columns: Map<string, PeerColumn>;
  /** How often each good word stands in it: columns that share one say the same kind of thing. */
  readonly words: Map<string, number>;
}

const newTable = (by: Separator, head: readonly RowCell[] = []): PeerTable => ({
  by,
  head,
  columns: new Map(),
  words: new Map(),
});

const cellPatterns: Readonly<Record<Separator, RegExp>> = {
  bars: /[^|]+/g,
  tabs: /[^\t]+/g,
  commas: /[^,]+/g,
  gaps: /\S+(?: \S+)*/g,
  blanks: /\S+/g,
};

function separatorOf(line: string): Separator | undefined {
  if (/^\s*\||\s\|\s|\|[^|]*\|/.test(line)) return "bars";
  if (line.trimStart().includes("\t")) return "tabs";
  if (/\S {2,}\S/.test(line)) return "gaps";
  if (/,.*,/.test(line)) return "commas";
  return sentence.test(line) ? undefined : "blanks";
}

/** Splits a row by its bars, tabs, commas or gaps; a line without any by its blanks, if it is no sentence. */
function cellsOf(line: string, by: Separator): readonly RowCell[] {
  const found = [...line.matchAll(cellPatterns[by])];
  return found.map(({ 0: cell, index }, place) => {
    const text = cell.trim();
    const at = index + Math.max(0, cell.search(/\S/));
    const places = by === "gaps" ? [`from ${at}`, `to ${at + text.length}`] : [`${place} of ${found.length}`];
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

const isCounted = /(?:err|fail|drop|discard|reject|uncorrect|\bue).*\d$/i;

const firstWord = (cell: string): string => {
  const end = cell.search(/[\s(|+,;:/]/);
  return (end === -1 ? cell : cell.slice(0, end)).toLowerCase();
};

/** What a cell says: its first word, as far as that is one. */
function meaningOf(cell: string, first: string): "good" | "neutral" | "odd" | "other" {
  if (good.has(first)) return "good";
  if (neutral.has(first) || cell === "inactive dead") return "neutral";
  return /^\p{L}[\p{L}_-]{2,}(?: (?:\p{Ll}+|\d+)){0,3}$/u.test(cell) ? "odd" : "other";
}

/** Counts a cell for its column, and returns the rows that are odd by what is known then. */
function judgeCell(table: PeerTable, cell: RowCell, line: string, row: number): readonly OddRow[] {
  const known = cell.places.map((place) => table.columns.get(place)).find((column) => column !== undefined);
  const column = known ?? newColumn(nameOf(table, cell));
  if (table.columns.size < mostColumns) for (const place of cell.places) table.columns.set(place, column);
  const word = firstWord(cell.text);
  const meaning = meaningOf(cell.text, word);
  if (meaning === "good") {
    column.word = word;
    table.words.set(word, (table.words.get(word) ?? 0) + 1);
  }
  const { least } = column;
  const count = Number.isFinite(least) ? countIn(cell.text) : undefined;
  if (count === 0) column.zeros += 1;
  if (meaning === "odd" || (count !== undefined && count >= least)) {
    column.odd += 1;
    // A copy: a part of a piece of the output would keep all of it.
    if (column.held.length < mostHeld) column.held.push({ line: Buffer.from(line).toString(), at: cell.at, row });
  }
  const peers = count === undefined ? (table.words.get(column.word ?? "") ?? 0) : column.zeros * 2;
  if (peers < (column.isState ? 1 : 2) || column.odd > peers) return [];
  const odd = column.held.map((held) => ({ back: row - held.row, line: held.line, at: held.at }));
  column.held = [];
  return odd;
}

/** A head names its columns, with words such as `ready` and `available`. */
const isHead = (line: string): boolean =>
  !/\d/.test(line) || (line === line.toUpperCase() && !/(?:^|[\s|,])\d/.test(line));

/** Begins a table below another one. */
const isTitle = (line: string, cells: readonly RowCell[]): boolean =>
  line === line.toUpperCase() && !/\d/.test(line) && cells.every(({ text }) => !good.has(firstWord(text)));

/** A log's line begins with how bad it is, not with a name. */
const logLevel = /^\W*(?:err(?:or)?|fatal|crit(?:ical)?|alert|emerg|panic|warn(?:ing)?|fail(?:ed)?)\W*$/i;

/** What a line is beside its peers, and the rows that turn out odd with it. */
export interface PeerLine {
  readonly odd: readonly OddRow[];
  /** It says of the thing named in its first cell that it is as the others are; where that cell ends. */
  readonly nameEnds: number | undefined;
}

const noPeers: PeerLine = { odd: [], nameEnds: undefined };

/** Reads lines in their order, each beside those before it. Holds a bounded number of columns and rows. */
export function createPeerReader(): (line: string) => PeerLine {
  let row = 0;
  /** Until a blank line. */
  let table: PeerTable | undefined;
  /** What was taken for its head, until the next row. */
  let first: { readonly cells: readonly RowCell[]; readonly line: string; readonly row: number } | undefined;
  /** Lines since one that others could be held against. */
  let dull = 0;
  const fields = newTable("blanks");
  const counters = newTable("blanks", [{ text: "errors", at: 0, places: ["counter"] }]);
  return (given) => {
    const line = /[─-╿]/.test(given) ? given.replace(/[─━═]/g, " ").replace(/[│┃║┌-╿]/g, "|") : given;
    row += 1;
    if (!/\S/.test(line)) [table, dull] = [undefined, 0];
    dull = isPeer.test(line) ? 0 : dull + 1;
    if (dull > mostDull) return noPeers;
    if (line.length > longestRow || /^[\s|+:=-]*$/.test(line)) return noPeers;
    const { name = "", count } = (isCounted.test(line) ? counted.exec(line) : null)?.groups ?? {};
    if (count !== undefined && errors.test(name) && !/\s{2}|\||\d$/.test(name))
      return {
        ...noPeers,
        odd: judgeCell(counters, { text: isFew(count) ? "1" : count, at: 0, places: ["counter"] }, given, row),
      };
    const { key, value = "" } = (/^.{1,50}[:=]\s/.test(line) ? keyed.exec(line) : null)?.groups ?? {};
    if (key !== undefined && !/ {2,}\S|\t|\s\|\s|, /.test(value))
      return {
        ...noPeers,
        odd: judgeCell(fields, { text: value.trim(), at: line.lastIndexOf(value), places: [key] }, given, row),
      };
    const by = separatorOf(line);
    const cells = by === undefined ? [] : cellsOf(line, by);
    if (by === undefined || cells.length < 2 || cells.length > mostCells) return noPeers;
    if (table?.by !== by || (cells.length > 2 && isTitle(line, cells))) {
      const isNamed = isHead(line);
      table = newTable(by, isNamed ? cells : []);
      first = isNamed ? { cells, line: given, row } : undefined;
      if (isNamed) return noPeers;
    }
    const open = table;
    // What says the same as the row below it named no column.
    const isRow = first?.cells.some(({ text, places }) =>
      cells.some(
        (cell) =>
          cell.text === text && good.has(firstWord(text)) && cell.places.some((place) => places.includes(place)),
      ),
    );
    const before = isRow && first ? [first] : [];
    first = undefined;
    const odd = [...before, { cells, line: given, row }].flatMap((one) =>
      one.cells.flatMap((cell) => judgeCell(open, cell, one.line, one.row)),
    );
    const isFine = by !== "blanks" && cells.some(({ text }) => (open.words.get(firstWord(text)) ?? 0) > 1);
    const [thing] = cells;
    return { odd, nameEnds: isFine && thing && !logLevel.test(thing.text) ? thing.at + thing.text.length : undefined };
  };
}
