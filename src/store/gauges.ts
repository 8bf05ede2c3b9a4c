import { sql } from "kysely";
import type { Db } from "./database/connection.ts";
import { refusalFadesAfter } from "./outbox/write-budget.ts";

/** Ages in seconds, 0 if nothing waits. */
export interface StoreGauges {
  readonly queues: readonly { readonly queue: string; readonly waiting: number; readonly oldestSeconds: number }[];
  readonly outboxWaiting: number;
  readonly outboxOldestSeconds: number;
  /** In open incidents, refused by GitHub or unanswered for hours. */
  readonly outboxParked: number;
  /** The longest of the installations. */
  readonly refusedSeconds: number;
  /** Those that a person can still look into (`unlooked`). */
  readonly runsUnknown: number;
  readonly runsOpen: number;
  readonly incidentsOpen: number;
  /** Of today in UTC, reservations included. */
  readonly spentTokens: number;
  readonly spentCost: number;
}

export async function readGauges(db: Db): Promise<StoreGauges> {
  const age = (column: string) => sql`coalesce(extract(epoch from now() - min(${sql.ref(column)})), 0)::float8`;
  const queues = await sql<{ queue: string; waiting: number; oldestSeconds: number }>`
    select queue, count(*)::int as waiting, ${age("due_at")} as oldest_seconds
    from job where alive_at is null and due_at <= now() group by queue`.execute(db);
  const { rows } = await sql<Omit<StoreGauges, "queues">>`
    with ${unlooked}, late as (
      select due_at from comment where version > posted_version and parked is null and due_at <= now()
      union all select undrawn_since from incident where changed > drawn
    ), today as (
      select input_tokens + output_tokens as tokens, cost from usage
      where at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
    )
    select (select count(*) from late)::int as outbox_waiting,
      (select ${age("due_at")} from late) as outbox_oldest_seconds,
      (select count(*) from comment join incident on incident.id = comment.incident_id
        where parked is not null and state = 'open')::int as outbox_parked,
      (select ${age("refused_since")} from write_budget
        where paused_until > now() - ${refusalFadesAfter}) as refused_seconds,
      (select count(*) from unlooked)::int as runs_unknown,
      (select count(*) from run where ending is null and started_at is not null)::int as runs_open,
      (select count(*) from incident where state = 'open')::int as incidents_open,
      (select coalesce(sum(tokens), 0) from today)::float8 as spent_tokens,
      (select coalesce(sum(cost), 0) from today)::float8 as spent_cost`.execute(db);
  const [all] = rows;
  if (!all) throw new Error("the store told nothing of itself");
  return { queues: queues.rows, ...all };
}

/**
 * UNKNOWN commands that no person has looked into (RR-20): no later command of a person on that server in the incident has a known end, and
 * the incident is open. After closing, a new one counts for a day.
 */
const unlooked = sql`
  lost as (
    select action.incident_id, run.server, run.ended_at
      from run join action on action.id = run.action_id where run.ending ->> 'kind' = 'unknown'
    union all
    select incident.id, step ->> 'server', due.ended_at
      from schedule_run due join schedule using (key), jsonb_array_elements(due.steps) step, incident
      where due.steps @> '[{"ending": {"kind": "unknown"}}]' and step -> 'ending' ->> 'kind' = 'unknown'
        and (incident.id = due.incident_id
          -- A failure that found the incident of an earlier failure still open belongs to that incident.
          or due.incident_id is null and incident.id = schedule.incident_id and incident.created_at < due.ended_at)
  ), unlooked as (
    select from lost join incident on incident.id = lost.incident_id
    where (incident.state = 'open'
        or lost.ended_at > incident.closed_at and lost.ended_at > now() - interval '1 day')
      and not exists (
        select from run join action on action.id = run.action_id join batch on batch.id = run.batch_id
        where action.incident_id = lost.incident_id and run.server = lost.server
          and batch.comment_id is not null and batch.created_at > lost.ended_at
          and run.ending ->> 'kind' not in ('unknown', 'unreachable'))
  )`;
