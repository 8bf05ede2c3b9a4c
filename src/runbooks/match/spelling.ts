import type { Words } from "./words.ts";

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
