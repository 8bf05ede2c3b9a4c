const count = (n: number): string => n.toLocaleString("en-US");

/** The fault is usually at the end. */
const headShare = 0.4;

export interface TruncatedText {
  readonly text: string;
  readonly cut: number;
  readonly total: number;
}

export interface Truncation {
  readonly push: (piece: string) => void;
  /** `telling`: lines that survive the cut, most telling first. */
  readonly finish: (telling?: readonly TellingLine[]) => TruncatedText;
}

/** Counted from 1. */
export interface TellingLine {
  readonly line: number;
  readonly text: string;
}

const tellingShare = 0.25;

/** A tail grows to this multiple first, because each cut copies it. */
const mostHeld = 4;

/**
 * Cuts to `limit` UTF-16 units: head, tail, and a mark with the missing size and where to find it (AR-14). Cuts at line ends if that costs
 * less than half. Holds a few times the limit.
 */
export function createTruncation({ limit, more }: { readonly limit: number; readonly more: string }): Truncation {
  let head = "";
  let tail = "";
  let total = 0;
  // A cut looks at the character before it.
  const lastOf = (text: string): string => text.slice(-limit - 1);
  return {
    push: (piece) => {
      total += piece.length;
      if (head.length <= limit) head += piece.slice(0, limit + 1 - head.length);
      tail = piece.length > limit ? piece : tail + piece;
      if (tail.length > mostHeld * (limit + 1)) tail = lastOf(tail);
    },
    finish: (telling = []) => {
      tail = lastOf(tail);
      if (total <= limit) return { text: head, cut: 0, total };
      const mark = (cut: number, lines: readonly TellingLine[]): string =>
        `  ⋯ ${count(cut)} of ${count(total)} characters left out${lines.map(({ line, text }) => `; line ${count(line)}: ${text}`).join("")} · ${more} ⋯`;
      const most = mostTelling(telling, limit * tellingShare);
      const room = Math.max(0, limit - mark(total, most).length - 2);
      const headEnd = backToLineEnd(head, Math.floor(room * headShare));
      const tailStart = forwardToLineStart(tail, tail.length - (room - Math.floor(room * headShare)));
      const end = tail.slice(tailStart);
      const cut = total - headEnd - end.length;
      const begin = head.slice(0, headEnd);
      const lost = most.filter(({ text }) => !(begin + end).includes(text.replace(/^…|…$/g, "")));
      const parts = [begin.replace(/\n$/, ""), mark(cut, lost), end].filter((part) => part !== "");
      return { text: parts.join("\n"), cut, total };
    },
  };
}

function mostTelling(telling: readonly TellingLine[], room: number): readonly TellingLine[] {
  let left = room;
  return telling.filter(({ text }) => {
    left -= text.length + "; line 1,000,000: ".length;
    return left >= 0;
  });
}

export function truncate(text: string, options: { readonly limit: number; readonly more: string }): TruncatedText {
  const truncation = createTruncation(options);
  truncation.push(text);
  return truncation.finish();
}

function backToLineEnd(text: string, end: number): number {
  const newline = text.lastIndexOf("\n", end - 1);
  if (newline >= end / 2) return newline + 1;
  return isSplitPair(text, end) ? end - 1 : end;
}

function forwardToLineStart(text: string, start: number): number {
  const newline = text.indexOf("\n", start - 1);
  if (newline !== -1 && newline + 1 - start < (text.length - start) / 2) return newline + 1;
  return isSplitPair(text, start) ? start + 1 : start;
}

/** Whether a cut at `at` splits a surrogate pair. */
export function isSplitPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
