import { expect, test } from "vitest";
import { beginningsOf } from "../../../src/text/redact/beginnings.ts";

const told = (source: string): string[] =>
  beginningsOf(source).map((beginning) =>
    beginning.map((units) => `[${[...units].map((unit) => String.fromCharCode(unit)).join("")}]`).join(""),
  );

test("SR-48 a pattern's first three characters are told through groups, classes, counts and lookaheads", () => {
  expect(told("(?:ab|c)[de]f")).toEqual(["[a][b][de]", "[c][de][f]"]);
  expect(told("(?=x)[01]{2}z|-\\.y")).toEqual(["[01][01][z]", "[-][.][y]"]);
  expect(told("a{2,3}b")).toEqual(["[a][a]"]);
  expect(told("a(?:b?c)d")).toEqual(["[a]"]);
});

test("SR-48 a pattern that may begin with anything is refused, not lost", () => {
  for (const source of ["a?b", "(?:a*)b", "^a"]) expect(() => beginningsOf(source)).toThrow("cannot tell where");
});
