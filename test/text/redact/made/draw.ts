/** Numbers that look drawn and are the same for the same seed. */
export type Draw = {
  readonly below: (end: number) => number;
  readonly one: <T>(of: readonly T[]) => T;
  readonly secret: () => string;
};

const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Passwords as people and programs make them: never twice the same, never a word of the text round them. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  const one = <T>(of: readonly T[]): T => {
    const found = of[below(of.length)];
    if (found === undefined) throw new Error("nothing to draw from");
    return found;
  };
  const string = (length: number, of = letters): string => Array.from({ length }, () => of[below(of.length)]).join("");
  const word = (): string => one(["Sommer", "Tiger", "Hafen", "Winter", "Zebra", "Coral", "Maple", "Quartz"]);
  const shapes: readonly (() => string)[] = [
    () => `${word()}${1000 + below(9000)}!`,
    () => `${word()}-${string(4)}${below(90) + 10}`,
    () => string(12 + below(12)),
    () => string(32, "0123456789abcdef"),
    () => `${string(3)}$${string(4)}#${string(3)}9`,
    () => `${Buffer.from(string(24)).toString("base64")}`,
    () => `${word().toLowerCase()}${below(90) + 10}`,
  ];
  return { below, one, secret: () => one(shapes)() };
}

/** So many of them, each once. */
export const some = <T>(draw: Draw, of: readonly T[], count: number): T[] => {
  const left = [...of];
  return Array.from({ length: Math.min(count, of.length) }, () => left.splice(draw.below(left.length), 1)).flat();
};

/** All of them, in another order. */
export const shuffled = <T>(draw: Draw, of: readonly T[]): T[] => some(draw, of, of.length);
