import { describe, expect, it } from "vitest";
import { type LookResult, usualPace, waitAfter } from "../../../src/features/poll/pace.ts";

const idle: LookResult = {
  isActive: false,
  requests: 4,
  counted: { inHour: 0, inLook: 0, hourIsOverMs: 0 },
  failures: 0,
  toldToWaitMs: 0,
};
const wait = (change: Partial<LookResult>) => waitAfter(usualPace, { ...idle, ...change });

describe("when GitHub is looked at again", () => {
  it("DC-8 after seconds while an incident is open, and later while none is", () => {
    expect([wait({ isActive: true }), wait({})]).toEqual([3_000, 20_000]);
  });

  it("DC-8 never more often than so many requests a minute, counted or not", () => {
    expect(wait({ isActive: true, requests: 40 })).toBe(8_000);
    expect(wait({ requests: 1_000 })).toBe(200_000);
  });

  it("DC-8 within its share of the rate limit: half of it for bursts, the rest spread over what is left of the hour", () => {
    const halfHour = 1_800_000;
    const spread = (inHour: number, inLook: number, isActive = true) =>
      wait({ isActive, counted: { inHour, inLook, hourIsOverMs: halfHour } });
    expect([spread(400, 4), spread(900, 0)]).toEqual([3_000, 3_000]);
    expect([spread(600, 4), spread(900, 4, false)]).toEqual([18_000, 72_000]);
  });

  it("SR-68 DC-8 never deaf for its share: at most 30 seconds while an incident is open, and five minutes while none is", () => {
    const spent = (isActive: boolean, inHour: number) =>
      wait({ isActive, counted: { inHour, inLook: 500, hourIsOverMs: 0 } });
    expect([spent(true, 800), spent(true, 5_000)]).toEqual([30_000, 30_000]);
    expect([spent(false, 800), spent(false, 5_000)]).toEqual([300_000, 300_000]);
  });

  it("RR-11 ever later while GitHub does not answer, and not before it has said", () => {
    expect([1, 2, 3, 20].map((failures) => wait({ failures }))).toEqual([3_000, 6_000, 12_000, 300_000]);
    expect(wait({ failures: 1, toldToWaitMs: 60_000 })).toBe(60_000);
  });
});
