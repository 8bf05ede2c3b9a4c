/** The characters in memory, and the longest text: a few megabytes. */
const mostHeld = 2_000_000;
const longest = 16_384;
/** The cost of a text beside its characters. */
const costOfOne = 200;

/**
 * A pure function of a text that remembers recent results, unless `isKept` says no: each change of an incident draws all its cards again,
 * and few of them differ. It must not remember texts with secrets, or which secrets are known.
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
