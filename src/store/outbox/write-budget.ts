import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database/connection.ts";
import { isDue } from "../queue/table.ts";
import { slots } from "./thread-comments.ts";
import { type Limit, type Shortage, type Urgency, type WriteSpan, waitFor, writeTermsOf } from "./urgency.ts";
import { type OutboxComment, threadKey } from "./wanted.ts";

/** GitHub takes 80 writes a minute and 500 an hour per installation; the hour follows a configured minute. */
export const perHourOf = (perMinute: number): number => perMinute * (500 / 80);

export interface Write {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  /** The installation's. */
  readonly perMinute: number;
  readonly urgency: Urgency;
  readonly share: string | null;
  /** Goes out only if no newer job for the poster waits on this issue. */
  readonly yields?: boolean;
  /** A board goes out only if nothing has changed since. */
  readonly asDrawn?: boolean;
}

/**
 * `refused`: GitHub refused the writes before; call `writeTaken` if it accepts this one. `gone`: the comment is to be made or drawn again.
 * `yield`: something newer waits. `by`: the binding limit; none if others only go first. `isSpent`: its share is used up.
 */
type WriteGrant =
  | { readonly kind: "go"; readonly refused: boolean; readonly attempts: number }
  | { readonly kind: "wait"; readonly ms: number; readonly by: Limit | undefined; readonly isSpent: boolean }
  | { readonly kind: "gone" }
  | { readonly kind: "yield" };

/**
 * Takes a write from the installation's budget (RR-08) and begins an attempt at the comment, or returns when to ask again. If the store's
 * clock goes back, nothing is lost or gained.
 */
