import { addressedIn, type Expectation, hasParts, partsOfPattern } from "../../base/run.ts";
import type { RunView } from "./state.ts";

/** `Active: inactive (dead)`, `"status": "ok"` */
const state = /^[\s"{]{0,20}(?:active|status|state|phase|health)"?\s{0,8}[:=]\s{0,8}\S/i;

/** Closes a value or counts what stands above it. */
const saysNothing = /^[^\p{L}\p{N}]*$|^\(?\d+ (?:rows?|lines?|records?|entries|items?|results?)\b[^:]*$/iu;

/** The output's lines that say something; none while it runs. */
export const tellingLines = ({ ending, excerpt }: Pick<RunView, "ending" | "excerpt">): readonly string[] =>
  ending ? (excerpt ?? "").split("\n").filter((line) => !saysNothing.test(line.trim())) : [];

/**
 * The line that bears the fact: it has the trouble, met or broke what was expected, says the state, is the only one, or is the largest of a
 * list. Undefined if none is known. A line that speaks to the agent decides nothing.
 */
export function decidingLine(run: RunView, expect: Expectation | undefined): string | undefined {
  const lines = tellingLines(run);
  const withPattern = (pattern: string | undefined): string | undefined =>
    pattern === undefined ? undefined : lines.find((line) => hasParts(line, partsOfPattern(pattern)));
  return (
    withPattern(expect?.lacks) ??
    (addressedIn(run.trouble) === undefined ? run.trouble : undefined) ??
    withPattern(expect?.contains) ??
    lines.find((line) => state.test(line)) ??
    (lines.length === 1 ? lines[0] : largestOf(lines))
  );
}

const quantity =
  /^(?:count|size|used|total|mem|memory|rss|vsz|bytes|rows|messages|lag|num|avg|sum|max|cpu|pcpu|pmem|connections|sessions|n)$|%/i;
const withUnit = /^(\d{1,15}(?:[.,]\d{1,9})?)([KMGTP]i?B?|B|%)$/;
const scale = "BKMGTP";

/** In bytes or percent; a bare number as it is. Undefined if it is no amount. */
function amountIn(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(word)) return Number(word);
  const [, number = "", unit = ""] = withUnit.exec(word) ?? [];
  return number === ""
    ? undefined
    : Number(number.replace(",", ".")) * 1_024 ** Math.max(0, scale.indexOf(unit.charAt(0)));
}

interface ListRow {
  readonly line: string;
  readonly cells: readonly string[];
}

/** The row with the largest amount, if a head names the amounts or they have units. A number alone may be an id. */
function largestOf(lines: readonly string[]): string | undefined {
  const isBarred = lines.some((line) => line.includes(" | "));
  const rows = lines.map((line): ListRow => {
    const cells = isBarred ? line.split("|").map((cell) => cell.trim()) : line.trim().split(/\s+/);
    return { line, cells };
  });
  const [head, ...below] = rows;
  if (!head) return undefined;
  const columns = [...head.cells.keys()].filter((at) => quantity.test(head.cells[at] ?? ""));
  const isHeaded = columns.length > 0 && head.cells.every((cell) => amountIn(cell) === undefined);
  if (!isHeaded)
    return largestBy(rows, ({ cells }) => (withUnit.test(cells[0] ?? "") ? amountIn(cells[0]) : undefined));
  if (below.some(({ cells }) => cells.length > head.cells.length)) return undefined;
  // A share says more than a size; else the column that the list is sorted by.
  const isSorted = (at: number): boolean => {
    const amounts = below.map(({ cells }) => amountIn(cells[at]) ?? Number.NaN);
    return amounts.every((amount, index) => index === 0 || (amounts[index - 1] ?? 0) >= amount);
  };
  const shares = columns.filter((at) => head.cells[at]?.includes("%"));
  const told = shares.length > 0 ? shares : columns;
  const column = told.find(isSorted) ?? told.at(-1);
  return column === undefined ? undefined : largestBy(below, ({ cells }) => amountIn(cells[column]));
}

/** Of two rows or more; totals and folders that hold all others are left out. */
function largestBy(rows: readonly ListRow[], amountOf: (row: ListRow) => number | undefined): string | undefined {
  const labels = rows.map(({ cells }) => cells.at(-1) ?? "");
  const isTotal = (label: string): boolean => /^(?:total|\.)$/i.test(label);
  const holdsAll = (label: string): boolean =>
    label.startsWith("/") && labels.every((other) => other.startsWith(label) || isTotal(other));
  const kept = rows.filter((_, at) => rows.length < 3 || !(isTotal(labels[at] ?? "") || holdsAll(labels[at] ?? "")));
  const amounts = kept.map(amountOf);
  if (kept.length < 2 || amounts.some((amount) => amount === undefined)) return undefined;
  const most = Math.max(...amounts.map(Number));
  // Two that are equally large decide nothing.
  return amounts.indexOf(most) === amounts.lastIndexOf(most) ? kept[amounts.indexOf(most)]?.line : undefined;
}
