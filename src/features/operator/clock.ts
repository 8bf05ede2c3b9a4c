import { ofSystem, type TimeSource } from "../../base/clock.ts";
import { every } from "../../base/every.ts";
import { databaseTime, setClockRight } from "../../store/clock.ts";
import type { Deps } from "../context.ts";

const everyMs = 5_000;
/** Clocks are put right by less than this without a jump. */
const toleranceMs = 2_000;

type Watched = Pick<Deps, "store" | "log">;

/**
 * Moves back what the store holds of a time when its clock, or this machine's, was ahead. At the start nobody has seen the jump, so what
 * is there tells of it.
 */
export async function setStoreRight({ store, log }: Watched): Promise<void> {
  const moved = await setClockRight(store.db);
  if (moved) log.warn({ module: "store", event: "clock_set_right", ...moved });
}

/** Looks for as long as the bot runs whether the machine's clock or the store's has jumped; what a jump back has left is set right. */
export function keepClock(deps: Watched, time: TimeSource = ofSystem): { readonly stop: () => Promise<void> } {
  const clocks = {
    system: createJumpLook(time.elapsed, async () => time.shown()),
    store: createJumpLook(time.elapsed, () => databaseTime(deps.store.db)),
  };
  /** A jump back whose rows are still to be set right: the store may have been away. */
  let isBack = false;
  const look = async (): Promise<void> => {
    for (const [clock, jumped] of Object.entries(clocks)) {
      const byMs = await jumped();
      if (byMs === 0) continue;
      deps.log.warn({ module: "store", event: "clock_jumped", clock, byMs });
      if (byMs < 0) isBack = true;
    }
    if (!isBack) return;
    await setStoreRight(deps);
    isBack = false;
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
