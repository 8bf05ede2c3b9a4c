import { type Selectable, sql } from "kysely";
import type { Hypothesis } from "../base/agent.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type HypothesisRow = Selectable<Tables["hypothesis"]>;

/** Reads an incident's hypotheses, the longest unchanged first. */
export async function hypothesesOf(db: Db | Tx, incidentId: string): Promise<readonly HypothesisRow[]> {
  return db
    .selectFrom("hypothesis")
    .selectAll()
    .where("incidentId", "=", incidentId)
    .orderBy("changedAt")
    .orderBy("id")
    .execute();
}

/** Stores a hypothesis under its id, in place of what it was. The caller holds the incident's lock. */
export async function putHypothesis(
  tx: Tx,
  incidentId: string,
  { id, says, status, forRuns, againstRuns }: Hypothesis,
  step: number,
): Promise<void> {
  const runs = { forRuns: JSON.stringify(forRuns), againstRuns: JSON.stringify(againstRuns) };
  const put = { says, status, ...runs, step, changedAt: sql<Date>`now()` };
  await tx
    .insertInto("hypothesis")
    .values({ incidentId, id, ...put })
    .onConflict((conflict) => conflict.columns(["incidentId", "id"]).doUpdateSet(put))
    .execute();
}
