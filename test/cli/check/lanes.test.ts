import { expect, it } from "vitest";
import { inLanes } from "../../../src/cli/check/server.ts";

it("at most so many are worked on at once, the next as soon as one is done, and each result stands in its place", async () => {
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
  const results = inLanes([0, 1, 2, 3, 4], 2, async (i) => {
    begun.push(i);
    return gates[i]?.promise;
  }).map(({ done }) => done);
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve("one");
  expect(await results[1]).toBe("one");
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  gates[2]?.reject(new Error("two"));
  await expect(results[2]).rejects.toThrow("two");
  for (const [i, gate] of gates.entries()) gate.resolve(`${i}`);
  expect(await Promise.all(results.toSpliced(2, 1))).toEqual(["0", "one", "3", "4"]);
});
