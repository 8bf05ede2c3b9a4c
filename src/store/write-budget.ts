import { type Generated, sql } from "kysely";
import type { Db } from "./database.ts";

/** What may still be written to GitHub for each installation, over all processes. `migrations.ts` makes the table. */
export const budgetTables: readonly string[] = [
  `create table write_budget (
    installation_id bigint primary key,
    minute double precision not null,
    hour double precision not null,
    refilled_at timestamptz not null default now(),
    paused_until timestamptz
  )`,
];

export interface WriteBudgetTable {
  installationId: number;
  minute: number;
  hour: number;
  refilledAt: Generated<Date>;
  pausedUntil: Date | null;
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
 * Takes one write from the installation's token buckets (RR-08): nothing where it may be made now, else in how many
 * milliseconds to ask again. By the store's clock; one that goes back gives nothing and takes nothing.
 */
export async function takeWrite(db: Db, { installationId, perMinute, urgency }: Write): Promise<number | undefined> {
  const minuteMax = perMinute / 2;
  const hourMax = minuteMax * hourPerMinute;
  const reserve = reserves[urgency];
  const left = { minute: minuteMax * reserve.minute, hour: hourMax * reserve.hour };
  const refilled = (column: "minute" | "hour", max: number, seconds: number) =>
    sql<number>`least(${max}::float8, budget.${sql.ref(column)}
      + greatest(0, extract(epoch from now() - budget.refilled_at))::float8 * ${max / seconds}::float8)`;
  const minute = refilled("minute", minuteMax, 60);
  const hour = refilled("hour", hourMax, 3_600);
  const { rows: taken } = await sql`
    insert into write_budget as budget (installation_id, minute, hour)
    values (${installationId}, ${minuteMax - 1}, ${hourMax - 1})
    on conflict (installation_id) do update set minute = ${minute} - 1, hour = ${hour} - 1, refilled_at = now()
    where ${minute} >= ${1 + left.minute} and ${hour} >= ${1 + left.hour}
      and coalesce(budget.paused_until <= now(), true)
    returning 1`.execute(db);
  if (taken.length > 0) return undefined;
  const { rows } = await sql<{ minute: number; hour: number; paused: number }>`
    select ${minute} as minute, ${hour} as hour,
      coalesce(extract(epoch from budget.paused_until - now()), 0)::float8 as paused
    from write_budget budget where installation_id = ${installationId}`.execute(db);
  const [now] = rows;
  if (!now) return 0;
  const seconds = Math.max(
    now.paused,
    ((1 + left.minute - now.minute) * 60) / minuteMax,
    ((1 + left.hour - now.hour) * 3_600) / hourMax,
  );
  return Math.max(Math.ceil(seconds * 1_000), 1);
}

/** GitHub wants a pause of this installation: nothing is written for it until then, by any process (F-10). */
export async function pauseWrites(db: Db, installationId: number, milliseconds: number): Promise<void> {
  const until = sql<Date>`now() + ${milliseconds / 1_000} * interval '1 second'`;
  await db
    .insertInto("writeBudget")
    .values({ installationId, minute: 0, hour: 0, pausedUntil: until })
    .onConflict((conflict) =>
      conflict.column("installationId").doUpdateSet({
        pausedUntil: sql<Date>`greatest(write_budget.paused_until, excluded.paused_until)`,
      }),
    )
    .execute();
}
