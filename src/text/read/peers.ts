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
  "up ok okay good fine healthy green normal nominal optimal optl onln pass passed passing alive live active online running ready stable clean synced insync in-sync serving available success successful succeeded established connected joined reachable registered bound mounted deployed valid current claimed streaming replicating uptodate up-to-date operational applying consistent inservice in-service".split(
    " ",
  ),
);

const isPeer = new RegExp(String.raw`(?:^|[\s|,:])(?:0|${[...good].join("|")})(?![\w.-])`, "i");

/** What says nothing against a thing: it is new, at rest, done, of another role or switched off on purpose. The `n` is what is left of `n/a`. */
const neutral = new Set(
  "n none null unknown unset new never pending queued scheduled waiting wait starting started start stopping initializing initialising creating created updating progressing maintenance drain drained draining idle standby spare avail inuse in-use free empty done complete completed finished ended exited stopped shut terminated terminating disabled enabled masked static indirect generated alias transient optional unmanaged unused notconnect closed open listen listening syn-sent syn_sent syn-recv syn_recv time-wait time_wait close-wait close_wait fin-wait fin_wait fin-wait-1 fin_wait1 fin-wait-2 fin_wait2 last-ack last_ack released superseded uninstalled skipped skipping changed unchanged canceled cancelled warming joining leaving leader follower voter learner observer arbiter primary secondary master replica slave backup member yes no true false on off info manual auto automatic manually dead sleep sleeping monitoring mirroring passive learning forwarding blocking discarding booting testing paused suspended".split(
    " ",
  ),
);

/** What is wrong with a thing, if it is all that its cell says: needs no peers. */
const bad = new Set(
  "outdated nonexistent faulted faulty fault down lost missing missed unreachable unhealthy unresponsive degraded retrying stalled stuck hung shunned desynced desynchronized disconnected corrupt corrupted crashed defunct diverged errdisable errdisabled nonfunctional unsynced unsynchronized unreadable undervoltage overheating overheated dgrd pdgd msng ubad ofln offln".split(
    " ",
  ),
);
const badPhrase =
  /^(?:[a-z]+ )?(?:out of (?:sync|service|order|memory|space|range)|(?:not|non) (?:responding|synced|synchronized|reachable|functional|operational|connected|registered|redundant|healthy|alive|responsive)|err(?:or)? disabled?|split brain|(?:input|power|link|port|peer|host|signal|redundancy|connection|quorum|media|path|carrier) (?:lost|loss|down|failed|missing)|no (?:carrier|input voltage|quorum|response|heartbeat|route|media found)|ended unexpectedly|up down|down up|(?!no |not |zero |without |pre |last |previous |if |on |until )[a-z]+ (?:failed|failure|lost|faulted|mismatch|missing)|too old|timed out)$/;
/** Most cells have a digit and need only this test. */
const mayBeBad = /^\p{L}[^\d=]*$/u;

/** Whether all that a cell says is what is wrong: `Faulted`, `inactiveFailed`, `out-of-sync`, `Input Lost`. */
function isBadCell(given: string): boolean {
  const cell = given.endsWith(")") ? given.replace(/\s*\([^()]*\)$/, "") : given;
  if (cell.length > 40 || !mayBeBad.test(cell)) return false;
  const words = cell
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((one) => one !== "");
  const [only = "", ...more] = words;
  return more.length === 0 ? bad.has(only) : words.length <= 4 && badPhrase.test(words.join(" "));
}

/**
 * Words for which it depends on the others: a session of BGP beside an established one is not there, a service beside started
 * ones is not either. How many of those it takes.
 */
const opposites = [
  { up: /^estab/, down: /^(?:idle|connect|active|opensent|openconfirm)$/, least: 1 },
  // A neighbor of OSPF or IS-IS that stays on its way.
  { up: /^(?:full|up)$/, down: /^(?:exstart|init|exchange|attempt)$/, least: 1 },
  { up: /^online$/, down: /^offline$/, least: 2 },
  { up: /^started$/, down: /^stopped$/, least: 2 },
] as const;
const opposable = /^(?:estab|start|stopp|idle|connect|active|open|full|up$|exstart|init|exchange|attempt|o[nf]+line)/;

