import { type Generated, type RawBuilder, sql } from "kysely";
import type { Db } from "../database/open.ts";
import { attemptAt, lockTried } from "./attempts.ts";
import type { OutboxComment } from "./wanted.ts";

/** What may still be written to GitHub for each installation, over all processes. */
export interface WriteBudgetTable {
  installationId: number;
  minute: number;
  hour: number;
  refilledAt: Generated<Date>;
  pausedUntil: Date | null;
  /** Pauses in a row without a write that GitHub took in between. */
  refusals: Generated<number>;
  refusedSince: Date | null;
  /** Whether the operator was told of it. */
  refusalTold: Generated<boolean>;
  /** When a comment last had waited long for its turn. */
  lateAt: Date | null;
}

/** GitHub takes 80 writes a minute and 500 an hour of one installation; the hour follows the minute where that is set. */
const hourPerMinute = 500 / 80;

/** Who must leave how much of a minute's and an hour's writes to what people wait for (RR-08). */
const reserves = {
  /** What notifies: a new comment. */
  news: { minute: 0, hour: 0 },
  /** An edit or a reaction. */
  upkeep: { minute: 1 / 3, hour: 1 / 10 },
  /** Folding what is over, and labels. */
  cosmetic: { minute: 2 / 3, hour: 1 / 3 },
} as const;
export type Urgency = keyof typeof reserves;

export interface Write {
  readonly installationId: number;
  /** Of one installation; a bucket holds half of it and gets half of it a minute, so that no minute sees more. */
  readonly perMinute: number;
  readonly urgency: Urgency;
}

/**
 * `refused`: GitHub has refused the writes before this one; call `writeTaken` if it takes it. `attempts`: at the
 * comment that it is for. `gone`: that is to be made anew meanwhile, and nothing is taken.
 */
type Taken =
  | { readonly kind: "go"; readonly refused: boolean; readonly attempts: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "gone" };

/**
 * Takes one write from the installation's token buckets (RR-08), or says in how many milliseconds to ask again. By the store's clock;
 * one that goes back gives nothing and takes nothing. With it an attempt at a comment is begun, where it is for one.
 */
export async function takeWrite(
  db: Db,
  { installationId, perMinute, urgency }: Write,
  comment?: OutboxComment,
): Promise<Taken> {
  const minuteMax = perMinute / 2;
  const hourMax = minuteMax * hourPerMinute;
  const reserve = reserves[urgency];
  const left = { minute: minuteMax * reserve.minute, hour: hourMax * reserve.hour };
  const refilled = (column: "minute" | "hour", max: number, seconds: number) =>
    sql<number>`least(${max}::float8, budget.${sql.ref(column)}
      + greatest(0, extract(epoch from now() - budget.refilled_at))::float8 * ${max / seconds}::float8)`;
  const minute = refilled("minute", minuteMax, 60);
  const hour = refilled("hour", hourMax, 3_600);
  // Whoever holds the comment is waited for before the budget is held, which others wait for.
  const { rows: found } = await sql<{ refused: boolean | null; attempts: number | null }>`
    with locked as (${comment ? lockTried(comment) : sql`select true`}),
    taken as (insert into write_budget as budget (installation_id, minute, hour)
    select ${installationId}, ${minuteMax - 1}::float8, ${hourMax - 1}::float8 from locked
    on conflict (installation_id) do update set minute = ${minute} - 1, hour = ${hour} - 1, refilled_at = now()
    where ${minute} >= ${1 + left.minute} and ${hour} >= ${1 + left.hour}
      and coalesce(budget.paused_until <= now(), true)
    returning refusals > 0 as refused)${comment ? sql`, begun as (${attemptAt(comment)})` : sql``}
    select (select refused from taken) as refused, ${comment ? sql`(select attempts from begun)` : sql`0`} as attempts
    from locked`.execute(db);
  const [taken] = found;
  if (!taken) return { kind: "gone" };
  if (taken.refused !== null) return { kind: "go", refused: taken.refused, attempts: taken.attempts ?? 0 };
  const { rows } = await sql<{ minute: number; hour: number; paused: number }>`
    with late as (update write_budget set late_at = now() where installation_id = ${installationId}
      and coalesce(late_at < now() - ${lateAfter}, true)
      and exists (select from comment where id = ${comment?.id ?? null}::uuid and due_at < now() - ${lateAfter}))
    select ${minute} as minute, ${hour} as hour,
      coalesce(extract(epoch from budget.paused_until - now()), 0)::float8 as paused
    from write_budget budget where installation_id = ${installationId}`.execute(db);
  const [now] = rows;
  if (!now) return { kind: "wait", ms: 0 };
  const seconds = Math.max(
    now.paused,
    ((1 + left.minute - now.minute) * 60) / minuteMax,
    ((1 + left.hour - now.hour) * 3_600) / hourMax,
  );
  return { kind: "wait", ms: Math.max(Math.ceil(seconds * 1_000), 1) };
}

