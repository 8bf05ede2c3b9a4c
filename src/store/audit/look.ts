import { writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import { type AuditKind, type ReadEvent, readEvent } from "./events.ts";

/** What a feature reads of a row of the audit. */
export type AuditLine = ReadEvent & { readonly at: string };

const lineOf = ({
  at,
  kind,
  body,
}: {
  readonly at: string;
  readonly kind: string;
  readonly body: string;
}): AuditLine => ({
  at,
  ...readEvent({ kind, body: JSON.parse(body) }),
});

const ofIncident = (db: Db | Tx, incidentId: string, kinds: readonly AuditKind[]) =>
  db
    .selectFrom("audit")
    .select(["at", "kind", "body"])
    .where("incidentId", "=", incidentId)
    .$if(kinds.length > 0, (query) => query.where("kind", "in", kinds));

/** The rows of an incident, of these kinds where any are named, oldest first. */
export async function auditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly AuditKind[]
): Promise<readonly AuditLine[]> {
  await writeNow(db, "audit");
  return (await ofIncident(db, incidentId, kinds).orderBy("seq").execute()).map(lineOf);
}

/** The last of them. */
export async function lastAuditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly AuditKind[]
): Promise<AuditLine | undefined> {
  await writeNow(db, "audit");
  const row = await ofIncident(db, incidentId, kinds).orderBy("seq", "desc").limit(1).executeTakeFirst();
  return row && lineOf(row);
}

/** The rows of these kinds, oldest first. Nobody adds one before the transaction ends: of several who look, one is the first. */
export async function lockedAudit(tx: Tx, ...kinds: readonly AuditKind[]): Promise<readonly AuditLine[]> {
  await writeNow(tx, "audit");
  await tx.selectFrom("auditHead").select("seq").where("one", "=", 1).forUpdate().executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom("audit")
    .select(["at", "kind", "body"])
    .where("kind", "in", kinds)
    .orderBy("seq")
    .execute();
  return rows.map(lineOf);
}
