import { isOfOtherName, isSurelyDrawn } from "./decide.ts";
import { nameKind } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isUnderId } from "./tables/cells.ts";
import { decodedText, isPlainSetting } from "./values.ts";

/** A word that says a secret may follow on the same line. */
const hint =
  /\b(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|api[ _-]?keys?|access[ _-]?keys?|credentials?|creds|private key|bearer)\b/gi;

const candidate = /[A-Za-z0-9+/_.~!@#$%^*-][A-Za-z0-9+/_=.~!@#$%^*-]{9,511}/g;

/** How far behind the word. */
const reach = 80;

/** What stands right before a candidate that is public. */
const publicBefore =
  /(?:sha\d{1,3}|md5|h1|fingerprint|digest|commit|integrity|etag|id|uuid|image|revision|rev|ref|tree|blob|serial)[\s"':=@-]*(?:W\/\\?")?$/i;

/** Tokens that look drawn at random, near a word that says "secret". */
export const findByContext: Find = (text, watch) => {
  const spans: Span[] = [];
  let seenTo = 0;
  let lineEnd = -1;
  for (const said of text.matchAll(hint)) {
    watch?.();
    if (
      isOfOther(text, said.index, said[0].length) ||
      isOfOtherName(said[0], text.slice(said.index + said[0].length, said.index + said[0].length + 60))
    )
      continue;
    if (said.index > lineEnd) {
      lineEnd = endOfLine(text, said.index);
      if (asks(text, said.index, lineEnd)) spans.push(...aloneBelow(text, lineEnd + 1));
    }
    const from = Math.max(seenTo, said.index + said[0].length);
    if (from >= said.index + said[0].length + reach) continue;
    const line = text.slice(from, Math.max(from, Math.min(lineEnd, said.index + said[0].length + reach)));
    seenTo = Math.max(seenTo, from + line.length);
    candidate.lastIndex = 0;
    for (let match = candidate.exec(line); match; match = candidate.exec(line)) {
      const start = match.index === 0 ? wordStart(text, from) : from + match.index;
      const token = wholeToken(text, start);
      seenTo = Math.max(seenTo, start + token.length);
      const before = text.slice(Math.max(0, start - 24), start);
      if (
        isSurelyDrawn(token) &&
        !publicBefore.test(before) &&
        !isPlainSetting(decodedText(token)) &&
        !isUnderId(text, start)
      )
        spans.push({ start, end: start + token.length });
    }
  }
  return spans;
};

/** A compound about something else: `token-events-000012`. */
function isOfOther(text: string, at: number, length: number): boolean {
  if (text[at + length] !== "-") return false;
  const behind = /^[\w.-]*/.exec(text.slice(at + length, at + length + 60))?.[0] ?? "";
  return (
    /^(?:-(?!set|get|put|value|key|data)[a-z]{3,})+(?:-[\d.]+)?$/.test(behind) &&
    (/\d$/.test(behind) ||
      /^[ \t]{2}/.test(text.slice(at + length + behind.length, at + length + behind.length + 2))) &&
    nameKind(text.slice(at, at + length) + behind) === undefined
  );
}

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
};

/** A line of a log or a short setting asks for nothing: what stands below it is a line of its own. */
const ownLine = /\d\d:\d\d:\d\d|[=:][ \t]?["']?[^\s"']{1,39}["']?[,;]?\r?$/;

const asks = (text: string, at: number, end: number): boolean =>
  !ownLine.test(text.slice(Math.max(text.lastIndexOf("\n", at) + 1, end - 400), end));

const alone =
  /(?:[ \t]*\r?\n)?[ \t]*(?:(?:[A-Za-z]{2,14} ){0,2}(?:[Vv]alue|[Rr]esult|[Pp]assword|[Tt]oken|[Ss]ecret|[Kk]ey|[Oo]utput):[ \t]{1,8})?(?!<|[A-Z][A-Z\d_]{0,60}=[^=\s]|[a-z]{1,30}(?:[._-][a-z\d]{1,30}){0,8}=[^=\s])([^\s"'`,;:|│┃║]{12,512})[ \t]*(?:\r?\n|$)/y;

/** No program wraps lines narrower than this. */
const leastWrapped = 40;
const mostWrapped = 100;

/**
 * A drawn token that is all of the next line, as commands print it that ask for one secret; and where it was wrapped, the
 * lines of its width below, to a shorter one.
 */
function aloneBelow(text: string, at: number): Span[] {
  const spans: Span[] = [];
  for (let from = at, width = 0; spans.length < mostWrapped; ) {
    alone.lastIndex = from;
    const match = alone.exec(text);
    const token = match?.[1] ?? "";
    const isNext = width === 0 ? isSurelyDrawn(token) : token.length <= width && looksRandom(token, 12);
    if (!match || !isNext) break;
    const start = from + match[0].lastIndexOf(token);
    spans.push({ start, end: start + token.length });
    if (token.length < Math.max(width, leastWrapped)) break;
    width = token.length;
    from += match[0].length;
  }
  return spans;
}

const run = new RegExp(candidate.source, "y");

/** Where the password of an address stands: its host is no part of it. */
const inAddress = /:\/\/[^\s/]{0,100}:$/;

/** The reach of a word that says "secret" may have ended in the midst of a token. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 512 && /[A-Za-z0-9+/_~%-]/.test(text[start - 1] ?? "")) start--;
  return start;
}

function wholeToken(text: string, start: number): string {
  run.lastIndex = start;
  const all = run.exec(text)?.[0] ?? "";
  const token = inAddress.test(text.slice(Math.max(0, start - 104), start)) ? all.replace(/@[^@]*$/, "") : all;
  return token.replace(/[.,!:=]+$/, (end) => (end.startsWith("=") ? end : ""));
}
