import { createScanner } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { joinHex, joinWrapped, type SqueezedText } from "./squeeze.ts";

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
