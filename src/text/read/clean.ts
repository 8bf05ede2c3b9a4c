// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: vertical tab and form feed end a line here
const lineEnd = /\r?\n|[\u000b\u000c\u0085\u2028\u2029]/g;

/**
 * What a terminal shows after all overwriting (AR-09, SR-44): no escapes, and no control, bidi or invisible characters except newline and
 * tab. Linear, idempotent.
 */
export function clean(text: string): string {
  const wellFormed = text.toWellFormed().replace(lineEnd, "\n");
  if (!control.test(wellFormed)) return stripInvisible(wellFormed);
  const lines = wellFormed.split("\n");
  return stripInvisible(lines.map((line) => (control.test(line) ? showLine(line) : line)).join("\n"));
}

/** Format characters, fillers and variation selectors (SR-37); not U+2028 and U+2029, which end a line. */
const invisible =
  /[\p{Cf}\p{Variation_Selector}\u115F\u1160\u180E\u2065\u3164\uFFA0\uFFF0-\uFFF8\u{E0000}-\u{E0FFF}]|\u034F|\u17B4|\u17B5/gu;

export const stripInvisible = (text: string): string => text.replace(invisible, "");

/** `clean` for bytes: invalid UTF-8 becomes U+FFFD, except 8-bit controls. */
export function cleanBytes(bytes: Uint8Array): string {
  return clean(new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeLoneControls(bytes)));
}

function showLine(line: string): string {
  let cells: string[] = [];
  let cursor = 0;
  const shown: string[] = [];
  const put = (character: string): void => {
    cells[cursor++] = character;
  };
  const apply = (effect: Effect): void => {
    if (effect.kind === "jump" && cells.length > 0) {
      shown.push(cells.join(""));
      cells = [];
      cursor = 0;
    } else if (effect.kind === "column" || effect.kind === "move") {
      const target = effect.kind === "column" ? effect.to : cursor + effect.by;
      // A short sequence must make no long line.
      if (target > cells.length) cells.push(" ");
      cursor = Math.max(0, Math.min(target, cells.length));
    } else if (effect.kind === "erase") {
      if (effect.part === "right") cells.length = cursor;
      // Repeated blanking would take quadratic time.
      else if (effect.part === "all" || cursor >= cells.length) {
        cells = [];
        cursor = 0;
      }
    }
  };
  for (let at = 0; at < line.length; ) {
    const sequence = readEscape(line, at);
    if (sequence) {
      apply(sequence.effect);
      at = sequence.end;
      continue;
    }
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    if (character === "\r") cursor = 0;
    else if (character === "\b") cursor = Math.max(0, cursor - 1);
    else if (character === "\t" || !control.test(character)) put(character);
    at += character.length;
  }
  return [...shown, cells.join("")].join("\n");
}

/** In an 8-bit terminal a C1 byte outside of UTF-8 is a control. */
function encodeLoneControls(bytes: Uint8Array): Uint8Array {
  let copied = 0;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    if (byte >= 0xa0) {
      at += followers(bytes, at);
      continue;
    }
    parts.push(bytes.subarray(copied, at), Uint8Array.of(0xc2, byte));
    copied = at + 1;
  }
  if (parts.length === 0) return bytes;
  return Buffer.concat([...parts, bytes.subarray(copied)]);
}

function followers(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
  let found = 0;
  while (found < wanted && ((bytes[at + 1 + found] ?? 0) & 0xc0) === 0x80) found++;
  return found;
}

const escapeCode = 0x1b;

type Effect =
  | { readonly kind: "nothing" }
  | { readonly kind: "column"; readonly to: number }
  | { readonly kind: "move"; readonly by: number }
  | { readonly kind: "erase"; readonly part: "right" | "left" | "all" }
  | { readonly kind: "jump" };

const nothing: Effect = { kind: "nothing" };
const within = (code: number, low: number, high: number): boolean => code >= low && code <= high;

/** Other CSI finals (colors, modes, scrolling) keep the text. */
const effects: Readonly<Record<string, (parameter: number) => Effect>> = {
  G: (n) => ({ kind: "column", to: Math.max(n, 1) - 1 }),
  "`": (n) => ({ kind: "column", to: Math.max(n, 1) - 1 }),
  C: (n) => ({ kind: "move", by: Math.max(n, 1) }),
  D: (n) => ({ kind: "move", by: -Math.max(n, 1) }),
  K: (n) => ({ kind: "erase", part: n === 2 ? "all" : n === 1 ? "left" : "right" }),
  H: () => ({ kind: "jump" }),
  f: () => ({ kind: "jump" }),
  E: () => ({ kind: "jump" }),
};

function readControlSequence(line: string, start: number): { end: number; effect: Effect } {
  let end = start;
  while (within(line.charCodeAt(end), 0x20, 0x3f)) end++;
  if (!within(line.charCodeAt(end), 0x40, 0x7e)) return { end, effect: nothing };
  const parameters = line.slice(start, Math.min(end, start + 8));
  const effect = /^\d*$/.test(parameters) || /[Hf]/.test(line[end] ?? "") ? effects[line[end] ?? ""] : undefined;
  return { end: end + 1, effect: effect?.(Number.parseInt(parameters, 10) || 0) ?? nothing };
}

/** OSC, DCS, SOS, PM and APC hide all up to BEL or ST; a broken one ends with its line. */
function skipString(line: string, start: number): number {
  for (let end = start; end < line.length; end++) {
    const code = line.charCodeAt(end);
    if (code === 0x07 || code === 0x9c) return end + 1;
    if (code === escapeCode) return line[end + 1] === "\\" ? end + 2 : end;
  }
  return line.length;
}

/** 8-bit openers, with the 7-bit letter after ESC (ECMA-48 5.3). */
const openers: Readonly<Record<number, string>> = { 144: "P", 152: "X", 155: "[", 157: "]", 158: "^", 159: "_" };

/** Reads a sequence that opens at `start`, within `line`. Linear. */
function readEscape(line: string, start: number): { end: number; effect: Effect } | undefined {
  const code = line.charCodeAt(start);
  const opener = code === escapeCode ? line[start + 1] : openers[code];
  if (code !== escapeCode && opener === undefined) return undefined;
  const body = start + (code === escapeCode ? 2 : 1);
  if (opener === undefined) return { end: start + 1, effect: nothing };
  if (opener === "[") return readControlSequence(line, body);
  if ("]PX^_".includes(opener)) return { end: skipString(line, body), effect: nothing };
  if (opener < " " || opener > "~") return { end: start + 1, effect: nothing };
  let end = start + 1;
  while (within(line.charCodeAt(end), 0x20, 0x2f)) end++;
  return { end: within(line.charCodeAt(end), 0x30, 0x7e) ? end + 1 : end, effect: nothing };
}
