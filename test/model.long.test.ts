import { expect, test } from "vitest";
import { seed } from "./chance.ts";
import { explore } from "./model/check.ts";

const runs = 1_000;

test("RR-01 to RR-07, RR-15, RR-16, RR-22 1,000 random histories of people, faults, clocks and crashes keep I1 to I8", {
  timeout: 7_200_000,
}, async () => {
  const { executions, commands, failure } = await explore({ runs, seed });
  const counted = [...commands].map(([name, count]) => `${name} ${count}`).join(", ");
  console.info(`model: ${runs} runs from seed ${seed}, ${executions} executions; ${counted}`);
  expect(failure).toBeUndefined();
  expect(executions).toBeGreaterThan(runs / 10);
});
