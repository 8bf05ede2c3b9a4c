import type { Action } from "../store/actions.ts";

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
 * The actions as whoever wrote a comment saw them. Both times are GitHub's, in whole seconds: the comment's, and those at
 * which the cards first appeared, by action.
 */
export function asSeen(
  actions: readonly Action[],
  firstShown: ReadonlyMap<string, Date>,
  writtenAt: Date,
): ReadonlyMap<number, SeenAs> {
  const wasShown = (action: Action | undefined): boolean => {
    const at = action && firstShown.get(action.id);
    return at !== undefined && at.getTime() <= writtenAt.getTime();
  };
  const seenAs = (action: Action): SeenAs => {
    if (action.state === "proposed") return wasShown(action) ? "open" : "unseen";
    if (action.state !== "superseded" || action.supersededBy === null || !wasShown(action)) return "closed";
    const successor = actions.find((other) => other.number === action.supersededBy);
    // Who edited a command did not want it run as it stood; an approval of that is void, whenever it was written.
    return successor?.origin === "person" || wasShown(successor) ? "closed" : "revived";
  };
  return new Map(actions.map((action) => [action.number, seenAs(action)]));
}
