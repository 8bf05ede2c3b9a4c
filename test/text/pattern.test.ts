import { describe, expect, test } from "vitest";
import { createPatternSearch } from "../../src/text/pattern.ts";
import { fc } from "../harness/chance.ts";

const found = (pattern: string, ...pieces: readonly string[]): boolean => {
  const search = createPatternSearch(pattern);
  for (const piece of pieces) search.push(piece);
  return search.found();
};

describe("a pattern of an expectation", () => {
  test("WF-2 a star stands for anything within a line, everything else for itself", () => {
    expect(found("Active: * (running)", "x\n  Active: active (running)\n")).toBe(true);
    expect(found("Active: * (running)", "Active: failed\nis (running)")).toBe(false);
    expect(found("a.c", "abc")).toBe(false);
    expect(found("a*b*c", "axxbxxc")).toBe(true);
    expect(found("a*b", "ba")).toBe(false);
  });

  test("WF-2 it is found wherever the text is parted", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom("ab", "a*b", "*a", "bb*a"), (pieces, pattern) => {
        const text = pieces.join("");
        const shape = new RegExp(pattern.replaceAll("*", "[^\n]*"));
        expect(found(pattern, ...pieces)).toBe(shape.test(text));
      }),
    );
  });
});
