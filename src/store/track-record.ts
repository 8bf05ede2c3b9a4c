import { sql } from "kysely";
import type { RunbookLink } from "../base/agent.ts";
import type { Db, Tx } from "./database/connection.ts";

export interface KnownLink extends RunbookLink {
  readonly skill?: string;
  /** The skill's record then: `worked 4 of 5, last 12 days ago`. */
  readonly record?: string;
}

export interface TrackRecord {
  /** Closed incidents in which a reply named it. */
  readonly used: number;
  /** Of those in which a command that the agent proposed ended a fault that a check had shown, with no more 👎 than 👍. */
  readonly worked: number;
  readonly lastAt: Date;
}

const mostIncidents = 500;

/**
 * As of `asOf`. A closed incident counts once. Counts the last 500 incidents within a year, because runbooks change, and turns must stay
 * cheap.
 */
export async function trackRecords(
  db: Db | Tx,
  { repoId, asOf }: { readonly repoId: number; readonly asOf: Date },
): Promise<ReadonlyMap<string, TrackRecord>> {
  const { rows } = await sql<{ skill: string; used: number; worked: number; lastAt: Date }>`
    with closed as (
      select id, closed_at, exists (
        select from action where incident_id = incident.id and origin <> 'person'
          and incident.helped @> to_jsonb(action.number)) as helped
      from incident
      where repo_id = ${repoId} and state = 'closed'
        and closed_at <= ${asOf} and closed_at > ${asOf}::timestamptz - interval '1 year'
      order by closed_at desc limit ${mostIncidents}
    ), used as (
      select distinct closed.id, closed.closed_at, closed.helped, link->>'skill' as skill
      from closed join turn on turn.incident_id = closed.id
        cross join lateral jsonb_array_elements(turn.runbooks) link
      where link->>'skill' is not null
    ), word as (
      select distinct on (session.incident_id, person_id) session.incident_id, verdict
      from feedback join session on session.id = feedback.session_id
      where session.incident_id in (select id from used) and given_at <= ${asOf}
      order by session.incident_id, person_id, given_at desc
    ), score as (
      select incident_id, sum(case verdict when 'up' then 1 else -1 end) as score from word group by incident_id
    )
    select skill, count(*)::int as used, (count(*) filter (where helped and coalesce(score, 0) >= 0))::int as worked,
      max(closed_at) as "lastAt"
    from used left join score on score.incident_id = used.id group by skill`.execute(db);
  return new Map(rows.map(({ skill, lastAt, ...counts }) => [skill, { ...counts, lastAt: new Date(lastAt) }]));
}
