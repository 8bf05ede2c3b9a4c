import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const mostLines = 8;

const withoutNames = (line: string): string => line.replace(/\b\w+:[0-9a-f]{6}x/g, "ROW");

/** The part of a long line round the place where it begins to differ. */
const around = (line: string, at: number): string => {
  const from = Math.max(0, at - 150);
  return line.length < 400 ? line : `${line.slice(0, 50)} … ${line.slice(from, from + 300)} …`;
};

/** The lines of `before` and `after` that are not in both, a few of each; if only their order differs, the first that moved. */
function differenceOf(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  const gone = old.filter((line) => !inNow.has(line));
  const come = now.filter((line) => !inOld.has(line));
  if (gone.length + come.length === 0) {
    const at = now.findIndex((line, index) => line !== old[index]);
    return [`  same lines, in another order or number, from line ${at + 1}: ${around(now[at] ?? "(end)", 0)}`];
  }
  // Rows that differ only in the names of others are shown last: those others are the cause.
  const [plainOld, plainNow] = [new Set(old.map(withoutNames)), new Set(now.map(withoutNames))];
  const first = (lines: readonly string[], other: ReadonlySet<string>): readonly string[] =>
    lines
      .toSorted((a, b) => Number(other.has(withoutNames(a))) - Number(other.has(withoutNames(b))))
      .slice(0, mostLines);
  const [shownGone, shownCome] = [first(gone, plainNow), first(come, plainOld)];
  return [
    ...shownGone.flatMap((line, index) => {
      const partner = shownCome[index] ?? "";
      const at = [...line].findIndex((sign, place) => sign !== partner[place]);
      return [`  - ${around(line, at)}`, ...(partner ? [`  + ${around(partner, at)}`] : [])];
    }),
    ...shownCome.slice(shownGone.length).map((line) => `  + ${around(line, 0)}`),
    `  ${gone.length} lines only before, ${come.length} only now`,
  ];
}

/** What differs, file by file; empty if nothing does. Files that `after` has no part of are passed over. */
export function compareFolders(before: string, after: string): readonly string[] {
  const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  const isOutput = (name: string): boolean => name !== "inputs";
  return namesIn(after)
    .filter(isOutput)
    .flatMap((name) => {
      const [old, now] = [before, after].map((folder) => {
        const file = join(folder, name);
        return existsSync(file) ? readFileSync(file, "utf8") : undefined;
      });
      if (old === now) return [];
      if (old === undefined || now === undefined) return [`${name}: not in the baseline`];
      return [`${name} differs`, ...differenceOf(old, now)];
    });
}
