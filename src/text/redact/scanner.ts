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

const lineEnd = /[\n\r\u2028\u2029]/g;

/**
 * What sticky patterns that begin with `^` match, each line by line. Looking for the lines alone is several times as quick
 * as a search for each pattern.
 */
export function matchLines(
  text: string,
  patterns: readonly RegExp[],
  visit: (match: RegExpExecArray, pattern: number) => void,
): void {
  const done = patterns.map(() => 0);
  const tryAt = (at: number): void => {
    // Millions of lines: entries() would make a pair for each line and pattern.
    let index = -1;
    for (const pattern of patterns) {
      index++;
      if (at < (done[index] ?? 0)) continue;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      done[index] = at + match[0].length;
      visit(match, index);
    }
  };
  tryAt(0);
  lineEnd.lastIndex = 0;
  while (lineEnd.test(text)) tryAt(lineEnd.lastIndex);
}

/** So many zeros stand behind the end, so that a loop may look ahead unchecked. */
const spare = 3;

/**
 * The UTF-16 units of a text, and some zeros. A loop over them takes a third of the time of one over the text itself, which
 * is often a slice of another and has to be found again for each character.
 */
export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.allocUnsafe(2 * (text.length + spare));
  bytes.fill(0, bytes.write(text, "utf16le"));
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length + spare);
}

/** The same in lower case. Of plain ASCII no copy is made in lower case: a large one stays in memory for long (RR-19). */
function lowerUnitsOf(text: string): Uint16Array {
  const units = unitsOf(text);
  for (let at = 0; at < text.length; at++) {
    const unit = units[at] ?? 0;
    if (unit >= 0x80) return unitsOf(lowerCase(text));
    if (unit >= 0x41 && unit <= 0x5a) units[at] = unit | 0x20;
  }
  return units;
}

/** ASCII only where other letters would change the text's length. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
