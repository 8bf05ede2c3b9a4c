const letters = /[\p{L}\p{N}%°]+/gu;

export type Holds = (quote: string) => boolean;

/** Whether a quotation stands in one of the texts: in any case and blanks, and cut with `…`. */
export function createHolds(texts: readonly string[]): Holds {
  const all = texts.join("\n\n").toLowerCase();
  const known = new Map<string, boolean>();
  return (quote) => {
    const before = known.get(quote);
    if (before !== undefined) return before;
    const result = partsStand(quote, all, /…|\.{3,}|⋯|\[\.{3}\]|\*+|<[^<>\s]{1,40}>/);
    known.set(quote, result);
    return result;
  };
}

/** Whether these very words stand in one of the texts, in any blanks, cut with `…` at most; not what has no word at all. */
export const holdsVerbatim = (texts: readonly string[], quote: string): boolean =>
  /[\p{L}\p{N}]/u.test(quote) && partsStand(quote, texts.join("\n\n").toLowerCase(), /…|\.{3,}|⋯/);

const partsStand = (quote: string, all: string, cuts: RegExp): boolean =>
  quote
    .toLowerCase()
    .split(cuts)
    .every((part, index, every) => stands(part, all, { opens: index > 0, closes: index < every.length - 1 }));

/** `opens` and `closes`: cut there, perhaps within a word. */
function stands(
  part: string,
  all: string,
  { opens, closes }: { readonly opens: boolean; readonly closes: boolean },
): boolean {
  const words = [...part.matchAll(letters)].slice(0, 60);
  const [first] = words;
  if (!first) return true;
  const pattern = words
    .map((word, at) => {
      const next = words[at + 1];
      const sign = next ? part.slice(word.index + word[0].length, next.index) : "";
      // `9.8` is not `9 8`.
      const isNumber = /\d$/.test(word[0]) && next !== undefined && /^\d/.test(next[0]) && sign.trim() !== "";
      return (
        RegExp.escape(word[0]) +
        (next
          ? isNumber
            ? [...sign.replace(/\s+/g, " ")].map((c) => (c === " " ? "\\s*" : RegExp.escape(c))).join("\\s*")
            : "[^\\p{L}\\p{N}]{0,40}"
          : "")
      );
    })
    .join("");
  const rarest = words.map(([word]) => word).reduce((one, other) => (other.length > one.length ? other : one));
  if (!all.includes(rarest)) return false;
  const start = opens ? "" : /^\d/.test(first[0]) ? "(?<![\\p{L}\\p{N}]|\\d[.,])" : "(?<![\\p{L}\\p{N}])";
  // `03:41:12` of `03:41:12.22` is a clock.
  const end = closes ? "" : /\d:\d\d\W*$/.test(part) ? "(?![\\p{L}\\p{N}])" : "(?![\\p{L}\\p{N}]|[.,]\\d)";
  return new RegExp(start + pattern + end, "u").test(all);
}
