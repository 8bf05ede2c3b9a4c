import type { Selectable } from "kysely";
import type { Db, Tx } from "../database/connection.ts";
import type { Tables } from "../database/schema.ts";

/** What a story reads of a row of the audit. */
export type AuditLine = Pick<Selectable<Tables["audit"]>, "at" | "kind" | "body">;

const ofIncident = (db: Db | Tx, incidentId: string, kinds: readonly string[]) =>
  db
    .selectFrom("audit")
    .select(["at", "kind", "body"])
    .where("incidentId", "=", incidentId)
    .$if(kinds.length > 0, (query) => query.where("kind", "in", kinds));

/** The rows of an incident, of these kinds where any are named, oldest first. */
export async function auditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly string[]
): Promise<readonly AuditLine[]> {
  return ofIncident(db, incidentId, kinds).orderBy("seq").execute();
}

/** The last of them. */
export async function lastAuditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly string[]
): Promise<AuditLine | undefined> {
  return ofIncident(db, incidentId, kinds).orderBy("seq", "desc").limit(1).executeTakeFirst();
}

/** The rows of these kinds, oldest first. Nobody adds one before the transaction ends: of several who look, one is the first. */
export async function lockedAudit(tx: Tx, ...kinds: readonly string[]): Promise<readonly AuditLine[]> {
  await tx.selectFrom("auditHead").select("seq").where("one", "=", 1).forUpdate().executeTakeFirstOrThrow();
  return tx.selectFrom("audit").select(["at", "kind", "body"]).where("kind", "in", kinds).orderBy("seq").execute();
}
