import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { keepAppLook } from "../../../src/features/operator/readiness.ts";
import type { ReachLook } from "../../../src/github/app/reach.ts";

afterEach(() => vi.useRealTimers());

it("RR-20 F-13 the App's key is shown to GitHub at the start and each hour, more often while it is not taken, and that is told once", async () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const log = pino({}, { write: (line: string) => void told.push(JSON.parse(line).event) });
  let looks = 0;
  let found: ReachLook = { kind: "taken" };
  const kept = keepAppLook({ log }, async () => {
    looks++;
    return found;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toBe(1);
  found = { kind: "refused", why: "GitHub answered 401" };
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([looks, told]).toEqual([2, ["app_refused"]]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([looks, told]).toEqual([4, ["app_refused"]]);
  found = { kind: "silent" };
  await vi.advanceTimersByTimeAsync(300_000);
  found = { kind: "taken" };
  await vi.advanceTimersByTimeAsync(300_000);
  expect([looks, told]).toEqual([6, ["app_refused", "app_taken"]]);
  kept.stop();
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect(looks).toBe(6);
});
