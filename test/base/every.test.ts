import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { every } from "../../src/base/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to. */
function slowWork() {
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { work, end: () => ends.shift()?.() };
}

describe("what is done every so often", () => {
  it("RR-19 is never done twice at once, and what fell due during a slow one does not pile up behind it", async () => {
    const { work, end } = slowWork();
    const repeated = every(1_000, work, () => {});
    await vi.advanceTimersByTimeAsync(10_500);
    expect(work).toHaveBeenCalledTimes(1);
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(work).toHaveBeenCalledTimes(2);
    end();
    await repeated.stop();
  });

  it("goes on after an error, which is told", async () => {
    const told: unknown[] = [];
    const repeated = every(
      1_000,
      () => Promise.reject("away"),
      (error) => told.push(error),
      { first: "later" },
    );
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told).toEqual(["away", "away"]);
    await repeated.stop();
  });

  it("RR-14 is over when it has stopped: it waits for the one under way and begins no other", async () => {
    const { work, end } = slowWork();
    const repeated = every(1_000, work, () => {});
    let isOver = false;
    const stopped = repeated.stop().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([isOver, work.mock.calls.length]).toEqual([false, 1]);
    end();
    await stopped;
    repeated.now();
    expect(work).toHaveBeenCalledTimes(1);
  });
});
