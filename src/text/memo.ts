/** So many texts are remembered, and none longer: a few megabytes. */
const most = 1_000;
const longest = 16_384;

/**
 * A pure function of a text that remembers what it made of those of late: an incident's cards are drawn again at each of its changes, and
 * hardly one of them reads otherwise then. Nothing may go in that is to be forgotten: texts with secrets, or what secrets are known.
 */
export function memoized<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) {
      // The oldest goes first.
      known.delete(text);
      known.set(text, before);
      return before;
    }
    const made = make(text);
    if (text.length > longest) return made;
    known.set(text, made);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return made;
  };
}
