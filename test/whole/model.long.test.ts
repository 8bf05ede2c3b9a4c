import { expect, test } from "vitest";
import { seed } from "../harness/chance.ts";
import { explore } from "../model/check.ts";

/** 1,000 histories in all; `runs` is the one to raise for a longer look by hand. */
const runs = 250;

/** By quarters, so that one that fails is played again in a quarter of the time. */
test.each([0, 1, 2, 3].map((quarter) => seed + quarter))(
  "RR-01 to RR-07, RR-15, RR-16, RR-22 random histories of people, faults, clocks and crashes keep I1 to I8 (seed %i)",
  { timeout: 7_200_000 },
  async (from) => {
    const { executions, commands, failure } = await explore({ runs, seed: from });
    const counted = [...commands].map(([name, count]) => `${name} ${count}`).join(", ");
    console.info(`model: ${runs} runs from seed ${from}, ${executions} executions; ${counted}`);
    expect(failure).toBeUndefined();
    expect(executions).toBeGreaterThan(runs / 10);
  },
);
