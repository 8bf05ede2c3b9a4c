/** In characters. */
const mostHeld = 2_000_000;
const longest = 16_384;
const costOfOne = 200;

/**
 * Remembers recent results of a pure function unless `isKept` says no. Not for texts with secrets, or results that depend on the known
 * secrets.
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
