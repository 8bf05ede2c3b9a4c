import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const mostLines = 12;

/** The lines of `before` and `after` that are not in both, a few of each; if only their order differs, the first that moved. */
function differenceOf(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  const gone = old.filter((line) => !inNow.has(line));
  const come = now.filter((line) => !inOld.has(line));
  const short = (line: string): string => (line.length > 600 ? `${line.slice(0, 600)}…` : line);
  if (gone.length + come.length === 0) {
    const at = now.findIndex((line, index) => line !== old[index]);
    return [`  same lines, in another order or number, from line ${at + 1}: ${short(now[at] ?? "(end)")}`];
  }
  return [
    ...gone.slice(0, mostLines).map((line) => `  - ${short(line)}`),
    ...come.slice(0, mostLines).map((line) => `  + ${short(line)}`),
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
