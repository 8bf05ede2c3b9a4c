import type { WeighedLine } from "./weigh.ts";

const count = (n: number): string => n.toLocaleString("en-US");

/** The fault is usually at the end. */
const headShare = 0.4;

export interface TruncatedText {
  readonly text: string;
  readonly cut: number;
  readonly total: number;
}

export interface Truncation {
  readonly push: (piece: string) => void;
  readonly finish: () => TruncatedText;
}

interface TruncationOptions {
  readonly limit: number;
  /** Where the rest is to be read. */
  readonly more: string;
  /** What each line is worth; without it, all are worth the same. */
  readonly weigh?: ((line: string) => WeighedLine) | undefined;
}

/** A line, or a part of a long one. */
interface CutUnit {
  readonly at: number;
  /** Its line's number, from 0. */
  readonly line: number;
  /** How many characters stand before it. */
  readonly offset: number;
  /** With its line end; of a row that had to be cut in its message, what is left. */
  readonly text: string;
  /** How long the text was. */
  readonly size: number;
  readonly weight: number;
  readonly kind: string;
  readonly row: WeighedLine["row"];
  /** The line that it stands under. */
  readonly under: CutUnit | undefined;
}

const filler: WeighedLine = { weight: 1, depth: undefined, isHead: false, kind: "" };

const leastDecisive = 3;

/** A longer line is cut into parts; each part is kept or left out. */
const longestUnit = 400;

/** Lines beyond this multiple of the limit are let go, the least telling first. */
const mostHeld = 16;

const mostAbove = 20;

/**
 * Cuts to `limit` UTF-16 units (AR-14). Keeps what weighs most, with the lines it stands under, then head and tail; marks each gap, the largest
 * with the missing size and where to find it. A decisive line never goes before another. Holds a few times the limit.
 */
export function createTruncation({ limit, more, weigh }: TruncationOptions): Truncation {
  let total = 0;
  let open = "";
  const unitLength = Math.max(1, Math.min(longestUnit, Math.floor(limit / 20)));
  let [at, number, offset] = [0, 0, 0];
  let units: CutUnit[] = [];
  let held = 0;
  /** Of all decisive rows, also of those let go. The latest last. */
  const tally: RowTally = new Map();
  /** The lines that the next may stand under, by depth. */
  let above: { readonly depth: number; readonly isHead: boolean; readonly unit: CutUnit }[] = [];

  const add = (line: string): void => {
    const weighed = weigh?.(line) ?? filler;
    const { depth, isHead } = weighed;
    if (depth !== undefined)
      above = above.filter((one) => one.depth < depth || (one.isHead && !isHead && one.depth <= depth + 2));
    const under = above.at(-1)?.unit;
    const [first] = partsOf(line, unitLength).map((text, part) => {
      const unit: CutUnit = {
        at,
        line: number,
        offset,
        text,
        size: text.length,
        // The end of a row's long message goes before another row.
        weight: part > 0 && weighed.row ? Math.min(weighed.weight, leastDecisive - 0.5) : weighed.weight,
        kind: weighed.kind,
        row: part > 0 ? undefined : weighed.row,
        under,
      };
      units.push(unit);
      at += 1;
      offset += text.length;
      held += text.length;
      return unit;
    });
    number += 1;
    if (weighed.row) countRow(tally, weighed.row);
    if (depth !== undefined && first) above = [...above.slice(-mostAbove), { depth, isHead, unit: first }];
    if (held > mostHeld * limit) prune();
  };
  /** Head and tail stay, and between them what may be kept. */
  const prune = (): void => {
    const isEnd = atEnds(units, limit);
    const newest = newestOfEach(units);
    const telling = byTelling(units.filter((unit) => !isEnd(unit) && unit.weight > filler.weight));
    const middle = [...telling.filter((unit) => newest.has(unit)), ...telling.filter((unit) => !newest.has(unit))];
    const kept = new Set<CutUnit>();
    let room = limit;
    for (const unit of middle) {
      if (room <= 0) break;
      room -= unit.text.length;
      kept.add(unit);
    }
    units = units.filter((unit) => isEnd(unit) || kept.has(unit));
    held = units.reduce((sum, { text }) => sum + text.length, 0);
  };
  return {
    push: (piece) => {
      total += piece.length;
      const lines = (open + piece).split("\n");
      open = lines.pop() ?? "";
      for (const line of lines) add(`${line}\n`);
      if (open.length <= mostHeld * limit) return;
      const end = isSplitPair(open, open.length) ? open.length - 1 : open.length;
      add(open.slice(0, end));
      open = open.slice(end);
    },
    finish: () => {
      if (open !== "") add(open);
      open = "";
      if (total <= limit) return { text: units.map(({ text }) => text).join(""), cut: 0, total };
      return choose(units, { limit, more, total, end: at, tally });
    },
  };
}

