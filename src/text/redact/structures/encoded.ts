import type { Find, Span, Watch } from "../span.ts";

/** Base64 of a length that can hold a name and its value; of several lines only as many as a window's margin holds. */
const encoded = /(?<![\w+/-])(?:[A-Za-z0-9+/]{60,76}\r?\n){0,150}[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/g;

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
    for (const { 0: whole, index } of text.matchAll(encoded)) {
      if (noText.test(decode(whole.slice(0, sample)))) continue;
      watch?.();
      if (tellsSecret(decode(whole.slice(0, mostRead)), find, watch))
        spans.push({ start: index, end: index + whole.length });
    }
    return spans;
  };

const tellsSecret = (text: string, find: Find, watch: Watch | undefined): boolean =>
  !noText.test(text) && find(text, watch).some(({ isExtent }) => !isExtent);
