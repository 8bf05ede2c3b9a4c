import type { RepoFile } from "../../base/github.ts";

/** The most of a repository's instructions that goes into a prompt, in bytes of UTF-8 (OP-2). */
export const maxInstructionBytes = 32 * 1024;

const maxGlobCharacters = 200;
const maxGlobs = 50;

/**
 * Whether instructions with this `applyTo` (comma-separated globs) are meant for work in the folder: some path below it can
 * match. Without a folder only those that are meant for everything fit.
 */
export function appliesTo(applyTo: string, folder: string | undefined): boolean {
  const globs = splitGlobs(applyTo.slice(0, maxGlobCharacters * maxGlobs)).slice(0, maxGlobs);
  return globs.some((glob) => {
    if (glob.length > maxGlobCharacters) return false;
    const parts = glob
      .replace(/^\.?\/+/, "")
      .replace(/\/+$/, "")
      .split("/");
    const short = parts.filter((part, i) => part !== "**" || parts[i - 1] !== "**");
    if (folder === undefined) return short[0] === "**" && short.every((part) => part === "**" || part === "*");
    return reaches(short, folder.split("/"));
  });
}

/** `a,b/{c,d}` → `a`, `b/c`, `b/d`. Braces inside of braces are read as they stand. */
function splitGlobs(applyTo: string): readonly string[] {
  return applyTo
    .split(/,(?![^{}]*\})/)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "")
    .flatMap((glob) => {
      const [, before = "", inside, after = ""] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? [];
      return inside === undefined ? [glob] : inside.split(",").map((choice) => before + choice.trim() + after);
    });
}

function reaches([part, ...rest]: readonly string[], folder: readonly string[]): boolean {
  const [first, ...deeper] = folder;
  if (first === undefined) return true;
  if (part === undefined) return false;
  if (part === "**") return rest.length === 0 || reaches(rest, folder) || reaches([part, ...rest], deeper);
  return matchesPart(part, first) && reaches(rest, deeper);
}

/** `*` and `?` within one name; the time it takes grows with the product of the lengths and no faster. */
function matchesPart(glob: string, name: string): boolean {
  let g = 0;
  let star = -1;
  let from = 0;
  for (let n = 0; n < name.length; ) {
    if (glob[g] === "*") {
      star = g++;
      from = n;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === name[n])) {
      g++;
      n++;
    } else if (star >= 0) {
      g = star + 1;
      n = ++from;
    } else return false;
  }
  return /^\**$/.test(glob.slice(g));
}

/**
 * The files with at most `budget` bytes in all. Each may have an equal share, and what one does not need the others get, so
 * that a huge file at the top never takes the room of the specific one below. A cut is visible in the text and told in a note.
 */
export function withinBudget(
  files: readonly RepoFile[],
  budget: number = maxInstructionBytes,
): { readonly files: readonly RepoFile[]; readonly notes: readonly string[] } {
  const sizes = files.map(({ text }) => Buffer.byteLength(text));
  const share = shareOf(sizes, budget);
  const notes: string[] = [];
  const kept = files.map((file, i) => {
    const size = sizes[i] ?? 0;
    if (size <= share) return file;
    const left = `${(size - share).toLocaleString("en")} of ${size.toLocaleString("en")} bytes left out`;
    notes.push(`${file.source}:${file.path} is cut: ${left}`);
    return { ...file, text: `${headOf(file.text, share)}\n\n[… cut here: ${left} …]` };
  });
  return { files: kept, notes };
}

/** The size up to which every file stays whole, so that all of them together keep to the budget. */
function shareOf(sizes: readonly number[], budget: number): number {
  let room = budget;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - i));
    if (size > share) return share;
    room -= size;
  }
  return Number.POSITIVE_INFINITY;
}

const headOf = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\uFFFD+$/, "");
