import { describe, expect, it } from "vitest";
import { armCrashPoint, crashPoints, reached } from "../../src/base/crash-point.ts";

describe("CRASH_AT", () => {
  it("is off where it is not set, and then every point is passed", () => {
    for (const text of [undefined, ""]) expect(armCrashPoint(text)).toBeUndefined();
    for (const point of Object.keys(crashPoints)) reached(point as keyof typeof crashPoints);
  });

  it.each(["CP99", "CP9", "cp09", "CP09:0", "CP09:", "CP09:2x", "yes"])(
    "refuses to start with %s, which is no crash point",
    (text) => {
      expect(() => armCrashPoint(text)).toThrow(
        expect.objectContaining({
          problems: [expect.objectContaining({ place: "CRASH_AT", remedy: expect.stringContaining("CP20") })],
        }),
      );
    },
  );
});
