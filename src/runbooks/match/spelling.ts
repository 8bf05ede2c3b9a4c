/** Puts slips of the finger right: `postgers`, `conections`. Only towards words that a runbook or the vocabulary has. */

import type { Words } from "./words.ts";

/** What people on call write for a longer word: on a phone at night, and in the subject of a page. */
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

/** Shorter words lie too near to each other. */
const minCharacters = 6;
const isPlainWord = /^\p{Script=Latin}+$/u;

/** Words by what is left of them when a letter is left out, and by themselves; undefined where several have the same. */
type SpellingIndex = ReadonlyMap<string, string | undefined>;

const byRests = new WeakMap<ReadonlySet<string>, SpellingIndex>();

/** Indexes a set the first time: the vocabulary is large, and the same one for each matcher. */
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
 * Learns the words that are known. The function it returns adds to an abbreviation its word, and to each unknown word the one
 * known word that is a single slip away: a letter more, one less, another one, or two that changed places. Where two are as near it adds none.
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

/** A word with each of its letters left out once: two words that are one slip apart have one of these in common. */
const restsOf = (word: string): readonly string[] =>
  Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));

/** Without the beginning and the end that they share, what is left is a letter on one side or two that changed places. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
