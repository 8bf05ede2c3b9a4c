import { expect, test } from "vitest";
import { anyCase } from "../../src/base/any-case.ts";
import { compileRow } from "../../src/risk/engine/rows.ts";
import { fc, seed } from "../harness/chance.ts";

test.each([
  ["(?i:get)x", "(?:[gG][eE][tT])x"],
  ["a(?i:b(?-i:c)d)e", "a(?:[bB](?:c)[dD])e"],
  ["(?i:\\w+\\d\\x41[a-c_\\s]\\b)", "(?:\\w+\\d\\x41[a-c_\\sA-C]\\b)"],
  ["(?i:(?<![a-z]_)(?<name>pw)\\k<name>[^k])", "(?:(?<![a-zA-Z]_)(?<name>[pP][wW])\\k<name>[^kK])"],
  ["^[a-z](?:x|y){2,3}$", "^[a-z](?:x|y){2,3}$"],
])("PA-7 %s is %s", (source, expanded) => {
  expect(anyCase(source)).toBe(expanded);
});

test("PA-7 it matches what the modifier should", () => {
  const words = fc.stringMatching(/^[a-zA-Z_ ]{1,6}$/);
  fc.assert(
    fc.property(words, words, fc.boolean(), (inside, text, isSame) => {
      const said = isSame ? inside.toUpperCase() : text;
      const whole = `q${said}q`;
      expect(new RegExp(anyCase(`^q(?i:${inside})q$`)).test(whole)).toBe(said.toLowerCase() === inside.toLowerCase());
    }),
    { seed, numRuns: 500 },
  );
});

test("PA-7 no pattern is compiled with a modifier", () => {
  expect(compileRow({ if: "(?i:a)", unless: "(?i:b)" })).toMatchObject({ met: /(?:[aA])/, unmet: /(?:[bB])/ });
});
