import type { Client } from "ssh2";
import type { Capture } from "../../base/run.ts";
import type { Exit } from "../failure.ts";

/** Several code pages if they fit equally well. */
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | readonly CodePage[];

/**
 * Detects the encoding by byte order mark or valid form, else by the code pages whose letters make words and whose lines make boxes; all if
 * none does. Pure.
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, sampleBytes);
  if (isUtf16(sample)) return "utf-16le";
  const beyond = new TextDecoder().decode(sample).match(/[^\0-\x7f]/gu) ?? [];
  const stray = beyond.filter((character) => character === "\ufffd").length;
  // Some invalid bytes are tolerated, because code page text has hardly any valid sequence.
  if (stray === 0 || beyond.length - stray > stray) return "utf-8";
  const latin1 = Buffer.from(sample).toString("latin1");
  const pages = Object.keys(codePages) as CodePage[];
  const scores = pages.map((page) => sense(fromPages(latin1, [page])));
  const best = Math.max(...scores);
  return best > 0 ? pages.filter((_, at) => scores[at] === best) : pages;
}

/** Converts a Windows output to UTF-8. Hash and counts remain those of the original. */
export function decodeCapture(capture: Capture): Capture {
  const { pieces: _ofTheBytes, head: first, tail: last, ...rest } = capture;
  const encoding = detectEncoding(first);
  const head = toUtf8(first, encoding);
  if (last.length === 0) return { ...rest, head, tail: last };
  const cut = typeof encoding === "string" && encoding.startsWith("utf-16") ? (rest.bytes - last.length) % 2 : 0;
  return { ...rest, head, tail: toUtf8(last.subarray(cut), encoding) };
}

const liveSampleBytes = 4096;

/** Decodes a live Windows output as detected so far. */
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

/** Converts a Windows output to UTF-8, and CLIXML to its text. Bytes that the code pages read differently become U+FFFD. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding = detectEncoding(bytes)): Uint8Array {
  const text = decode(bytes, encoding);
  const shown = readCliXml(text);
  // Plain text keeps its exact bytes, invalid ones too.
  return encoding === "utf-8" && shown === text && !bytes.includes(0) ? bytes : Buffer.from(shown, "utf8");
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "utf-16le" || encoding === "utf-16be") return new TextDecoder(encoding).decode(bytes);
  const latin1 = Buffer.from(bytes).toString("latin1");
  // wsl.exe and some others mix UTF-16 into single-byte output.
  const narrow = latin1.replace(/(?:[\t\n\r\x20-\x7e]\0){4,}/g, (wide) => wide.replaceAll("\0", ""));
  if (encoding !== "utf-8") return fromPages(narrow, encoding);
  return new TextDecoder().decode(Buffer.from(narrow, "latin1"));
}

function fromPages(latin1: string, pages: readonly CodePage[]): string {
  const means = Array.from({ length: 128 }, (_, at) => {
    const [first, ...others] = new Set(pages.map((page) => codePages[page][at]));
    return others.length === 0 ? first : undefined;
  });
  return latin1.replace(/[\x80-\xff]/g, (byte) => means[byte.charCodeAt(0) - 128] ?? "\ufffd");
}

const sampleBytes = 256 * 1024;

/** At least a quarter of the units have a second zero byte, none is zero, no line ends as in other encodings, and all is text. */
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

const small = "àáâãäåæçèéêëìíîïñòóôöøùúûüÿßœšž";
const capital = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜŒŠŽ";
const rare = "õÕðÐþÞýÝ";
const lines = "─-╿░▒▓█▀▄▌▐";

