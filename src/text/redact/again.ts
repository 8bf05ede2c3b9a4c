import { classCount, isUuid, looksRandom } from "./randomness.ts";
import { createScanner } from "./scanner.ts";
import type { Span } from "./span.ts";

/** Shorter ones may be words of the text, and more of them none of a person's. */
const least = 16;
const leastPassword = 8;
const most = 512;
const mostValues = 1000;

/** Stricter than what hides a value under its name: where that was wrong, it is wrong in one place. */
const isOwn = (value: string): boolean =>
  (value.length >= least &&
    /^[A-Za-z0-9+/_=~.-]+$/.test(value) &&
    /\d\D*\d/.test(value) &&
    (isUuid(value) || looksRandom(value, least))) ||
  (/^(?!.*a-z)[^\s\\]*\d[^\s\\]*$/i.test(value) && classCount(value) >= 3 && looksRandom(value, leastPassword));

const wordPart = /\w/;

/**
 * What was found once is hidden wherever else it stands, before or behind: a shell's trace names a token in one line and
 * shows it bare in the next. Only what looks drawn at random; it is known from a stretch of text to those that follow.
 */
export function createFindAgain(): (text: string, found: readonly Span[]) => readonly Span[] {
  const known = new Set<string>();
  let scan = createScanner([]);
  return (text, found) => {
    const before = known.size;
    for (const { start, end } of found) {
      if (known.size < mostValues && end - start <= most && isOwn(text.slice(start, end)))
        known.add(text.slice(start, end));
    }
    if (known.size > before) scan = createScanner([...known]);
    const spans: Span[] = [];
    scan(text, (start, value) => {
      const end = start + value.length;
      if (wordPart.test(text[start - 1] ?? "") || wordPart.test(text[end] ?? "")) return undefined;
      spans.push({ start, end });
      return "enough";
    });
    return spans;
  };
}
