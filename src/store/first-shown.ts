import type { Db, Tx } from "./database.ts";

/** When each action of an incident could first be read on the issue, by action id; absent where it could not yet. */
export async function firstShownOf(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom("action")
    .innerJoin("comment", "comment.slot", "action.card")
    .select(["action.id", "comment.firstPostedAt"])
    .where("action.incidentId", "=", incident.id)
    .where("comment.repo", "=", incident.repo)
    .where("comment.issue", "=", incident.number)
    .execute();
  return new Map(rows.flatMap(({ id, firstPostedAt }) => (firstPostedAt ? [[id, firstPostedAt] as const] : [])));
}