/** A counter of what should not happen, and of how far behind something is; below these it is no news. */
const errors =
  /(?:^|[^a-z])(?:errs?|errors?|fail(?:s|ed|ures?)?|drops?|dropped|discards?|rejects?|\w*uncorrect\w*|ue|crc|fcs|runts|giants|align(?:ment)?|symbol|xid|denied|denials|refused|timed[_ ]out|timeouts|\w*dbe|\w*pending_sector|\w*reallocated_sector)(?:[._ -](?:volatile|aggregate|total|count|cnt|ct))*$/i;
const behind =
  /(?:^|[._ -])(?:lag(?:[ _]?(?:m?s|sec|seconds|bytes|[km]b))?|\w*_delay|backlog|gap|max_?wait|waiting|redelivered|retries)$/i;
/** How long ago a thing was last heard of: those that live say it all the time. */
const heard = /last[ _]?(?:contact|seen|heart ?beat|report|check(?:[ _-]?in)?|handshake|update|activity)$/i;
const inSeconds: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};
function ageIn(cell: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6}) ?(ms|s|sec|m|min|h|d|w)(?: ago)?$/.exec(cell) ?? [];
  return count === undefined ? undefined : Number(count) * (inSeconds[unit] ?? 1);
}
/** Further from its peers than they are from nothing, and not small by itself. */
const farTimes = 100;
const leastFar = { lag: 10_000, age: 3_600 } as const;

/** What waits its turn, as a few always do. */
const waiting = /(?:pending|unprocessed|unacked|unacknowledged|queue[_ ]?length|queue_?depth|depth|backlogged)$/i;
/** A number in it is how something ended: 0 if well. */
const exits = /(?:^|[._ -])(?:status|rc|exit[_ ]?(?:code|status)|return[_ ]?code|last[_ ]?(?:result|exit)|errno)$/i;
const leastOf = (name: string): number =>
  // Of a few milliseconds or bytes each has some.
  /lag[ _]?(?:ms|bytes|kb)$/i.test(name)
    ? Number.POSITIVE_INFINITY
    : exits.test(name)
      ? 1
      : errors.test(name)
        ? 10
        : behind.test(name)
          ? 50
          : waiting.test(name)
            ? 1_000
            : Number.POSITIVE_INFINITY;
/** By itself in a line it has counted since the start. */
const leastLonely = 100;
const countIn = (given: string): number | undefined => {
  // `214,551 / 23%`
  const cell = given.replace(/ \/ [\d.]+%$/, "");
  return /^(?:yes|true)$/i.test(cell)
    ? 1_000
    : /^(?:no|false)$/i.test(cell)
      ? 0
      : /^\d{1,3}(?:,\d{3}){0,5}$|^\d{1,18}$/.test(cell)
        ? Number(cell.replaceAll(",", ""))
        : undefined;
};

const isFew = (count: string): boolean => count !== "0" && (countIn(count) ?? 0) < leastLonely;

