import table from "./lexicon.json" with { type: "json" };
import { stopWords } from "./vocabulary.ts";

/** In order; a position may have several spellings (`NotReady`: `notready` and `not`, then `ready`). */
export type Words = readonly (readonly string[])[];

/** Removes Latin accents (`mémoire` → `memoire`) and makes full-width forms plain. */
export const plainWords = (text: string): string =>
  text
    .normalize("NFKC")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{N}]+/gu;
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;

/** Splits at all but letters and digits, and inside CamelCase. In scripts without spaces, each character is a word. */
export function wordsOf(text: string): Words {
  const words: string[][] = [];
  for (const [token] of plainWords(text).matchAll(word)) {
    const parts = token.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+|\p{Lu}/gu) ?? [token];
    const whole = token.toLowerCase();
    const pieces = parts.map((part) => part.toLowerCase());
    if (pieces.length < 2 || !/\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(token)) words.push([whole]);
    else words.push(...pieces.map((piece, index) => (index === 0 ? [whole, piece] : [piece])));
  }
  return words;
}

export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** Returns terms without stop words and endings, so that `expired` meets `expires`, with what they are in English. */
export const termsOf = (text: string): readonly string[] => termsIn(wordsOf(text));

/** Returns the terms of split words, with what they are in English. */
export const termsIn = (words: Words): readonly string[] =>
  plainTermsIn(words).flatMap((term) => [term, ...(lexicon.get(term) ?? [])]);

/** Returns terms in their own language. */
export const plainTermsOf = (text: string): readonly string[] => plainTermsIn(wordsOf(text));

/** Made by `test/outside/lexicon.ts`. */
const lexicon: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(table).flatMap((pairs) =>
    pairs.split(" ").map((pair) => {
      const [word = "", ...english] = pair.split("=");
      return [word, english] as const;
    }),
  ),
);

function plainTermsIn(words: Words): readonly string[] {
  const spellings = words.flat();
  const pairs = spellings.flatMap((one, index) => {
    const next = spellings[index + 1];
    return next !== undefined && isUnspaced(one) && isUnspaced(next) ? [one + next] : [];
  });
  const spaced = spellings.filter((one) => one.length > 1 && !isUnspaced(one) && !stopWords.has(one));
  return [...spaced.map(stem), ...pairs];
}

/** Crude, but the same on both sides. */
function stem(term: string): string {
  if (term.length < 5 || /\d/.test(term)) return term;
  const cut = term.replace(/(ations?|ingly|edly|ings?|ies|ied|ers?|ed|es|s|ly|e|y)$/, "");
  return cut.length >= 3 ? cut : term;
}
