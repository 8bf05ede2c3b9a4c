import type { Db, Tx } from "../database/connection.ts";
import type { Incident } from "../incidents.ts";

/** Counts a change of what the incident's comments show, and keeps what is going on now, in the transaction that changes it. */
export async function markChanged(tx: Tx, incidentId: string, doing: string): Promise<void> {
  await tx
    .updateTable("incident")
    .set((eb) => ({ changed: eb("changed", "+", 1), doing }))
    .where("id", "=", incidentId)
    .execute();
}

/** The incident of an issue, if it has changed since its comments were drawn. */
export async function findUndrawn(
  db: Db | Tx,
  { repo, issue }: { readonly repo: string; readonly issue: number },
): Promise<Incident | undefined> {
  return db
    .selectFrom("incident")
    .selectAll()
    .where("repo", "=", repo)
    .where("number", "=", issue)
    .whereRef("changed", ">", "drawn")
    .executeTakeFirst();
}

/** Notes that the comments were drawn as of this state of the incident, which the caller holds. */
export async function markDrawn(tx: Tx, { id, changed }: Pick<Incident, "id" | "changed">): Promise<void> {
  await tx.updateTable("incident").set({ drawn: changed }).where("id", "=", id).execute();
}