/** A column of states needs no second peer. */
const state = /stat(?:e|us)|health|condition|sync/i;
/** A column of names and kinds: a word in it says nothing of how a thing is. */
const kinds =
  /^[#<]?(?:\w*[ _.-])?(?:names?|id|title|job|queues?|topic|subject|description|command|image|users?|owner|host|node|server|service|unit|zone|domain|client|type|kind|mode|role|policy|action|level|severity|prio(?:rity)?|class|plan|tier|partition|pool|group|workflow|branch|tags?|labels?|schedule|rule|event|config|driver|vendor|model|version|location|use|usage)>?$/i;

const mostCells = 40;
const longestRow = 400;
const sentence = /(?:\S+\s+){8}\S/;
const mostHeld = 5;
const mostColumns = 200;
/** So many rows are compared with what was taken for their head. */
const mostHeadRows = 4;
/** After so many lines without a good word or a zero nothing is a peer of what comes: a log costs a look a line. */
const mostDull = 100;

type CellPlace = number | string;
const beginsAt = (at: number): CellPlace => at * 3;
const endsAt = (at: number): CellPlace => at * 3 + 1;
const countedAs = (place: number, of: number): CellPlace => (of * (mostCells + 1) + place) * 3 + 2;

interface RowCell {
  readonly text: string;
  /** Without what stands a blank before its words. */
  readonly says?: string;
  readonly at: number;
  /** The same for cells of one column: by its number between separators, before that by where it begins or ends between gaps; or a key. */
  readonly places: readonly CellPlace[];
}

interface HeldCell {
  readonly line: string;
  readonly at: number;
  readonly row: number;
}

interface PeerColumn {
  /** From which number on its name tells of trouble. */
  readonly least: number;
  readonly isState: boolean;
  readonly isKind: boolean;
  readonly name: string;
  /** The last good word that stood in it. */
  word: string | undefined;
  readonly far: number;
  /** The two largest amounts of a column whose cells may lie far from each other, and the cell of the largest. */
  most: { amount: number; next: number; cell: HeldCell | undefined; count: number };
  odd: number;
  zeros: number;
  /** Odd cells that no peer has shown to be odd yet. */
  held: HeldCell[];
  /** How many cells say how a thing is: by a known word, or by the one that stood above. */
  said: number;
  last: string;
  /** Cells with a bad word, until another cell shows that such words stand in this column. */
  bad: HeldCell[];
  /** For each of the opposites. */
  readonly opposed: { ups: number; held: HeldCell[] }[];
}

const newColumn = (given: string): PeerColumn => {
  // `CopyQueueLength`
  const name = given.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, "_");
  return {
    least: name === "" ? Number.POSITIVE_INFINITY : leastOf(name),
    isState: name !== "" && state.test(name),
    isKind: name !== "" && kinds.test(name),
    name,
    far: name === "" ? 0 : heard.test(name) ? leastFar.age : behind.test(name) ? leastFar.lag : 0,
    most: { amount: -1, next: -1, cell: undefined, count: 0 },
    word: undefined,
    odd: 0,
    zeros: 0,
    held: [],
    said: 0,
    last: "",
    bad: [],
    opposed: [],
  };
};

type Separator = "bars" | "tabs" | "semicolons" | "colons" | "commas" | "gaps" | "blanks";

/** What waits for a reader, by its column; who reads it; whether a thing is switched on. */
const rowParts = {
  waits: /(?:^|[ _.])(?:messages|queue[ _]?size|size|depth|visible|waiting|backlog|pending|ready)$/i,
  reads: /^(?:consumers?|subscribers?|readers?|workers?)\b/i,
  isOff: /^(?:paused|suspended)$/i,
  isOn: /^(?:enabled|active|admin(?:[ _]?stat(?:e|us))?)$/i,
} as const;
const leastUnread = 100;

interface PeerTable {
  /** `fields` have no cells beside them: a key names the column. */
  readonly by: Separator | "fields";
  readonly head: readonly RowCell[];
  /** Which parts of a row its head names. */
  readonly parts: readonly string[];
  readonly columns: Map<CellPlace, PeerColumn>;
  /** How often each good word stands in it: columns that share one say the same kind of thing. */
  readonly words: Map<string, number>;
}

const newTable = (by: PeerTable["by"], head: readonly RowCell[] = []): PeerTable => ({
  by,
  head,
  parts: Object.entries(rowParts).flatMap(([part, name]) => (head.some(({ text }) => name.test(text)) ? part : [])),
  columns: new Map(),
  words: new Map(),
});

const cellPatterns: Readonly<Record<Separator, RegExp>> = {
  bars: /[^|]+/g,
  tabs: /[^\t]+/g,
  semicolons: /[^;]+/g,
  colons: /[^:]+/g,
  commas: /[^,]+/g,
  gaps: /\S+(?: \S+)*/g,
  blanks: /\S+/g,
};

