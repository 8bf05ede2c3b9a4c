import { lazy } from "../../base/lazy.ts";
import rarities from "./background.json" with { type: "json" };
import pairedWords from "./lexicon.json" with { type: "json" };
import { products, requests, situations, stopWords } from "./vocabulary.ts";

/** In order; a position may have several spellings (`NotReady`: `notready` and `not`, then `ready`). */
export type Words = readonly (readonly string[])[];

/** Removes Latin accents (`mémoire` → `memoire`) and makes full-width forms plain. */
const plainWords = (text: string): string =>
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
  plainTermsIn(words).flatMap((term) => [term, ...(lexicon().get(term) ?? [])]);

/** Returns terms in their own language. */
export const plainTermsOf = (text: string): readonly string[] => plainTermsIn(wordsOf(text));

/** Made by `test/outside/lexicon.ts`. */
const lexicon = lazy(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(
      Object.values(pairedWords).flatMap((pairs) =>
        pairs.split(" ").map((pair) => {
          const [word = "", ...english] = pair.split("=");
          return [word, english] as const;
        }),
      ),
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

/** `request`: the text asks for something instead of reporting a fault. */
export interface Concepts {
  /** Each with how many words say it: a thing alone is one, with its fault two. */
  readonly situations: ReadonlyMap<string, number>;
  readonly products: ReadonlySet<string>;
  readonly request: boolean;
}

interface Phrase {
  readonly concept: string;
  readonly parts: readonly (readonly string[])[];
}

/** In words, for `a ~ b`; a Chinese or Japanese character is a word. */
const reach = 10;

const phrases: readonly Phrase[] = [
  ...phrasesOf("situation", situations),
  ...phrasesOf("product", products),
  ...phrasesOf("request", { request: requests }),
];
const matchers = new Set(phrases.flatMap(({ parts }) => parts.flat()));
const longestSpelling = Math.max(...[...matchers].map((matcher) => matcher.length));
const phrasesByMatcher = Map.groupBy(phrases, ({ parts }) => parts[0]?.[0] ?? "");

export const spelledWords: ReadonlySet<string> = new Set([...matchers].filter((matcher) => !matcher.includes("*")));

/** Finds the vocabulary's situations and products in one pass. */
export function conceptsIn(words: Words): Concepts {
  const places = placesOf(words);
  const found = new Map<string, Set<number>>();
  for (const matcher of places.keys()) {
    for (const { concept, parts } of phrasesByMatcher.get(matcher) ?? []) {
      if (!stands(parts, places)) continue;
      const said = found.get(concept) ?? new Set<number>();
      found.set(concept, said);
      for (const word of parts.flat()) said.add(places.get(word)?.[0]?.[0] ?? 0);
    }
  }
  const kind = (prefix: string) =>
    [...found].flatMap(([name, said]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), said] as const] : []));
  const products = kind("product:");
  const things = new Set(products.flatMap(([, said]) => [...said]));
  return {
    situations: new Map(kind("situation:").map(([name, said]) => [name, said.difference(things).size])),
    products: new Set(products.map(([name]) => name)),
    request: found.has("request:request"),
  };
}

/** Returns a function that tells whether a word names a product, and remembers it. */
export function createIsProduct(): (word: readonly string[]) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const [spelling = ""] = word;
    const is = known.get(spelling) ?? conceptsIn([word]).products.size > 0;
    known.set(spelling, is);
    return is;
  };
}

/** Positions as [first, after last], by matcher. */
type Places = ReadonlyMap<string, readonly (readonly [number, number])[]>;

function placesOf(words: Words): Places {
  const places = new Map<string, [number, number][]>();
  const note = (matcher: string, start: number, end: number) => {
    if (!matchers.has(matcher)) return;
    const known = places.get(matcher);
    if (known) known.push([start, end]);
    else places.set(matcher, [[start, end]]);
  };
  for (const [position, spellings] of words.entries()) {
    for (const spelling of spellings) {
      note(spelling, position, position + 1);
      if (isUnspaced(spelling)) {
        let run = spelling;
        for (let next = position + 1; next < words.length && run.length < longestSpelling; next++) {
          const character = words[next]?.[0] ?? "";
          if (!isUnspaced(character)) break;
          run += character;
          note(run, position, next + 1);
        }
      } else {
        for (let length = 2; length <= Math.min(spelling.length, longestSpelling); length++) {
          note(`${spelling.slice(0, length)}*`, position, position + 1);
          note(`*${spelling.slice(-length)}`, position, position + 1);
        }
        if (/^9\d([.,]\d+)?$/.test(spelling)) note("9x", position, position + 1);
      }
    }
  }
  return places;
}

