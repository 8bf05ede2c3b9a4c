/** The queue's rows (RR-05, RR-11, RR-17, SR-62, F-40). */

import { type RawBuilder, sql } from "kysely";
import type { QueueName } from "../../base/queues.ts";
import { beforeCommit, countOf, writeNow } from "../database/commit.ts";
import type { Db, RelaxedStatement, Tx } from "../database/connection.ts";

export interface JobAttempt {
  readonly id: number;
  /** Jobs of a key are served one after another, e.g. `issue:7:42`. */
  readonly key: string;
  readonly data: unknown;
  /** From 1. A holder of an earlier attempt can end nothing. */
  readonly attempt: number;
  readonly failures: number;
  /** Earlier attempts that ended the process; a first one leaves no trace. */
  readonly deaths: number;
}

export interface NewJob {
  readonly key: string;
  /** By default the key. No share delays the others. */
  readonly share?: string | undefined;
  readonly data: object;
  /** A point in time shifts if a clock is set. */
  readonly afterMs?: number | undefined;
}

export interface JobRetry {
  readonly failures: number;
  readonly delayMs: number;
}

const holds = ({ id, attempt }: Pick<JobAttempt, "id" | "attempt">) =>
  sql`id = ${id} and claims = ${attempt} and alive_at is not null`;
export const isDue = sql`alive_at is null and due_at <= now()`;

/** By the database's clock, because this process's may differ. */
const laterBy = (delayMs: number) => sql`now() + ${Math.max(0, delayMs)}::float8 * interval '1 millisecond'`;

/** In this order, when the transaction ends. */
export async function addJobs(tx: Tx, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
  for (const { key, share = key, data, afterMs = 0 } of jobs)
    await add(tx, { queue, key, share, data, delayMs: Math.max(0, afterMs) });
}

// One statement for any number, planned once.
const add = beforeCommit<object>("jobs", (jobs) => ({
  steps: [
    sql`added_jobs as (
      insert into job (queue, key, share, data, due_at)
      select queue, key, share, data, now() + delay * interval '1 millisecond' from rows from (
        jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as (queue text, key text, share text, data jsonb, "delayMs" float8)
      ) with ordinality as job (queue, key, share, data, delay, n) order by n returning id)`,
  ],
  outcome: sql`(select count(*) from added_jobs)`,
}));

/** When the transaction ends, brings a key's waiting job forward or adds this one. */
export const addUnlessWaiting = beforeCommit<{ readonly queue: QueueName; readonly job: NewJob }>(
  "poster's jobs",
  (all) => {
    const lastFirst = all.toSorted((one, other) => (other.job.afterMs ?? 0) - (one.job.afterMs ?? 0));
    // A statement does not see its own rows, so it adds only each key's first due job.
    const jobs = [...new Map(lastFirst.map((one) => [JSON.stringify([one.queue, one.job.key]), one])).values()];
    const steps = jobs.flatMap(({ queue, job: { key, share = key, data, afterMs = 0 } }, index) => {
      const waiting = sql.raw(`waiting_${index}`);
      const at = laterBy(afterMs);
      return [
        sql`${waiting} as (${broughtForward(queue, key, at)})`,
        sql`${sql.raw(`added_${index}`)} as (
        insert into job (queue, key, share, data, due_at)
        select ${queue}, ${key}, ${share}, ${JSON.stringify(data)}::jsonb, ${at}
        where not exists (select from ${waiting}) returning id)`,
      ];
    });
    return { steps, outcome: countOf("added", jobs) };
  },
);

/** Adds jobs whose key has none, active or waiting. */
export async function addMissing(tx: Tx, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map(({ key, share = key, data }) => ({ key, share, data }));
  await writeNow(tx, "jobs", "poster's jobs");
  await sql`
    insert into job (queue, key, share, data)
    select ${queue}, key, share, data from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as missing (key text, share text, data jsonb)
    where not exists (select from job where queue = ${queue} and job.key = missing.key)`.execute(tx);
}

/**
 * Claims each key's oldest due job, unless one of the key has begun. Shares with the fewest active jobs over all processes come first; none
 * gets more than `perShare` of this holder.
 */
