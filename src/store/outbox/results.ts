import { type RawBuilder, sql } from "kysely";
import { writeNow } from "../database/commit.ts";
import type { Tx } from "../database/connection.ts";
import { slots } from "./thread-comments.ts";
import type { Thread } from "./wanted.ts";

/**
 * A result and what the agent reads in it are one comment (PRODUCT). Until then the result's own comment waits in the outbox, by the store's
 * clock; if the reading takes longer, the poster posts it alone. So no failure of a turn loses it.
 */
const readingMs = 20_000;

/** No attempt has been made at it, so GitHub cannot have it. */
const isUntried = sql`github_id is null and attempts = 0 and gone = 0`;

const resultsOf = (batches: readonly { readonly id: string }[]): RawBuilder<unknown> =>
  sql.join(batches.flatMap(({ id }) => [slots.batch(id), slots.unread(id)]));

/**
 * The batch has ended: its result waits for the agent's reading, or is due now. Returns whether its run card may be on the issue, so that its
 * end is an edit there. Locks what no attempt has been made at: then none begins before the commit.
 */
export async function holdResult(
  tx: Tx,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
  { id }: { readonly id: string },
  next: "waits" | "at once",
): Promise<boolean> {
  await writeNow(tx, "marks");
  const { rows } = await sql<{ mayStand: boolean }>`
    update comment set due_at = case when ${isUntried}
      then now() + ${next === "waits" ? readingMs : 0} * interval '1 millisecond' else due_at end
    where repo = ${repo} and issue = ${issue} and slot in (${resultsOf([{ id }])})
    returning slot = ${slots.batch(id)} and not (${isUntried}) as may_stand`.execute(tx);
  return rows.some(({ mayStand }) => mayStand);
}

/** A lease runs them, and nothing of the agent's runs before the issue shows it (AR-08). */
export async function releaseChecks(tx: Tx, { repo, issue }: Pick<Thread, "repo" | "issue">): Promise<void> {
  await writeNow(tx, "marks");
  await sql`
    update comment set due_at = least(due_at, now())
    where repo = ${repo} and issue = ${issue} and slot = ${slots.checks} and ${isUntried}`.execute(tx);
}

/** No reading comes: what waits for one is due now. */
export async function releaseResults(tx: Tx, { repo, issue }: Pick<Thread, "repo" | "issue">): Promise<void> {
  await sql`
    update comment set due_at = least(due_at, now())
    where repo = ${repo} and issue = ${issue} and ${isUntried} and (slot = ${slots.checks} or exists (
      select from batch where ended_at is not null and slot in ('batch:' || batch.id, 'unread:' || batch.id)))`.execute(
    tx,
  );
}

/**
 * Takes out of the outbox what still waits there for the card of this step to say it: these batches' results and, on the first card, the
 * runbook's checks (`checksWaitMs`). The checks' numbers have never been on the issue, so none first appears by an edit.
 */
export async function carryToCard(
  tx: Tx,
  { repo, issue, incidentId }: Pick<Thread, "repo" | "issue" | "incidentId">,
  batches: readonly { readonly id: string }[],
  { step, hasChecks }: { readonly step: number; readonly hasChecks: boolean },
): Promise<void> {
  if (batches.length > 0 || hasChecks) await writeNow(tx, "marks");
  if (batches.length > 0)
    await sql`
    with taken as (
      delete from comment where repo = ${repo} and issue = ${issue} and slot in (${resultsOf(batches)}) and ${isUntried}
      returning slot)
    update batch set told_on = ${step}
    where exists (select from taken where slot in ('batch:' || batch.id, 'unread:' || batch.id))
      and id in (${sql.join(batches.map(({ id }) => sql`${id}::uuid`))})`.execute(tx);
  if (hasChecks)
    await sql`
    with taken as (
      delete from comment where repo = ${repo} and issue = ${issue} and slot = ${slots.checks} and ${isUntried} returning slot)
    update action set card = ${slots.card(step)} from taken
    where action.incident_id = ${incidentId}::uuid and action.card = taken.slot`.execute(tx);
}