export async function takeWrite(db: Db, write: Write, comment?: OutboxComment): Promise<WriteGrant> {
  const { installationId, repo, issue, share, yields = false, asDrawn = false } = write;
  const here = sql`installation_id = ${installationId} and repo = ${repo} and issue = ${issue}`;
  const { most, beyond, speed, ofShare } = writeTermsOf({ ...write, perHour: perHourOf(write.perMinute) });
  const used = (
    of: string,
    span: WriteSpan,
    perSecond: number,
  ) => sql<number>`greatest(0, ${sql.ref(`${of}.${span}_used`)}
    - greatest(0, extract(epoch from now() - ${sql.ref(`${of}.refilled_at`)}))::float8 * ${perSecond}::float8)`;
  const usedOf = (span: WriteSpan) => used("budget", span, speed[span]);
  const fits = (span: WriteSpan) => sql`${usedOf(span)} + 1 <= case when exists (select from spent)
    then ${beyond.most[span]}::float8 else ${most[span]}::float8 end`;
  const sharedOf = (span: WriteSpan) => used("own", span, ofShare.speed[span]);
  const isSpent = (span: WriteSpan) => sql`${sharedOf(span)} + 1 > ${ofShare.most[span]}::float8`;
  const spent = sql`select from write_share own where installation_id = ${installationId} and own.share = ${share}
    and (${isSpent("minute")} or ${isSpent("hour")})`;
  const before = waitsBefore(write, sql`case when exists (${spent}) then ${beyond.urgency} else ${write.urgency} end`);
  // Locks the row if it still stands for the comment on GitHub; a posted board only if drawn from the newest rows, a new run card only if its
  // result has not been put off since (`results.ts`).
  const locked = comment
    ? sql`select id from comment where id = ${comment.id} and gone = ${comment.gone}
    and not (${asDrawn} and slot = ${slots.board} and github_id is not null
      and exists (select from incident where incident.id = comment.incident_id and changed > drawn))
    and (github_id is not null or attempts > 0 or slot not like 'batch:%' or due_at <= now()) for update of comment`
    : sql`select true`;
  // Counts an attempt before it is made: from the second on, GitHub may have the comment, and the poster looks for its marker first.
  const begun = comment
    ? sql`, begun as (
      update comment set attempts = attempts + 1, posting_body = ${comment.body}, parked = null
      where id = ${comment.id} and exists (select from taken) returning attempts)`
    : sql``;
  // The comment before the budget, because others wait for the budget.
  const { rows: found } = await sql<{ refused: boolean | null; attempts: number | null; newer: boolean }>`
    with locked as (${locked}),
    newer as (select from job where ${yields} and queue = 'post' and key = ${threadKey(write)} and ${isDue}),
    spent as (${spent}),
    taken as (
      insert into write_budget as budget (installation_id, minute_used, hour_used)
      select ${installationId}, 1, 1 from locked where not exists (select from newer)
      on conflict (installation_id) do update
        set minute_used = ${usedOf("minute")} + 1, hour_used = ${usedOf("hour")} + 1, refilled_at = now()
        where ${fits("minute")} and ${fits("hour")} and coalesce(budget.paused_until <= now(), true)
          and not exists (${before})
      returning refusals > 0 as refused),
    served as (
      insert into write_share (installation_id, share) select ${installationId}, ${repoShare + repo} from taken
      on conflict (installation_id, share) do update set refilled_at = now()),
    counted as (
      insert into write_share as own (installation_id, share, minute_used, hour_used)
      select ${installationId}, ${share}::text, 1, 1 from taken where ${share}::text is not null
      on conflict (installation_id, share) do update
        set minute_used = ${sharedOf("minute")} + 1, hour_used = ${sharedOf("hour")} + 1, refilled_at = now()),
    heard as (delete from write_wait where ${here} and exists (select from taken))${begun}
    select (select refused from taken) as refused, exists (select from newer) as newer,
      ${comment ? sql`(select attempts from begun)` : sql`0`} as attempts
    from locked`.execute(db);
  const [taken] = found;
  if (!taken) return { kind: "gone" };
  if (taken.refused !== null) return { kind: "go", refused: taken.refused, attempts: taken.attempts ?? 0 };
  if (taken.newer) return { kind: "yield" };
  const { rows } = await sql<Shortage & { readonly isSpent: boolean }>`
    select ${usedOf("minute")} as minute, ${usedOf("hour")} as hour, exists (${spent}) as is_spent,
      coalesce(extract(epoch from budget.paused_until - now()), 0)::float8 as paused,
      (select count(*) from (${before}) as before)::float8 as ahead
    from write_budget budget where installation_id = ${installationId}`.execute(db);
  const [short] = rows;
  if (!short) return { kind: "wait", ms: 0, by: undefined, isSpent: false };
  const { urgency, ...limits } = short.isSpent ? beyond : { most, urgency: write.urgency };
  const wait = waitFor(short, { ...limits, speed });
  // A taken write locks the budget before these rows, so each is a separate statement.
  if (wait.by === "minute" || wait.by === "hour")
    await sql`
  insert into write_wait as mine (installation_id, repo, issue, urgency, until)
  values (${installationId}, ${repo}, ${issue}, ${urgency}, now() + ${wait.ms + graceMs}::float8 * interval '1 millisecond')
  on conflict (installation_id, repo, issue) do update set urgency = excluded.urgency, until = excluded.until,
    since = case when mine.urgency = excluded.urgency and mine.until > now() then mine.since else now() end`.execute(
      db,
    );
  if (wait.by !== undefined && comment)
    await sql`
  update write_budget set late_at = now(), late_by = ${wait.by} where installation_id = ${comment.installationId}
    and (coalesce(late_at < now() - ${lateAfter}, true) or late_by <> ${wait.by})
    and exists (select from comment where id = ${comment.id} and due_at < now() - ${lateAfter})`.execute(db);
  return { kind: "wait", ...wait, isSpent: short.isSpent };
}

const repoShare = "repo:";

/** Within a class, first the repository written to longest ago, then the issue that has waited longest. */
function waitsBefore({ installationId, repo, issue }: Write, urgency: RawBuilder<unknown>): RawBuilder<unknown> {
  const servedAt = (name: RawBuilder<unknown>) => sql`coalesce((select refilled_at from write_share
    where installation_id = ${installationId} and share = ${repoShare} || ${name}), '-infinity')`;
  const waiting = sql`write_wait other where other.installation_id = ${installationId} and other.urgency = (${urgency})`;
  return sql`select from ${waiting} and other.until > now() and (other.repo, other.issue) <> (${repo}, ${issue}::int)
    and (${servedAt(sql`other.repo`)}, other.since) < (${servedAt(sql`${repo}::text`)},
      coalesce((select since from ${waiting} and other.repo = ${repo} and other.issue = ${issue}), now()))`;
}

