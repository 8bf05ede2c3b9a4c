import { isWrittenAfter, type Written } from "../../github/facts.ts";
import type { Action } from "../../store/actions.ts";
import type { Shown } from "../../store/outbox/thread-comments.ts";

/** How an action stood on the issue when a comment was written. */
export type SeenAs =
  /** It waits for approval, and its card was there to be read. */
  | "open"
  /** The agent superseded it by a card that came only after the comment: an approval older than that counts (PA-6). */
  | "revived"
  /** It waits for approval, but its card was not there yet: nobody can have read it. */
  | "unseen"
  /** It can no longer be decided on. */
  | "closed";

/**
 * The actions as whoever wrote a comment saw them, by their cards. A card that was deleted and made anew counts as of now for what it
 * shows, and as of the first time for what it has superseded: either way it is the stricter one.
 */
export function asSeen(
  actions: readonly Action[],
  firstShown: ReadonlyMap<string, Shown>,
  written: Written,
): ReadonlyMap<number, SeenAs> {
  const wasShown = (action: Action | undefined, since: (shown: Shown) => number | null): boolean => {
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
