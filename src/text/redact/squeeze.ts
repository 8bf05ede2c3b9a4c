import type { Span } from "./span.ts";

/** A run of text without the breaks in it, and where each of its characters stood. */
export type Squeezed = { readonly text: string; readonly spanOf: (start: number, end: number) => Span };

/** Base64 (or a long token) that goes on over line ends, written out (`\n`) or real. */
const wrapped = /(?<![\w+/.=-])[\w+/.=-]{12,}(?:(?:\\r)?(?:\\n|\r?\n)[ \t]{0,40}[\w+/.=-]{1,400})+/y;
const lineBreak = /(?:\\r)?(?:\\n|\r?\n)/g;
const lineBreaks = /(?:\\r)?(?:\\n|\r?\n)[ \t]*/g;
const isSextet = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w+/.=-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** Bytes in hex with something between them: `61:62`, `61 62`, `\x61\x62`, `0x61, 0x62`, `6162 6364`, lines of a dump. */
const separated = /(?<![0-9a-fA-F])[0-9a-fA-F]{2,4}(?:(?:[ \t:,-]|\\x|0x|\r?\n){1,6}[0-9a-fA-F]{2,4}){2,}/g;
const separators = /(?:[ \t:,-]|\\x|0x|\r?\n)+/g;

/** Fewer hex digits are no held value. */
const leastHex = 12;

/** Runs of base64 that were wrapped, joined again. Linear: each break is walked back from once. */
export function joinWrapped(text: string): Squeezed[] {
  const runs: Squeezed[] = [];
  let done = 0;
  for (const { index } of text.matchAll(lineBreak)) {
    let start = index;
    while (start > done && isSextet[text.charCodeAt(start - 1)] === 1) start--;
    if (index < done || index === start) continue;
    wrapped.lastIndex = start;
    const whole = wrapped.exec(text)?.[0];
    if (whole === undefined) continue;
    runs.push(squeeze(whole, start, lineBreaks));
    done = start + whole.length;
  }
  return runs;
}

/** Runs of hex bytes without what stands between them, in lower case. Linear. */
export const joinHex = (text: string): Squeezed[] =>
  [...text.matchAll(separated)]
    .filter(({ 0: whole }) => whole.length > leastHex)
    .map(({ 0: whole, index }) => squeeze(whole, index, separators))
    .map((run) => ({ ...run, text: run.text.toLowerCase() }));

function squeeze(whole: string, index: number, noise: RegExp): Squeezed {
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
