import { createScanner } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { unitsOf } from "./units.ts";

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

const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");

function base64Forms(value: string): string[] {
  const cores = base64Cores(value).filter((core) => core.length >= leastLength);
  return [...cores, ...cores.map(urlSafe)];
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
export function createFindHeld(secrets: readonly string[]): Find {
  const values = [
    ...new Set(secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)].map((part) => part.trim()))),
  ].filter((value) => !/^-{4,5}(?:BEGIN|END) /.test(value));
  const wanted = values.filter((value) => value.length >= leastLength);
  const forms = [...new Set(wanted.flatMap(formsOf))].filter((form) => form.length >= leastLength);
  const base64 = [...new Set(wanted.flatMap(base64Forms))];
  const wrapped = [...base64, ...wanted].filter((form) => form.length >= leastWrapped);
  const hex = wanted.map((value) => Buffer.from(value).toString("hex"));
  const leastHex = Math.min(...hex.map((digits) => digits.length));
  const words = values.filter((value) => value.length < leastLength && value.length >= leastWord).map(asWord);
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

const asWord = (value: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(value)}(?![\\p{L}\\p{N}_])`, "gu");

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
