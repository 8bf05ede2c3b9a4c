const escapeCode = 0x1b;

/** What an escape sequence means for the line it stands in. */
export type Effect =
  | { readonly kind: "nothing" }
  | { readonly kind: "column"; readonly to: number }
  | { readonly kind: "move"; readonly by: number }
  | { readonly kind: "erase"; readonly part: "right" | "left" | "all" }
  | { readonly kind: "jump" };

const nothing: Effect = { kind: "nothing" };
const within = (code: number, low: number, high: number): boolean => code >= low && code <= high;

/** CSI finals that change the line itself; all others (colours, modes, scrolling) leave the text as it is. */
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

/** OSC, DCS, SOS, PM and APC: everything up to BEL or ST is not shown. A broken one ends with its line. */
function skipString(line: string, start: number): number {
  for (let end = start; end < line.length; end++) {
    const code = line.charCodeAt(end);
    if (code === 0x07 || code === 0x9c) return end + 1;
    if (code === escapeCode) return line[end + 1] === "\\" ? end + 2 : end;
  }
  return line.length;
}

/** 8-bit controls that open a sequence, as the letter that follows ESC in the 7-bit form (ECMA-48 5.3). */
const openers: Readonly<Record<number, string>> = { 144: "P", 152: "X", 155: "[", 157: "]", 158: "^", 159: "_" };

/** Reads the sequence at `start`, if one opens there; it never reaches over the end of `line`. Linear. */
export function readEscape(line: string, start: number): { end: number; effect: Effect } | undefined {
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
