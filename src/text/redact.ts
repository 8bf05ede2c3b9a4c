import { messageOf } from "../base/errors.ts";
import { commandRules, createFindAnswers, createFindInArguments } from "./redact/commands.ts";
import { isOfOtherName, isSurelyDrawn } from "./redact/decide.ts";
import { findFormats, findKubernetesSecrets, findPrivateKeys } from "./redact/formats.ts";
import { nameKind } from "./redact/names.ts";
import { classCount, isUuid, looksRandom } from "./redact/randomness.ts";
import { createFindPairs, findPairs } from "./redact/reader.ts";
import { createFindByRules, deviceRules, fileRules, networkRules, sentenceRules } from "./redact/rules.ts";
import { createScanner, unitsOf } from "./redact/scanner.ts";
import { type Find, replaceSpans, type Span, type Watch } from "./redact/span.ts";
import { isUnderId } from "./redact/tables/cells.ts";
import { findColumns } from "./redact/tables/columns.ts";
import { decodedText, isPlainSetting } from "./redact/values.ts";

/** `count` = how many stretches became a mark. */
export type RedactionResult = { ok: true; text: string; count: number } | { ok: false; reason: string };

/** Never throws; what cannot be redacted in time or at all is not let through. */
export type Redact = ((text: string, ran?: OutputSource) => RedactionResult) & {
  /**
   * The same for a text in pieces, wherever they are cut, and given on in pieces: it is never in memory as a whole. Together
   * they are the redacted text. One that is not `ok` is the last, and says that nothing of the text may be let through.
   */
  readonly inPieces?: (pieces: Iterable<string>, ran?: OutputSource) => Iterable<RedactionResult>;
};

/** The command whose output a text is: what it was asked for stands there without a name. */
type OutputSource = { readonly command?: string };

/** Redacted text may show what was hidden by its neighbour; more rounds than this mean a text made to never end. */
const mostRounds = 6;

/** SR-48; an ordinary log takes a fifth of it or less. */
const msPerMegabyte = 1000;

/** Small texts get this: a withheld output costs a person more than these seconds. */
const leastMs = 5000;

/** The clock is read after so many places that were looked at closely; so many characters count as one. */
const placesBetween = 1024;
const charactersAPlace = 64;

const findByPlace = createFindByRules([
  ...networkRules,
  ...commandRules,
  ...fileRules,
  ...sentenceRules,
  ...deviceRules,
]);

const findInArguments = createFindInArguments(createFindByRules(commandRules));

const findEncoded = createFindEncoded((text, watch) =>
  [findPrivateKeys, findFormats, findByPlace, findPairs].flatMap((find) => find(text, watch)),
);

/** Codes of languages that a file of translations is called after. */
const languageCodes =
  "en|de|fr|es|it|pt|nl|sv|da|nb|nn|no|fi|pl|cs|sk|hu|ro|bg|hr|sr|sl|et|lv|lt|ru|uk|el|tr|he|ar|fa|hi|bn|ta|ja|zh|ko|vi|th|ca|eu|gl";

const translationFile = new RegExp(
  String.raw`[\s/](?:i18n|l10n|locales?|langs?|languages?|translations?|LC_MESSAGES|lproj)/|(?:messages|strings|labels|translations?|Localizable|i18n|locale|lang)(?:[._-](?:${languageCodes})(?:[_-][A-Za-z]{2,4})?)?\.(?:properties|strings|xml|json|ya?ml|ts|js|php)(?![\w.])|[\s/._-](?:${languageCodes})(?:[-_][A-Za-z]{2,4})?\.(?:json|ya?ml|properties|php|ts|js)(?![\w.])|\.(?:po|pot|arb|xlf|xliff|ftl|strings|resx)(?![\w.])`,
);

/** Milliseconds of the processor that this thread has had: a busy machine is no reason to withhold, an endless search is. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** `now`: milliseconds on a clock that never goes back. */
type Options = { readonly secrets?: readonly string[]; readonly now?: () => number };

/**
 * The one redactor of every exit (SR-45…49): values held, known formats, structure, encodings, entropy with context. Linear;
 * idempotent, since it looks again until nothing changes; the mark is always `[REDACTED]`.
 */
