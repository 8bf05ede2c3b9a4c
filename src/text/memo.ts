/** So many characters are remembered, and no text of more than that: a few megabytes. */
const mostHeld = 2_000_000;
const longest = 16_384;
/** What remembering a text costs beside its characters. */
const costOfOne = 200;

/**
 * A pure function of a text that remembers what it made of those of late, unless `isKept` says no: an incident's cards are drawn again
 * at each of its changes, and hardly one of them reads otherwise then. Nothing may be kept that is to be forgotten: texts with secrets, or
 * what secrets are known.
 */
export function memoized<T>(
  make: (text: string) => T,
  isKept: (made: T, text: string) => boolean = () => true,
): (text: string) => T {
  const known = new Map<string, T>();
  let held = 0;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) {
      // The oldest goes first.
      known.delete(text);
      known.set(text, before);
      return before;
    }
    const made = make(text);
    if (text.length > longest || !isKept(made, text)) return made;
    known.set(text, made);
    held += text.length + costOfOne;
    for (const oldest of known.keys()) {
      if (held <= mostHeld) break;
      known.delete(oldest);
      held -= oldest.length + costOfOne;
    }
    return made;
  };
}
