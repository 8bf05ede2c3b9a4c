import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPoisonJobs } from "../../../src/store/queue/queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const short = { deaths: 1, isShort: true };
/** Whether anything that is under no suspicion may begin. */
const mayBegin = (suspects: ReturnType<typeof createPoisonJobs>): boolean => {
  const leave = suspects.pass({ isShort: false });
  leave?.();
  return leave !== undefined;
};

describe("the line of suspects", () => {
  it("RR-17 is entered the later after the start the oftener the process ended", async () => {
    const suspects = createPoisonJobs();
    const entered: number[] = [];
    for (const deaths of [3, 1, 2])
      void suspects.enter({ deaths, isShort: false }).then((leave) => {
        entered.push(deaths);
        leave();
      });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(entered).toEqual([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(entered).toEqual([1, 2, 3]);
  });

  it("SR-68 keeps the others waiting no longer than five seconds for a short one, and tells them when they may go on", async () => {
    const suspects = createPoisonJobs();
    let told = 0;
    suspects.onFree(() => told++);
    // One that is under way and does not come to its end.
    suspects.pass({ isShort: true });
    let begun = false;
    void suspects.enter(short).then(() => {
      begun = true;
    });
    await vi.advanceTimersByTimeAsync(2_000);
    expect([begun, mayBegin(suspects)]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(2_100);
    expect([begun, mayBegin(suspects), told]).toEqual([true, false, 0]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([mayBegin(suspects), told]).toEqual([true, 1]);
  });

  it("RR-17 lets the others go on between two, for as long as the first one took", async () => {
    const suspects = createPoisonJobs();
    const first = suspects.enter(short);
    const second = suspects.enter(short);
    await vi.advanceTimersByTimeAsync(2_000);
    const leave = await first;
    await vi.advanceTimersByTimeAsync(500);
    leave();
    await vi.advanceTimersByTimeAsync(400);
    expect(mayBegin(suspects)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(mayBegin(suspects)).toBe(false);
    (await second)();
    await vi.advanceTimersByTimeAsync(0);
    expect(mayBegin(suspects)).toBe(true);
  });
});