function separatorOf(line: string): Separator | undefined {
  const isBarred = /^\s*\||\s\|\s|\|[^|]*\|/.test(line);
  // One bar among gaps is a cell.
  if (isBarred && !/^\S+ {2,}[^|]*\S {2,}[^|]*\|[^|]*$/.test(line)) return "bars";
  if (line.trimStart().includes("\t")) return "tabs";
  if (/^(?:[^; ]+;){2}/.test(line)) return "semicolons";
  if (/^\w+:[\w-]*[a-z_][\w-]*:[^\s:]*:\S+$/i.test(line)) return "colons";
  if (/\S {2,}\S/.test(line)) return "gaps";
  if (/,.*,/.test(line)) return "commas";
  return sentence.test(line) ? undefined : "blanks";
}

/** Cells a blank apart: `RAID5 Dgrd`, `3w4d 2h Establ`. */
const leading = /^(?:[^\s\d]*\d\S* )+(?=\p{L})/u;

/** Splits a row by its bars, tabs, commas or gaps; a line without any by its blanks, if it is no sentence. */
function cellsOf(line: string, by: Separator): readonly RowCell[] {
  const found = [...line.matchAll(cellPatterns[by])];
  return found.map(({ 0: cell, index }, place) => {
    if (by !== "gaps") {
      const at = index + Math.max(0, cell.search(/\S/));
      return { text: cell.trim(), at, places: [countedAs(place, found.length)] };
    }
    const [begin, end] = [beginsAt(index), endsAt(index + cell.length)];
    // Cells a blank apart are one: its end is another column's.
    if (!cell.includes(" ")) return { text: cell, at: index, places: [begin, end] };
    const says = cell.replace(leading, "");
    // The state behind `3w4d 2h` stands further left or right.
    return { text: cell, says, at: index, places: says === cell ? [begin] : [begin, countedAs(place, 0)] };
  });
}

/** What the head calls the column of a cell. */
function nameOf({ head, by }: PeerTable, { at, text, places }: RowCell): string {
  const own = head.find((cell) => cell.places.some((place) => places.includes(place)));
  if (own) return own.text;
  const over = head.find((cell) => cell.at < at + text.length && at < cell.at + cell.text.length);
  // Names of columns that are a blank apart are one cell of the head.
  return over && by === "gaps" ? (/^\S+/.exec(over.text.slice(at - over.at))?.[0] ?? "") : "";
}

const idleLink =
  /\bDOWN\b[^<\n]{0,80}<(?![^>\n]{0,200}\bUP\b)|^(?:\d+: )?(?:docker|br-|virbr|lxcbr|lxdbr|cni)[\w-]{0,20}:?\s(?:[^\n]{0,120}\s)?DOWN\b/;

/** A link that is switched off, or a bridge that no container is on. */
const isIdleLink = (line: string): boolean => line.includes("DOWN") && line.includes("<") && idleLink.test(line);

/** `MII Status: up`, `State = running`: its peers are the lines of the same key. */
const keyed =
  /^\s*(?:- )?["']?(?<key>\p{L}[\p{L}\p{N} ._/-]{0,40}?)["']?(?: ?\([^()]{1,40}\))?\s*[:=]\s+(?<value>\S.*)$/u;

/** `STATUS(RETRYING)`, `state:Stopped`: a field within a line. */
const inlined =
  /(?<![\w-])(?:state|status|health)(?:\((?<word>[^()\n]{2,40})\)|[:=](?<bare>[A-Za-z][A-Za-z_-]{1,40})(?=[\s,;)\]}]|$))/i;

/** `197 Current_Pending_Sector … 264`: a row about a counter. */
const attribute =
  /^\s*\d{1,3} (?<name>\w*(?:uncorrect|pending_sector|reallocated_sector)\w*)\s.*\s(?<count>\d{1,18})$/i;

/** `Missing blocks: 318`, `[/dev/sdr].corruption_errs  1844`: the peers of a counter are the other counters. */
const counted = /^\s*(?<name>\S.{0,80}?)(?:\s*[:=]\s*|\s+)(?<count>\d{1,3}(?:,\d{3}){0,5}|\d{1,18})$/;

const isCounted = /(?:err|fail|drop|discard|reject|uncorrect|\bue).*\d$/i;

