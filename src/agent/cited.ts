import { findMarker, isCited, opensBlock } from "./markers.ts";
import { readSuggestionsHeader } from "./suggestions.ts";

/** A line of a reply. Cited: inside a quote, indented code or a fence, so that nothing in it is an instruction to us. */
export interface Line {
  readonly text: string;
  readonly cited: boolean;
}

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly info: string;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

function readFence(line: string): Fence | undefined {
  const [, run = "", info = ""] = fenceLine.exec(line) ?? [];
  if (run === "" || (run.startsWith("`") && info.includes("`"))) return undefined;
  return { char: run.charAt(0), length: run.length, info: info.trim() };
}

/**
 * Finds the line that closes the fence opened on line `from`. Asked once for each fence, it looks up the longest closer
 * below first, so that a thousand fences that nobody closes do not mean a thousand passes.
 */
function createCloserSearch(lines: readonly string[]) {
  const longest: { backtick: number; tilde: number }[] = [];
  const below = { backtick: 0, tilde: 0 };
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    longest[i] = { ...below };
    const fence = readFence(lines[i] ?? "");
    if (fence?.info !== "") continue;
    const kind = fence.char === "`" ? "backtick" : "tilde";
    below[kind] = Math.max(below[kind], fence.length);
  }
  return (from: number, open: Fence): number | undefined => {
    if ((longest[from]?.[open.char === "`" ? "backtick" : "tilde"] ?? 0) < open.length) return undefined;
    const isCloser = (line: string) => {
      const fence = readFence(line);
      return fence?.info === "" && fence.char === open.char && fence.length >= open.length;
    };
    let at = from + 1;
    while (!isCloser(lines[at] ?? "")) at += 1;
    return at;
  };
}

/** True where a line opens what we read: then the fence round it is only wrapping. */
function opensSomething(line: string): boolean {
  const marker = findMarker(line, "text");
  return (marker?.kind === "start" && opensBlock(line, marker)) || readSuggestionsHeader(line) !== undefined;
}

/**
 * Marks the cited lines. A fence that only wraps a block, the suggestions or the whole reply is taken off (its lines
 * become blank): models put one round what they were told to send as it is (PA-4 "a fenced block").
 */
export function markCited(source: readonly string[]): readonly Line[] {
  const closerOf = createCloserSearch(source);
  const solid = source.map((line, i) => (line.trim() === "" ? -1 : i)).filter((i) => i >= 0);
  const first = solid[0];
  const last = solid.at(-1);
  const wrapping = new Set<number>();
  const lines: Line[] = [];
  let nextSolid = 0;

  for (let i = 0; i < source.length; i += 1) {
    const text = source[i] ?? "";
    const fence = wrapping.has(i) ? undefined : readFence(text);
    while (nextSolid < solid.length && (solid[nextSolid] ?? 0) <= i) nextSolid += 1;
    if (wrapping.has(i)) {
      lines.push({ text: "", cited: false });
    } else if (!fence) {
      lines.push({ text, cited: isCited(text) });
    } else {
      const closer = closerOf(i, fence);
      const roundAll = i === first && closer !== undefined && closer === last;
      if (roundAll || opensSomething(source[solid[nextSolid] ?? i] ?? "")) {
        if (closer !== undefined) wrapping.add(closer);
        lines.push({ text: "", cited: false });
      } else {
        const end = closer ?? i;
        for (; i <= end; i += 1) lines.push({ text: source[i] ?? "", cited: closer !== undefined });
        i -= 1;
      }
    }
  }
  return lines;
}
