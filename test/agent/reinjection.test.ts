import { describe, expect, it } from "vitest";
import { decideReinjection } from "../../src/agent/reinjection.ts";

const state = { enabled: true, turns: 15, inputTokens: 0, turnsSince: 0 };

describe("INJ-3 instructions and rules are told again", () => {
  it.each([
    [14, undefined],
    [15, { trigger: "turns" }],
    [16, { trigger: "turns" }],
  ])("after %i turns where the window is not known: %j", (turnsSince, expected) => {
    expect(decideReinjection({ ...state, turnsSince })).toEqual(expected);
  });

  it.each([
    [25_000, undefined, undefined],
    [25_001, undefined, { trigger: "window", share: 25 }],
    [49_000, 25, undefined],
    [51_000, 25, { trigger: "window", share: 50 }],
    [90_000, undefined, { trigger: "window", share: 75 }],
    [99_000, 75, undefined],
  ] as const)("at %i of 100,000 tokens with %s told: %j", (inputTokens, lastShare, expected) => {
    expect(decideReinjection({ ...state, contextWindow: 100_000, inputTokens, lastShare, turnsSince: 99 })).toEqual(
      expected,
    );
  });

  it("never where it is switched off", () => {
    expect(decideReinjection({ ...state, enabled: false, turnsSince: 99 })).toBeUndefined();
  });
});
