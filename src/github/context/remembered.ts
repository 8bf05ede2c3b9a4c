import type { RepoFiles } from "./read.ts";

/** Returns what is kept under a context, and goes with it. */
export function keptFor<T>(kept: WeakMap<RepoFiles, Map<string, T>>, context: RepoFiles): Map<string, T> {
  const known = kept.get(context) ?? new Map<string, T>();
  kept.set(context, known);
  return known;
}

/** Returns what is known under a key, or what `make` brings. A failure is not remembered: the next one who needs it asks again. */
export function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  made.catch(() => {
    if (known.get(key) === made) known.delete(key);
  });
  return made;
}
