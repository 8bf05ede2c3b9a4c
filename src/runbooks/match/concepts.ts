import { products, requests, situations } from "./vocabulary.ts";
import { isUnspaced, plainWords, type Words } from "./words.ts";

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
