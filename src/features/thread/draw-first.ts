import { writeFailure } from "../../github/outcome.ts";
import { isUndrawn } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import type { WritePace } from "./write-pace.ts";

type Place = { readonly repo: string; readonly issue: number };
/** Draws what has changed on an issue since it was drawn (`draw-thread.ts`). */
export type Draw = (thread: Place) => Promise<void>;

/** How long what could not be drawn waits. */
const drawAgainMs = 15_000;
/** How long a thread rests at which the process has ended again and again, or that could not be served. */
export const restMs = 10 * 60_000;
/** How often the process may have ended while a thread was served, and what has changed on it is still drawn. */
const drawnDespiteDeaths = 2;

/**
 * Draws what has changed, before what waits is posted; false where that failed. What waits is posted all the same, and it is drawn again in a
 * while. Where the process has ended again and again meanwhile, that may be the drawing's doing, or a machine that is killed often: it
 * rests, until something else is to be written on the issue, and is drawn then.
 */
export async function drawFirst(
  { store, log }: Pick<Deps, "store" | "log">,
  pace: Pick<WritePace, "comeBack">,
  { draw, thread, deaths }: { readonly draw: Draw; readonly thread: Place; readonly deaths: number },
): Promise<boolean> {
  if (deaths >= drawnDespiteDeaths && (await store.transaction((tx) => isUndrawn(tx, thread)))) {
    log.error({ module: "outbox", event: "draw_given_up", ...thread, deaths });
    pace.comeBack(restMs);
    return false;
  }
  try {
    await draw(thread);
    return true;
  } catch (error) {
    log.warn({ module: "outbox", event: "draw_failed", ...thread, err: error });
    const failure = writeFailure(error, Date.now());
    pace.comeBack(failure.kind === "later" ? failure.afterMs : drawAgainMs);
    return false;
  }
}
