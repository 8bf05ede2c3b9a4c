import { type RawBuilder, type Selectable, sql } from "kysely";
import { msUntil } from "../clock.ts";
import type { Db } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import type { Thread } from "./wanted.ts";

export type OutboxLabels = Selectable<Tables["label"]>;

/** Shorter-lived labels are not worth two writes and two lines in the history. */
const settleSeconds = 15;

/** `spare`: labels of ours that the issue should not carry. */
export interface WantedLabels {
  readonly wanted: readonly string[];
  readonly spare: readonly string[];
}

/** A step of the statement that stores the drawing. GitHub gets the labels a while later, unless the issue has them. */
export function labelsOfDrawing(thread: Thread, { wanted, spare }: WantedLabels): RawBuilder<unknown> {
  const names = JSON.stringify([...wanted].sort());
  const others = JSON.stringify(spare);
  const later = sql`now() + ${settleSeconds} * interval '1 second'`;
  return sql`
    insert into label (repo, issue, installation_id, wanted, spare, due_at)
    select ${thread.repo}, ${thread.issue}, ${thread.installationId}, ${names}::jsonb, ${others}::jsonb,
      case when ${names}::jsonb = '[]'::jsonb then null else ${later} end from drawn
    on conflict (repo, issue) do update set
      wanted = excluded.wanted,
      spare = excluded.spare,
      due_at = case when excluded.wanted = label.shown then null else coalesce(label.due_at, ${later}) end,
      attempts = 0
    where (label.wanted, label.spare) is distinct from (excluded.wanted, excluded.spare)`;
}

/** Returns undefined if the labels are right or given up. */
export async function openLabels(
  db: Db,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): Promise<(OutboxLabels & { readonly dueInMs: number }) | undefined> {
  return db
    .selectFrom("label")
    .selectAll()
    .select(msUntil(sql`due_at`).as("dueInMs"))
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .where("dueAt", "is not", null)
    .executeTakeFirst();
}

/** Others wanted meanwhile stay due. */
export async function labelsShown(db: Db, { repo, issue }: OutboxLabels, names: readonly string[]): Promise<void> {
  const shown = JSON.stringify([...names].sort());
  await sql`
    update label set shown = ${shown}::jsonb, attempts = 0,
      due_at = case when wanted = ${shown}::jsonb then null else due_at end
    where repo = ${repo} and issue = ${issue}`.execute(db);
}

/** Delays the next attempt; returns the count. */
export async function labelsFailed(db: Db, { repo, issue }: OutboxLabels): Promise<number> {
  const { attempts } = await db
    .updateTable("label")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return attempts;
}

/** A change that came meanwhile stays due. */
export async function dropLabels(db: Db, { repo, issue, wanted }: OutboxLabels): Promise<void> {
  await sql`
    update label set due_at = null
    where repo = ${repo} and issue = ${issue} and wanted = ${JSON.stringify(wanted)}::jsonb`.execute(db);
}
