import { describe, expect, test } from "vitest";
import { type OutputSelection, readOutput } from "../../src/text/page.ts";
import { fc } from "../harness/chance.ts";

/** The text in pieces of some length, as a store gives it. */
async function* pieces(text: string, length = 7) {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
const read = (text: string, how: OutputSelection, limit: number) => readOutput(pieces(text), how, limit);

describe("AR-14 the whole output stays readable", () => {
  const text = "one\ntwo ERR\nthree\nfour err\nfive\n";
  test.each([
    [{ kind: "page", page: 1 }, 12, "one\ntwo ERR", "page 1 of 4"],
    [{ kind: "page", page: 3 }, 12, "four err", "page 3 of 4"],
    [{ kind: "page", page: 9 }, 12, "five", "page 4 of 4 (there is no page 9)"],
    [{ kind: "tail", lines: 2 }, 100, "four err\nfive", "the last 2 of 5 lines"],
    [{ kind: "tail", lines: 5 }, 12, "five", "the last 1 of 5 lines"],
    [{ kind: "grep", text: "err" }, 100, "2: two ERR\n4: four err", "2 of 5 lines match"],
    [{ kind: "grep", text: "err" }, 12, "2: two ERR", "2 of 5 lines match, the first 1 shown"],
    [{ kind: "grep", text: "(" }, 12, "", "0 of 5 lines match"],
  ] as const)("%j", async (how, limit, shown, note) => {
    expect(await read(text, how, limit)).toEqual({ text: shown, note });
  });

  test("in pages that together are everything, however the store cuts it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 30 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, length) => {
          const whole = [...lines, "end"].join("\n");
          const page = (number: number) => readOutput(pieces(whole, length), { kind: "page", page: number }, 40);
          const count = Number(/of (\d+)/.exec((await page(1)).note)?.[1]);
          const pages: string[] = [];
          for (let number = 1; number <= count; number++) pages.push((await page(number)).text);
          expect(pages.join("\n")).toBe(whole);
        },
      ),
    );
  });

  test.each([
    { kind: "page", page: 2 },
    { kind: "tail", lines: 1 },
    { kind: "grep", text: "🙂" },
  ] as const)("parts no character: %j", async (how) => {
    for (const before of ["", "a"]) {
      const { text: shown } = await read(`${before}${"🙂".repeat(100)}`, how, 41);
      expect(shown.length).toBeGreaterThan(30);
      expect(shown.isWellFormed()).toBe(true);
    }
  });

  test("one line of 20 MB is read without being held", async () => {
    let given = 0;
    async function* endless() {
      for (; given < 320; given++) yield "x".repeat(65_536);
      yield "the end";
    }
    expect((await readOutput(endless(), { kind: "grep", text: "the end" }, 100)).text).toContain("the end");
    expect(given).toBe(320);
  });
});
