import type { Capture } from "../base/run.ts";
import { readCliXml } from "./windows/clixml.ts";

/** How an output of Windows is written: a form of Unicode, or one of these code pages, which then make equal sense. */
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | readonly CodePage[];

/**
 * Which encoding an output is in. Conservative: a byte order mark or proof of form decides; of the code pages those whose
 * letters make words and whose lines make boxes, and all of them if nothing speaks for any. Pure.
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, sampleBytes);
  if (isUtf16(sample)) return "utf-16le";
  return isUtf8(sample) ? "utf-8" : detectCodePages(sample);
}

/** An output of Windows as UTF-8, PowerShell's CLIXML as its text. The hash and the counts stay those of what was sent. */
export function decodeCapture(capture: Capture): Capture {
  const { pieces: _ofTheBytes, head: first, tail: last, ...rest } = capture;
  const encoding = detectEncoding(first);
  const head = toUtf8(first, encoding);
  if (last.length === 0) return { ...rest, head, tail: last };
  // A character of two bytes may have been cut by the gap.
  const cut = typeof encoding === "string" && encoding.startsWith("utf-16") ? (rest.bytes - last.length) % 2 : 0;
  return { ...rest, head, tail: toUtf8(last.subarray(cut), encoding) };
}

/** Enough to know an output by, while it still comes. */
const liveSampleBytes = 4096;

/** Reads an output of Windows while it comes, as what it has been found to be so far. */
export function createLiveReader(): (chunk: Uint8Array) => Uint8Array {
  let sample = Buffer.alloc(0);
  let encoding: Encoding = "utf-8";
  let half = Buffer.alloc(0);
  return (chunk) => {
    if (sample.length < liveSampleBytes) {
      sample = Buffer.concat([sample, chunk.subarray(0, liveSampleBytes - sample.length)]);
      encoding = detectEncoding(sample);
    }
    if (encoding !== "utf-16le" && encoding !== "utf-16be") return toUtf8(chunk, encoding);
    const bytes = Buffer.concat([half, chunk]);
    const whole = bytes.length & ~1;
    half = bytes.subarray(whole);
    return toUtf8(bytes.subarray(0, whole), encoding);
  };
}

/** An output of Windows, decoded as what it is found to be. What two code pages read differently becomes U+FFFD. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding = detectEncoding(bytes)): Uint8Array {
  const text = decode(bytes, encoding);
  const shown = readCliXml(text);
  // Plain text keeps its very bytes, also those that are no text.
  return encoding === "utf-8" && shown === text && !bytes.includes(0) ? bytes : Buffer.from(shown, "utf8");
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "utf-16le" || encoding === "utf-16be") return new TextDecoder(encoding).decode(bytes);
  const narrow = joinWide(Buffer.from(bytes).toString("latin1"));
  if (encoding !== "utf-8") return fromPages(narrow, encoding);
  return new TextDecoder().decode(Buffer.from(narrow, "latin1"));
}

/** wsl.exe and some others write two bytes a character in the middle of everybody else's one. */
const joinWide = (latin1: string): string =>
  latin1.replace(/(?:[\t\n\r\x20-\x7e]\0){4,}/g, (wide) => wide.replaceAll("\0", ""));

function fromPages(latin1: string, pages: readonly CodePage[]): string {
  const means = Array.from({ length: 128 }, (_, at) => {
    const [first, ...others] = new Set(pages.map((page) => codePages[page][at]));
    return others.length === 0 ? first : undefined;
  });
  return latin1.replace(/[\x80-\xff]/g, (byte) => means[byte.charCodeAt(0) - 128] ?? "\ufffd");
}

/** What an encoding is shows early, and outputs are long. */
const sampleBytes = 256 * 1024;

/**
 * A quarter of the units and more have a zero byte in second place, none is zero, no line ends as in other encodings, and
 * all of it is text.
 */
function isUtf16(bytes: Uint8Array): boolean {
  if (Buffer.from(bytes).includes("\r\n")) return false;
  const sample = bytes.subarray(0, bytes.length & ~1);
  let low = 0;
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at + 1] !== 0) continue;
    if (sample[at] === 0) return false;
    low++;
  }
  if (sample.length < 8 || low < sample.length / 8) return false;
  const text = new TextDecoder("utf-16le").decode(sample);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd\ufffe\uffff]/.test(text);
}

