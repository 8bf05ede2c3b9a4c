import type { Db, Tx } from "../database/open.ts";

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
export async function firstShownOf(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
): Promise<ReadonlyMap<string, Shown>> {
  const rows = await db
    .selectFrom("action")
    .innerJoin("comment", "comment.slot", "action.card")
    .select(["action.id", "comment.firstPostedAt as createdAt", "comment.githubId", "comment.gone"])
    .where("action.incidentId", "=", incident.id)
    .where("comment.repo", "=", incident.repo)
    .where("comment.issue", "=", incident.number)
    .execute();
  return new Map(
    rows.flatMap(({ id, createdAt, githubId, gone }) =>
      createdAt ? [[id, { createdAt, id: githubId, gone }] as const] : [],
    ),
  );
}