export async function claimJobs(
  relaxed: RelaxedStatement,
  queue: QueueName,
  { holder, most, perShare }: { readonly holder: string; readonly most: number; readonly perShare: number },
): Promise<JobAttempt[]> {
  const rows = await relaxed(
    `claim_${queue}_${most}_${perShare}_${holder}`,
    `
    with shares as (
      select distinct share from job where queue = '${queue}' and alive_at is null
    ), going as (
      select share, count(*) as jobs, count(*) filter (where holder = '${holder}') as own
      from job where queue = '${queue}' and alive_at is not null group by share
    ), lined as materialized (
      select head.id, coalesce(jobs, 0) + row_number() over line as turn, coalesce(own, 0) + row_number() over line as own
      from shares left join going using (share) cross join lateral (
        select id from job head
        where queue = '${queue}' and share = shares.share and alive_at is null and due_at <= now()
          and not exists (
            select from job begun
            where begun.queue = '${queue}' and begun.key = head.key and begun.claims > 0 and begun.id <> head.id
          )
          and head.id = (
            select id from job first
            where queue = '${queue}' and first.key = head.key and alive_at is null and due_at <= now()
            order by (claims > 0) desc, id limit 1
          )
        order by id limit ${perShare}
      ) head
      window line as (partition by shares.share order by head.id)
    ), next as (
      select job.id from (
        select id from lined where own <= ${perShare} order by turn, id
      ) wanted cross join lateral (
        select id from job where id = wanted.id and alive_at is null for update skip locked
      ) job limit ${most}
    ), claimed as (
      update job set claims = claims + 1, alive_at = now(), holder = '${holder}' where id = any (array(select id from next))
      returning id, key, data, claims as attempt, failures, deaths
    )
    select claimed.* from claimed join lined using (id) order by turn, id`,
  );
  return rows as JobAttempt[];
}