const firstWord = (cell: string): string => {
  const end = cell.search(/[\s(|+,;:/]/);
  return (end === -1 ? cell : cell.slice(0, end)).toLowerCase();
};

const isUnused =
  /^(?:not|never) (?:started|run|configured|applicable|installed|required|used|needed|monitored|scheduled|supported|assigned|present|set|backed)\b/i;

/** What a cell says: its first word, as far as that is one. */
function meaningOf(cell: string, first: string): "good" | "bad" | "neutral" | "odd" | "other" {
  const isWhole = cell.length === first.length;
  if (isWhole && good.has(first)) return "good";
  if (isWhole && neutral.has(first)) return "neutral";
  if (isBadCell(cell)) return "bad";
  if (!isWhole && good.has(first)) return "good";
  if ((!isWhole && neutral.has(first)) || cell === "inactive dead" || isUnused.test(cell)) return "neutral";
  if (!/^\p{L}[\p{L}_-]{2,}(?: (?:\p{Ll}+|\d+)){0,3}$/u.test(cell)) return "other";
  // `standby-replay`
  const [role = ""] = first.split(/[-_]/, 1);
  return role.length > 3 && neutral.has(role) ? "neutral" : "odd";
}

/** Wanted and actual state: `"offline" | "offline"`. */
const isTwice = (line: string, word: string): boolean => line.toLowerCase().split(word).length > 2;

const noCells: readonly OddRow[] = [];

/** Counts a cell for its column, and returns the rows that are odd by what is known then. */
function judgeCell(table: PeerTable, cell: RowCell, line: string, row: number): readonly OddRow[] {
  let known: PeerColumn | undefined;
  for (const place of cell.places) known ??= table.columns.get(place);
  const isField = table.by === "fields";
  const column = known ?? newColumn(isField ? "" : nameOf(table, cell));
  if (table.columns.size < mostColumns) for (const place of cell.places) table.columns.set(place, column);
  if (column.isKind) return noCells;
  const text = cell.says ?? cell.text;
  const word = firstWord(text);
  const isLetter = (text.charCodeAt(0) | 32) > 96;
  const read = isLetter ? meaningOf(text, word) : "other";
  const isPhrase = read === "other" && column.isState && /^not \p{L}+(?: [\d.%]+)?$/iu.test(text);
  const meaning = isPhrase ? "odd" : read === "odd" && text !== cell.text ? "other" : read;
  const { least } = column;
  const count = Number.isFinite(least) && (least > 1 || /^\d/.test(cell.text)) ? countIn(cell.text) : undefined;
  const isFar = column.far > 0;
  if (!isLetter && count === undefined && column.held.length === 0 && !isFar) {
    column.last = "";
    return noCells;
  }
  // A copy: a part of a piece of the output would keep all of it.
  const hold = (into: HeldCell[]): void => {
    if (into.length < mostHeld) into.push({ line: Buffer.from(line).toString(), at: cell.at, row });
  };
  const found: HeldCell[] = [];
  if (isFar) {
    const amount = (column.far === leastFar.age ? ageIn(cell.text) : countIn(cell.text)) ?? -1;
    const { most } = column;
    most.count += amount >= 0 ? 1 : 0;
    if (amount > most.amount) {
      const into: HeldCell[] = [];
      hold(into);
      column.most = { amount, next: most.amount, cell: into[0], count: most.count };
    } else most.next = Math.max(most.next, amount);
    const { most: now } = column;
    if (now.cell && now.count > 2 && now.amount >= column.far && now.amount >= now.next * farTimes && now.next > 0) {
      found.push(now.cell);
      now.cell = undefined;
    }
  }
  const isKnown = meaning === "good" || meaning === "bad" || meaning === "neutral";
  if (isKnown || (isLetter && word === column.last)) column.said += 1;
  column.last = isLetter ? word : "";
  if (meaning === "bad" && !(isField && kinds.test(String(cell.places[0])))) hold(column.bad);
  if (column.bad.length > 0 && (column.said > 1 || column.isState || isField)) found.push(...column.bad.splice(0));
  if (opposable.test(word))
    for (const [place, { up, down, least: fewest }] of opposites.entries()) {
      const isUp = up.test(word);
      if (!isUp && (!down.test(word) || /admin|disabled|\bby [a-z]/i.test(cell.text) || isTwice(line, word))) continue;
      const opposed = column.opposed[place] ?? { ups: 0, held: [] };
      column.opposed[place] = opposed;
      if (isUp) opposed.ups += 1;
      else hold(opposed.held);
      if (opposed.ups >= fewest) found.push(...opposed.held.splice(0));
    }
  if (meaning === "good") {
    column.word = word;
    table.words.set(word, (table.words.get(word) ?? 0) + 1);
  }
  if (count === 0) column.zeros += 1;
  if (meaning === "odd" || (count !== undefined && count >= least)) {
    column.odd += 1;
    hold(column.held);
  }
  if (column.held.length > 0) {
    const peers = count === undefined ? (table.words.get(column.word ?? "") ?? 0) : column.zeros * 2;
    if (peers >= (column.isState ? 1 : 2) && column.odd <= peers) found.push(...column.held.splice(0));
  }
  return found.length === 0 ? noCells : found.map((held) => ({ back: row - held.row, line: held.line, at: held.at }));
}

const cellNamed = (table: PeerTable, cells: readonly RowCell[], name: RegExp): RowCell | undefined =>
  cells.find((cell) => name.test(nameOf(table, cell)));

/** A row of a thing that is switched off: the rest of it is no news. */
const isSwitchedOff = (table: PeerTable, cells: readonly RowCell[]): boolean =>
  (table.parts.includes("isOn") &&
    /^(?:no|false|off|down|disabled)$/i.test(cellNamed(table, cells, rowParts.isOn)?.text ?? "")) ||
  (table.parts.includes("isOff") && /^(?:yes|true|on)$/i.test(cellNamed(table, cells, rowParts.isOff)?.text ?? ""));

/** A row says that much waits and has no reader. */
function unreadAt(table: PeerTable, cells: readonly RowCell[]): number | undefined {
  if (!table.parts.includes("reads")) return undefined;
  const readers = cellNamed(table, cells, rowParts.reads);
  const waiting = readers?.text === "0" ? cellNamed(table, cells, rowParts.waits) : undefined;
  return waiting && (countIn(waiting.text) ?? 0) >= leastUnread ? waiting.at : undefined;
}

/** A head names its columns, with words such as `ready` and `available`. */
const isHead = (line: string): boolean =>
  !/\d/.test(line) || (line === line.toUpperCase() && !/(?:^|[\s|,])\d/.test(line));

/** Begins a table below another one. */
const isTitle = (line: string, cells: readonly RowCell[]): boolean =>
  line === line.toUpperCase() && !/\d/.test(line) && cells.every(({ text }) => !good.has(firstWord(text)));

/** How something ended, or is, by itself in a cell. */
const cased = (words: string): readonly string[] =>
  words.split(" ").flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);