export function createRedactor({ secrets = [], now = ownMs }: Options = {}): Redact {
  const layers: readonly Find[] = [
    createFindHeld(secrets),
    findPrivateKeys,
    findFormats,
    findKubernetesSecrets,
    findByPlace,
    findInArguments,
    findColumns,
    findEncoded,
    findByContext,
  ];
  function* inPieces(pieces: Iterable<string>, { command }: OutputSource = {}): Generator<RedactionResult> {
    const findAnswers = createFindAnswers(command);
    const findInPairs = createFindPairs(command !== undefined && translationFile.test(command));
    const budget = createBudget(now);
    const lookPlainly = (seen: string): readonly Span[] =>
      [...layers, findInPairs, findAnswers].flatMap((find) => {
        budget.spend(Math.ceil(seen.length / charactersAPlace));
        return find(seen, () => budget.spend(1));
      });
    const lookThroughColours = createFindColoured(lookPlainly);
    const look = (seen: string): readonly Span[] => [...lookPlainly(seen), ...lookThroughColours(seen)];
    const findAgain = createFindAgain();
    try {
      for (const window of windowsOf(budget.counted(pieces), look)) {
        const spans = [...window.spans, ...findAgain(window.text, window.spans)];
        const hidden = hideUntilStable({ text: window.text, spans }, look);
        const givenAt = now();
        yield { ok: true, ...hidden };
        budget.excuse(now() - givenAt);
      }
    } catch (thrown) {
      yield { ok: false, reason: `the redactor failed: ${messageOf(thrown)}` };
    }
  }
  return Object.assign((text: string, ran?: OutputSource) => joined(inPieces([text], ran)), { inPieces });
}

function joined(pieces: Iterable<RedactionResult>): RedactionResult {
  let text = "";
  let count = 0;
  for (const piece of pieces) {
    if (!piece.ok) return piece;
    text += piece.text;
    count += piece.count;
  }
  return { ok: true, text, count };
}

/** Time by what was taken in so far; `spend` throws when it is over. What others take between two windows does not count. */
function createBudget(now: () => number) {
  let begin = now();
  let taken = 0;
  let unchecked = 0;
  return {
    counted: function* (pieces: Iterable<string>): Generator<string> {
      for (const piece of pieces) {
        taken += piece.length;
        yield piece;
      }
    },
    excuse: (ms: number): void => {
      begin += ms;
    },
    spend: (places: number): void => {
      unchecked += places;
      if (unchecked < placesBetween) return;
      unchecked = 0;
      if (now() - begin > Math.max(leastMs, (taken / 1e6) * msPerMegabyte)) throw new Error("it took too long");
    },
  };
}

/** How many lines above and below a mark belong to its neighbourhood. */
const linesAround = 1;

/** Hides what was found, then looks again at the lines round new marks, the only places where something can have come up. */
function hideUntilStable(
  { text, spans }: Window,
  look: (seen: string) => readonly Span[],
): { text: string; count: number } {
  let current = replaceSpans(text, spans);
  let count = current.marks.length;
  for (let round = 0; round < mostRounds; round++) {
    if (current.marks.length === 0) return { text: current.text, count };
    const { text: seen, marks } = current;
    const found: number[] = [];
    let out = "";
    let done = 0;
    for (let index = 0; index < marks.length; ) {
      const start = Math.max(done, linesBack(seen, marks[index] ?? 0));
      let end = linesOn(seen, marks[index++] ?? 0);
      // Marks whose neighbourhoods touch are looked at together.
      for (; index < marks.length; index++) {
        const mark = marks[index] ?? 0;
        if (mark < end) continue;
        if (linesBack(seen, mark) > end) break;
        end = linesOn(seen, mark);
      }
      out += seen.slice(done, start);
      const near = seen.slice(start, end);
      const hidden = replaceSpans(near, look(near));
      for (const mark of hidden.marks) found.push(out.length + mark);
      out += hidden.text;
      done = end;
    }
    current = { text: out + seen.slice(done), marks: found };
    count += found.length;
  }
  throw new Error("it found no end");
}

function linesBack(text: string, at: number): number {
  let start = at;
  for (let line = 0; line <= linesAround && start >= 0; line++)
    start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
  return start + 1;
}

function linesOn(text: string, at: number): number {
  let end = at;
  for (let line = 0; line <= linesAround && end !== -1; line++) end = text.indexOf("\n", end + 1);
  return end === -1 ? text.length : end + 1;
}

/** So much of a text is looked at in one piece, in UTF-16 units; what a layer holds meanwhile is some times that. */
const windowLength = 512 * 1024;

/** What is seen beyond a window on both sides: more than any pattern reaches that is not an extent. */
const marginLength = 16 * 1024;

