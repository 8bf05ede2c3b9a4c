import { type CommentPosition, isWrittenAfter } from "../../github/facts.ts";
import type { Action } from "../../store/actions.ts";
import type { ShownCard } from "../../store/outbox/thread-comments.ts";

/** How an action stood on the issue when a comment was written. */
export type SeenAs =
  /** It waits for approval, and its card was there to be read. */
  | "open"
  /** The agent superseded it by a card that came only after the comment: an older approval counts. */
  | "revived"
  /** It waits for approval, but its card was not there yet, so the writer cannot have read it. */
  | "unseen"
  /** It can no longer be decided on. */
  | "closed";

/**
 * The actions as the writer of a comment saw them, by their cards (PA-6). A card that was deleted and posted again counts from now for
 * what it shows, and from its first time for what it has superseded: the stricter choice both times.
 */
export function asSeen(
  actions: readonly Action[],
  firstShown: ReadonlyMap<string, ShownCard>,
  written: CommentPosition,
): ReadonlyMap<number, SeenAs> {
  const wasShown = (action: Action | undefined, since: (shown: ShownCard) => number | null): boolean => {
    const shown = action && firstShown.get(action.id);
    const id = shown ? since(shown) : null;
    return shown !== undefined && id !== null && isWrittenAfter(written, { id, createdAt: shown.createdAt });
  };
  const isThere = (action: Action): boolean => wasShown(action, ({ id }) => id);
  const wasThere = (action: Action | undefined): boolean => wasShown(action, ({ id, gone }) => (gone > 0 ? 0 : id));
  const seenAs = (action: Action): SeenAs => {
    if (action.state === "proposed") return isThere(action) ? "open" : "unseen";
    if (action.state !== "superseded" || action.supersededBy === null || !isThere(action)) return "closed";
    // What waited for values was never one to be approved.
    if (action.spec.open !== undefined) return "closed";
    const successor = actions.find((other) => other.number === action.supersededBy);
    // Who edited a command did not want it run as it stood; an approval of that is void, whenever it was written.
    return successor?.origin === "person" || wasThere(successor) ? "closed" : "revived";
  };
  return new Map(actions.map((action) => [action.number, seenAs(action)]));
}
