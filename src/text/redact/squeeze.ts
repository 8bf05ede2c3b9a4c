import type { Span } from "./span.ts";
import { unitsOf } from "./units.ts";

/** A run of text without the breaks in it, and where each of its characters stood. */
export type SqueezedText = { readonly text: string; readonly spanOf: (start: number, end: number) => Span };

/** No shorter run of base64 goes on over a line end. */
const leastLine = 12;

/** Base64 (or a long token) that goes on over line ends, written out (`\n`) or real. */
const wrapped = new RegExp(
  String.raw`(?<![\w+/.=-])[\w+/.=-]{${leastLine},}(?:(?:\\r)?(?:\\n|\r?\n)[ \t]{0,40}[\w+/.=-]{1,400})+`,
  "y",
);
const lineBreak = /(?:\\r)?(?:\\n|\r?\n)/g;
const lineBreaks = /(?:\\r)?(?:\\n|\r?\n)[ \t]*/g;
const isSextet = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w+/.=-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** Bytes in hex with something between them: `61:62`, `61 62`, `\x61\x62`, `0x61, 0x62`, `6162 6364`, lines of a dump. */
const separated = /(?<![0-9a-fA-F])[0-9a-fA-F]{2,4}(?:(?:[ \t:,-]|\\x|0x|\r?\n){1,6}[0-9a-fA-F]{2,4}){2,}/g;
const separators = /(?:[ \t:,-]|\\x|0x|\r?\n)+/g;
const inSeparated = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[0-9a-fA-F \t:,\\x\r\n-]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** How many digits stand together at most. */
const longestGroup = 4;

/** Runs of base64 that were wrapped, joined again. Linear: each break is walked back from once. */
export function joinWrapped(text: string): SqueezedText[] {
  const runs: SqueezedText[] = [];
  let done = 0;
  for (const { index } of text.matchAll(lineBreak)) {
    let start = index;
    while (start > done && isSet(isSextet, text.charCodeAt(start - 1))) start--;
    if (index - start < leastLine) continue;
    wrapped.lastIndex = start;
    const whole = wrapped.exec(text)?.[0];
    if (whole === undefined) continue;
    runs.push(squeeze(whole, start, lineBreaks));
    done = start + whole.length;
  }
  return runs;
}

/**
 * Runs of hex bytes without what stands between them, in lower case, as far as they can hold so many digits. Linear: the
 * pattern is tried only on stretches of nothing but its own characters, which words and punctuation keep short.
 */
export function joinHex(text: string, leastDigits: number): SqueezedText[] {
  const runs: SqueezedText[] = [];
  const least = leastDigits + Math.ceil(leastDigits / longestGroup) - 1;
  const units = unitsOf(text);
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    for (end = start; isSet(inSeparated, units[end] ?? 0) && end < text.length; ) end++;
    if (end - start < least) continue;
    for (const { 0: whole, index } of text.slice(start, end).matchAll(separated)) {
      const run = whole.length < least ? undefined : squeeze(whole, start + index, separators);
      if (run && run.text.length >= leastDigits) runs.push({ ...run, text: run.text.toLowerCase() });
    }
  }
  return runs;
}

const isSet = (table: Uint8Array, unit: number): boolean => unit < table.length && table[unit] === 1;

function squeeze(whole: string, index: number, noise: RegExp): SqueezedText {
  const positions: number[] = [];
  let joined = "";
  let from = 0;
  const keep = (end: number): void => {
    joined += whole.slice(from, end);
    for (let at = from; at < end; at++) positions.push(index + at);
  };
  for (const gap of whole.matchAll(noise)) {
    keep(gap.index);
    from = gap.index + gap[0].length;
  }
  keep(whole.length);
  return {
    text: joined,
    spanOf: (start, end) => ({ start: positions[start] ?? index, end: (positions[end - 1] ?? index) + 1 }),
  };
}