/** Lines without a find on both sides of a window's end, where there are such: what is hidden later finds no neighbours there. */
const quietLines = 3;

/** A stretch of the text in whole lines, and what is to be hidden in it: offsets from its own beginning. */
type Window = { readonly text: string; readonly spans: readonly Span[] };

/**
 * A text of any length, given in pieces, in windows that end at line ends, each looked at with a margin of its neighbours.
 * What was found is never parted: where a find or an extent (a key, a table, an object of YAML) crosses the end, the window
 * ends behind it, or is made longer. A line is never parted either. What reaches into a window from before is hidden too.
 */
export function* windowsOf(
  pieces: Iterable<string>,
  look: (seen: string) => readonly Span[],
  { length = windowLength, margin = marginLength } = {},
): Generator<Window> {
  const source = pieces[Symbol.iterator]();
  // The text from the left margin of the window on; all offsets are into it.
  let text = "";
  const pull = (): boolean => {
    const next = source.next();
    if (!next.done) text += next.value;
    return !next.done;
  };
  /** The start of the first line that begins at `at` or later, or the end. */
  const lineAfter = (at: number): number => {
    while (text.length <= at) if (!pull()) return text.length;
    for (let from = Math.max(0, at - 1); ; ) {
      const newline = text.indexOf("\n", from);
      if (newline !== -1) return newline + 1;
      from = text.length;
      if (!pull()) return text.length;
    }
  };
  for (let start = 0; start < text.length || pull(); ) {
    // Looking into the text copies it, so what a window takes at most times is joined to it before.
    while (text.length <= start + length + 2 * margin && pull());
    let end = lineAfter(start + length);
    let spans: readonly Span[] = [];
    for (;;) {
      const seenEnd = lineAfter(end + margin);
      spans = look(text.slice(0, seenEnd));
      const free = freeEnd(text, end, spans, margin);
      if (seenEnd === text.length && !pull()) {
        end = text.length;
        break;
      }
      if (free <= end + margin / 2) {
        end = free;
        break;
      }
      end = lineAfter(Math.max(free, 2 * end - start));
    }
    const own = spans.filter((span) => span.end > start && span.start < end && !span.isExtent);
    yield {
      text: text.slice(start, end),
      spans: own.map((span) => ({ start: Math.max(start, span.start) - start, end: span.end - start })),
    };
    const from = text.lastIndexOf("\n", Math.max(0, end - margin)) + 1;
    text = text.slice(from);
    start = end - from;
  }
}

/** The first line start from `end` on that nothing crosses and that stands among quiet lines; else one that nothing crosses. */
function freeEnd(text: string, end: number, spans: readonly Span[], margin: number): number {
  const ordered = spans.toSorted((a, b) => a.start - b.start);
  let free = end;
  for (const span of ordered) if (span.start < free && span.end > free) free = nextLine(text, span.end);
  const near = ordered.filter((span) => span.end > free - margin && span.start < free + margin);
  for (let quiet = free; quiet < free + margin / 4; quiet = nextLine(text, quiet + 1)) {
    const [before, after] = [linesFrom(text, quiet, -quietLines), linesFrom(text, quiet, quietLines)];
    if (!near.some((span) => span.start < after && span.end > before)) return quiet;
    if (quiet >= text.length) break;
  }
  return free;
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", Math.max(0, at - 1));
  return newline === -1 ? text.length : newline + 1;
}