function stands(parts: Phrase["parts"], places: Places): boolean {
  const runs = parts.map((part) => runsOf(part, places));
  const [first = [], second] = runs;
  if (second === undefined) return first.length > 0;
  return runs
    .slice(1)
    .every((run) =>
      run.some(([start, end]) =>
        first.some(([a, b]) => (start >= b ? start - b : a - end) <= reach && (start >= b || a >= end)),
      ),
    );
}

function runsOf(part: readonly string[], places: Places): readonly (readonly [number, number])[] {
  let runs: readonly (readonly [number, number])[] = places.get(part[0] ?? "") ?? [];
  for (const matcher of part.slice(1)) {
    const next = places.get(matcher) ?? [];
    runs = runs.flatMap(([start, end]) =>
      next.filter((it) => it[0] === end).map((it): [number, number] => [start, it[1]]),
    );
  }
  return runs;
}

function phrasesOf(kind: string, table: Readonly<Record<string, readonly string[]>>): readonly Phrase[] {
  return Object.entries(table).flatMap(([name, list]) =>
    list.map((phrase) => ({
      concept: `${kind}:${name}`,
      parts: plainWords(phrase)
        .split("~")
        .map((part) => part.trim().split(/[\s_.]+/)),
    })),
  );
}

/** As written on a phone and in a page's subject. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cfg: "config",
    conn: "connection",
    conns: "connections",
    exp: "expires",
    img: "image",
    imgs: "images",
    mem: "memory",
    msg: "message",
    msgs: "messages",
    proc: "process",
    procs: "processes",
    repl: "replication",
    repls: "replicas",
    svc: "service",
    svcs: "services",
    tx: "transaction",
    vol: "volume",
    vols: "volumes",
  }),
);

/** Shorter words are too similar to each other. */
const minCharacters = 6;
const isPlainWord = /^\p{Script=Latin}+$/u;

/** By word and by each rest without one letter; undefined if several words share it. */
type SpellingIndex = ReadonlyMap<string, string | undefined>;

const byRests = new WeakMap<ReadonlySet<string>, SpellingIndex>();

/** Cached, because all matchers share the vocabulary. */
function byRestOf(words: ReadonlySet<string>): SpellingIndex {
  const before = byRests.get(words);
  if (before) return before;
  const byRest = new Map<string, string | undefined>();
  byRests.set(words, byRest);
  for (const word of words) {
    if (word.length < minCharacters || !isPlainWord.test(word)) continue;
    for (const rest of [word, ...restsOf(word)])
      byRest.set(rest, byRest.has(rest) && byRest.get(rest) !== word ? undefined : word);
  }
  return byRest;
}

/**
 * Learns known words. The returned function adds its word to an abbreviation, and to an unknown word (`postgers`) the only known one a slip
 * away: a letter added, lost or changed, or two swapped.
 */
export function createSpelling(...known: readonly ReadonlySet<string>[]): (words: Words) => Words {
  const indexes = known.map(byRestOf);
  const wordFor = (rest: string): string | undefined => {
    const [word, ...others] = new Set(indexes.filter((index) => index.has(rest)).map((index) => index.get(rest)));
    return others.length === 0 ? word : undefined;
  };
  const meant = (word: string): string | undefined => {
    const near = new Set([word, ...restsOf(word)].map(wordFor).filter((it) => it !== undefined));
    const [only, ...others] = [...near].filter((one) => one[0] === word[0] && isOneSlip(one, word));
    return others.length === 0 ? only : undefined;
  };
  const isKnown = (word: string): boolean => known.some((words) => words.has(word));
  return (words) =>
    words.map((spellings) => {
      const [word = ""] = spellings;
      const whole = spellings.length === 1 ? abbreviations.get(word) : undefined;
      if (whole !== undefined) return [word, whole];
      if (spellings.length > 1 || word.length < minCharacters - 1 || word.length > 20) return spellings;
      if (!isPlainWord.test(word) || isKnown(word)) return spellings;
      const right = meant(word);
      return right === undefined ? spellings : [word, right];
    });
}

/** Two words one slip apart share one of these. */
const restsOf = (word: string): readonly string[] =>
  Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));

function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** The class of a word that public texts hardly have. */
export const rarestClass = 13;
/** What about each eighth passage has tells nothing. */
const commonClass = 3;

const classes = lazy(
  (): ReadonlyMap<string, number> =>
    new Map(rarities.flatMap((words, rarity) => words.split(" ").map((word) => [word, rarity] as const))),
);

/**
 * Returns how much a stemmed word tells in any folder: one more for a word that half as many passages of public operations texts have. The
 * table is made by `test/outside/background.ts`.
 */
export const bitsOf = (term: string): number =>
  Math.max(0, (classes().get(term) ?? (/^\d+$/.test(term) ? numberClass : rarestClass)) - commonClass);

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
