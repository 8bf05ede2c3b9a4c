import type { Find, Span } from "../span.ts";

/** Heads and feet of private keys; certificates and public keys are not secret. A newline may be written `\n`. */
const edge =
  /-{4,6} ?(BEGIN|END) (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY(?: BLOCK)?|SECRET KEY|NKEY SEED|STATIC KEY[^-\n]{0,4})[^-\n]{0,20}-{4,6}/gi;

/** Without dashes round it, PuTTY's head and Borg's: lines of base64 follow. */
const plainHeads =
  /^(?:Private-Lines: \d+|[A-Z]{2,12}_KEY [0-9a-f]{16,128})\r?\n((?:[A-Za-z0-9+/=]{1,70}(?:\r?\n|$(?![\s\S])))+)|^Private-(?:MAC|Hash): ([0-9a-f]{20,})/gm;

/** What may stand between a newline and a body line: indentation, quote and diff marks, log or grep prefixes. */
const linePrefix = String.raw`[ \t>|+"'#-]*`;
const lineBreak = String.raw`(?:\\r|\r)?(?:\n|\\+n)`;
const bodyLine = String.raw`(?:[A-Za-z0-9+/=]+|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)[:][^\n\\]{0,120}|\[REDACTED\])?["',;+\\ \t]{0,4}`;
const afterHead = new RegExp(
  `(?:${lineBreak}${linePrefix}${bodyLine}(?=${lineBreak}|-----|$)|[ \\t]+[A-Za-z0-9+/=]{16,})`,
  "y",
);

/** What an armour says of itself before its body. */
const armourHeaders = /^\s{0,4}(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,120}(?:\n|$))+/;

const blanks = /[\s"'>|+]/;

/** So far on a foot is looked for where a text is read in windows; larger than any key with its log prefixes. */
const longestKey = 64 * 1024;

/** Private keys in PEM and PGP armour: with and without an end, with and without a head, on one line or many. */
export const findPrivateKeys: Find = (text) => {
  const spans: Span[] = [];
  let openedAt: number | undefined;
  for (const match of text.matchAll(edge)) {
    const after = match.index + match[0].length;
    if (match[1]?.toUpperCase() === "BEGIN") {
      if (openedAt !== undefined) spans.push(trimmed(text, openedAt, bodyEnd(text, openedAt)));
      openedAt = after;
      continue;
    }
    if (openedAt === undefined) spans.push(...bodyBehindPrefixes(text, match.index));
    spans.push(trimmed(text, openedAt ?? bodyStart(text, match.index), match.index));
    openedAt = undefined;
  }
  if (openedAt !== undefined) {
    spans.push(trimmed(text, openedAt, bodyEnd(text, openedAt)));
    // Its foot may come yet, behind lines that look like no key's.
    spans.push({ start: openedAt, end: Math.min(text.length, openedAt + longestKey), isExtent: true });
  }
  for (const match of text.matchAll(plainHeads)) {
    const body = match[1] ?? match[2] ?? "";
    const start = match.index + match[0].length - body.length;
    spans.push({ start, end: start + body.trimEnd().length });
  }
  return spans;
};

/** Where the body that starts at `start` stops looking like one; the foot was cut off. */
function bodyEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    afterHead.lastIndex = end;
    const match = afterHead.exec(text);
    if (!match || match[0] === "") return end;
    end += match[0].length;
  }
}

/** Where the body that ends at `end` began; the head was cut off. */
function bodyStart(text: string, end: number): number {
  let start = end;
  if (text[end - 1] !== "\n") {
    // On one line with `\n` written out, or a foot behind its indentation.
    while (start > 0 && /[A-Za-z0-9+/=\\ \t]/.test(text[start - 1] ?? "")) start--;
    if (text[start - 1] !== "\n") return start;
  }
  for (let least = 1; start > 0; least = 16) {
    const lineStart = text.lastIndexOf("\n", start - 2) + 1;
    const line = text.slice(lineStart, start).trim();
    if (line.length < least || !/^[A-Za-z0-9+/=]+$/.test(line)) break;
    start = lineStart;
  }
  return start;
}

/** What a log or grep writes before each line: alike in all but its numbers. */
const shapeOf = (prefix: string): string => prefix.replace(/\d+/g, "0");

/** The body lines above a foot whose head was cut off, where each line of the text has a prefix of the log's. */
function bodyBehindPrefixes(text: string, footAt: number): Span[] {
  const spans: Span[] = [];
  const footLine = text.lastIndexOf("\n", footAt - 1) + 1;
  const shape = shapeOf(text.slice(footLine, footAt));
  if (shape.trim() === "") return spans;
  for (let end = footLine - 1, least = 1; end > 0; least = 16) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 2_000)).trimEnd();
    const body = /[A-Za-z0-9+/]*={0,2}$/.exec(line)?.[0] ?? "";
    const prefix = line.slice(0, line.length - body.length);
    if (body.length < least || shapeOf(prefix) !== shape) break;
    spans.push({ start: start + prefix.length, end: start + line.length });
    end = start - 1;
  }
  return spans;
}

/** Line breaks and indentation at both ends stay, so that the lines around keep their shape. */
function trimmed(text: string, from: number, to: number): Span {
  let start = from + (armourHeaders.exec(text.slice(from, Math.min(to, from + 400)))?.[0].length ?? 0);
  let end = to;
  for (;;) {
    const escaped = /^\\+[nr]/.exec(text.slice(start, start + 6));
    if (escaped && start + escaped[0].length <= end) start += escaped[0].length;
    else if (start < end && blanks.test(text[start] ?? "")) start++;
    else break;
  }
  for (;;) {
    const escaped = /\\+[nr]$/.exec(text.slice(Math.max(start, end - 6), end));
    if (escaped) end -= escaped[0].length;
    else if (end > start && blanks.test(text[end - 1] ?? "")) end--;
    else break;
  }
  return { start, end };
}