/** Stray bytes in UTF-8 leave it UTF-8; text of a code page has hardly a valid sequence. */
function isUtf8(bytes: Uint8Array): boolean {
  const beyond = new TextDecoder().decode(bytes).match(/[^\0-\x7f]/gu) ?? [];
  const stray = beyond.filter((character) => character === "\ufffd").length;
  return stray === 0 || beyond.length - stray > stray;
}

function detectCodePages(sample: Uint8Array): readonly CodePage[] {
  const latin1 = Buffer.from(sample).toString("latin1");
  const pages = Object.keys(codePages) as CodePage[];
  const scores = pages.map((page) => sense(fromPages(latin1, [page])));
  const best = Math.max(...scores);
  return best > 0 ? pages.filter((_, at) => scores[at] === best) : pages;
}

const small = "àáâãäåæçèéêëìíîïñòóôöøùúûüÿßœšž";
const capital = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜŒŠŽ";
const rare = "õÕðÐþÞýÝ";
const lines = "─-╿░▒▓█▀▄▌▐";

/** What speaks for a reading and what against it, at each place. Letters first: most outputs have nothing else. */
const signs: readonly { readonly points: number; readonly at: RegExp }[] = [
  // A letter in a word, of the case of its neighbours.
  { points: 2, at: new RegExp(`(?<=[a-z])[${small}]|[${small}](?=[a-z])`, "g") },
  { points: 2, at: new RegExp(`(?<=[A-Z])[${capital}]|[${capital}](?=[A-Za-z])`, "g") },
  { points: 1, at: new RegExp(`(?<=[A-Za-z])[${rare}]|[${rare}](?=[A-Za-z])`, "g") },
  { points: 1, at: /(?<=\s)à(?=\s)|(?<=[aeiou])ß/g },
  { points: -3, at: new RegExp(`(?<=[a-z])[${capital}ÐÞÝŸ]|(?<=[A-Z]{2})[${small}]|(?<![aeiouäöü])ß`, "g") },
  { points: -1, at: /(?<=[aeou])á/g },
  { points: -2, at: /(?<=\s)[âãäåæçêëìíîïñòõöùúûüÿ](?=\s)/g },
  // Lines join one another or stand at an edge, and never touch a letter.
  { points: 2, at: new RegExp(`(?<=[${lines}])[${lines}]`, "g") },
  { points: 1, at: /^[ \t]*[│║├└┌╔╚╠]|[│║┤┐┘╗╝╣]\s*$/gm },
  { points: -3, at: new RegExp(`(?<=\\p{L})[${lines}■]|[${lines}](?=\\p{L})`, "gu") },
  // Quotes, dashes and signs in their usual place.
  { points: 1, at: /(?<=^|[\s(])[“‘„«](?=[\p{L}\d])|(?<=[\p{L}\d.,!?])[”’»](?=[\s.,;:)]|$)|(?<=\p{L})’(?=\p{L})/gmu },
  { points: 1, at: /(?<=\s)[–—•](?=\s)|(?<=\d ?)[°€£](?=[\sCF]|$)|[€£](?=\d)|[©®](?= )|(?<=\w)[™…](?=\s|$)/gm },
  { points: 1, at: /(?<=\d)\u00a0(?=\d{3})|\u00a0(?=[:;!?%])/g },
  { points: -2, at: /(?<=\p{L})[^\p{L}\p{M}\0-\x7f’·\u00a0\u00adº°™®©…](?=\p{L})/gu },
  { points: -2, at: /\p{Script=Greek}|[⌐₧⌠⌡∩≡≈√ⁿ╒-╫]/gu },
  // Windows-1252 leaves some bytes without a meaning.
  { points: -3, at: /(?<=\d)ÿ(?=\d)|[\x80-\x9f]/g },
];

const sense = (text: string): number =>
  signs.reduce((sum, { points, at }) => sum + points * (text.match(at)?.length ?? 0), 0);

/** What the bytes 0x80 to 0xFF mean in the code pages of Windows consoles and programs, as Unicode's own tables say. */
export const codePages = {
  cp850: [
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  ].join(""),
  cp437: [
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ",
    "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  ].join(""),
  "windows-1252": new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 128 }, (_, at) => at + 128)),
} as const;

export type CodePage = keyof typeof codePages;
