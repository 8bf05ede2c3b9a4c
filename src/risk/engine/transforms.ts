/** What decoders and filters make of a constant text. Pure, bounded by the length of what a command may be. */

/** `\n`, `\x72`, `\0162`, `\u0072` as printf and echo -e know them. */
export const unescapeText = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4}|[abefnrtv\\])/g, (whole, code: string) => {
    const simple: Record<string, string> = {
      n: "\n",
      t: "\t",
      r: "\r",
      "\\": "\\",
      a: "",
      b: "",
      e: "",
      f: "\f",
      v: "\v",
    };
    if (simple[code] !== undefined) return simple[code];
    if (/^[xu]/.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    const octal = Number.parseInt(code, 8);
    return Number.isNaN(octal) ? whole : String.fromCodePoint(octal);
  });

export const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");
export const fromHex = (text: string): string => Buffer.from(text.replace(/[^0-9a-fA-F]/g, ""), "hex").toString("utf8");
export const reversed = (text: string): string =>
  text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");

/** `tr A-Za-z N-ZA-Mn-za-m` and `tr -d x`, with ranges. */
export function translate(sets: readonly string[], isDelete: boolean, text: string): string {
  const [from = "", to = ""] = sets.map(expandSet);
  if (isDelete) return [...text].filter((char) => !from.includes(char)).join("");
  return [...text]
    .map((char) => {
      const at = from.indexOf(char);
      return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? "");
    })
    .join("");
}

const expandSet = (set: string): string =>
  unescapeText(
    set
      .replace("[:lower:]", "abcdefghijklmnopqrstuvwxyz")
      .replace("[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
      .replace("[:space:]", " \t\n\r"),
  ).replace(/(.)-(.)/gs, (_, a: string, b: string) => {
    const [from, to] = [a.charCodeAt(0), b.charCodeAt(0)];
    return to < from || to - from > 256
      ? `${a}-${b}`
      : Array.from({ length: to - from + 1 }, (_v, i) => String.fromCharCode(from + i)).join("");
  });

const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function fromBase32(text: string): string {
  const bits = [...text.toUpperCase()]
    .map((char) => base32Digits.indexOf(char))
    .filter((digit) => digit >= 0)
    .map((digit) => digit.toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes).toString("utf8");
}

/** Basic regular expressions have `\\(` for a group and a bare `(` for itself; extended ones the other way round. */
function toRegExp(pattern: string, isExtended: boolean, flags: string): RegExp | undefined {
  // More than one repetition could make the match slow.
  if (pattern.length > 80 || (pattern.match(/[*+{]/g)?.length ?? 0) > 1) return undefined;
  const source = isExtended
    ? pattern
    : pattern.replace(/\\?[(){}|+?]/g, (sign) => (sign.length === 2 ? sign.slice(1) : `\\${sign}`));
  try {
    return new RegExp(source, `${flags.includes("g") ? "g" : ""}${/[iI]/.test(flags) ? "i" : ""}`);
  } catch {
    return undefined;
  }
}

const maxSubstituted = 2000;

/** `sed s/a/b/` on a constant text; undefined for any other sed script. */
export function substitute(script: string, isExtended: boolean, text: string): string | undefined {
  if (text.length > maxSubstituted) return undefined;
  let out = text;
  for (const part of script.split(/;\s*(?=s)/)) {
    const delimiter = /^s([^\w\s\\])/.exec(part)?.[1];
    if (!delimiter) return undefined;
    const [, pattern = "", replacement = "", flags, ...more] = part.split(delimiter);
    if (flags === undefined || more.length > 0 || !/^[giI]*$/.test(flags)) return undefined;
    const expression = toRegExp(pattern, isExtended, flags);
    if (!expression) return undefined;
    const filled = replacement
      .replace(/\$/g, "$$$$")
      .replace(/\\(\d)|\\(.)|&/g, (sign, group?: string, escaped?: string) =>
        group ? `$${group}` : (escaped ?? (sign === "&" ? "$&" : sign)),
      );
    out = out
      .split("\n")
      .map((line) => line.replace(expression, filled))
      .join("\n");
  }
  return out;
}
