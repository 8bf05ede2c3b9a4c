import type { RepoFile } from "../../base/github.ts";
import { matchesGlob } from "../../base/glob.ts";

/** In bytes of UTF-8, in a prompt (OP-2). */
export const maxInstructionBytes = 32 * 1024;

const maxGlobCharacters = 200;
const maxGlobs = 50;

/** Whether a path below the folder can match these comma-separated globs. Without a folder only globs for everything fit. */
export function appliesTo(applyTo: string, folder: string | undefined): boolean {
  // `a,b/{c,d}` → `a`, `b/c`, `b/d`. Nested braces stay.
  const globs = applyTo
    .slice(0, maxGlobCharacters * maxGlobs)
    .split(/,(?![^{}]*\})/)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "")
    .flatMap((glob) => {
      const [, before = "", inside, after = ""] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? [];
      return inside === undefined ? [glob] : inside.split(",").map((choice) => before + choice.trim() + after);
    })
    .slice(0, maxGlobs);
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

function reaches([part, ...rest]: readonly string[], folder: readonly string[]): boolean {
  const [first, ...deeper] = folder;
  if (first === undefined) return true;
  if (part === undefined) return false;
  if (part === "**") return rest.length === 0 || reaches(rest, folder) || reaches([part, ...rest], deeper);
  return matchesGlob(part, first) && reaches(rest, deeper);
}

/**
 * Each file has an equal share, and the others get what one does not need: a huge file at the top leaves room for the specific one below. A
 * cut shows in the text and in a note.
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
