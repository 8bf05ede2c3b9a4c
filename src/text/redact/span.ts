import { redactionMark } from "../marks.ts";

/** A stretch of text that holds a secret: UTF-16 offsets, end exclusive. */
export type Span = {
  readonly start: number;
  readonly end: number;
  /** Nothing to hide of itself: what must be seen in one piece, since its parts tell nothing alone. */
  readonly isExtent?: true;
};

/** Told of each place that is looked at closely; throws when the time for the whole is over. */
export type Watch = () => void;

/** One layer of the redactor: where it sees secrets. Linear in the text. */
export type Find = (text: string, watch?: Watch) => readonly Span[];

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

/** A text and where in it marks were newly set, in order. */
type MarkedText = { readonly text: string; readonly marks: readonly number[] };

/** The text with the mark in place of every span; overlapping and touching spans become one. */
export function replaceSpans(text: string, spans: readonly Span[]): MarkedText {
  const hasMarks = text.includes(redactionMark);
  const ordered = spans
    .filter(({ start, end, isExtent }) => end > start && !isExtent)
    .map((span) => (hasMarks ? overWholeMarks(text, span) : span))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let out = "";
  let copied = 0;
  const marks: number[] = [];
  for (let index = 0; index < ordered.length; ) {
    const first = ordered[index++] as Span;
    let end = first.end;
    for (let next = ordered[index]; next && next.start <= end; next = ordered[++index]) end = Math.max(end, next.end);
    if (isMark(text, { start: first.start, end })) continue;
    out += text.slice(copied, first.start);
    marks.push(out.length);
    out += redactionMark;
    copied = end;
  }
  return { text: out + text.slice(copied), marks };
}
