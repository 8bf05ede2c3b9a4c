import { findMarker, isCited, opensBlock } from "./markers.ts";
import { readSuggestionsHeader } from "./suggestions.ts";

/** Cited: in a quote, indented code or a fence, so no instruction to us. */
export interface CitedLine {
  readonly text: string;
  readonly cited: boolean;
  /** In a fence that only wraps a block, suggestions or the reply. */
  readonly wrapped?: boolean;
  /** A comment of HTML hid a block here. */
  readonly hidesBlock?: boolean;
  /** Opens a fence of so many lines, both ends included. */
  readonly fence?: { readonly info: string; readonly lines: number };
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

/** One pass upwards keeps a thousand openings with one end linear. */
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

function solidBelow(lines: readonly string[], from: number): string {
  let at = from + 1;
  while (lines[at]?.trim() === "") at += 1;
  return lines[at] ?? "";
}

function isWrapping(open: Fence, first: string): boolean {
  const marker = findMarker(first, "text");
  const opens = marker?.kind === "start" && opensBlock(first, marker);
  return opens || readSuggestionsHeader(first) !== undefined || /^(?:markdown|md)$/i.test(open.info);
}

/** A comment of HTML: at a line's begin, or round a block's start. */
const commentStart = /^ {0,3}<!--|<!--\s{0,9}-{0,6}\s{0,3}(?=ACTIONS\\?_JSON\\?_START)/i;

const blockStart = /ACTIONS\\?_JSON\\?_START/i;

/** By line, where the next comment ends. */
function findCommentEnds(lines: readonly string[]): readonly (number | undefined)[] {
  let next: number | undefined;
  return lines
    .map((_, i) => lines.length - 1 - i)
    .map((at) => {
      if (lines[at]?.includes("-->")) next = at;
      return next;
    })
    .reverse();
}

/** Marks cited lines, and blanks comments, which show nothing. Blanks fences that only wrap a block, suggestions or the reply, because models add them (PA-4 "a fenced block"). */
export function markCited(source: readonly string[]): readonly CitedLine[] {
  const closers = findClosers(source);
  const commentEnds = findCommentEnds(source);
  const wrapping = new Set<number>();
  let citedUntil = -1;
  let commentUntil = -1;
  let wrappedUntil = -1;
  return source.map((text, i) => {
    if (i <= citedUntil) return { text, cited: true };
    if (i <= commentUntil) return { text: i === commentUntil ? text.slice(text.indexOf("-->") + 3) : "", cited: true };
    const comment = commentStart.exec(text);
    if (comment) {
      const end = text.indexOf("-->", comment.index);
      const hidesBlock = (from: readonly string[]): boolean => from.some((line) => blockStart.test(line));
      if (end >= 0) {
        const rest = `${text.slice(0, comment.index)}${text.slice(end + 3)}`;
        return { text: rest, cited: isCited(text), hidesBlock: hidesBlock([text.slice(comment.index, end)]) };
      }
      commentUntil = commentEnds[i + 1] ?? -1;
      if (commentUntil > i) {
        const within = source.slice(i, commentUntil + 1);
        return { text: text.slice(0, comment.index), cited: true, hidesBlock: hidesBlock(within) };
      }
    }
    if (wrapping.has(i)) return { text: "", cited: false };
    const fence = closers.get(i);
    if (!fence) return { text, cited: isCited(text), wrapped: i < wrappedUntil };
    if (isWrapping(fence, solidBelow(source, i))) {
      if (fence.closer !== undefined) wrapping.add(fence.closer);
      wrappedUntil = /^(?:markdown|md)$/i.test(fence.info) ? -1 : (fence.closer ?? -1);
      // A language's name, or words.
      return { text: /^[\w+-]*$/.test(fence.info) ? "" : fence.info, cited: false };
    }
    if (fence.closer === undefined) return { text, cited: false };
    citedUntil = fence.closer;
    return { text, cited: true, fence: { info: fence.info, lines: fence.closer - i + 1 } };
  });
}

/** Letters and digits alone, so that a quotation is known again in any form. */
const squeeze = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** Returns what tells whether a text only repeats what was shown. */
export function createIsQuoted(shown: string): (text: string) => boolean {
  const whole = squeeze(shown);
  return (text) => whole.includes(squeeze(text));
}
