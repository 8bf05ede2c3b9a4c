/** The string literals of program text in any language, as written and joined. Nothing is evaluated or decoded. */
const maxLength = 20_000;
const maxStrings = 60;

const quoted = /(["'`])((?:(?!\1)[^\\]|\\.)*)\1/gs;

/** The string literals, unescaped. */
export const stringsOf = (code: string): string[] =>
  [...code.matchAll(quoted)].map(([, , text = ""]) =>
    text.replace(/\\([nt"'\\`/])/g, (_, sign: string) => (sign === "n" ? "\n" : sign === "t" ? "\t" : sign)),
  );

const characters = (list: string): string =>
  `"${Array.from(list.matchAll(/\d+/g), ([code]) => String.fromCodePoint(Math.min(Number(code), 0x10ffff))).join("")}"`;
const listed = (list: string): string => list.trim().replace(/\S+/g, '"$&"').replace(/"\s+"/g, '","');

/** The text with numbered characters and words in other quotes put in place, and pieces of a string joined. */
export const joinedStrings = (code: string): string =>
  code
    .slice(0, maxLength)
    .replace(/\\x([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([0-3]?[0-7]{2})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\b(\d+) ?\+ ?(\d+)\b/g, (_, a: string, b: string) => String(Number(a) + Number(b)))
    .replace(
      /\b\w*(?:chr|char|code|point|printf\s*\(\s*"(?:%c)+",)\s*\(?\s*((?:\d[\d\s,]*)+)\)?/gi,
      (_, list: string) => characters(list),
    )
    .replace(/\[\s*(\d+(?:\s*,\s*\d+)+)\s*\]|\b(\d+)\.chr\b/g, (_, list?: string, one?: string) =>
      characters(list ?? one ?? ""),
    )
    .replace(
      /(?:%|\bq)w\s*(?:\(([^()]*)\)|\[([^[\]]*)\]|\{([^{}]*)\}|([/!|])([^/!|]*)\4)/gi,
      (_, a?: string, b?: string, c?: string, _d?: string, e?: string) => listed(a ?? b ?? c ?? e ?? ""),
    )
    .replace(/(?:%q|\bqq?)\s*[({[!|]([^)\]}!|'"]{0,400})[)\]}!|]/gi, '"$1"')
    .replace(/(["'`])[\t ]*(?:[+~&]|\.\.?)[\t ]*[bfru]?["'`]|(["'])\2(?=["'])|(["'])[\t ]+\3/g, "");

/** What a program would make of its strings by putting them together. */
export function suspects(strings: readonly string[]): readonly string[] {
  const few = strings.slice(0, maxStrings);
  // What has quotes of its own is a whole text, and what follows an option a word: neither is a piece.
  if (few.some((text) => /["'`]|^-\w$/.test(text))) return [];
  const together = ["", " ", "/"].flatMap((sign) => [few.join(sign), few.slice(1).join(sign)]);
  return [...new Set(together)].filter((text) => text.length > 1 && !text.startsWith("-"));
}

const printing = String.raw`\b(?:print|puts|echo|say|printf|log|write|p)\b`;
const constant = new RegExp(String.raw`${printing}\s*\(?\s*(["'])((?:(?!\1)[^\\]|\\.)*)\1\s*(?=[);}\n]|$)`, "g");

/** What program text prints, where every print is of one constant; undefined otherwise. */
export function printedBy(joined: string): string | undefined {
  const texts = [...joined.matchAll(constant)].map(([, , text = ""]) =>
    text.replaceAll("\\n", "\n").replace(/\\(.)/g, "$1"),
  );
  return texts.length > 0 && texts.length === joined.match(new RegExp(printing, "g"))?.length
    ? `${texts.join("\n")}\n`
    : undefined;
}
