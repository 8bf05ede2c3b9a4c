import { describe, expect, it } from "vitest";
import { isPatient, retryOf } from "../../../src/store/queue/queue.ts";

const claim = (given: { attempt?: number; failures?: number } = {}) => ({
  id: 1,
  key: "a",
  data: {},
  attempt: 1,
  failures: 0,
  deaths: 0,
  ...given,
});

describe("how a job is put back", () => {
  it("RR-17 counts what failed, and waits twice as long each time", () => {
    for (const failures of [0, 1, 2, 3]) {
      const retry = retryOf(claim({ failures, attempt: 10 }), "failed");
      expect(retry.failures).toBe(failures + 1);
      expect(retry.delayMs).toBeGreaterThanOrEqual(1_000 * 2 ** failures);
      expect(retry.delayMs).toBeLessThan(1_500 * 2 ** failures);
    }
  });

  it("RR-11 counts nothing of what passes, asks every minute at last, and for more than a day", () => {
    expect(retryOf(claim({ attempt: 41, failures: 2 }), "passing")).toEqual({ failures: 2, delayMs: 60_000 });
    expect(retryOf(claim(), "passing").delayMs).toBeLessThan(1_500);
    expect([isPatient(claim({ attempt: 1_441 })), isPatient(claim({ attempt: 2_001 }))]).toEqual([true, false]);
  });

  it("RR-14 what the end of the process interrupts is due at once", () => {
    expect(retryOf(claim({ failures: 3 }), "ending")).toEqual({ failures: 3, delayMs: 0 });
  });
});