/** The queue finds due jobs within a second. */
const graceMs = 2_000;

/** Then a comment is late, and boards drawn within `lateForMs` say so. */
const lateAfter = sql`interval '10 seconds'`;
export const lateForMs = 60_000;

/** Null if no comments are late. */
export const lateBy = (installationId: RawBuilder<unknown>): RawBuilder<Limit | null> => sql<Limit | null>`(
  select late_by from write_budget where installation_id = ${installationId}
    and late_at > now() - ${lateForMs} * interval '1 millisecond')`;

/** `isTold`: GitHub gave the time. */
export interface WriteRefusal {
  readonly installationId: number;
  readonly afterMs: number;
  readonly isTold: boolean;
}

/** If GitHub gives no time. */
const longestPauseSeconds = 15 * 60;
/** A refusal ends if none follows its pause for so long; perhaps nothing more was written. */
export const refusalFadesAfter = sql`interval '20 minutes'`;
/** Only a person can fix a refusal that lasts so long. */
const loudAfter = sql`interval '10 minutes'`;

/** `loudSince`: it has been refused so long that the operator must know; only the first caller gets it. */
interface WritePause {
  readonly ms: number;
  readonly loudSince: Date | undefined;
}

/** For all processes (F-10). Without a time from GitHub each pause doubles the last, with jitter. */
export async function pauseWrites(db: Db, { installationId, afterMs, isTold }: WriteRefusal): Promise<WritePause> {
  const seconds = afterMs / 1_000;
  // Writes under way together are refused together and count once.
  const isFaded = sql`budget.paused_until < now() - ${refusalFadesAfter}`;
  const inARow = sql`case when budget.paused_until > now() then budget.refusals when ${isFaded} then 1 else budget.refusals + 1 end`;
  const grown = sql`least(${seconds}::float8 * 2 ^ least((${inARow}) - 1, 20), ${longestPauseSeconds}::float8) * (1 + random() / 4)`;
  const first = isTold ? sql`${seconds}::float8` : sql`${seconds}::float8 * (1 + random() / 4)`;
  const { rows } = await sql<{ ms: number }>`
    insert into write_budget as budget (installation_id, refusals, refused_since, paused_until)
    values (${installationId}, 1, now(), now() + ${first} * interval '1 second')
    -- Set in any case: it shows under which clock the pause was set.
    on conflict (installation_id) do update set refusals = ${inARow}, refilled_at = now(),
      refused_since = case when ${isFaded} then now() else coalesce(budget.refused_since, now()) end,
      refusal_told = budget.refusal_told and not coalesce(${isFaded}, false),
      paused_until = greatest(budget.paused_until,
        now() + ${isTold ? sql`${seconds}::float8` : grown} * interval '1 second')
    returning (extract(epoch from paused_until - now()) * 1000)::float8 as ms`.execute(db);
  const loud = await db
    .updateTable("writeBudget")
    .set({ refusalTold: true })
    .where("installationId", "=", installationId)
    .where("refusalTold", "=", false)
    .where("refusedSince", "<", sql<Date>`now() - ${loudAfter}`)
    .returning("refusedSince")
    .executeTakeFirst();
  return { ms: Math.max(rows[0]?.ms ?? afterMs, afterMs), loudSince: loud?.refusedSince ?? undefined };
}

/** Returns whether the operator was notified of the refusals before. */
export async function writeTaken(db: Db, installationId: number): Promise<boolean> {
  const { rows } = await sql<{ told: boolean }>`
    with before as (
      select refusal_told as told from write_budget
      where installation_id = ${installationId} and refusals > 0 for update
    ), after as (
      update write_budget set refusals = 0, refused_since = null, refusal_told = false
      where installation_id = ${installationId} and refusals > 0
    )
    select told from before`.execute(db);
  return rows[0]?.told ?? false;
}
