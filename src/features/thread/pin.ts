import { boardToPin, pinDone } from "../../store/outbox/posting.ts";
import type { Thread } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import type { Poster } from "./cosmetic.ts";

/**
 * Pins an issue's board where GitHub does that. One try: where it is refused, as by a GitHub that knows no pinned comments, the board
 * stays where it was posted, which is at the top of what the bot says.
 */
export async function pinBoard(
  { store, comments, log }: Pick<Deps, "store" | "log" | "comments">,
  thread: Pick<Thread, "repo" | "issue">,
  poster: Poster,
): Promise<void> {
  const board = await boardToPin(store.db, thread);
  if (!board || board.githubId === null || !(await poster.mayWrite(board.installationId))) return;
  const outcome = await comments.pin(board, board.githubId);
  if (outcome.kind === "later") return poster.retry(board.installationId, outcome, 1);
  if (outcome.kind !== "posted") log.info({ module: "outbox", event: "pin_refused", ...thread, reason: outcome.why });
  await pinDone(store.db, board);
}
