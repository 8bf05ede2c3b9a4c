import { sql } from "kysely";
import type { QueueName } from "../../base/queues.ts";
import { writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import { isDue } from "./table.ts";

/** Whether a job of these queues is served or due. */
export async function isAnyDue(db: Db, queues: readonly QueueName[]): Promise<boolean> {
  if (queues.length === 0) return false;
  const { rows } = await sql`
    select from job where queue = any (${queues}) and (alive_at is not null or ${isDue}) limit 1`.execute(db);
  return rows.length > 0;
}

/** How many jobs of a queue wait, by share; those of fewer than `atLeast` are left out. */
export async function waitingBy(db: Db, queue: QueueName, atLeast = 1): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ share: string; jobs: number }>`
    select share, count(*) as jobs from job where queue = ${queue} and alive_at is null
    group by share having count(*) >= ${atLeast}`.execute(db);
  return new Map(rows.map(({ share, jobs }) => [share, jobs]));
}

/** Whether a turn for this very cause waits or is under way. */
export async function isTurnDue(tx: Tx, incidentId: string, cause: object): Promise<boolean> {
  await writeNow(tx, "jobs");
  const { rows } = await sql`
    select from job where queue = 'turn' and key = ${incidentId} and data -> 'cause' = ${JSON.stringify(cause)}::jsonb
    limit 1`.execute(tx);
  return rows.length > 0;
}
