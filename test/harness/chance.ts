import fc from "fast-check";

/** What every random test begins from: the same in each run, so that a landing never hangs on chance. Change it to look further. */
export const seed = 20_261_122;

fc.configureGlobal({ seed });

/** fast-check, told the seed. */
export { fc };

/** Draws that look random and are the same for a seed (mulberry32). */
export interface Chance {
  /** From 0 to 1. */
  readonly next: () => number;
  readonly below: (limit: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function createChance(from: number): Chance {
  let state = from;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[below(list.length)];
    if (picked === undefined) throw new Error("there is nothing to pick from");
    return picked;
  };
  return { next, below, pick };
}
