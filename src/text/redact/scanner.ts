import { lowerUnitsOf, unitsOf } from "./units.ts";

/** Calls `visit` at each place where one of the words stands; of several there the longest comes first, until it says enough. */
type Scan = (text: string, visit: (index: number, word: string) => "enough" | undefined) => void;

/** Other letters share places of their own, so that none is taken for an ASCII character. */
const fold = (unit: number): number => (unit < 0x80 ? unit : 0x80 | (unit & 0x7f));

const pairOf = (first: number, second: number): number => (fold(first) << 8) | fold(second);

/**
 * Looks for any number of words in one pass (Wu and Manber): two characters tell how far off the next word is at least, or
 * which few may stand here. A pattern of as many alternatives tries each of them at each place. For `anyCase` they are given in
 * lower case.
 */
export function createScanner(words: readonly string[], { anyCase = false } = {}): Scan {
  const wanted = [...new Set(words)].filter((word) => word !== "").sort((a, b) => b.length - a.length);
  const shortest = wanted.at(-1)?.length ?? 0;
  if (shortest === 0) return () => undefined;
  const last = Math.max(0, shortest - 2);
  const steps = new Uint8Array(0x10000).fill(Math.min(0xff, last + 1));
  // By pair: a bit for each third character that one of its words has, which spares most of the comparisons.
  const thirds = new Int32Array(0x10000);
  const buckets = new Map<number, string[]>();
  for (const word of wanted) {
    for (let at = 0; at <= last; at++) {
      for (const pair of pairsAt(word, at)) {
        steps[pair] = Math.min(steps[pair] ?? 0, last - at);
        if (at < last) continue;
        thirds[pair] = (thirds[pair] ?? 0) | (word.length > last + 2 ? 1 << (word.charCodeAt(last + 2) & 31) : -1);
        buckets.set(pair, [...(buckets.get(pair) ?? []), word]);
      }
    }
  }
  return (text, visit) => {
    const units = anyCase ? lowerUnitsOf(text) : unitsOf(text);
    for (let at = 0, end = text.length - shortest; at <= end; ) {
      const pair = pairOf(units[at + last] ?? 0, units[at + last + 1] ?? 0);
      const step = steps[pair] ?? 1;
      if (step > 0) {
        at += step;
        continue;
      }
      if (((thirds[pair] ?? 0) >>> ((units[at + last + 2] ?? 0) & 31)) & 1) {
        for (const word of buckets.get(pair) ?? []) {
          if (standsAt(units, at, word) && visit(at, word) === "enough") break;
        }
      }
      at++;
    }
  };
}

/** `startsWith`, several times faster where the second or third character differs already. */
function standsAt(units: Uint16Array, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (units[at + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** Of a word of one character any may follow it. */
const pairsAt = (word: string, at: number): readonly number[] =>
  word.length > 1
    ? [pairOf(word.charCodeAt(at), word.charCodeAt(at + 1))]
    : Array.from({ length: 0x100 }, (_, second) => pairOf(word.charCodeAt(at), second));