/** A line that is longer by little stays whole. */
function partsOf(line: string, length: number): readonly string[] {
  if (line.length <= longestUnit && line.length <= 4 * length) return [line];
  const parts: string[] = [];
  for (let from = 0; from < line.length; ) {
    const end = isSplitPair(line, from + length) ? from + length + 1 : from + length;
    parts.push(line.slice(from, end));
    from = end;
  }
  return parts;
}

function atEnds(units: readonly CutUnit[], limit: number): (unit: CutUnit) => boolean {
  let [head, tail] = [0, units.length];
  for (let room = limit; head < units.length && room > 0; head += 1) room -= units[head]?.text.length ?? 0;
  for (let room = limit; tail > 0 && room > 0; tail -= 1) room -= units[tail - 1]?.text.length ?? 0;
  const [headEnd, tailStart] = [units[head - 1]?.at ?? -1, units[tail]?.at ?? 0];
  return ({ at }) => at <= headEnd || at >= tailStart;
}

/** Most telling first: of lines of one kind the last counts in full, each one before it less; among equals the later. */
function byTelling(units: readonly CutUnit[]): readonly CutUnit[] {
  const later = new Map<string, number>();
  const ranked = units.toReversed().map((unit) => {
    const others = unit.kind === "" ? 0 : (later.get(unit.kind) ?? 0);
    later.set(unit.kind, others + 1);
    const rank =
      unit.weight > leastDecisive ? Math.max(leastDecisive, unit.weight - Math.log2(1 + others)) : unit.weight;
    return { unit, rank };
  });
  return ranked.toSorted((a, b) => b.rank - a.rank || b.unit.at - a.unit.at).map(({ unit }) => unit);
}

interface CutChoice {
  readonly limit: number;
  readonly more: string;
  readonly total: number;
  /** How many units there were. */
  readonly end: number;
  readonly tally: RowTally;
}

/** Names of decisive rows that do not fit take at most this share. */
const namesShare = 0.6;

/** Rows are cut in their messages before any goes. */
const rowWidths = [300, 200, 140, 110];

const shortened = (unit: CutUnit, most: number): CutUnit => {
  if (!unit.row || unit.text.length <= most) return unit;
  const end = isSplitPair(unit.text, most - 2) ? most - 3 : most - 2;
  return { ...unit, text: `${unit.text.slice(0, end)}…\n` };
};

