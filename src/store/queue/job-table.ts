import { type Kysely, sql } from "kysely";
import type { QueueName } from "../../base/queues.ts";
import type { Relaxed, Tx } from "../database/connection.ts";
import type { Tables } from "../database/schema.ts";

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
  /** How many of the earlier attempts failed. */
  readonly failures: number;
  /** During how many of them the process ended; that of a first attempt leaves no trace. */
  readonly deaths: number;
  readonly key: string;
  readonly data: unknown;
}

/**
 * The index by which a claim reads of each share only what it may take, however much waits; it stands in pg-boss's table, and
 * pg-boss has none like it.
 */
export async function ensureShareIndex(executor: Executor): Promise<void> {
  await sql
    .raw(
      `do $$ begin
        if to_regclass('boss.job_share') is null then
          perform pg_advisory_xact_lock(hashtext('countersign job_share'));
          create index if not exists job_share on boss.job_common (name, (coalesce(group_id, '')), created_on, id)
            where ${waitsText};
        end if;
      end $$`,
    )
    .execute(executor);
}

/**
 * Claims jobs that are due, of each key the oldest and none of a key that has one under way. The shares take turns: whoever has
 * the fewest under way, over all processes, comes first, and none gets more than `perShare` at once (SR-62, F-40).
 */
export async function claimJobs(
  relaxed: Relaxed,
  queue: QueueName,
  { most, perShare }: { readonly most: number; readonly perShare: number },
): Promise<Claimed[]> {
  const ofQueue = `name = '${queue}' and ${waitsText}`;
  const share = "coalesce(group_id, '')";
  const rows = await relaxed(
    `claim_${queue}_${most}_${perShare}`,
    `
    with shares as (
      select distinct ${share} as share from boss.job where ${ofQueue}
    ), going as (
      select ${share} as share, count(*) as jobs from boss.job where name = '${queue}' and state = 'active' group by 1
    ), lined as materialized (
      select head.id, created_on,
        coalesce(jobs, 0) + row_number() over (partition by shares.share order by created_on, head.id) as turn
      from shares left join going on going.share = shares.share cross join lateral (
        select id, created_on from boss.job head
        where ${ofQueue} and ${share} = shares.share and start_after <= now()
          and not exists (
            select 1 from boss.job before
            where before.name = '${queue}' and before.singleton_key = head.singleton_key and before.id <> head.id
              and before.state in ('active', 'retry', 'failed') and before.policy = 'key_strict_fifo'
          )
          and head.id = (
            select id from boss.job first
            where ${ofQueue} and singleton_key = head.singleton_key and start_after <= now()
            order by state desc, created_on, id limit 1
          )
        order by created_on, id limit ${perShare}
      ) head
    ), next as (
      select job.id from (
        select id from lined where turn <= ${perShare} order by turn, created_on, id
      ) wanted cross join lateral (
        select id from boss.job where ${ofQueue} and id = wanted.id for update skip locked
      ) job limit ${most}
    ), claimed as (
      update boss.job set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = case when started_on is null then retry_count else retry_count + 1 end
      where name = '${queue}' and id = any (array(select id from next))
      returning id, singleton_key as key, data, retry_count as "retryCount",
        coalesce((output->>'failures')::int, 0) as failures, coalesce((output->>'deaths')::int, 0) as deaths
    )
    select claimed.* from claimed join lined on lined.id = claimed.id order by turn, created_on, lined.id`,
  );
  return rows as Claimed[];
}

/** Whether a claim holds; if so, nobody else can have the job before the transaction ends. */
export async function holdClaim(tx: Tx, queue: string, claim: Claim): Promise<boolean> {
  const { rows } = await sql`
    select 1 from boss.job
    where name = ${queue} and id = ${claim.id} and state = 'active' and retry_count = ${claim.retryCount}
    for update`.execute(tx);
  return rows.length > 0;
}

/**
 * Counts another attempt at a job as one during which the process ends; whatever else comes of it takes that back. False where the
 * job is no longer this claim's.
 */
export async function beginAgain(executor: Executor, queue: string, claim: Claimed): Promise<boolean> {
  const { rows } = await sql`
    update boss.job set output = ${told({ ...claim, deaths: claim.deaths + 1 })}
    where name = ${queue} and id = ${claim.id} and state = 'active' and retry_count = ${claim.retryCount}
    returning 1`.execute(executor);
  return rows.length > 0;
}

/** What is kept of the attempts at a job. */
const told = ({ failures, deaths }: Pick<Claimed, "failures" | "deaths">) =>
  sql`jsonb_build_object('failures', ${failures}::int, 'deaths', ${deaths}::int)`;

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

/**
 * Puts a job back for another attempt after `delayMs`, with how many have failed; until then it holds its key, so that order is
 * kept.
 */
export async function putBack(
  executor: Executor,
  queue: string,
  claim: Claimed,
  { failures, delayMs }: { readonly failures: number; readonly delayMs: number },
): Promise<void> {
  await sql`
    update boss.job set state = 'retry', start_after = now() + ${delayMs / 1000} * interval '1 second',
      output = ${told({ ...claim, failures })}
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

/**
 * Makes due again what processes that died had claimed: all of it, or of one queue what no process has touched for `idleMs`. One that
 * a transaction holds is left to the next time, so that nobody waits here for a process that stands still.
 */
export async function reclaim(
  executor: Executor,
  only?: { readonly queue: QueueName; readonly idleMs: number },
): Promise<void> {
  const lapsed = only
    ? sql`name = ${only.queue} and heartbeat_on < now() - ${only.idleMs / 1000} * interval '1 second'`
    : sql`true`;
  await sql`
    update boss.job set state = 'retry', start_after = now()
    where id = any (array(select id from boss.job where state = 'active' and ${lapsed} for update skip locked))`.execute(
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
