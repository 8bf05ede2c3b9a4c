import { type Clock, ofSystem, type TimeSource } from "../../base/clock.ts";
import { every } from "../../base/every.ts";
import { databaseTime, isAnythingAhead, setClockRight } from "../../store/clock.ts";
import type { Deps } from "../context.ts";

const everyMs = 5_000;
/** Every so many looks, which is ten minutes, it checks the whole store. */
const wholeEvery = 120;
/** Smaller corrections of a clock are no jump. */
const toleranceMs = 2_000;
/** A store's clock that is further behind GitHub's is wrong now. */
const behindMs = 60_000;

type ClockDeps = Pick<Deps, "store" | "log"> & { readonly clock: Pick<Clock, "now" | "isTold"> };

/**
 * Moves back stored times from when the store's clock, or this machine's, was ahead. Until GitHub shows that the clock is not behind now, it
 * moves only jobs that wait. Returns whether it moved everything.
 */
export async function setStoreRight({ store, log, clock }: ClockDeps): Promise<boolean> {
  const isBehind = !clock.isTold() || (await databaseTime(store.db)) < clock.now().getTime() - behindMs;
  const moved = await setClockRight(store.db, isBehind);
  if (moved) log.warn({ module: "store", event: "clock_set_right", ...moved });
  return !isBehind;
}

/** Watches for jumps of the machine's clock and the store's while the bot runs, and corrects the stored times after one. */
export function keepClock(deps: ClockDeps, time: TimeSource = ofSystem): { readonly stop: () => Promise<void> } {
  const clocks = {
    system: createJumpLook(time.elapsed, async () => time.shown()),
    store: createJumpLook(time.elapsed, () => databaseTime(deps.store.db)),
  };
  /** Whether wrong times may be left: from a jump before the start, or because the store was away or its clock behind. */
  let isLeft = true;
  let looks = 0;
  const look = async (): Promise<void> => {
    for (const [clock, jumped] of Object.entries(clocks)) {
      const byMs = await jumped();
      if (byMs === 0) continue;
      deps.log.warn({ module: "store", event: "clock_jumped", clock, byMs });
      isLeft = true;
    }
    const isWhole = ++looks % wholeEvery === 0;
    if (isLeft || isWhole || (await isAnythingAhead(deps.store.db))) isLeft = !(await setStoreRight(deps));
  };
  return every(everyMs, look, (err) => deps.log.warn({ module: "store", event: "clock_not_read", err }));
}

/** Returns by how many ms a clock has jumped since the last look; 0 the first time. */
function createJumpLook(elapsed: () => number, shown: () => Promise<number>): () => Promise<number> {
  let before: number | undefined;
  return async () => {
    const askedAt = elapsed();
    const now = await shown();
    const answeredAt = elapsed();
    const offset = now - (askedAt + answeredAt) / 2;
    const byMs = before === undefined ? 0 : offset - before;
    before = offset;
    return Math.abs(byMs) > toleranceMs + (answeredAt - askedAt) ? Math.round(byMs) : 0;
  };
}
