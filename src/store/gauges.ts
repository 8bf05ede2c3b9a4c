import { sql } from "kysely";
import type { Db } from "./database.ts";

/** How the store stands at a moment, for the metrics; ages in seconds, 0 where nothing waits. */
export interface StoreGauges {
  readonly queues: readonly { readonly queue: string; readonly waiting: number; readonly oldestSeconds: number }[];
  readonly outboxWaiting: number;
  readonly outboxOldestSeconds: number;
  /** Comments that GitHub never took; they are not tried again. */
  readonly outboxParked: number;
  /** Runs of which nobody knows how they ended. */
  readonly runsUnknown: number;
  readonly runsOpen: number;
  readonly incidentsOpen: number;
  /** Of today, in UTC: tokens and money that the model has cost, what is reserved included. */
  readonly spentTokens: number;
  readonly spentCost: number;
}

/** Reads it in two statements. */
export async function readGauges(db: Db): Promise<StoreGauges> {
  const age = (column: string) => sql`coalesce(extract(epoch from now() - min(${sql.ref(column)})), 0)::float8`;
  const queues = await sql<{ queue: string; waiting: number; oldestSeconds: number }>`
    select name as queue, count(*)::int as waiting, ${age("start_after")} as oldest_seconds
    from boss.job where state < 'active' and start_after <= now() group by name`.execute(db);
  const { rows } = await sql<Omit<StoreGauges, "queues">>`
    with late as (
      select due_at from comment where version > posted_version and parked is null and due_at <= now()
    ), today as (
      select input_tokens + output_tokens as tokens, cost from usage
      where at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
    )
    select (select count(*) from late)::int as outbox_waiting,
      (select ${age("due_at")} from late) as outbox_oldest_seconds,
      (select count(*) from comment where parked is not null)::int as outbox_parked,
      (select count(*) from run where ending ->> 'kind' = 'unknown')::int as runs_unknown,
      (select count(*) from run where ending is null)::int as runs_open,
      (select count(*) from incident where state = 'open')::int as incidents_open,
      (select coalesce(sum(tokens), 0) from today)::float8 as spent_tokens,
      (select coalesce(sum(cost), 0) from today)::float8 as spent_cost`.execute(db);
  const [all] = rows;
  if (!all) throw new Error("the store told nothing of itself");
  return { queues: queues.rows, ...all };
}
