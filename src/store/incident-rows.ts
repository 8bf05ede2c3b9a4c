import { type RawBuilder, sql } from "kysely";
import type { Action, Approval } from "./actions.ts";
import type { AlertRow } from "./alerts.ts";
import type { AutoMode } from "./auto-mode.ts";
import { writeNow } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import { revived } from "./database/json-rows.ts";
import { type Hold, holdPlaceOf, wholeRepository } from "./holds.ts";
import type { Incident, Session } from "./incidents.ts";
import type { Question } from "./questions.ts";
import type { Batch, Run } from "./runs.ts";
import type { Turn } from "./turns.ts";

/** All that an incident's comments are drawn from; each list in the order of the function that reads it alone. */
export interface IncidentRows {
  readonly session: Session;
  readonly actions: readonly Action[];
  /** Approvals and rejections that still stand. */
  readonly approvals: readonly Approval[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  readonly batches: readonly Batch[];
  readonly holds: readonly Hold[];
  readonly autoMode: AutoMode | null;
  readonly alert: AlertRow | null;
  /** How far the audit has come. */
  readonly head: { readonly seq: number; readonly hash: string };
}

/** Reads an incident's rows in one statement, where a dozen would each take a way to the database and back. */
export async function rowsOf(db: Db | Tx, incident: Pick<Incident, "id" | "repoId" | "number">): Promise<IncidentRows> {
  const { id } = incident;
  await writeNow(db);
  const { repoId, issue } = holdPlaceOf(incident);
  const rows = (from: RawBuilder<unknown>, order: string): RawBuilder<unknown> =>
    sql`(select coalesce(json_agg(t order by ${sql.raw(order)}), '[]') from ${from} t)`;
  const one = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select row_to_json(t) from ${from} t)`;
  const own = (table: string): RawBuilder<unknown> =>
    sql`(select * from ${sql.table(table)} where incident_id = ${id}::uuid)`;
  const ofActions = (table: string): RawBuilder<unknown> =>
    sql`(select o.* from ${sql.table(table)} o join action a on a.id = o.action_id where a.incident_id = ${id}::uuid)`;
  const holds = sql`(select * from hold where repo_id = ${repoId} and issue in (${issue}, ${wholeRepository}))`;
  const { rows: found } = await sql<Readonly<Record<keyof IncidentRows, unknown>>>`select
    ${one(own("session"))} as session,
    ${rows(own("action"), "number")} as actions,
    ${rows(sql`(select * from ${ofActions("approval")} s where withdrawn_at is null)`, "created_at, id")} as approvals,
    ${rows(ofActions("run"), "id")} as runs,
    ${rows(own("turn"), "step")} as turns,
    ${rows(own("question"), "number")} as questions,
    ${rows(own("batch"), "created_at")} as batches,
    ${rows(holds, "issue desc")} as holds,
    ${one(own("auto_mode"))} as auto_mode,
    ${one(own("alert"))} as alert,
    ${one(sql`(select seq, hash from audit_head)`)} as head`.execute(db);
  // The columns are those of the tables whose rows they are; only how they travelled differs.
  return revived(found[0]) as IncidentRows;
}
