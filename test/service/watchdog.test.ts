import { describe, expect, it } from "vitest";
import { countSleep } from "../../src/service/watchdog.ts";

describe("for how long the main thread stands still", () => {
  const before = { beats: 7, standsMs: 4_000, keptWaitingMs: 300 };

  it.each([
    ["no beat while the watching thread slept: it stood still for as long", { beats: 7, keptWaitingMs: 300 }, 5_000],
    ["a beat: it stands still no more", { beats: 8, keptWaitingMs: 300 }, 0],
    ["it got no processor for a part of it: that part does not count", { beats: 7, keptWaitingMs: 1_100 }, 4_200],
    [
      "it got none for longer than the sleep, as after a late wake: nothing counts",
      { beats: 7, keptWaitingMs: 9_300 },
      4_000,
    ],
    ["the system tells it no more: the whole sleep counts", { beats: 7, keptWaitingMs: 0 }, 5_000],
  ])("RR-20 %s", (_what, now, standsMs) => {
    expect(countSleep(before, now, 1_000)).toEqual({ ...now, standsMs });
  });
});