const outcome = new Set(cased("success succeeded successful passed ok healthy"));
/** No head says so. */
const ended = new Set(cased("success succeeded successful"));

/** A log's line begins with how bad it is, not with a name. */
const logLevel = /^\W*(?:err(?:or)?|fatal|crit(?:ical)?|alert|emerg|panic|warn(?:ing)?|fail(?:ed)?)\W*$/i;

/** What a line is beside its peers, and the rows that turn out odd with it. */
export interface PeerLine {
  readonly odd: readonly OddRow[];
  /** It says of the thing named in its first cell that it is as the others are; where that cell ends. */
  readonly nameEnds: number | undefined;
}

const noPeers: PeerLine = { odd: [], nameEnds: undefined };

/** `TX:  bytes  packets  errors` below the rows of `RX:  bytes  packets  errors`: the same columns of another table. */
const repeatsHead = ([label, ...head]: readonly RowCell[], [own, ...cells]: readonly RowCell[]): boolean =>
  isLabel(label) && isLabel(own) && head.length > 1 && sameTexts(head, cells);
const isLabel = (cell: RowCell | undefined): boolean => /^\w+:/.test(cell?.text ?? "");
const sameTexts = (some: readonly RowCell[], others: readonly RowCell[]): boolean =>
  some.length === others.length && some.every(({ text }, at) => text === others[at]?.text);

