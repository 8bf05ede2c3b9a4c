import { type Kysely, sql } from "kysely";
import type { BossDatabase } from "./connection.ts";
import type { QueueName } from "./job.ts";
import type { Tables } from "./schema.ts";

/** One attempt at a job; the count fences it: whoever holds an older attempt can end nothing (RR-05). */
export interface Claim {
  readonly id: string;
  readonly retryCount: number;
}

export interface Ended {
  /** False where the job was no longer this claim's. */
  readonly ended: boolean;
  /** Whether the queue had another job that is due. */
  readonly more: boolean;
}

type Executor = Kysely<Tables>;

/** Waiting, in pg-boss's words; written so that its index for strict order per key serves the statement. */
const waitsText = "state < 'active' and not blocked and policy = 'key_strict_fifo'";
const waits = sql.raw(waitsText);

/**
 * Statements on pg-boss's job table that it lacks, or that cost it several: a job that has ended leaves no row, so the
 * table stays as small as what waits.
 */

export interface Claimed extends Claim {
  readonly key: string;
  readonly data: unknown;
}

/**
 * Claims jobs that are due, of each key the oldest and none of a key that has one under way. The shares take turns: whoever has
 * the fewest under way, over all processes, comes first, and none gets more than `perShare` at once (SR-62, F-40).
 */
export async function claimJobs(
  database: BossDatabase,
  queue: QueueName,
  { most, perShare }: { readonly most: number; readonly perShare: number },
): Promise<Claimed[]> {
  // As one text, since the embedded store does not wait for the disk with a statement that has parameters; all are ours.
  const { rows } = await database.executeSql(`
    with heads as materialized (
      select distinct on (singleton_key) id, singleton_key, group_id, created_on
      from boss.job
      where name = '${queue}' and ${waitsText} and start_after <= now()
      order by singleton_key, state desc, created_on, id
    ), going as (
      select group_id, count(*) as jobs from boss.job where name = '${queue}' and state = 'active' group by group_id
    ), lined as materialized (
      select id, created_on,
        coalesce(jobs, 0) + row_number() over (partition by heads.group_id order by created_on, id) as turn
      from heads left join going on going.group_id = heads.group_id
      where not exists (
        select 1 from boss.job before
        where before.name = '${queue}' and before.singleton_key = heads.singleton_key and before.id <> heads.id
          and before.state in ('active', 'retry', 'failed') and before.policy = 'key_strict_fifo'
      )
    ), next as (
      select job.id from boss.job join lined on lined.id = job.id
      where job.name = '${queue}' and ${waitsText} and turn <= ${perShare}
      order by turn, lined.created_on, lined.id
      limit ${most}
      for update of job skip locked
    ), claimed as (
      update boss.job set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = case when started_on is null then retry_count else retry_count + 1 end
      where name = '${queue}' and id = any (array(select id from next))
      returning id, singleton_key as key, data, retry_count as "retryCount"
    )
    select claimed.* from claimed join lined on lined.id = claimed.id order by turn, created_on, lined.id`);
  return rows;
}

/** Ends a job, within `executor`'s transaction if it is one. */
export async function endJob(executor: Executor, queue: string, claim: Claim): Promise<Ended> {
  const { rows } = await sql<Ended>`
    with gone as (
      delete from boss.job
      where name = ${queue} and id = ${claim.id} and state = 'active' and retry_count = ${claim.retryCount}
      returning 1
    )
    select exists (select 1 from gone) as ended,
      exists (select 1 from boss.job where name = ${queue} and ${waits} and start_after <= now()) as more`.execute(
    executor,
  );
  return rows[0] ?? { ended: false, more: false };
}

/** Puts a job back for another attempt after `delayMs`; until then it holds its key, so that order is kept. */
export async function putBack(executor: Executor, queue: string, claim: Claim, delayMs: number): Promise<void> {
  await sql`
    update boss.job set state = 'retry', start_after = now() + ${delayMs / 1000} * interval '1 second'
    where name = ${queue} and id = ${claim.id} and state = 'active' and retry_count = ${claim.retryCount}`.execute(
    executor,
  );
}

/**
 * Where a job of this key waits already, makes it due at `at` at the latest and keeps it from starting before the
 * caller's transaction has committed; tells whether there was one. A job put back after a failure keeps its time.
 */
export async function bringForward(executor: Executor, queue: string, key: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update boss.job set start_after = case when state = 'created' then least(start_after, ${at}) else start_after end
    where name = ${queue} and singleton_key = ${key} and ${waits}
    returning 1`.execute(executor);
  return rows.length > 0;
}

/** Whether a job of these queues is active or due. */
export async function isAnyDue(executor: Executor, queues: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from boss.job
    where name = any(${queues}) and (state = 'active' or (${waits} and start_after <= now()))
    limit 1`.execute(executor);
  return rows.length > 0;
}

/** How many jobs of a queue wait, by share; those of fewer than `atLeast` are left out. */
export async function waitingBy(
  executor: Executor,
  queue: QueueName,
  atLeast = 1,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ share: string; jobs: number }>`
    select group_id as share, count(*)::int as jobs from boss.job
    where name = ${queue} and ${waits}
    group by group_id having count(*) >= ${atLeast}`.execute(executor);
  return new Map(rows.map(({ share, jobs }) => [share, jobs]));
}

/** Makes due again what processes that died had claimed: all of it, or what no process has touched for `idleMs`. */
export async function reclaim(executor: Executor, idleMs = 0): Promise<void> {
  const lapsed = idleMs === 0 ? sql`true` : sql`heartbeat_on < now() - ${idleMs / 1000} * interval '1 second'`;
  await sql`update boss.job set state = 'retry', start_after = now() where state = 'active' and ${lapsed}`.execute(
    executor,
  );
}

/** Says that these claims are still worked on; returns the ids of those that hold. */
export async function touch(executor: Executor, queue: string, claims: readonly Claim[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update boss.job set heartbeat_on = now()
    where name = ${queue} and state = 'active'
      and id::text || ':' || retry_count = any(${claims.map(({ id, retryCount }) => `${id}:${retryCount}`)})
    returning id`.execute(executor);
  return new Set(rows.map((row) => row.id));
}
