import { type RawBuilder, sql } from "kysely";
import type { Db } from "./database/connection.ts";

interface Moments {
  readonly past: readonly string[];
  /** Moments to come, moved with the first past one. */
  readonly withFirst?: readonly string[];
  /** They bound waits, so they move even if the clock is behind. */
  readonly areWaits?: true;
  /** Checked all the time, because people wait for them; an index or few rows make that cheap. */
  readonly watched?: RawBuilder<unknown>;
}

/**
 * All past: one still to come was set under a clock that was ahead. Moments of GitHub's clock (`createClock`) are not here. A moment that
 * bounds an approval only moves back, so that it gains no time (RR-16).
 */
export const moments: Readonly<Record<string, Moments>> = {
  job: { past: ["set_at", "alive_at"], withFirst: ["due_at"], areWaits: true, watched: sql`true` },
  delivery: { past: ["received_at"] },
  incident: { past: ["created_at", "closed_at", "undrawn_since"] },
  session: { past: ["created_at"] },
  turn: { past: ["created_at"] },
  action: { past: ["created_at"], watched: sql`state = 'proposed'` },
  approval: { past: ["created_at", "withdrawn_at"] },
  person_prompt: { past: ["awaits_since"] },
  batch: { past: ["created_at", "ended_at", "read_at"] },
  run: { past: ["started_at", "ended_at", "seen_at", "asked_at", "continued_at"] },
  server_line: { past: ["asked_at", "seen_at"] },
  comment: { past: ["created_at", "posted_at"] },
  hold: { past: ["held_at", "lifted_at"], watched: sql`true` },
  // A pause sets `refilled_at`.
  write_budget: {
    past: ["refilled_at", "refused_since", "late_at"],
    withFirst: ["paused_until"],
    areWaits: true,
    watched: sql`true`,
  },
  write_share: { past: ["refilled_at"] },
  write_wait: { past: ["since"], withFirst: ["until"], areWaits: true },
  lease: { past: ["on_at", "off_at"] },
  schedule_run: { past: ["started_at", "ended_at"] },
  usage: { past: ["at"] },
  notice: { past: ["at"] },
  question: { past: ["asked_at", "answered_at"] },
  hypothesis: { past: ["changed_at"] },
  pull_request: { past: ["looked_at", "opened_at"] },
  alert: { past: ["fired_at", "resolved_at", "told_since", "seen_at", "created_at"] },
  incident_changes: { past: ["told_at"] },
};

/** Always so close that a later one was set under a clock that was ahead. */
export const soonDue = {
  comment: { column: "due_at", withinMs: 20_000, watched: sql`version > posted_version and parked is null` },
  label: { column: "due_at", withinMs: 15_000, watched: sql`true` },
  // By GitHub's clock, which the store's may stay behind.
  poll: { column: "held_until", withinMs: 60_000, watched: sql`false` },
} as const satisfies Readonly<Record<string, DueColumn>>;

interface DueColumn {
  readonly column: string;
  readonly withinMs: number;
  readonly watched: RawBuilder<unknown>;
}

/** Covers two machines' clocks and a slow statement. */
const toleranceMs = 2_000;

/** In ms. */
export const databaseTime = (db: Db): Promise<number> =>
  databaseTimeBy(async (text) => (await sql.raw(text).execute(db)).rows);

/** Needs none of `db`'s connections. */
export async function databaseTimeBy(query: (text: string) => Promise<readonly unknown[]>): Promise<number> {
  const [row] = await query("select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms");
  return (row as { readonly ms: number } | undefined)?.ms ?? Number.NaN;
}

export const msUntil = (at: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${at} - now()) * 1000)::float8`;

/** Whether a row that people wait for was set under a clock that was ahead. A jump between two checks of the clock shows only there. */
export async function isAnythingAhead(db: Db): Promise<boolean> {
  const tolerance = sql`${toleranceMs} * interval '1 millisecond'`;
  const past = Object.entries(moments).flatMap(([table, { past, watched }]) =>
    watched === undefined
      ? []
      : [sql`exists (select from ${sql.table(table)} where ${watched} and ${newestOf(past)} > now() + ${tolerance})`],
  );
  const soon = Object.entries(soonDue).map(
    ([table, { column, withinMs, watched }]) => sql`exists (select from ${sql.table(table)} where ${watched}
      and ${sql.ref(column)} > now() + ${withinMs} * interval '1 millisecond' + ${tolerance})`,
  );
  const { rows } = await sql<{ is: boolean }>`select ${sql.join([...past, ...soon], sql` or `)} as is`.execute(db);
  return rows[0]?.is === true;
}

const newestOf = (columns: readonly string[]) => sql`greatest(${sql.join(columns.map((name) => sql.ref(name)))})`;

export interface MovedMoments {
  readonly byMs: number;
  readonly rows: number;
}

/**
 * Moves back what was set under a clock that was ahead, all by the newest moment's lead, so that the order stays. If the clock is behind,
 * moves only waits: the rest was set under a right clock. Returns undefined if nothing moved.
 */
export async function setClockRight(db: Db, isBehind = false): Promise<MovedMoments | undefined> {
  const moved = Object.entries(moments).filter(([, { areWaits }]) => areWaits || !isBehind);
  const newest = moved.map(([table, { past }]) => sql`(select max(${newestOf(past)}) from ${sql.table(table)})`);
  const { rows: lead } = await sql<{ ms: number | null }>`
    select (extract(epoch from greatest(${sql.join(newest)}) - now()) * 1000)::float8 as ms`.execute(db);
  const byMs = lead[0]?.ms ?? 0;
  const by = sql`(${Math.max(byMs, 0)}::float8 * interval '1 millisecond')`;
  const isAhead = sql`now() + ${toleranceMs} * interval '1 millisecond'`;
  let rows = 0;
  // One transaction over all tables would wait for all others.
  if (byMs > toleranceMs)
    for (const [table, { past, withFirst = [] }] of moved) {
      const columns = past.map((name) => sql.ref(name));
      const [first] = columns;
      const movedPast = columns.map(
        (column) => sql`${column} = case when ${column} > now() then ${column} - ${by} else ${column} end`,
      );
      const movedWith = withFirst.map((name) => {
        const column = sql.ref(name);
        return sql`${column} = case when ${first} > now() then ${column} - ${by} else ${column} end`;
      });
      rows += await changed(
        db,
        sql`update ${sql.table(table)} set ${sql.join([...movedPast, ...movedWith])}
          where ${newestOf(past)} > now()`,
      );
    }
  for (const [table, { column, withinMs }] of Object.entries(soonDue)) {
    const latest = sql`now() + ${withinMs} * interval '1 millisecond'`;
    rows += await changed(
      db,
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${latest} where ${sql.ref(column)} > ${latest} and ${sql.ref(column)} > ${isAhead}`,
    );
  }
  return rows > 0 ? { byMs: Math.round(Math.max(byMs, 0)), rows } : undefined;
}

async function changed(db: Db, update: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await update.execute(db);
  return Number(numAffectedRows ?? 0);
}
