import type { NamedValue } from "../base/action.ts";
import type { SeenChanges } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";

/** Who said a value: the labels of an alert, a line of the issue form, or a person by `/fill`. */
export type ValueSource = NamedValue["source"];

/** Keeps what a source says of an incident, in place of what it said before. */
export async function keepValues(
  tx: Tx,
  incidentId: string,
  source: ValueSource,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.deleteFrom("incidentValue").where("incidentId", "=", incidentId).where("source", "=", source).execute();
  const rows = Object.entries(values).map(([name, value]) => ({ incidentId, source, name, value }));
  if (rows.length > 0) await tx.insertInto("incidentValue").values(rows).execute();
}

/** What is known of an incident by name, whoever said it. */
export const valuesOf = (db: Db | Tx, incidentId: string): Promise<readonly NamedValue[]> =>
  db
    .selectFrom("incidentValue")
    .select(["source", "name", "value"])
    .where("incidentId", "=", incidentId)
    .orderBy("source")
    .orderBy("name")
    .execute();

/** What changed before an incident, as it was read of GitHub. */
export interface IncidentChanges extends SeenChanges {
  readonly since: Date;
  readonly until: Date;
  readonly services: readonly string[];
}

/** Keeps what was read, in place of what was read before, for the agent's next turn. */
export async function keepChanges(tx: Tx, incidentId: string, seen: IncidentChanges): Promise<void> {
  const { since, until, services, changes, unseen } = seen;
  const row = {
    since,
    until,
    services: JSON.stringify(services),
    changes: JSON.stringify(changes),
    unseen: JSON.stringify(unseen),
    toldAt: null,
  };
  await tx
    .insertInto("incidentChanges")
    .values({ incidentId, ...row })
    .onConflict((conflict) => conflict.column("incidentId").doUpdateSet(row))
    .execute();
}

/** Records that a turn has shown the agent what was read until now. */
export async function markChangesTold(tx: Tx, incidentId: string): Promise<void> {
  await tx.updateTable("incidentChanges").set({ toldAt: new Date() }).where("incidentId", "=", incidentId).execute();
}
