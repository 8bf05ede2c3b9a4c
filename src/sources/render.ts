import type { QueryPlan } from "./parse-query.ts";

export type SeriesLabels = Readonly<Record<string, string>>;

/** A series or stream; times are seconds, or nanoseconds as text for lines. */
export interface Series {
  readonly labels: SeriesLabels;
  readonly values: readonly (readonly [at: number | string, value: string])[];
}

export interface SeriesAnswer {
  readonly isLogs: boolean;
  readonly rows: readonly Series[];
  readonly warnings: readonly string[];
}

/** Renders an answer that ends at `end`, as a table or log lines. Pure. */
export function renderAnswer({ isLogs, rows, warnings }: SeriesAnswer, plan: QueryPlan, end: Date): string {
  const notes = warnings.map((warning) => `warning: ${warning}`);
  const time = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, "Z");
  const when =
    plan.sinceMs === undefined
      ? `at ${time(end.getTime())}`
      : `${time(end.getTime() - plan.sinceMs)} to ${time(end.getTime())}`;
  if (rows.length === 0) return lines([`nothing matches, ${when}`, ...notes]);
  const shared = rows.length === 1 ? {} : sharedLabels(rows.map(({ labels }) => labels));
  const common = Object.keys(shared).length === 0 ? [] : [`all: ${labelText(shared)}`];
  const own = ({ labels }: Series): string =>
    labelText(Object.fromEntries(Object.entries(labels).filter(([name]) => !Object.hasOwn(shared, name))));
  const body = isLogs ? logLines(rows, own, plan.limit) : table(rows, own);
  const count = isLogs ? `${rows.length} streams` : `${rows.length} series`;
  return lines([`${count}, ${when}`, ...common, "", ...body, ...notes]);
}

const lines = (all: readonly string[]): string => `${all.join("\n")}\n`;

/** Text from outside stays on its line. */
const labelText = (labels: SeriesLabels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ")}}`;

const sharedLabels = ([first = {}, ...others]: readonly SeriesLabels[]): SeriesLabels =>
  Object.fromEntries(Object.entries(first).filter(([name, value]) => others.every((labels) => labels[name] === value)));

function table(rows: readonly Series[], own: (row: Series) => string): readonly string[] {
  const isRange = rows.some(({ values }) => values.length > 1);
  const cells = rows.map((row) => [own(row), ...(isRange ? rangeCells(row) : [exactText(row.values[0]?.[1] ?? "")])]);
  const head = ["series", ...(isRange ? ["last", "min", "max", ""] : ["value"])];
  const all = [head, ...cells];
  // One long name must not push every number off a phone.
  const widths = head.map((_, at) => Math.min(60, Math.max(...all.map((line) => line[at]?.length ?? 0))));
  return all.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function rangeCells({ values }: Series): readonly string[] {
  const numbers = values.map(([, value]) => Number(value));
  const known = numbers.filter(Number.isFinite);
  const last = numberText(numbers.at(-1) ?? Number.NaN);
  if (known.length === 0) return [last, "", "", ""];
  const [min, max] = [known.reduce(smaller), known.reduce(larger)];
  return [last, numberText(min), numberText(max), sparkline(numbers, min, max)];
}

/** Drops digits that only the binary form adds. */
const exactText = (value: string): string =>
  /^-?\d+\.\d{12,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;

/** Six digits suffice; counts and bytes are whole. */
const numberText = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1e6 ? String(Math.round(value)) : String(Number(value.toPrecision(6)));

// Math.max(...) overflows the stack with many numbers.
const smaller = (a: number, b: number): number => Math.min(a, b);
const larger = (a: number, b: number): number => Math.max(a, b);

const bars = "▁▂▃▄▅▆▇█";
const mostBars = 30;

/** Draws values from `min` to `max`. A bar shows its highest value, so no peak is lost; a gap is a dot. */
export function sparkline(values: readonly number[], min: number, max: number): string {
  const each = Math.ceil(values.length / mostBars);
  const drawn: string[] = [];
  for (let from = 0; from < values.length; from += each) {
    const highest = values
      .slice(from, from + each)
      .filter(Number.isFinite)
      .reduce(larger, Number.NEGATIVE_INFINITY);
    const step = max === min ? 0 : Math.round(((highest - min) / (max - min)) * (bars.length - 1));
    drawn.push(Number.isFinite(highest) ? bars.charAt(step) : "·");
  }
  return drawn.join("");
}

/** Newest last, as in a terminal. */
function logLines(rows: readonly Series[], own: (row: Series) => string, limit: number | undefined): readonly string[] {
  const all = rows.flatMap((row) =>
    row.values.map(([at, line]) => ({ at: BigInt(at), text: `${own(row)} ${line}`.replace(/^\{\} /, "") })),
  );
  const sorted = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const shown = sorted.map(({ at, text }) => `${new Date(Number(at / 1_000_000n)).toISOString()} ${text}`);
  return all.length === limit
    ? [`the newest ${limit} lines; \`--limit\` allows more, a filter shows others`, ...shown]
    : shown;
}
