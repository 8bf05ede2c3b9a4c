import { type RawBuilder, sql } from "kysely";
import type { QueueName } from "../../base/queues.ts";
import { beforeCommit, countOf, writeNow } from "../database/commit.ts";
import type { Db, Relaxed, Tx } from "../database/connection.ts";
import type { JobAttempt, NewJob } from "./job.ts";
import type { JobRetry } from "./retry.ts";

const holds = ({ id, attempt }: Pick<JobAttempt, "id" | "attempt">) =>
  sql`id = ${id} and claims = ${attempt} and alive_at is not null`;
/** What may be claimed now. */
export const isDue = sql`alive_at is null and due_at <= now()`;

/** Only the database's clock says when a wait is over: this process's may differ. */
const laterBy = (delayMs: number) => sql`now() + ${Math.max(0, delayMs)}::float8 * interval '1 millisecond'`;

/** Adds jobs when the transaction ends; they keep this order. */
export async function addJobs(tx: Tx, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
  for (const { key, share = key, data, afterMs = 0 } of jobs)
    await add(tx, { queue, key, share, data, delayMs: Math.max(0, afterMs) });
}

// One text however many there are.
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

/** When the transaction ends: where a job of this key waits, brings it forward as `bringForward` does; else adds this one. */
export const addUnlessWaiting = (tx: Tx, queue: QueueName, job: NewJob): Promise<void> => addMaybe(tx, { queue, job });

const addMaybe = beforeCommit<{ readonly queue: QueueName; readonly job: NewJob }>("poster's jobs", (all) => {
  const lastFirst = all.toSorted((one, other) => (other.job.afterMs ?? 0) - (one.job.afterMs ?? 0));
  // A statement does not see what it adds itself: of each key it adds the one that is due first.
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
});

/** Adds each job of whose key none is there, under way or waiting. */
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
 * Claims jobs that are due, of each key the oldest and none of a key that has one begun. The shares take turns: whoever has the
 * fewest under way, over all processes, comes first, and none gets more than `perShare` at once (SR-62, F-40).
 */
export async function claimJobs(
  relaxed: Relaxed,
  queue: QueueName,
  { most, perShare }: { readonly most: number; readonly perShare: number },
): Promise<JobAttempt[]> {
  const rows = await relaxed(
    `claim_${queue}_${most}_${perShare}`,
    `
    with shares as (
      select distinct share from job where queue = '${queue}' and alive_at is null
    ), going as (
      select share, count(*) as jobs from job where queue = '${queue}' and alive_at is not null group by share
    ), lined as materialized (
      select head.id, coalesce(jobs, 0) + row_number() over (partition by shares.share order by head.id) as turn
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
    ), next as (
      select job.id from (
        select id from lined where turn <= ${perShare} order by turn, id
      ) wanted cross join lateral (
        select id from job where id = wanted.id and alive_at is null for update skip locked
      ) job limit ${most}
    ), claimed as (
      update job set claims = claims + 1, alive_at = now() where id = any (array(select id from next))
      returning id, key, data, claims as attempt, failures, deaths
    )
    select claimed.* from claimed join lined using (id) order by turn, id`,
  );
  return rows as JobAttempt[];
}

/** Whether the claim still holds, and says that it is worked on. Nobody else can have it before the transaction ends. */
export async function touch(db: Db | Tx, claim: JobAttempt): Promise<boolean> {
  const { rows } = await sql`update job set alive_at = now() where ${holds(claim)} returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Says that these claims are still worked on; returns those that hold. It waits for nobody: what a transaction holds is left as it is,
 * since nobody else can have that before it ends.
 */
export async function touchAll(relaxed: Relaxed, claims: readonly JobAttempt[]): Promise<ReadonlySet<JobAttempt>> {
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

/**
 * Counts another attempt at a job as one during which the process ends; whatever else comes of it takes that back. False where the
 * job is no longer this claim's.
 */
export async function beginAgain(db: Db, claim: JobAttempt): Promise<boolean> {
  const { rows } = await sql`update job set deaths = ${claim.deaths + 1} where ${holds(claim)} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

/** Puts a job back for another attempt, with how many have failed; until it is due it has its key. */
export async function putBack(db: Db, claim: JobAttempt, { failures, delayMs }: JobRetry): Promise<void> {
  await sql`
    update job set alive_at = null, due_at = ${laterBy(delayMs)}, set_at = now(), failures = ${failures}, deaths = ${claim.deaths}
    where ${holds(claim)}`.execute(db);
}

/** Ends a job. Tells whether it was still this claim's, and whether its queue has another that is due. */
export async function endJob(db: Db, queue: QueueName, claim: JobAttempt): Promise<Ended> {
  const { rows } = await sql<{ is: Ended }>`
    with gone as (delete from job where ${holds(claim)} returning id) select ${endOf(sql`gone`, queue)} as is`.execute(
    db,
  );
  return rows[0]?.is ?? { ended: false, more: false };
}

/** Ends a job with the transaction, of which nothing is done where `onEnded` throws. */
export const endJobWith = beforeCommit<{
  readonly queue: QueueName;
  readonly claim: JobAttempt;
  readonly onEnded: (end: Ended) => void;
}>("job ends", (jobs) => ({
  steps: jobs.map(
    ({ claim }, index) => sql`${sql.raw(`gone_${index}`)} as (delete from job where ${holds(claim)} returning id)`,
  ),
  outcome: sql`json_build_array(${sql.join(jobs.map(({ queue }, index) => endOf(sql.raw(`gone_${index}`), queue)))})`,
  check: (ends) => {
    // As `endOf` builds them.
    for (const [index, end] of (ends as readonly Ended[]).entries()) jobs[index]?.onEnded(end);
  },
}));

interface Ended {
  readonly ended: boolean;
  readonly more: boolean;
}

const endOf = (gone: RawBuilder<unknown>, queue: QueueName) => sql`json_build_object(
  'ended', exists (select from ${gone}),
  'more', exists (select from job where queue = ${queue} and ${isDue}))`;

/**
 * Ends an attempt at a job that is to be served again after a while, or sooner where another of its key comes; one that waits already
 * stands for it. Tells whether its queue has another that is due.
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
    select exists (select from job where queue = ${queue} and ${isDue}) as more`.execute(db);
  return rows[0] ?? { more: false };
}

/**
 * Where a job of this key waits already, makes it due and keeps it from starting before the
 * caller's transaction has committed; tells whether there was one. A job put back after a failure keeps its time.
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

/**
 * Makes due again what processes that died had claimed: all of it, or of one queue what no process has touched for `idleMs`. One that
 * a transaction holds is left to the next time, so that nobody waits here for a process that stands still.
 */
export async function reclaim(
  relaxed: Relaxed,
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