/** The start of the line so many lines on from the line start `at`, or back. */
function linesFrom(text: string, at: number, lines: number): number {
  let found = at;
  for (let line = 0; line < Math.abs(lines); line++) {
    found = lines > 0 ? nextLine(text, found + 1) : found < 2 ? 0 : text.lastIndexOf("\n", found - 2) + 1;
  }
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals take for colours is what this is about
const colour = /\u001b\[[\d;:]{0,40}m/g;

/** What `find` sees where colours stand between a name, its sign and its value: it looks at the text without them. */
function createFindColoured(find: Find): Find {
  return (text, watch) => {
    if (!text.includes("\u001b[")) return [];
    let plain = "";
    let from = 0;
    // Where in the text each plain stretch begins that no colour cuts, and where in what is left.
    const stretches: { readonly at: number; readonly plainAt: number }[] = [];
    const add = (to: number): void => {
      if (to > from) stretches.push({ at: from, plainAt: plain.length });
      plain += text.slice(from, to);
    };
    for (const { index, 0: whole } of text.matchAll(colour)) {
      add(index);
      from = index + whole.length;
    }
    add(text.length);
    if (plain.length === text.length) return [];
    const inText = (plainAt: number): number => {
      let low = 0;
      for (let high = stretches.length; high - low > 1; ) {
        const middle = (low + high) >> 1;
        if ((stretches[middle]?.plainAt ?? 0) <= plainAt) low = middle;
        else high = middle;
      }
      const { at = 0, plainAt: begin = 0 } = stretches[low] ?? {};
      return at + plainAt - begin;
    };
    return find(plain, watch).map((span) => ({
      ...span,
      start: inText(span.start),
      end: span.end > span.start ? inText(span.end - 1) + 1 : inText(span.start),
    }));
  };
}

/** Shorter ones may be words of the text, and more of them none of a person's. */
const leastAgain = 16;
const leastPasswordAgain = 8;
const mostAgain = 512;
const mostKnown = 1000;

/** Stricter than what hides a value under its name: where that was wrong, it is wrong in one place. */
const isWorthKnowing = (value: string): boolean =>
  (value.length >= leastAgain &&
    /^[A-Za-z0-9+/_=~.-]+$/.test(value) &&
    /\d\D*\d/.test(value) &&
    (isUuid(value) || looksRandom(value, leastAgain))) ||
  (/^(?!.*a-z)[^\s\\]*\d[^\s\\]*$/i.test(value) && classCount(value) >= 3 && looksRandom(value, leastPasswordAgain));

const wordPart = /\w/;

/**
 * What was found once is hidden wherever else it stands, before or behind: a shell's trace names a token in one line and
 * shows it bare in the next. Only what looks drawn at random; it is known from a stretch of text to those that follow.
 */
function createFindAgain(): (text: string, found: readonly Span[]) => readonly Span[] {
  const known = new Set<string>();
  let scan = createScanner([]);
  return (text, found) => {
    const before = known.size;
    for (const { start, end } of found) {
      if (known.size < mostKnown && end - start <= mostAgain && isWorthKnowing(text.slice(start, end)))
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

/** Base64 of a length that can hold a name and its value; of several lines only as many as a window's margin holds. */
const encoded = /(?:[A-Za-z0-9+/]{60,76}\r?\n){0,150}[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/y;

/** It begins with so many of these characters at least, and behind none of them. */
const leastEncoded = 24;
const inRun = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w+/-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** So much of it is read; a text that tells a secret seldom begins with more that tells none. */
const mostRead = 16_384;

/** So many characters say whether text is encoded at all: paths, digests and keys are none. */
const encodedSample = 24;

const noText = /[^\t\n\r\x20-\x7e]/;

const fromBase64 = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");

/** Base64 in which `find` sees a secret once it is decoded: settings, JSON, key files. It is hidden as a whole. */
function createFindEncoded(find: Find): Find {
  return (text, watch) => {
    const spans: Span[] = [];
    for (const { 0: whole, index } of findEncodings(text)) {
      if (noText.test(fromBase64(whole.slice(0, encodedSample)))) continue;
      watch?.();
      if (tellsSecret(fromBase64(whole.slice(0, mostRead)), find, watch))
        spans.push({ start: index, end: index + whole.length });
    }
    return spans;
  };
}

/** What `encoded` matches. It is tried where a run is long enough only, which looking at every 24th character tells of most text. */
function* findEncodings(text: string): Generator<RegExpExecArray> {
  const isInRun = (at: number): boolean => inRun[text.charCodeAt(at)] === 1;
  for (let start = 0, end = 0; start + leastEncoded <= text.length; start = end) {
    for (end = start + leastEncoded; end > start && isInRun(end - 1); ) end--;
    if (end > start) continue;
    encoded.lastIndex = start;
    const match = encoded.exec(text);
    if (match) yield match;
    for (end = start + (match?.[0].length ?? leastEncoded); isInRun(end); ) end++;
  }
}

const tellsSecret = (text: string, find: Find, watch: Watch | undefined): boolean =>
  !noText.test(text) && find(text, watch).some(({ isExtent }) => !isExtent);

/** A word that says a secret may follow on the same line. */
const hint =
  /\b(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|api[ _-]?keys?|access[ _-]?keys?|credentials?|creds|private key|bearer)\b/gi;

const candidate = /[A-Za-z0-9+/_.~!@#$%^*-][A-Za-z0-9+/_=.~!@#$%^*-]{9,511}/g;

/** How far behind the word. */
const reachOfHint = 80;

/** What stands right before a candidate that is public. */
const publicBefore =
  /(?:sha\d{1,3}|md5|h1|fingerprint|digest|commit|integrity|etag|id|uuid|image|revision|rev|ref|tree|blob|serial)[\s"':=@-]*(?:W\/\\?")?$/i;

/** Tokens that look drawn at random, near a word that says "secret". */
const findByContext: Find = (text, watch) => {
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
      if (!ownLine.test(text.slice(Math.max(text.lastIndexOf("\n", said.index) + 1, lineEnd - 400), lineEnd)))
        spans.push(...aloneBelow(text, lineEnd + 1));
    }
    const from = Math.max(seenTo, said.index + said[0].length);
    if (from >= said.index + said[0].length + reachOfHint) continue;
    const line = text.slice(from, Math.max(from, Math.min(lineEnd, said.index + said[0].length + reachOfHint)));
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
const ownLine = /\d\d:\d\d:\d\d|\bsignatures? (?:of|from|by) |[=:][ \t]?["']?[^\s"']{1,39}["']?[,;]?\r?$/;

const aloneOnLine =
  /(?:[ \t]*\r?\n)?[ \t]*(?:(?:[A-Za-z]{2,14} ){0,2}(?:[Vv]alue|[Rr]esult|[Pp]assword|[Tt]oken|[Ss]ecret|[Kk]ey|[Oo]utput):[ \t]{1,8})?(?!<|[A-Z][A-Z\d_]{0,60}=[^=\s]|[a-z]{1,30}(?:[._-][a-z\d]{1,30}){0,8}=[^=\s])([^\s"'`,;:|│┃║]{12,512})[ \t]*(?:\r?\n|$)/y;

/** No program wraps lines narrower than this. */
const narrowestWrap = 40;
const mostWrappedLines = 100;

/**
 * A drawn token that is all of the next line, as commands print it that ask for one secret; and where it was wrapped, the
 * lines of its width below, to a shorter one.
 */
function aloneBelow(text: string, at: number): Span[] {
  const spans: Span[] = [];
  for (let from = at, width = 0; spans.length < mostWrappedLines; ) {
    aloneOnLine.lastIndex = from;
    const match = aloneOnLine.exec(text);
    const token = match?.[1] ?? "";
    const isNext = width === 0 ? isSurelyDrawn(token) : token.length <= width && looksRandom(token, 12);
    if (!match || !isNext) break;
    const start = from + match[0].lastIndexOf(token);
    spans.push({ start, end: start + token.length });
    if (token.length < Math.max(width, narrowestWrap)) break;
    width = token.length;
    from += match[0].length;
  }
  return spans;
}

const wholeCandidate = new RegExp(candidate.source, "y");

/** Where the password of an address stands: its host is no part of it. */
const inAddress = /:\/\/[^\s/]{0,100}:$/;

/** The reach of a word that says "secret" may have ended in the midst of a token. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 512 && /[A-Za-z0-9+/_~%-]/.test(text[start - 1] ?? "")) start--;
  return start;
}

function wholeToken(text: string, start: number): string {
  wholeCandidate.lastIndex = start;
  const all = wholeCandidate.exec(text)?.[0] ?? "";
  const token = inAddress.test(text.slice(Math.max(0, start - 104), start)) ? all.replace(/@[^@]*$/, "") : all;
  return token.replace(/[.,!:=]+$/, (end) => (end.startsWith("=") ? end : ""));
}

/** Shorter values would also hit harmless text inside of words: they are looked for as whole words, in no other form. */
const leastLength = 6;

/** Still shorter ones are no secret that hiding could save, and stand in every second line. */
const leastWord = 4;

/** Over line ends only what cannot be there by chance. */
const leastWrapped = 10;

/** What is left of a form at an edge of the text. */
const leastCut = 8;

/** The bytes of a value as they lie in a base64 text that begins 0, 1 or 2 bytes before it. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at the ends also carry bits of the neighbours.
    const first = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor(((shift + Buffer.byteLength(value)) * 8) / 6);
    return encoded.slice(first, whole);
  });
}

function base64Forms(value: string): string[] {
  const cores = base64Cores(value).filter((core) => core.length >= leastLength);
  return [...cores, ...cores.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** Every form in which a value that the bot holds may come back (SR-47). */
function formsOf(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  const url = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  const shell = value.replaceAll("'", `'\\''`);
  return [
    value,
    hex,
    hex.toUpperCase(),
    url,
    url.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    url.replaceAll("%20", "+"),
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    shell,
    value.replace(/[^\w@%+=:,./-]/g, "\\$&"),
    value.replace(/["$`\\]/g, "\\$&"),
    value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ];
}

/** Values the bot itself holds, and each line of those that have several (keys). */
function createFindHeld(secrets: readonly string[]): Find {
  const values = [
    ...new Set(secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)].map((part) => part.trim()))),
  ].filter((value) => !/^-{4,5}(?:BEGIN|END) /.test(value));
  const wanted = values.filter((value) => value.length >= leastLength);
  const forms = [...new Set(wanted.flatMap(formsOf))].filter((form) => form.length >= leastLength);
  const base64 = [...new Set(wanted.flatMap(base64Forms))];
  const wrapped = [...base64, ...wanted].filter((form) => form.length >= leastWrapped);
  const hex = wanted.map((value) => Buffer.from(value).toString("hex"));
  const leastHex = Math.min(...hex.map((digits) => digits.length));
  const words = values
    .filter((value) => value.length < leastLength && value.length >= leastWord)
    .map((value) => new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(value)}(?![\\p{L}\\p{N}_])`, "gu"));
  const scan = createScanner([...forms, ...base64]);
  const inBase64 = new Set(base64);
  const findForms = (text: string): Span[] => {
    const spans: Span[] = [];
    scan(text, (index, form) => {
      const span = spanAt(index, form.length);
      spans.push(inBase64.has(form) ? widened(text, span) : span);
      return undefined;
    });
    return spans;
  };
  const findCut = createFindCut([...forms, ...base64]);
  const findWrapped = createFindAll(wrapped);
  const findHex = createFindAll(hex);
  return (text) => [
    ...findForms(text),
    ...findCut(text),
    ...words.flatMap((word) => [...text.matchAll(word)].map(({ 0: found, index }) => spanAt(index, found.length))),
    ...(wrapped.length === 0 ? [] : joinWrapped(text)).flatMap((run) => within(run, findWrapped)),
    ...(hex.length === 0 ? [] : joinHex(text, leastHex)).flatMap((run) => within(run, findHex)),
  ];
}

const spanAt = (start: number, length: number): Span => ({ start, end: start + length });

const within = ({ text, spanOf }: SqueezedText, find: Find): Span[] =>
  find(text).map((span) => {
    const { start, end } = widened(text, span);
    return spanOf(start, end);
  });

/** The characters of base64 on both sides carry the last bits of the value and of its neighbours. */
function widened(text: string, { start, end }: Span): Span {
  const isSextet = (at: number): boolean => /[\w+/-]/.test(text[at] ?? "");
  return { start: isSextet(start - 1) ? start - 1 : start, end: isSextet(end) ? end + 1 : end };
}

/** The beginning of a form at the very end of the text, or its end at the very beginning: the text was cut there. */
function createFindCut(forms: readonly string[]): Find {
  const able = forms.filter((form) => form.length > leastCut);
  const byHead = Map.groupBy(able, (form) => form.slice(0, leastCut));
  const byTail = Map.groupBy(able, (form) => form.slice(-leastCut));
  const longest = able.reduce((most, form) => Math.max(most, form.length), 0);
  return (text) => {
    const spans: Span[] = [];
    for (let start = Math.max(0, text.length - longest); start <= text.length - leastCut; start++) {
      const heads = byHead.get(text.slice(start, start + leastCut));
      if (heads?.some((form) => form.startsWith(text.slice(start)))) {
        spans.push({ start, end: text.length });
        break;
      }
    }
    for (let end = Math.min(text.length, longest); end >= leastCut; end--) {
      const tails = byTail.get(text.slice(end - leastCut, end));
      if (tails?.some((form) => form.endsWith(text.slice(0, end)))) {
        spans.push({ start: 0, end });
        break;
      }
    }
    return spans;
  };
}

/** Every place of every one of the forms. */
function createFindAll(forms: readonly string[]): Find {
  const scan = createScanner(forms);
  return (text) => {
    const spans: Span[] = [];
    scan(text, (index, form) => void spans.push(spanAt(index, form.length)));
    return spans;
  };
}

/** A run of text without the breaks in it, and where each of its characters stood. */
type SqueezedText = { readonly text: string; readonly spanOf: (start: number, end: number) => Span };

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
function joinWrapped(text: string): SqueezedText[] {
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
function joinHex(text: string, leastDigits: number): SqueezedText[] {
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
