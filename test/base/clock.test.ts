import { describe, expect, it } from "vitest";
import { createClock } from "../../src/base/clock.ts";

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 2, 1, 12);
const header = (ms: number): string => new Date(ms).toUTCString();

/** A clock whose system can be set, and lets time pass. */
function start(shown = noon) {
  let wrongBy = shown - noon;
  let passed = 0;
  const clock = createClock({ shown: () => noon + passed + wrongBy, elapsed: () => 77 + passed });
  return {
    clock,
    set: (byMs: number) => {
      wrongBy += byMs;
    },
    pass: (ms: number) => {
      passed += ms;
    },
    at: () => clock.now().getTime() - noon,
  };
}

describe("the time by which approvals are judged", () => {
  it.each([hourMs, -hourMs])("RR-16 F-36 does not jump with the system's clock (%d ms)", (byMs) => {
    const { set, pass, at } = start();
    pass(1_000);
    set(byMs);
    expect(at()).toBe(1_000);
    pass(hourMs);
    expect(at()).toBe(1_000 + hourMs);
  });

  it.each([hourMs, -hourMs])("RR-16 F-36 is GitHub's where the system's was wrong from the start (%d ms)", (byMs) => {
    const { clock, pass, at } = start(noon + byMs);
    expect(at()).toBe(byMs);
    pass(2_000);
    clock.hear(header(noon + 2_000));
    expect(at()).toBe(2_000);
    pass(500);
    expect(at()).toBe(2_500);
  });

  it("RR-16 keeps its own where GitHub's differs by what an answer takes, or tells no time", () => {
    const { clock, at } = start();
    clock.hear(header(noon - 4_000));
    clock.hear(header(noon + 4_000));
    clock.hear(null);
    clock.hear("never");
    expect(at()).toBe(0);
  });
});
