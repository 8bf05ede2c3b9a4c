/** The literals of Go and Python, as far as the tests of scanners write them. */
/** A literal of Go or Python, without its quotes. */
export const literal = /`([^`]*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g;
const goLiteral = /`([^`]*)`|"((?:[^"\\\n]|\\.)*)"/g;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const said = (match: RegExpMatchArray): string =>
  match[1] ?? (match[2] ?? match[3] ?? "").replace(/\\(.)/g, (_all, one: string) => escapes[one] ?? one);
export const literalsIn = (source: string, form = goLiteral): readonly string[] => [...source.matchAll(form)].map(said);

/** Draws what a generator's simple pattern asks for; the same for the same seed. */
export function createDraw(): (characters: string, count: number) => string {
  let state = 20260101;
  return (characters, count) =>
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return characters[(state >>> 12) % characters.length] ?? "";
    }).join("");
}

const small = "abcdefghijklmnopqrstuvwxyz";
const alphabets: Readonly<Record<string, string>> = {
  Numeric: "0123456789",
  Hex: "0123456789abcdef",
  AlphaNumeric: `${small}0123456789`,
  AlphaNumericExtendedShort: `${small}0123456789_-`,
  AlphaNumericExtended: `${small}0123456789=_-`,
  AlphaNumericExtendedLong: `${small}0123456789/=_+-`,
};

/** Go's sum of literals and `secrets.NewSecret(utils.Hex("32"))`; undefined where it is made of anything else. */
export function evaluated(source: string, draw: ReturnType<typeof createDraw>): string | undefined {
  const part = /\s*(?:secrets\.NewSecret\(utils\.(\w+)\("(\d+)"\)\)|"((?:[^"\\]|\\.)*)"|`([^`]*)`)\s*(\+|$)/y;
  let out = "";
  for (let at = 0; at < source.length; at = part.lastIndex) {
    part.lastIndex = at;
    const found = part.exec(source);
    const alphabet = found?.[1] === undefined ? "" : alphabets[found[1]];
    if (!found || alphabet === undefined) return undefined;
    out += found[3] ?? found[4] ?? draw(alphabet, Number(found[2]));
  }
  return out;
}
