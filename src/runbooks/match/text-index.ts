import { bitsOf } from "./background.ts";

/** BM25+ over weighted fields, computed at indexing so that a search only adds numbers. */

/** `terms` are positions in the query of words that the document has as they are. */
export interface TextHit {
  readonly score: number;
  readonly terms: readonly number[];
  /** How much of the query the document has, weighted by rarity. */
  readonly share: number;
}

interface Postings {
  readonly ids: number[];
  readonly weights: number[];
  rarity: number;
}

/** Saturation of repetitions, influence of a field's length, floor for long fields. */
const bm25 = { k: 1.2, b: 0.7, d: 0.5 } as const;

/** The rarest say most and cost least. */
const maxSearchedTerms = 40;
/** Weight of a word that no document has: it may be a host's name or the fault. */
const unknownShare = 0.5;

/**
 * Indexes documents given as terms by field. A search takes distinct terms; a score is the sum of the found terms' weights times their
 * number.
 */
export function createTextIndex<Field extends string>(
  documents: readonly Readonly<Record<Field, readonly string[]>>[],
  boosts: Readonly<Record<Field, number>>,
): (terms: readonly string[]) => ReadonlyMap<number, TextHit> {
  const index = new Map<string, Postings>();
  const rarityOf = (having: number, term: string) =>
    Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) * telling(term);
  for (const field of Object.keys(boosts) as Field[]) {
    const lengths = documents.map((document) => document[field].length);
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    const counts = documents.map((document) => countOf(document[field]));
    const spread = countOf(counts.flatMap((count) => [...count.keys()]));
    for (const [id, count] of counts.entries()) {
      for (const [term, frequency] of count) {
        const having = spread.get(term) ?? 0;
        const rarity = rarityOf(having, term);
        const length = 1 - bm25.b + (bm25.b * (lengths[id] ?? 0)) / Math.max(1, average);
        const weight = boosts[field] * rarity * (bm25.d + (frequency * (bm25.k + 1)) / (frequency + bm25.k * length));
        add(index, term, id, weight);
      }
    }
  }
  for (const [term, postings] of index) postings.rarity = rarityOf(new Set(postings.ids).size, term);
  const relatedTo = createRelated([...index.keys()]);

  return (terms) => {
    const known = terms.flatMap((term, position) => {
      const same = index.get(term);
      if (same) return [{ position, postings: same, part: 1 }];
      return relatedTo(term).flatMap((word) => {
        const postings = index.get(word);
        return postings ? [{ position, postings, part: relatedPart }] : [];
      });
    });
    const isKnown = new Set(known.map(({ position }) => position));
    const scores = new Float64Array(documents.length);
    const shares = new Float64Array(documents.length);
    let whole = 0;
    for (const [position, term] of terms.entries())
      if (!isKnown.has(position)) whole += rarityOf(0, term) * unknownShare;
    const found = new Map<number, number[]>();
    const rarest = known.sort((a, b) => b.postings.rarity - a.postings.rarity).slice(0, maxSearchedTerms);
    for (const { position, postings, part } of rarest) {
      const { rarity } = postings;
      whole += rarity;
      for (let at = 0; at < postings.ids.length; at++) {
        const id = postings.ids[at] ?? 0;
        scores[id] = (scores[id] ?? 0) + (postings.weights[at] ?? 0) * part;
        const positions = found.get(id);
        if (positions?.at(-1) === position) continue;
        shares[id] = (shares[id] ?? 0) + rarity * part;
        if (positions === undefined) found.set(id, [position]);
        else positions.push(position);
      }
    }
    const hits = new Map<number, TextHit>();
    for (const [id, positions] of found)
      hits.set(id, {
        score: (scores[id] ?? 0) * positions.length,
        terms: positions.filter((position) => index.has(terms[position] ?? "")),
        share: (shares[id] ?? 0) / whole,
      });
    return hits;
  };
}

/** `cupsd` counts so much for `cups`. */
const relatedPart = 0.5;
const leastRelated = { letters: 4, share: 0.7, tail: 0.4, long: 6 } as const;

/** Learns known words. The returned function finds the one with which an unknown word shares most of its head or its whole tail. */
function createRelated(known: readonly string[]): (term: string) => readonly string[] {
  const { letters, share } = leastRelated;
  const words = known.filter((word) => word.length >= letters && /^\p{L}+$/u.test(word) && bitsOf(word) > 1);
  const byHead = Map.groupBy(words, (word) => cognateOf(word).slice(0, letters));
  const byTail = Map.groupBy(words, (word) => cognateOf(word).slice(-letters));
  const all = new Set(known.map(cognateOf));
  return (written) => {
    const term = cognateOf(written);
    if (term.length <= letters || !/^\p{L}/u.test(term)) return [];
    const near = byHead.get(term.slice(0, letters)) ?? [];
    const heads = near.filter((word) => headOf(cognateOf(word), term) >= share * Math.max(word.length, term.length));
    // The last part of a compound names the thing, whichever of the two texts has the compound.
    const isTail = (word: string): boolean =>
      (term.endsWith(word) && word.length >= leastRelated.tail * term.length) ||
      (word.endsWith(term) && term.length >= leastRelated.tail * word.length);
    const tails = (byTail.get(term.slice(-letters)) ?? []).filter((word) => isTail(cognateOf(word)));
    const whole = [...heads, ...tails].toSorted(
      (a, b) => headOf(cognateOf(b), term) - headOf(cognateOf(a), term) || b.length - a.length,
    );
    if (whole.length > 0) return whole.slice(0, 1);
    const first = near
      .filter((word) => term.startsWith(cognateOf(word)) && isPart(term.slice(word.length), word, all))
      .toSorted((a, b) => b.length - a.length);
    return first.slice(0, 1);
  };
}

/** What is left of a compound behind its first word: a word of the folder, or much, behind a long one. */
const isPart = (rest: string, first: string, all: ReadonlySet<string>): boolean =>
  [rest, rest.replace(/^(?:e?s|e?n)/, "")].some((part) => part.length >= 3 && (all.has(part) || all.has(`${part}s`))) ||
  (first.length >= leastRelated.long && rest.length >= leastRelated.letters);

/** One letter for those that languages write for one another: `Zertifikat`, `certificat`. */
const cognateOf = (word: string): string => word.replace(/[kz]/g, "c");

function headOf(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** A word's rarity in public texts, next to that in the folder. */
const telling = (term: string): number => (0.5 + bitsOf(term)) / 5;

function add(index: Map<string, Postings>, term: string, id: number, weight: number): void {
  const postings = index.get(term);
  if (postings === undefined) index.set(term, { ids: [id], weights: [weight], rarity: 0 });
  else {
    postings.ids.push(id);
    postings.weights.push(weight);
  }
}

function countOf(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
