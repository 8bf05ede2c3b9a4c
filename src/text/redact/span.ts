/** A stretch of text that holds a secret: UTF-16 offsets, end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** One layer of the redactor: where it sees secrets. Linear in the text. */
export type Find = (text: string) => readonly Span[];

/** What stands in a secret's place: always the same, so that it tells nothing of it (SR-49). */
export const redactionMark = "[REDACTED]";

const isMark = (text: string, { start, end }: Span): boolean =>
  end - start === redactionMark.length && text.startsWith(redactionMark, start);

/** A span that cuts into a mark takes the whole of it, so that a second look finds nothing new. */
function overWholeMarks(text: string, { start, end }: Span): Span {
  return {
    start: markAcross(text, start) ?? start,
    end: (markAcross(text, end) ?? end - redactionMark.length) + redactionMark.length,
  };
}

/** Where the mark begins that has `at` inside, if there is one. */
function markAcross(text: string, at: number): number | undefined {
  const from = Math.max(0, at - redactionMark.length + 1);
  const found = text.slice(from, at + redactionMark.length - 1).indexOf(redactionMark);
  return found === -1 ? undefined : from + found;
}

/** The text with the mark in place of every span; overlapping and touching spans become one. `count` = marks set. */
export function replaceSpans(text: string, spans: readonly Span[]): { text: string; count: number } {
  const hasMarks = text.includes(redactionMark);
  const ordered = spans
    .filter(({ start, end }) => end > start)
    .map((span) => (hasMarks ? overWholeMarks(text, span) : span))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let out = "";
  let copied = 0;
  let count = 0;
  for (let index = 0; index < ordered.length; ) {
    const first = ordered[index++] as Span;
    let end = first.end;
    for (let next = ordered[index]; next && next.start <= end; next = ordered[++index]) end = Math.max(end, next.end);
    if (isMark(text, { start: first.start, end })) continue;
    out += text.slice(copied, first.start) + redactionMark;
    copied = end;
    count++;
  }
  return { text: out + text.slice(copied), count };
}
