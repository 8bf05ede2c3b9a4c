import { describe, expect, it } from "vitest";
import { createFactsCache } from "../../../src/features/run/check-dispatch.ts";
import type { Facts } from "../../../src/github/facts.ts";

const facts: Facts = {
  repository: undefined,
  issue: undefined,
  people: new Map(),
  comments: new Map(),
  installed: true,
  askedAt: 0,
};

describe("what /approve has just read", () => {
  it.each([
    ["at once", 0, 0, true],
    ["two seconds later", 2_000, 2_000, true],
    ["later", 2_001, 2_001, false],
    ["after the machine slept, while one clock stood still", 3_600_000, 10, false],
    ["after somebody set the clock back", -3_600_000, 2_001, false],
  ])(
    "SR-24 F-35 RR-16 serves the batch it sets going %s: only while it is fresh by both clocks",
    (_, shown, elapsed, is) => {
      const time = { shown: 1_000, elapsed: 1_000 };
      const handoff = createFactsCache({ shown: () => time.shown, elapsed: () => time.elapsed });
      handoff.put("batch", facts);
      time.shown += shown;
      time.elapsed += elapsed;
      expect(handoff.take("other")).toBeUndefined();
      expect(handoff.take("batch")).toBe(is ? facts : undefined);
      expect(handoff.take("batch")).toBeUndefined();
    },
  );
});
