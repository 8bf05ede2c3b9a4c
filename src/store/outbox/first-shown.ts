import type { RowsWith } from "../incident-rows.ts";

/** Since when an action can be read on the issue. */
export interface Shown {
  /** When its card first stood there, by GitHub's clock in whole seconds. */
  readonly createdAt: Date;
  /** GitHub's id of the comment that is its card now; nothing where it was deleted and is still to be made anew. */
  readonly id: number | null;
  /** The id of one that was its card before and was deleted; 0 where there was none. */
  readonly gone: number;
}

/** How each action of an incident stands on the issue, by action id; absent where it never stood there. */
export function firstShownOf({ actions, posted }: RowsWith<"actions" | "posted">): ReadonlyMap<string, Shown> {
  const bySlot = new Map(posted.map((comment) => [comment.slot, comment]));
  return new Map(
    actions.flatMap(({ id, card }) => {
      const comment = bySlot.get(card);
      const createdAt = comment?.firstPostedAt;
      return comment && createdAt ? [[id, { createdAt, id: comment.githubId, gone: comment.gone }] as const] : [];
    }),
  );
}
