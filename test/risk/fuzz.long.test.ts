import { describe, expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";
import { decoys, floods, longReadings, named } from "./heavy.ts";
import { judge, places, wrongWith } from "./judged.ts";

/** Several seeds, so that one that fails is found again in a part of the time. */
test.each(Array.from({ length: 5 }, (_, i) => i + 1))(
  "SR-33 100,000 texts of seed %i give a sound verdict each",
  (seed) => {
    const { wrong, lines } = fuzz({ seed, count: 100_000 });
    for (const line of lines) console.info(line);
    expect(wrong).toEqual([]);
  },
);

describe("texts made to cost much", () => {
  test("SR-33 each is printed with its time: over 100 ms on an idle machine is a fault", () => {
    const [where] = places;
    if (!where) return;
    const rows = [...named, ...floods, ...decoys, ...longReadings].map(([name, text]) => {
      const judged = judge(text, where);
      return { name, wrong: wrongWith(text, where, judged), risk: judged.verdict.risk, ms: judged.ms };
    });
    const slowestFirst = rows.toSorted((a, b) => b.ms - a.ms);
    for (const { name, risk, ms } of slowestFirst)
      console.info(`${ms.toFixed(1).padStart(8)} ms  ${risk.padEnd(6)}  ${name}`);
    expect(rows.filter(({ wrong }) => wrong !== "").map(({ name, wrong }) => `${name}: ${wrong}`)).toEqual([]);
  });
});
