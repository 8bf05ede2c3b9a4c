import table from "./background.json" with { type: "json" };

/** The class of a word that public texts hardly have. */
export const rarestClass = 13;
/** What about each eighth passage has tells nothing. */
const commonClass = 3;

const classes: ReadonlyMap<string, number> = new Map(
  table.flatMap((words, rarity) => words.split(" ").map((word) => [word, rarity] as const)),
);

/**
 * Returns how much a stemmed word tells in any folder: one more for a word that half as many passages of public operations texts have. The
 * table is made by `test/outside/background.ts`.
 */
export const bitsOf = (term: string): number =>
  Math.max(0, (classes.get(term) ?? (/^\d+$/.test(term) ? numberClass : rarestClass)) - commonClass);

/** Numbers are too many to be counted, and every text has some. */
const numberClass = 6;

export const bitsIn = (terms: Iterable<string>): number => {
  let sum = 0;
  for (const term of new Set(terms)) sum += bitsOf(term);
  return sum;
};

/** An unknown word is a host's name as often as the fault; of two characters without a space, each is counted in two terms. */
const most = { unknown: 6, pair: 2 } as const;
const isPair = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2}$/u;

/** Returns what a text's terms tell that a runbook should have. */
export const weightOf = (terms: Iterable<string>): number => {
  let sum = 0;
  for (const term of new Set(terms)) sum += Math.min(bitsOf(term), isPair.test(term) ? most.pair : most.unknown);
  return sum;
};

/** Words in order are rarer than each of them. */
const orderBits = 2;
const rareBits = 8;

/** Returns whether a code, a name or a message of these terms would be rare in any folder. */
export const isRare = (terms: readonly string[]): boolean => bitsIn(terms) + orderBits * (terms.length - 1) >= rareBits;
