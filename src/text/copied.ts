/** So many words in a row are copied, not said again by chance. */
const copiedWords = 4;

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    word: match[0].normalize("NFKC").toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));

const keyOf = (words: readonly { readonly word: string }[], at: number): string =>
  words
    .slice(at, at + copiedWords)
    .map(({ word }) => word)
    .join(" ");

const knownIn = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Reads a list of sources once. */
function keysOf(sources: readonly string[]): ReadonlySet<string> {
  const before = knownIn.get(sources);
  if (before) return before;
  const keys = new Set<string>();
  for (const source of sources) {
    const words = wordsIn(source);
    for (let at = 0; at <= words.length - copiedWords; at += 1) keys.add(keyOf(words, at));
  }
  knownIn.set(sources, keys);
  return keys;
}

/** Returns the text with `…` for each passage that also stands in one of the sources: data may inform words, and never be them. */
export function withoutCopied(text: string, sources: readonly string[]): string {
  const known = keysOf(sources);
  const words = wordsIn(text);
  const copied = new Set<number>();
  for (let at = 0; at <= words.length - copiedWords; at += 1)
    if (known.has(keyOf(words, at))) for (let i = at; i < at + copiedWords; i += 1) copied.add(i);
  let kept = "";
  let from = 0;
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at];
    if (!first || !copied.has(at)) continue;
    while (copied.has(at + 1)) at += 1;
    kept += `${text.slice(from, first.from)}…`;
    from = words[at]?.to ?? text.length;
  }
  return (kept + text.slice(from))
    .replace(/(?<![`"“”„«»'])[`"“”„«»']*…(?:[^\p{L}\p{N}\s]*\s*…)*[`"“”„«»']*/gu, "…")
    .trim();
}
