import { type Clock, every, ofSystem, type TimeSource } from "../../base/clock.ts";
import { databaseTime, isAnythingAhead, setClockRight } from "../../store/clock.ts";
import type { Deps } from "../context.ts";

const everyMs = 5_000;
/** Every ten minutes. */
const wholeEvery = 120;
/** Smaller corrections of a clock are no jump. */
const toleranceMs = 2_000;
const behindMs = 60_000;

type ClockDeps = Pick<Deps, "store" | "log"> & { readonly clock: Pick<Clock, "now" | "isTold"> };

/**
 * Moves back stored times that a fast clock wrote; only waiting jobs until GitHub shows that the clock is not behind. Returns whether it
 * moved all.
 */
export async function setStoreRight({ store, log, clock }: ClockDeps): Promise<boolean> {
  const isBehind = !clock.isTold() || (await databaseTime(store.db)) < clock.now().getTime() - behindMs;
  const moved = await setClockRight(store.db, isBehind);
  if (moved) log.warn({ module: "store", event: "clock_set_right", ...moved });
  return !isBehind;
}

/** Corrects stored times after a jump of the machine's or the store's clock. */
export function keepClock(deps: ClockDeps, time: TimeSource = ofSystem): { readonly stop: () => Promise<void> } {
  const clocks = {
    system: createJumpLook(time.elapsed, async () => time.shown()),
    store: createJumpLook(time.elapsed, () => databaseTime(deps.store.db)),
  };
  /** From before the start, or because the store was away or its clock behind. */
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

/** Returns the clock's jump since the last look in ms; 0 the first time. */
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
