/** A value of an output, and what the output or its command calls it. */
export interface NamedCell {
  readonly key: string;
  readonly value: string;
}
/** What an output says of one thing. */
export interface NamedRow {
  /** The row as people would write it: its values, two blanks between them. */
  readonly text: string;
  readonly cells: readonly NamedCell[];
  /** The command names it, not the output. */
  readonly isCalled?: true;
  readonly isJson?: true;
}

/** More than a sentence speaks of. */
const [mostRows, mostCells, longestJson] = [400, 40, 20_000];

/** `offline: false` is written as `online`. */
const opposites = new Map(
  "offline online down up paused resumed disabled enabled unavailable available unhealthy healthy stopped running disconnected connected"
    .split(" ")
    .flatMap((word, at, all): [string, string][] => [[word, all[at % 2 === 0 ? at + 1 : at - 1] ?? ""]]),
);
function wordsOf({ key, value }: NamedCell): string {
  const is = switchOf({ key, value });
  const last = key
    .toLowerCase()
    .match(/\p{L}{4,}/gu)
    ?.at(-1);
  if (is === undefined || last === undefined) return value;
  return is ? last : (opposites.get(last) ?? `not ${last}`);
}

const rowOf = (cells: readonly NamedCell[]): NamedRow => ({
  text: cells.map(wordsOf).join("  "),
  cells: cells.slice(0, mostCells),
});

/** Names the values of an output by its JSON keys, its table's head, or the command that asked for them. */
export function readNamedRows(command: string, output: string): readonly NamedRow[] {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const listed = rowsOfList(command, lines);
  if (listed) return listed;
  const json = lines.length > mostRows ? [] : rowsOfJson(command, lines);
  return (json.length > 0 ? json : rowsOfTable(lines)).slice(0, mostRows);
}

/** `systemctl is-active a b` answers with a line for each; `psql -At` with the columns of its `select`. */
function rowsOfList(command: string, lines: readonly string[]): readonly NamedRow[] | undefined {
  const units = /\bis-(?:active|enabled|failed)\s+(?<units>[^|;&\n]+)/
    .exec(command)
    ?.groups?.units?.split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-"));
  if (units && units.length === lines.length)
    return units.map((unit, at) => ({
      ...rowOf([
        { key: "unit", value: unit },
        { key: "state", value: lines[at] ?? "" },
      ]),
      isCalled: true,
    }));
  const select =
    /(?:\s-\w*A\w*t|\s-\w*t\w*A)/.test(command) &&
    /\bselect\s+(?<columns>[^"';]+?)(?:\s+from\b|["';]|$)/i.exec(command);
  if (!select) return undefined;
  const keys = partsOf(select.groups?.columns ?? "").map((column) => /\sas\s+(\w+)$/i.exec(column)?.[1] ?? column);
  const rows = lines.map((line) => line.split("|"));
  return rows.every((row) => row.length === keys.length)
    ? rows.map((row) => rowOf(row.map((value, at) => ({ key: keys[at] ?? "", value: value.trim() }))))
    : undefined;
}

/** Parts at commas outside of brackets. */
function partsOf(list: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of list) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (sign === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + sign);
  }
  return parts.map((part) => part.trim());
}

function rowsOfJson(command: string, lines: readonly string[]): readonly NamedRow[] {
  const keys = /\[(?<fields>\s*\.\w+(?:\s*,\s*\.\w+)*)\s*\]/
    .exec(command)
    ?.groups?.fields?.split(",")
    .map((field) => field.trim().slice(1));
  const rows: NamedRow[] = [];
  const add = (value: unknown, depth: number): void => {
    if (depth > 6 || rows.length === mostRows || typeof value !== "object" || value === null) return;
    const isPlain = (one: unknown): boolean => typeof one !== "object" || one === null;
    if (Array.isArray(value) && value.every(isPlain) && keys?.length === value.length)
      rows.push({
        ...rowOf(value.map((one, at) => ({ key: keys[at] ?? "", value: String(one) }))),
        isCalled: true,
        isJson: true,
      });
    else {
      const own = Array.isArray(value) ? [] : Object.entries(value).filter(([, one]) => isPlain(one));
      if (own.length > 0) rows.push({ ...rowOf(own.map(([key, one]) => ({ key, value: String(one) }))), isJson: true });
      for (const one of Object.values(value)) add(one, depth + 1);
    }
  };
  const text = lines.join("\n");
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return [];
  for (const part of isJson(text) ? [text] : lines) {
    const parsed = parseJson(part);
    if (parsed === undefined) return [];
    add(parsed, 0);
  }
  return rows;
}
const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};
const isJson = (text: string): boolean => parseJson(text) !== undefined;

/** A table's rows have as many cells as its head, which has no figures. */
function rowsOfTable(lines: readonly string[]): readonly NamedRow[] {
  const rows: NamedRow[] = [];
  let head: readonly string[] = [];
  /** Where columns are a blank apart. */
  let headWords: readonly string[] = [];
  for (const line of lines) {
    if (/^[\s+|=-]*$/.test(line)) continue;
    const isPiped = line.includes("|");
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split(isPiped ? "|" : /\s{2,}|\t|(?<=^[^\s:=]+)\s|(?<=\d\S*)\s(?=\d|\p{Lu})/u)
      .map((cell) => cell.trim());
    const pair = /^\s*(?<key>[^:=|]{2,60}?)\s*[:=]\s*(?<value>\S.*)$/.exec(line)?.groups;
    if (
      cells.length > 1 &&
      cells.length === head.length &&
      cells.some((cell) => /\d|^(?:true|false|t|f|yes|no)$/i.test(cell))
    )
      rows.push(rowOf(cells.map((value, at) => ({ key: head[at] ?? "", value }))));
    // `Mem:  15893 …` of `free`: the first column has no head.
    else if (cells.length === head.length + 1 && /:$/.test(cells[0] ?? "") && head.length > 1)
      rows.push(rowOf(cells.map((value, at) => ({ key: at === 0 ? "" : (head[at - 1] ?? ""), value }))));
    else if (pair) rows.push(rowOf([{ key: pair.key ?? "", value: (pair.value ?? "").trim() }]));
    else if (cells.length > 1 && cells.every((cell) => /^[^\d]*$/.test(cell))) {
      head = cells;
      headWords = line.trim().split(/\s+/);
    } else {
      const words = line.trim().split(/\s+/);
      if (words.length === headWords.length)
        rows.push(rowOf(words.map((value, at) => ({ key: headWords[at] ?? "", value }))));
    }
  }
  return rows;
}

const isTrue = /^(?:true|t|yes)$/i;
const isFalse = /^(?:false|f|no)$/i;
/** What a cell says by yes or no. */
export const switchOf = ({ value }: NamedCell): boolean | undefined =>
  isTrue.test(value) ? true : isFalse.test(value) ? false : undefined;