/** What has waited for so long comes late, and the boards that are drawn within a while say so. */
const lateAfter = sql`interval '10 seconds'`;
export const lateForMs = 60_000;

/** Whether comments of the installation come late because of what may be written a minute. */
export const isLate = (installationId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from write_budget where installation_id = ${installationId}
    and late_at > now() - ${lateForMs} * interval '1 millisecond')`;

/** How long GitHub wants nothing more written for an installation, and whether it has said so itself. */
export interface WriteRefusal {
  readonly installationId: number;
  readonly afterMs: number;
  readonly isTold: boolean;
}

/** What GitHub refuses again and again without a word on when is asked for so seldom at last. */
const longestPauseSeconds = 15 * 60;
/** A refusal that nobody has met again for so long after its pause is over: perhaps nothing was to be written any more. */
export const refusalFadesAfter = sql`interval '20 minutes'`;
/** Whoever is refused for so long is refused for a reason that only a person can fix. */
const loudAfter = sql`interval '10 minutes'`;

/**
 * GitHub wants a pause of this installation: nothing is written for it until then, by any process (F-10). Where it has not said how
 * long, each pause in a row is twice as long as the one before and a little longer, so that not all come back at once (RR-08).
 * Returns for how long.
 */
export async function pauseWrites(db: Db, { installationId, afterMs, isTold }: WriteRefusal): Promise<number> {
  const seconds = afterMs / 1_000;
  // What was under way together is refused together, and once.
  const isFaded = sql`budget.paused_until < now() - ${refusalFadesAfter}`;
  const inARow = sql`case when budget.paused_until > now() then budget.refusals when ${isFaded} then 1 else budget.refusals + 1 end`;
  const grown = sql`least(${seconds}::float8 * 2 ^ least((${inARow}) - 1, 20), ${longestPauseSeconds}::float8) * (1 + random() / 4)`;
  const first = isTold ? sql`${seconds}::float8` : sql`${seconds}::float8 * (1 + random() / 4)`;
  const { rows } = await sql<{ ms: number }>`
    insert into write_budget as budget (installation_id, minute, hour, refusals, refused_since, paused_until)
    values (${installationId}, 0, 0, 1, now(), now() + ${first} * interval '1 second')
    -- Refilled or not: it tells under which clock the pause was set.
    on conflict (installation_id) do update set refusals = ${inARow}, refilled_at = now(),
      refused_since = case when ${isFaded} then now() else coalesce(budget.refused_since, now()) end,
      refusal_told = budget.refusal_told and not coalesce(${isFaded}, false),
      paused_until = greatest(budget.paused_until,
        now() + ${isTold ? sql`${seconds}::float8` : grown} * interval '1 second')
    returning (extract(epoch from paused_until - now()) * 1000)::float8 as ms`.execute(db);
  return Math.max(rows[0]?.ms ?? afterMs, afterMs);
}

/** Since when GitHub has refused all that was to be written for an installation, where that is long ago; once, to whoever asks first. */
export async function longRefused(db: Db, installationId: number): Promise<Date | undefined> {
  const row = await db
    .updateTable("writeBudget")
    .set({ refusalTold: true })
    .where("installationId", "=", installationId)
    .where("refusalTold", "=", false)
    .where("refusedSince", "<", sql<Date>`now() - ${loudAfter}`)
    .returning("refusedSince")
    .executeTakeFirst();
  return row?.refusedSince ?? undefined;
}

/** GitHub has taken a write of this installation. True where it had refused them for so long that it was told. */
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
