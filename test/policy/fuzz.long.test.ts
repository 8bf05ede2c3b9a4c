import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";

/** Ten seeds, so that one that fails is found again in a tenth of the time. */
test.each(Array.from({ length: 10 }, (_, i) => i + 1))(
  "SR-33 100,000 texts of seed %i give a sound verdict each",
  (seed) => {
    const { wrong, lines } = fuzz({ seed, count: 100_000 });
    for (const line of lines) console.info(line);
    expect(wrong).toEqual([]);
  },
);