/** Marks a claim as alive; returns whether it holds. No other process gets the job before the transaction ends. */
export async function touch(db: Db | Tx, claim: JobAttempt): Promise<boolean> {
  const { rows } = await sql`update job set alive_at = now() where ${holds(claim)} returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the claims that hold. Skips locked rows, because waiting for a stalled transaction would let all claims lapse; no other process
 * gets such a job meanwhile.
 */
export async function touchAll(
  relaxed: RelaxedStatement,
  claims: readonly JobAttempt[],
): Promise<ReadonlySet<JobAttempt>> {
  if (claims.length === 0) return new Set();
  const isOurs = `alive_at is not null and (id, claims) in (select * from unnest(
    '{${claims.map(({ id }) => id)}}'::bigint[], '{${claims.map(({ attempt }) => attempt)}}'::integer[]))`;
  const rows = (await relaxed(
    undefined,
    `with free as (select id from job where ${isOurs} for update skip locked),
      touched as (update job set alive_at = now() where id = any (array(select id from free)))
    select id, claims from job where ${isOurs}`,
  )) as readonly Readonly<Record<"id" | "claims", number>>[];
  return new Set(claims.filter(({ id, attempt }) => rows.some((row) => row.id === id && row.claims === attempt)));
}

/** Assumes the worst first: records a death, which the attempt's end clears. Returns false if the claim is lost. */
export async function beginAgain(db: Db, claim: JobAttempt): Promise<boolean> {
  const { rows } = await sql`update job set deaths = ${claim.deaths + 1} where ${holds(claim)} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

/** No other job of its key begins before it. */
export async function putBack(db: Db, claim: JobAttempt, { failures, delayMs }: JobRetry): Promise<void> {
  await sql`
    update job set alive_at = null, due_at = ${laterBy(delayMs)}, set_at = now(), failures = ${failures}, deaths = ${claim.deaths}
    where ${holds(claim)}`.execute(db);
}

/** Returns whether the claim held, and whether the queue has another job that can be claimed. */
export async function endJob(db: Db, queue: QueueName, claim: JobAttempt): Promise<JobEnd> {
  const { rows } = await sql<{ is: JobEnd }>`
    with gone as (delete from job where ${holds(claim)} returning id)
    select ${endOf(sql`gone`, queue, claim)} as is`.execute(db);
  return rows[0]?.is ?? { ended: false, more: false };
}

/** A throw of `onEnded` undoes the transaction. */
export const endJobWith = beforeCommit<{
  readonly queue: QueueName;
  readonly claim: JobAttempt;
  readonly onEnded: (end: JobEnd) => void;
}>("job ends", (jobs) => ({
  steps: jobs.map(
    ({ claim }, index) => sql`${sql.raw(`gone_${index}`)} as (delete from job where ${holds(claim)} returning id)`,
  ),
  outcome: sql`json_build_array(${sql.join(jobs.map(({ queue, claim }, index) => endOf(sql.raw(`gone_${index}`), queue, claim)))})`,
  check: (ends) => {
    for (const [index, end] of (ends as readonly JobEnd[]).entries()) jobs[index]?.onEnded(end);
  },
}));

interface JobEnd {
  readonly ended: boolean;
  readonly more: boolean;
}

const endOf = (gone: RawBuilder<unknown>, queue: QueueName, claim: Pick<JobAttempt, "id">) => sql`json_build_object(
  'ended', exists (select from ${gone}),
  'more', ${hasClaimable(queue, claim)})`;

/** Once `ended` is gone. A due job whose key another process serves is that one's. */
const hasClaimable = (queue: QueueName, ended: Pick<JobAttempt, "id">) => sql`exists (
  select from job head where queue = ${queue} and ${isDue} and not exists (
    select from job begun
    where begun.queue = ${queue} and begun.key = head.key and begun.claims > 0 and begun.id not in (head.id, ${ended.id})))`;

/**
 * The job returns after `afterMs` ms, or sooner if another of its key comes; one that waits already replaces it. Returns whether the queue
 * has another job that can be claimed.
 */
export async function postpone(
  db: Db,
  queue: QueueName,
  claim: Pick<JobAttempt, "id" | "attempt" | "key">,
  afterMs: number,
): Promise<{ more: boolean }> {
  const { rows } = await sql<{ more: boolean }>`
    with waiting as (${broughtForward(queue, claim.key, laterBy(afterMs))}),
    gone as (delete from job where ${holds(claim)} and exists (select from waiting)),
    back as (
      update job set alive_at = null, due_at = ${laterBy(afterMs)}, set_at = now(), claims = 0, failures = 0, deaths = 0
      where ${holds(claim)} and not exists (select from waiting)
    )
    select ${hasClaimable(queue, claim)} as more`.execute(db);
  return rows[0] ?? { more: false };
}

/**
 * Makes a key's waiting job due, and keeps it from starting before the commit. Returns false if none waits. A job put back after a failure
 * keeps its time.
 */
export async function bringForward(tx: Tx, queue: QueueName, key: string): Promise<boolean> {
  await writeNow(tx, "jobs", "poster's jobs");
  const { rows } = await broughtForward(queue, key, sql`now()`).execute(tx);
  return rows.length > 0;
}

const broughtForward = (queue: QueueName, key: string, at: RawBuilder<unknown>) => sql`
  update job set due_at = case when claims = 0 then least(due_at, ${at}) else due_at end,
    set_at = case when claims = 0 and ${at} < due_at then now() else set_at end
  where queue = ${queue} and key = ${key} and alive_at is null returning id`;

/** Makes dead processes' claims due: all, or a queue's silent for `idleMs`. Skips locked jobs, so it never waits for a stalled process. */
export async function reclaim(
  relaxed: RelaxedStatement,
  only?: { readonly queue: QueueName; readonly idleMs: number },
): Promise<void> {
  const lapsed = only
    ? `queue = '${only.queue}' and alive_at < now() - ${only.idleMs} * interval '1 millisecond'`
    : "alive_at is not null";
  await relaxed(
    undefined,
    `update job set alive_at = null, due_at = now(), set_at = now()
    where id = any (array(select id from job where ${lapsed} for update skip locked))`,
  );
}

/** Active jobs count, too. */
export async function isAnyDue(db: Db, queues: readonly QueueName[]): Promise<boolean> {
  if (queues.length === 0) return false;
  const { rows } = await sql`
    select from job where queue = any (${queues}) and (alive_at is not null or ${isDue}) limit 1`.execute(db);
  return rows.length > 0;
}

/** Leaves out shares below `atLeast`. */
export async function waitingBy(db: Db, queue: QueueName, atLeast = 1): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ share: string; jobs: number }>`
    select share, count(*) as jobs from job where queue = ${queue} and alive_at is null
    group by share having count(*) >= ${atLeast}`.execute(db);
  return new Map(rows.map(({ share, jobs }) => [share, jobs]));
}

/** Waiting or running, for this very cause. */
export async function isTurnDue(tx: Tx, incidentId: string, cause: object): Promise<boolean> {
  await writeNow(tx, "jobs");
  const { rows } = await sql`
    select from job where queue = 'turn' and key = ${incidentId} and data -> 'cause' = ${JSON.stringify(cause)}::jsonb
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Whether a waiting or running turn was given by the end of a batch. */
export async function isReadingDue(tx: Tx, incidentId: string): Promise<boolean> {
  await writeNow(tx, "jobs");
  const { rows } = await sql`
    select from job where queue = 'turn' and key = ${incidentId} and data->'cause'->>'kind' = 'batch-ended'
    limit 1`.execute(tx);
  return rows.length > 0;
}