/** Reads lines in their order, each beside those before it. Holds a bounded number of columns and rows. */
export function createPeerReader(): (line: string) => PeerLine {
  let row = 0;
  /** Until a blank line. */
  let table: PeerTable | undefined;
  /** What was taken for its head, until the next row. */
  let first: { readonly cells: readonly RowCell[]; readonly line: string; readonly row: number } | undefined;
  /** Lines since one that others could be held against. */
  let dull = 0;
  const fields = newTable("fields");
  const inline = newTable("blanks", [{ text: "state", at: 0, places: ["state"] }]);
  const counters = newTable("blanks", [{ text: "errors", at: 0, places: ["counter"] }]);
  return (given) => {
    const line = /[─-╿]/.test(given) ? given.replace(/[─━═]/g, " ").replace(/[│┃║┌-╿]/g, "|") : given;
    row += 1;
    if (!/\S/.test(line)) [table, dull] = [undefined, 0];
    dull = isPeer.test(line) ? 0 : dull + 1;
    if (dull > mostDull) return noPeers;
    if (isIdleLink(line)) return { odd: [], nameEnds: given.length };
    if (line.length > longestRow || /^[\s|+:=-]*$/.test(line)) return noPeers;
    const { name: about, count: raw = "" } = attribute.exec(line)?.groups ?? {};
    if (about !== undefined)
      return { ...noPeers, odd: judgeCell(counters, { text: raw, at: 0, places: ["counter"] }, given, row) };
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
    const { word, bare = word } = (/[(:=]/.test(line) ? inlined.exec(line) : null)?.groups ?? {};
    if (bare !== undefined)
      return {
        ...noPeers,
        odd: judgeCell(inline, { text: bare, at: line.indexOf(bare), places: ["state"] }, given, row),
      };
    const by = separatorOf(line);
    const cells = by === undefined ? [] : cellsOf(line, by);
    if (by === undefined || cells.length < 2 || cells.length > mostCells) return noPeers;
    const isAgain = table !== undefined && repeatsHead(table.head, cells);
    if (table?.by !== by || isAgain || (cells.length > 2 && isTitle(line, cells))) {
      const isNamed = isHead(line) && !cells.some(({ text }) => ended.has(text));
      // A name of several words ends where its column does.
      const names = cells.map((cell) => ({ ...cell, places: [...cell.places, endsAt(cell.at + cell.text.length)] }));
      table = newTable(by, isNamed ? names : []);
      first = isNamed ? { cells, line: given, row } : undefined;
      if (isNamed) return noPeers;
    }
    const open = table;
    // What says the same as the row below it named no column.
    const isRow = first?.cells.some(({ text, places }) =>
      cells.some(
        (cell) => cell.text === text && /\p{L}/u.test(text) && cell.places.some((place) => places.includes(place)),
      ),
    );
    const before = isRow && first ? [first] : [];
    if (isRow || row - (first?.row ?? 0) >= mostHeadRows) first = undefined;
    const odd = [...before, { cells, line: given, row }].flatMap((one) =>
      one.cells.flatMap((cell) => judgeCell(open, cell, one.line, one.row)),
    );
    if (open.parts.length > 0 && isSwitchedOff(open, cells)) return noPeers;
    const unread = open.parts.length > 0 ? unreadAt(open, cells) : undefined;
    if (unread !== undefined) return { ...noPeers, odd: [...odd, { back: 0, line: given, at: unread }] };
    if (by !== "blanks" && cells.some(({ text }) => ended.has(text))) return { odd, nameEnds: given.length };
    const isFine =
      by !== "blanks" &&
      cells.some(({ text }, place) => (open.words.get(firstWord(text)) ?? 0) > 1 || (place > 0 && outcome.has(text)));
    const [thing] = cells;
    return { odd, nameEnds: isFine && thing && !logLevel.test(thing.text) ? thing.at + thing.text.length : undefined };
  };
}
