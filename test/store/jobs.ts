import { CompiledQuery, sql } from "kysely";
import type { QueueName } from "../../src/base/queues.ts";
import { writeNow } from "../../src/store/database/commit.ts";
import type { RelaxedStatement } from "../../src/store/database/connection.ts";
import type { Db, Tx } from "../../src/store/database/open.ts";

/** What tests see of the queue's table, and do to it behind the queue's back. */

export interface JobRow {
  readonly queue: QueueName;
  readonly key: string;
  readonly data: object;
  readonly claims: number;
  readonly isServed: boolean;
  /** In how many seconds it is due. */
  readonly dueIn: number;
}

/** The way on which claims and signs of life reach a database. */
export const relaxedOn =
  (db: Db): RelaxedStatement =>
  async (_, text) =>
    (await db.executeQuery(CompiledQuery.raw(text))).rows;

/** In the order in which they were added. */
export async function jobsIn(db: Db, queue?: QueueName): Promise<readonly JobRow[]> {
  const { rows } = await sql<JobRow>`
    select queue, key, data, claims, alive_at is not null as is_served,
      extract(epoch from due_at - now())::float8 as due_in
    from job where ${of(queue)} order by id`.execute(db);
  return rows;
}

/** What waits for its time, or for its next attempt, waits no longer. */
export const makeDue = (db: Db, queue?: QueueName) =>
  sql`update job set due_at = now() where alive_at is null and ${of(queue)}`.execute(db);

/** Takes what waits off the queue, as if it had been served. */
export const forgetJobs = (db: Db, queue?: QueueName) => sql`delete from job where ${of(queue)}`.execute(db);

/** Lets jobs be due again, as after attempts that failed, and ends of processes that had them. */
export const haveTried = async (
  db: Db | Tx,
  {
    queue,
    claims,
    failures = 0,
    deaths = 0,
  }: { queue?: QueueName; claims: number; failures?: number; deaths?: number },
): Promise<void> => {
  await writeNow(db, "jobs", "poster's jobs");
  await sql`update job set alive_at = null, claims = ${claims}, failures = ${failures}, deaths = ${deaths} where ${of(queue)}`.execute(
    db,
  );
};

/** Lets jobs be served by a process that has given its last sign of life so long ago. */
export const haveClaimed = (db: Db, secondsAgo = 0, key?: string) =>
  sql`update job set claims = greatest(claims, 1), alive_at = now() - ${secondsAgo} * interval '1 second'
    where ${key === undefined ? sql`true` : sql`key = ${key}`}`.execute(db);

/** Gives a job that is served to whoever comes next. */
export const takeAway = (db: Db, id: number) =>
  sql`update job set alive_at = null, due_at = now() where id = ${id}`.execute(db);

const of = (queue: QueueName | undefined) => (queue === undefined ? sql`true` : sql`queue = ${queue}`);
