import { expect, test } from "vitest";
import { compareLookUps, keygen } from "../look-ups.ts";

test.runIf(keygen !== undefined)("SR-51 1,000 generated look-ups find the lines that ssh-keygen -F finds", async () => {
  const { differences, hits } = await compareLookUps(1_000);
  expect(differences).toEqual([]);
  expect(hits).toBeGreaterThan(200);
});
