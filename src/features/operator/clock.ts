import { type Clock, ofSystem, type TimeSource } from "../../base/clock.ts";
import { every } from "../../base/every.ts";
import { databaseTime, isAnythingAhead, setClockRight } from "../../store/clock.ts";
import type { Deps } from "../context.ts";

const everyMs = 5_000;
/** Each so many looks is at all the store holds: ten minutes. */
const wholeEvery = 120;
/** Clocks are put right by less than this without a jump. */
const toleranceMs = 2_000;
/** A store's clock that is behind GitHub's by more is wrong now. */
const behindMs = 60_000;

type Watched = Pick<Deps, "store" | "log"> & { readonly clock: Pick<Clock, "now" | "isTold"> };

/**
 * Moves back what the store holds of a time when its clock, or this machine's, was ahead; only what waits, as long as GitHub has not told
 * that the clock is not behind now. Returns whether it was all.
 */
export async function setStoreRight({ store, log, clock }: Watched): Promise<boolean> {
  const isBehind = !clock.isTold() || (await databaseTime(store.db)) < clock.now().getTime() - behindMs;
  const moved = await setClockRight(store.db, isBehind);
  if (moved) log.warn({ module: "store", event: "clock_set_right", ...moved });
  return !isBehind;
}

/** Looks for as long as the bot runs whether the machine's clock or the store's has jumped; what a jump has left is set right. */
export function keepClock(deps: Watched, time: TimeSource = ofSystem): { readonly stop: () => Promise<void> } {
  const clocks = {
    system: createJumpLook(time.elapsed, async () => time.shown()),
    store: createJumpLook(time.elapsed, () => databaseTime(deps.store.db)),
  };
  /** Whether a jump may have left something: before the start nobody saw one, and later the store may be away, or its clock behind. */
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

/** Returns by how many ms a clock has jumped since the last look; 0 the first time, and as long as it goes as time does. */
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