/** Letters first, because most outputs have nothing else. */
const signs: readonly { readonly points: number; readonly at: RegExp }[] = [
  // A letter in a word, in its neighbors' case.
  { points: 2, at: new RegExp(`(?<=[a-z])[${small}]|[${small}](?=[a-z])`, "g") },
  { points: 2, at: new RegExp(`(?<=[A-Z])[${capital}]|[${capital}](?=[A-Za-z])`, "g") },
  { points: 1, at: new RegExp(`(?<=[A-Za-z])[${rare}]|[${rare}](?=[A-Za-z])`, "g") },
  { points: 1, at: /(?<=\s)à(?=\s)|(?<=[aeiou])ß/g },
  { points: -3, at: new RegExp(`(?<=[a-z])[${capital}ÐÞÝŸ]|(?<=[A-Z]{2})[${small}]|(?<![aeiouäöü])ß`, "g") },
  { points: -1, at: /(?<=[aeou])á/g },
  { points: -2, at: /(?<=\s)[âãäåæçêëìíîïñòõöùúûüÿ](?=\s)/g },
  // Box lines join each other or an edge, and never touch a letter.
  { points: 2, at: new RegExp(`(?<=[${lines}])[${lines}]`, "g") },
  { points: 1, at: /^[ \t]*[│║├└┌╔╚╠]|[│║┤┐┘╗╝╣]\s*$/gm },
  { points: -3, at: new RegExp(`(?<=\\p{L})[${lines}■]|[${lines}](?=\\p{L})`, "gu") },
  // Quotes, dashes and signs in their usual place.
  { points: 1, at: /(?<=^|[\s(])[“‘„«](?=[\p{L}\d])|(?<=[\p{L}\d.,!?])[”’»](?=[\s.,;:)]|$)|(?<=\p{L})’(?=\p{L})/gmu },
  { points: 1, at: /(?<=\s)[–—•](?=\s)|(?<=\d ?)[°€£](?=[\sCF]|$)|[€£](?=\d)|[©®](?= )|(?<=\w)[™…](?=\s|$)/gm },
  { points: 1, at: /(?<=\d)\u00a0(?=\d{3})|\u00a0(?=[:;!?%])/g },
  { points: -2, at: /(?<=\p{L})[^\p{L}\p{M}\0-\x7f’·\u00a0\u00adº°™®©…](?=\p{L})/gu },
  { points: -2, at: /\p{Script=Greek}|[⌐₧⌠⌡∩≡≈√ⁿ╒-╫]/gu },
  // Windows-1252 leaves some bytes undefined.
  { points: -3, at: /(?<=\d)ÿ(?=\d)|[\x80-\x9f]/g },
];

const sense = (text: string): number =>
  signs.reduce((sum, { points, at }) => sum + points * (text.match(at)?.length ?? 0), 0);

/** Bytes 0x80 to 0xFF, from Unicode's tables. */
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

/**
 * Replaces CLIXML by its text without progress. PowerShell without a terminal writes `#< CLIXML`, then `<Objs …>…</Objs>`, once or more,
 * between other lines. A truncated element gives its complete parts. Pure, linear.
 */
export function readCliXml(text: string): string {
  if (!text.includes(header)) return text;
  return text
    .split(/(<Objs [^<>]*>)/)
    .map((part, at, parts) => {
      if (at % 2 === 1) return "";
      if (at === 0) return part;
      const opening = parts[at - 1] ?? "";
      if (!opening.includes("schemas.microsoft.com/powershell")) return opening + part;
      const close = part.indexOf(end);
      const [inside, after] = close === -1 ? [part, ""] : [part.slice(0, close), part.slice(close + end.length)];
      const streams = [...inside.matchAll(/<S S="(\w+)">([^<]*)<\/S>/g)];
      const said = streams.flatMap(([, stream, escaped = ""]) => (stream === "progress" ? [] : [escaped]));
      // XML's entities, then PowerShell's own `_x000D__x000A_` for what XML cannot hold.
      const texts = said.map((escaped) =>
        escaped
          .replace(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
          .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      );
      return texts.join("") + after;
    })
    .join("")
    .replace(/^#< CLIXML\r?\n?/gm, "");
}

const header = "#< CLIXML";
const end = "</Objs>";

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The host key signs it; "" if unknown. */
const versionOf = (client: Client): string => (client as unknown as { readonly _remoteVer?: string })._remoteVer ?? "";

/** Recognizes versions such as `OpenSSH_for_Windows_9.5`. Pure. */
export const isWindowsVersion = (version: string): boolean => /^OpenSSH_for_Windows\b|_for_Windows_/i.test(version);

/** Returns true if the server says that it runs Windows; a connection of the system's ssh never does. */
export const saysWindows = (client: Client): boolean => isWindowsVersion(versionOf(client));

/** NTSTATUS, the exit code of programs that Windows ends. */
const statusNames: Readonly<Record<number, string>> = {
  3221225477: "ACCESS_VIOLATION",
  3221225495: "NO_MEMORY",
  3221225501: "ILLEGAL_INSTRUCTION",
  3221225620: "DIVIDE_BY_0",
  3221225725: "STACK_OVERFLOW",
  3221225781: "DLL_NOT_FOUND",
  3221225786: "CTRL_C",
  3221225794: "DLL_INIT",
  3221226356: "HEAP_BROKEN",
  3221226505: "STACK_BROKEN",
};

/**
 * Reads Windows' exit code, which SSH carries unsigned: 4294967295 is -1. From 0xC0000000 on Windows ended the program, which counts as a
 * signal. Pure.
 */
export function readWindowsExit(exit: Exit): Exit {
  if (!("code" in exit)) return exit;
  const status = exit.code >>> 0;
  if (status >= 0xc0000000 && status < 0xd0000000) {
    return { signal: statusNames[status] ?? `0x${status.toString(16).toUpperCase()}` };
  }
  return { code: status | 0 };
}
