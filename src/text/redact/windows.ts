import type { Span } from "./span.ts";

/** So much of a text is looked at in one piece, in UTF-16 units; what a layer holds meanwhile is some times that. */
const windowLength = 512 * 1024;

/** What is seen beyond a window on both sides: more than any pattern reaches that is not an extent. */
const marginLength = 16 * 1024;

/** Lines without a find on both sides of a window's end, where there are such: what is hidden later finds no neighbours there. */
const quietLines = 3;

/** A stretch of the text in whole lines, and what is to be hidden in it: offsets from its own beginning. */
export type Window = { readonly text: string; readonly spans: readonly Span[] };

/**
 * A text of any length, given in pieces, in windows that end at line ends, each looked at with a margin of its neighbours.
 * What was found is never parted: where a find or an extent (a key, a table, an object of YAML) crosses the end, the window
 * ends behind it, or is made longer. A line is never parted either. What reaches into a window from before is hidden too.
 */
export function* windowsOf(
  pieces: Iterable<string>,
  look: (seen: string) => readonly Span[],
  { length = windowLength, margin = marginLength } = {},
): Generator<Window> {
  const source = pieces[Symbol.iterator]();
  // The text from the left margin of the window on; all offsets are into it.
  let text = "";
  const pull = (): boolean => {
    const next = source.next();
    if (!next.done) text += next.value;
    return !next.done;
  };
  /** The start of the first line that begins at `at` or later, or the end. */
  const lineAfter = (at: number): number => {
    while (text.length <= at) if (!pull()) return text.length;
    for (let from = Math.max(0, at - 1); ; ) {
      const newline = text.indexOf("\n", from);
      if (newline !== -1) return newline + 1;
      from = text.length;
      if (!pull()) return text.length;
    }
  };
  for (let start = 0; start < text.length || pull(); ) {
    // Looking into the text copies it, so what a window takes at most times is joined to it before.
    while (text.length <= start + length + 2 * margin && pull());
    let end = lineAfter(start + length);
    let spans: readonly Span[] = [];
    for (;;) {
      const seenEnd = lineAfter(end + margin);
      spans = look(text.slice(0, seenEnd));
      const free = freeEnd(text, end, spans, margin);
      if (seenEnd === text.length && !pull()) {
        end = text.length;
        break;
      }
      if (free <= end + margin / 2) {
        end = free;
        break;
      }
      end = lineAfter(Math.max(free, 2 * end - start));
    }
    const own = spans.filter((span) => span.end > start && span.start < end && !span.isExtent);
    yield {
      text: text.slice(start, end),
      spans: own.map((span) => ({ start: Math.max(start, span.start) - start, end: span.end - start })),
    };
    const from = text.lastIndexOf("\n", Math.max(0, end - margin)) + 1;
    text = text.slice(from);
    start = end - from;
  }
}

/** The first line start from `end` on that nothing crosses and that stands among quiet lines; else one that nothing crosses. */
function freeEnd(text: string, end: number, spans: readonly Span[], margin: number): number {
  const ordered = spans.toSorted((a, b) => a.start - b.start);
  let free = end;
  for (const span of ordered) if (span.start < free && span.end > free) free = nextLine(text, span.end);
  const near = ordered.filter((span) => span.end > free - margin && span.start < free + margin);
  for (let quiet = free; quiet < free + margin / 4; quiet = nextLine(text, quiet + 1)) {
    const [before, after] = [linesFrom(text, quiet, -quietLines), linesFrom(text, quiet, quietLines)];
    if (!near.some((span) => span.start < after && span.end > before)) return quiet;
    if (quiet >= text.length) break;
  }
  return free;
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", Math.max(0, at - 1));
  return newline === -1 ? text.length : newline + 1;
}

/** The start of the line so many lines on from the line start `at`, or back. */
function linesFrom(text: string, at: number, lines: number): number {
  let found = at;
  for (let line = 0; line < Math.abs(lines); line++) {
    found = lines > 0 ? nextLine(text, found + 1) : found < 2 ? 0 : text.lastIndexOf("\n", found - 2) + 1;
  }
  return found;
}
