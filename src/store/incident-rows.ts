import { type RawBuilder, sql } from "kysely";
import type { NamedValue } from "../base/action.ts";
import type { Action, Approval } from "./actions.ts";
import type { AlertRow } from "./alerts.ts";
import { writeNow } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import { revived } from "./database/json-rows.ts";
import { type Hold, wholeRepository } from "./holds.ts";
import type { Incident, Session } from "./incidents.ts";
import type { Lease } from "./leases.ts";
import type { KnownComment } from "./outbox/drawing.ts";
import type { Escalation } from "./outbox/escalations.ts";
import { isLate } from "./outbox/write-budget.ts";
import type { Question } from "./questions.ts";
import type { Batch, Run } from "./runs.ts";
import type { Turn } from "./turns.ts";

/** All that an incident's comments are drawn from; each list in the order of the function that reads it alone. */
export interface IncidentRows {
  readonly incident: Incident;
  readonly session: Session;
  readonly actions: readonly Action[];
  /** Approvals and rejections that still stand. */
  readonly approvals: readonly Approval[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  readonly batches: readonly Batch[];
  readonly holds: readonly Hold[];
  readonly values: readonly NamedValue[];
  readonly lease: Lease | null;
  readonly alert: AlertRow | null;
  /** Who was called, the first first. */
  readonly escalations: readonly Escalation[];
  /** How far the audit has come. */
  readonly head: { readonly seq: number; readonly hash: string };
}

/** An incident that has changed since its comments were drawn, or whose comments come late no more. */
export interface UndrawnRows extends IncidentRows {
  /** Its comments as they are. */
  readonly comments: readonly KnownComment[];
  /** Whether its comments come late because of GitHub's limit on writes. */
  readonly late: boolean;
}

/** Reads an incident's rows in one statement, where a dozen would each take a way to the database and back. */
export const rowsOf = (db: Db | Tx, incidentId: string): Promise<IncidentRows> =>
  required(read(db, sql`id = ${incidentId}::uuid`), incidentId);

/** The rows of the incident that a batch is of. */
export const rowsAroundBatch = (db: Db | Tx, batchId: string): Promise<IncidentRows> =>
  required(read(db, sql`id = (select incident_id from batch where id = ${batchId}::uuid)`), batchId);

async function required(reading: Promise<IncidentRows | undefined>, id: string): Promise<IncidentRows> {
  const rows = await reading;
  if (!rows) throw new Error(`there is no incident of ${id}`);
  return rows;
}

/** The rows of an issue's incident, and its comments, if it has changed since these were drawn. */
export const undrawnRows = (
  db: Db | Tx,
  { repo, issue }: { readonly repo: string; readonly issue: number },
): Promise<UndrawnRows | undefined> => {
  const comments = sql`(
    select slot, body, github_id, posted_at, fold_as from comment where repo = ${repo} and issue = ${issue})`;
  return read<UndrawnRows>(
    db,
    sql`repo = ${repo} and number = ${issue}
      and (changed > drawn or says_late and not ${isLate(sql`incident.installation_id`)})`,
    sql`, ${list(comments, "slot")} as comments, ${isLate(sql`found.installation_id`)} as late`,
  );
};

const list = (from: RawBuilder<unknown>, order: string): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(t order by ${sql.raw(order)}), '[]') from ${from} t)`;

async function read<Rows extends IncidentRows>(
  db: Db | Tx,
  which: RawBuilder<unknown>,
  more: RawBuilder<unknown> = sql``,
): Promise<Rows | undefined> {
  await writeNow(db);
  const one = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select row_to_json(t) from ${from} t)`;
  const id = sql`(select id from found)`;
  const own = (table: string): RawBuilder<unknown> =>
    sql`(select * from ${sql.table(table)} where incident_id = ${id})`;
  const ofActions = (table: string): RawBuilder<unknown> =>
    sql`(select o.* from ${sql.table(table)} o join action a on a.id = o.action_id where a.incident_id = ${id})`;
  const holds = sql`(select hold.* from hold join found on hold.repo_id = found.repo_id
    and issue in (found.number, ${wholeRepository}))`;
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    with found as materialized (select * from incident where ${which})
    select row_to_json(found) as incident,
    ${one(own("session"))} as session,
    ${list(own("action"), "number")} as actions,
    ${list(sql`(select * from ${ofActions("approval")} s where withdrawn_at is null)`, "created_at, id")} as approvals,
    ${list(ofActions("run"), "id")} as runs,
    ${list(own("turn"), "step")} as turns,
    ${list(own("question"), "number")} as questions,
    ${list(own("batch"), "created_at")} as batches,
    ${list(holds, "issue desc")} as holds,
    ${list(sql`(select source, name, value from ${own("incident_value")} v)`, "source, name")} as values,
    ${one(own("lease"))} as lease,
    ${one(own("alert"))} as alert,
    ${list(own("escalation"), "at, step")} as escalations,
    ${one(sql`(select seq, hash from audit_head)`)} as head${more}
    from found`.execute(db);
  // The columns are those of the tables whose rows they are; only how they travelled differs.
  return rows[0] && (revived(rows[0]) as Rows);
}