/** If not all that is decisive fits, one row of each kind comes first, the newest, then the names of all others, then further rows. */
function choose(units: readonly CutUnit[], choice: CutChoice): TruncatedText {
  const { limit, more, total } = choice;
  const mainMark = (cut: number, names: string): string =>
    `  ⋯ ${count(cut)} of ${count(total)} characters left out${names} · ${more} ⋯`;
  const room = limit - mainMark(total, "").length - 2;
  let telling = byTelling(units.filter(({ weight }) => weight > filler.weight));
  let chosen = select(units, telling, room, choice);
  let names = "";
  for (const most of rowWidths) {
    if (!chosen.isFull || choice.tally.size === 0) break;
    telling = byTelling(units.filter(({ weight }) => weight > filler.weight).map((unit) => shortened(unit, most)));
    chosen = select(units, telling, room, choice);
  }
  if (chosen.isFull && choice.tally.size > 0) {
    const newest = newestOfEach(telling);
    const first = telling.filter((unit) => unit.row === undefined || newest.has(unit));
    const most = Math.floor(limit * namesShare);
    const { length } = namesOf(choice.tally, select(units, first, room - most, choice).units, most);
    const rest = telling.filter((unit) => !first.includes(unit));
    chosen = select(units, [...first, ...rest], room - length, choice);
    names = namesOf(choice.tally, chosen.units, length);
  }
  const kept = chosen.units.toSorted((a, b) => a.at - b.at);
  const cut = total - kept.reduce((sum, { text }) => sum + text.length, 0);
  return { text: joinWithMarks(kept, { total, mainMark: mainMark(cut, names) }), cut, total };
}

/** Of the rows that say the same of different things the newest: by its age, else the last. */
function newestOfEach(telling: readonly CutUnit[]): ReadonlySet<CutUnit> {
  const ageOf = ({ row }: CutUnit): number => row?.age ?? Number.POSITIVE_INFINITY;
  const alike = Map.groupBy(
    telling.filter(({ row }) => row !== undefined),
    ({ row }) => row?.like,
  );
  const newer = (one: CutUnit, other: CutUnit): CutUnit => {
    const isNewer = ageOf(one) === ageOf(other) ? one.at > other.at : ageOf(one) < ageOf(other);
    return isNewer ? one : other;
  };
  return new Set([...alike.values()].map((rows) => rows.reduce(newer)));
}

/** Replicas of one thing differ in a hash: `pod/web-*`. */
const thingOf = (name: string): string => name.replace(/(?:-[a-z0-9]{6,10})?-[a-z0-9]{5}$/, "-*");

/** How many rows say the same of one thing. */
type RowTally = Map<string, { readonly says: string; readonly thing: string; readonly rows: number }>;

type DecisiveRow = NonNullable<WeighedLine["row"]>;

const tallyKey = ({ name = "", like }: DecisiveRow): string => `${like}\n${thingOf(name)}`;

const mostTallied = 5_000;

function countRow(tally: RowTally, row: DecisiveRow): void {
  if (row.name === undefined) return;
  const key = tallyKey(row);
  const rows = (tally.get(key)?.rows ?? 0) + 1;
  tally.delete(key);
  if (tally.size < mostTallied) tally.set(key, { says: row.says, thing: thingOf(row.name), rows });
}

/**
 * Names the things of the rows that are left out, by what the rows say, with their number: `; Warning BackOff: pod/web-* (12), pod/cart-*`.
 * Things that no shown row is about come first, then the latest.
 */
function namesOf(tally: RowTally, shown: readonly CutUnit[], most: number): string {
  const rowsShown = shown.flatMap(({ row }) => row ?? []);
  const said = new Set(rowsShown.map(tallyKey));
  const named = new Set(rowsShown.map(({ name = "" }) => thingOf(name)));
  const bySays = new Map<string, Map<string, number>>();
  let room = most;
  const add = (says: string, thing: string, left: number): void => {
    const names = bySays.get(says) ?? new Map<string, number>();
    const cost = names.has(thing) ? 2 : thing.length + 8 + (names.size === 0 ? says.length + 4 : 0);
    if (cost > room) return;
    room -= cost;
    bySays.set(says, names.set(thing, (names.get(thing) ?? 0) + left));
  };
  const rest = [...tally].toReversed().filter(([key]) => !said.has(key));
  const first = rest.filter(
    ([, { thing }], at) => !named.has(thing) && rest.findIndex(([, one]) => one.thing === thing) === at,
  );
  for (const [, { says, thing, rows }] of [...first, ...rest.filter((one) => !first.includes(one))])
    add(says, thing, rows);
  const words = ([thing, rows]: readonly [string, number]): string => (rows > 1 ? `${thing} (${rows})` : thing);
  return [...bySays]
    .map(([says, names]) => `; ${says === "" ? "" : `${says}: `}${[...names].map(words).join(", ")}`)
    .join("");
}

