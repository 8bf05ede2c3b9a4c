import type { Find, Span, Watch } from "../span.ts";

/** Base64 of a length that can hold a name and its value; of several lines only as many as a window's margin holds. */
const encoded = /(?:[A-Za-z0-9+/]{60,76}\r?\n){0,150}[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/y;

/** It begins with so many of these characters at least, and behind none of them. */
const leastRun = 24;
const inRun = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w+/-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** So much of it is read; a text that tells a secret seldom begins with more that tells none. */
const mostRead = 16_384;

/** So many characters say whether text is encoded at all: paths, digests and keys are none. */
const sample = 24;

const noText = /[^\t\n\r\x20-\x7e]/;

const decode = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");

/** Base64 in which `find` sees a secret once it is decoded: settings, JSON, key files. It is hidden as a whole. */
export const createFindEncoded =
  (find: Find): Find =>
  (text, watch) => {
    const spans: Span[] = [];
    for (const { 0: whole, index } of findEncodings(text)) {
      if (noText.test(decode(whole.slice(0, sample)))) continue;
      watch?.();
      if (tellsSecret(decode(whole.slice(0, mostRead)), find, watch))
        spans.push({ start: index, end: index + whole.length });
    }
    return spans;
  };

/** What `encoded` matches. It is tried where a run is long enough only, which looking at every 24th character tells of most text. */
function* findEncodings(text: string): Generator<RegExpExecArray> {
  const isInRun = (at: number): boolean => inRun[text.charCodeAt(at)] === 1;
  for (let start = 0, end = 0; start + leastRun <= text.length; start = end) {
    for (end = start + leastRun; end > start && isInRun(end - 1); ) end--;
    if (end > start) continue;
    encoded.lastIndex = start;
    const match = encoded.exec(text);
    if (match) yield match;
    for (end = start + (match?.[0].length ?? leastRun); isInRun(end); ) end++;
  }
}

const tellsSecret = (text: string, find: Find, watch: Watch | undefined): boolean =>
  !noText.test(text) && find(text, watch).some(({ isExtent }) => !isExtent);
