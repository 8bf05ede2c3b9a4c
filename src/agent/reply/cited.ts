import { findMarker, isCited, opensBlock } from "./markers.ts";
import { readSuggestionsHeader } from "./suggestions.ts";

/** A line of a reply. Cited: inside a quote, indented code or a fence, so that nothing in it is an instruction to us. */
export interface CitedLine {
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
 * For each line that opens a fence, the line that closes it, if any. One pass upwards over the fences that could close
 * something, nearest and shortest on top: a thousand openings with one end must not mean a thousand passes.
 */
function findClosers(lines: readonly string[]): ReadonlyMap<number, Fence & { readonly closer: number | undefined }> {
  const found = new Map<number, Fence & { closer: number | undefined }>();
  const below: Record<string, { at: number; length: number }[]> = { "`": [], "~": [] };
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const fence = readFence(lines[at] ?? "");
    const stack = below[fence?.char ?? ""];
    if (!fence || !stack) continue;
    found.set(at, { ...fence, closer: stack.findLast((one) => one.length >= fence.length)?.at });
    if (fence.info !== "") continue;
    while ((stack.at(-1)?.length ?? Number.POSITIVE_INFINITY) <= fence.length) stack.pop();
    stack.push({ at, length: fence.length });
  }
  return found;
}

/** The first line below that is not blank. */
function solidBelow(lines: readonly string[], from: number): string {
  let at = from + 1;
  while (lines[at]?.trim() === "") at += 1;
  return lines[at] ?? "";
}

/** True where the fence is only wrapping: round Markdown, or round something that we read. */
function isWrapping(open: Fence, first: string): boolean {
  const marker = findMarker(first, "text");
  const opens = marker?.kind === "start" && opensBlock(first, marker);
  return opens || readSuggestionsHeader(first) !== undefined || /^(?:markdown|md)$/i.test(open.info);
}

/**
 * Marks the cited lines. A fence that only wraps a block, the suggestions or the reply is taken off (its lines become blank):
 * models put one round what they were told to send as it is (PA-4 "a fenced block").
 */
export function markCited(source: readonly string[]): readonly CitedLine[] {
  const closers = findClosers(source);
  const wrapping = new Set<number>();
  /** Lines up to this one are inside a fence. */
  let citedUntil = -1;
  return source.map((text, i) => {
    if (i <= citedUntil) return { text, cited: true };
    if (wrapping.has(i)) return { text: "", cited: false };
    const fence = closers.get(i);
    if (!fence) return { text, cited: isCited(text) };
    if (isWrapping(fence, solidBelow(source, i))) {
      if (fence.closer !== undefined) wrapping.add(fence.closer);
      // Behind the fence stands the name of a language, or somebody's words.
      return { text: /^[\w+-]*$/.test(fence.info) ? "" : fence.info, cited: false };
    }
    citedUntil = fence.closer ?? -1;
    return { text, cited: fence.closer !== undefined };
  });
}
