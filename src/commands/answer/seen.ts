import { type CommentPosition, isWrittenAfter } from "../../github/facts.ts";
import type { Action } from "../../store/actions.ts";
import type { ShownCard } from "../../store/outbox/thread-comments.ts";

export type SeenAs =
  /** Its card was readable. */
  | "open"
  /** Superseded by the agent after the comment: an older approval counts. */
  | "revived"
  /** Its card came after the comment. */
  | "unseen"
  | "closed";

/**
 * The actions as the comment's writer saw them (PA-6). For a reposted card the stricter time counts: the new one for what it shows, the
 * first for what it superseded.
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
    // An action that waited for values was never approvable.
    if (action.spec.open !== undefined) return "closed";
    const successor = actions.find((other) => other.number === action.supersededBy);
    // An edit means that the old command was not wanted.
    return successor?.origin === "person" || wasThere(successor) ? "closed" : "revived";
  };
  return new Map(actions.map((action) => [action.number, seenAs(action)]));
}
