import { expect, test } from "vitest";
import { memoized } from "../../src/text/memo.ts";

/** What is made, and how often. */
function counting() {
  const made: string[] = [];
  const make = memoized((text) => {
    made.push(text);
    return text.length;
  });
  return { made, make };
}

test("what was made of a text is made once, as long as it is one of those of late", () => {
  const { made, make } = counting();
  expect([make("a"), make("bb"), make("a")]).toEqual([1, 2, 1]);
  expect(made).toEqual(["a", "bb"]);
  for (let n = 0; n < 130; n++) {
    make("a");
    make(`${n} `.padEnd(16_000, "x"));
  }
  made.length = 0;
  make("a");
  make("bb");
  expect(made).toEqual(["bb"]);
});

test("what is not to be kept is made anew each time", () => {
  const made: string[] = [];
  const make = memoized(
    (text) => {
      made.push(text);
      return text.length;
    },
    (length, text) => length < 2 && text !== "b",
  );
  for (const text of ["a", "a", "b", "b", "cc", "cc"]) make(text);
  expect(made).toEqual(["a", "b", "b", "cc", "cc"]);
});

test("a long text is made anew each time", () => {
  const { made, make } = counting();
  const long = "x".repeat(20_000);
  expect([make(long), make(long)]).toEqual([20_000, 20_000]);
  expect(made).toHaveLength(2);
});
