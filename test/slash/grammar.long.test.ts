import { expect, test } from "vitest";
import { seed } from "../harness/chance.ts";
import { compare } from "./grammar-fuzz.ts";

const bodies = 1_000_000;
const portion = 20_000;

test("SR-22 1,000,000 comments are read as the reference grammar reads them", { timeout: 7_200_000 }, () => {
  const rates: number[] = [];
  let commands = 0;
  for (let done = 0; done < bodies; done += portion) {
    const compared = compare(portion, seed + done);
    expect(compared.differences, `seed ${seed + done}`).toEqual([]);
    commands += compared.commands;
    rates.push(compared.linesPerSecond);
  }
  const rate = Math.round(rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0);
  console.info(
    `SR-22 grammar: ${bodies} bodies from seed ${seed}, ${commands} commands, 0 differences, ${rate} lines/s`,
  );
  expect(commands).toBeGreaterThan(bodies / 10);
});
