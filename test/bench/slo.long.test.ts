import { expect, it } from "vitest";
import { approveAll } from "./slo.ts";

it("RR-21 fifty incidents approved at the same moment: each command runs once and its result is told (times by `npm run bench -- slo`)", async () => {
  const { sent, results, started, told } = await approveAll(50, 0);
  const tokens = Array.from({ length: 50 }, (_, n) => `token-${n}`);
  expect(sent.toSorted()).toEqual(tokens.toSorted());
  results.forEach((body, n) => {
    expect(body).toContain(`token-${n}`);
  });
  expect([...started, ...told].every((ms) => ms >= 0)).toBe(true);
});