/** `isFull`: not all that is decisive fits. */
function select(
  units: readonly CutUnit[],
  telling: readonly CutUnit[],
  most: number,
  { total, end }: CutChoice,
): { readonly units: readonly CutUnit[]; readonly isFull: boolean } {
  let room = most;
  const gapRoom = gapMark(0, total).length + 2;
  const chosen = new Map<number, CutUnit>();
  const isIn = (at: number): boolean => at < 0 || at >= end || chosen.has(at);
  const take = (path: readonly CutUnit[], least = 0): boolean => {
    let cost = 0;
    for (const one of path) {
      cost += one.text.length + (1 - Number(isIn(one.at - 1)) - Number(isIn(one.at + 1))) * gapRoom;
      chosen.set(one.at, one);
    }
    const fits = cost <= room - least;
    if (fits) room -= cost;
    else for (const one of path) chosen.delete(one.at);
    return fits;
  };
  const pathTo = (unit: CutUnit): readonly CutUnit[] => {
    const path: CutUnit[] = [];
    for (let one: CutUnit | undefined = unit; one && !chosen.has(one.at); one = one.under) path.push(one);
    return path;
  };
  let isFull = false;
  for (const unit of telling) {
    if (chosen.has(unit.at) || (isFull && unit.weight < leastDecisive)) continue;
    const isTaken = take(pathTo(unit)) || take([unit]);
    isFull ||= !isTaken && unit.weight >= leastDecisive;
  }
  for (const least of isFull ? [] : [filler.weight, 0]) {
    const rest = units.filter(({ weight }) => weight >= least);
    const tailRoom = room - Math.floor(room * headShare);
    for (const unit of rest) if (!chosen.has(unit.at) && !take([unit], tailRoom)) break;
    for (const unit of rest.toReversed()) if (!chosen.has(unit.at) && !take([unit])) break;
  }
  return { units: [...chosen.values()], isFull };
}

const gapMark = (lines: number, characters: number): string =>
  `  ⋯ ${lines > 0 ? `${count(lines)} line${lines === 1 ? "" : "s"}` : `${count(characters)} characters`} left out ⋯`;

interface CutGap {
  readonly characters: number;
  readonly lines: number;
}

/** A mark stands on a line of its own where units are missing; the largest gap has the main one. */
function joinWithMarks(
  kept: readonly CutUnit[],
  { total, mainMark }: { readonly total: number; readonly mainMark: string },
): string {
  const gapBefore = (unit: CutUnit | undefined, last: CutUnit | undefined): CutGap => ({
    characters: (unit?.offset ?? total) - (last ? last.offset + last.size : 0),
    lines: (unit?.line ?? 0) - (last?.line ?? -1) - 1,
  });
  const gaps = [...kept, undefined].map((unit, index) => gapBefore(unit, kept[index - 1]));
  const largest = gaps.reduce(
    (most, { characters }, index) => (characters > (gaps[most]?.characters ?? 0) ? index : most),
    0,
  );
  let text = "";
  for (const [index, gap] of gaps.entries()) {
    const unit = kept[index];
    if (gap.characters > 0) {
      const mark = index === largest ? mainMark : gapMark(unit ? gap.lines : 0, gap.characters);
      text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${mark}${unit ? "\n" : ""}`;
    }
    text += unit?.text ?? "";
  }
  return text;
}

export function truncate(text: string, options: { readonly limit: number; readonly more: string }): TruncatedText {
  const truncation = createTruncation(options);
  truncation.push(text);
  return truncation.finish();
}

/** Whether a cut at `at` splits a surrogate pair. */
export function isSplitPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
