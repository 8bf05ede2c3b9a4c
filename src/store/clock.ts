import { type RawBuilder, sql } from "kysely";
import type { Db } from "./database/connection.ts";

/** The moments of a table's rows. */
interface Moments {
  readonly past: readonly string[];
  /** Moments to come, which are moved with the first of those. */
  readonly withFirst?: readonly string[];
  /** They only bound waits, so they are moved even if the clock is behind. */
  readonly areWaits?: true;
  /** The rows that are checked all the time, because people wait for them; an index or their number makes that cheap. */
  readonly watched?: RawBuilder<unknown>;
}

/**
 * The moments of the store that are past: if one of them is still to come, it was set under a clock that was ahead. Moments to come of
 * the same row are moved with it. Moments of the clock that GitHub sets (`createClock`) stay as they are. A moment that bounds an
 * approval is only ever moved back, so that it gains no time (RR-16).
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
  batch: { past: ["created_at", "ended_at"] },
  run: { past: ["started_at", "ended_at", "seen_at", "asked_at", "continued_at"] },
  server_line: { past: ["asked_at", "seen_at"] },
  comment: { past: ["created_at", "posted_at"] },
  hold: { past: ["held_at", "lifted_at"], watched: sql`true` },
  // A pause sets when it was refilled.
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
  alert: { past: ["fired_at", "resolved_at", "told_since", "seen_at", "created_at"] },
  incident_changes: { past: ["told_at"] },
};

/** Moments that are always so close that a later one was set under a clock that was ahead. */
export const soonDue = {
  comment: { column: "due_at", withinMs: 15_000, watched: sql`version > posted_version and parked is null` },
  label: { column: "due_at", withinMs: 15_000, watched: sql`true` },
  // By the clock that GitHub sets: the store's may stay behind it.
  poll: { column: "held_until", withinMs: 60_000, watched: sql`false` },
} as const satisfies Readonly<Record<string, DueColumn>>;

interface DueColumn {
  readonly column: string;
  readonly withinMs: number;
  /** The rows that are checked all the time. */
  readonly watched: RawBuilder<unknown>;
}

/** How far the clocks of two machines, and a slow statement, may differ. */
const toleranceMs = 2_000;

/** The store's own clock, in ms. */
export const databaseTime = (db: Db): Promise<number> =>
  databaseTimeBy(async (text) => (await sql.raw(text).execute(db)).rows);

/** The same by another way to the database, for a caller that must not wait for one of `db`'s connections. */
export async function databaseTimeBy(query: (text: string) => Promise<readonly unknown[]>): Promise<number> {
  const [row] = await query("select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms");
  return (row as { readonly ms: number } | undefined)?.ms ?? Number.NaN;
}

/** How many ms are left until a moment of the store's clock. */
export const msUntil = (at: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${at} - now()) * 1000)::float8`;

/**
 * Whether a row that people wait for was set under a clock that was ahead: a jump that ended between two checks of the clock shows only
 * there.
 */
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
 * Moves back what was set under a clock that was ahead: everything by as much as the newest moment is still to come, so that the order
 * stays, and waits are no longer than was meant. If the clock is behind, only waits move: all else was set under a clock that was right,
 * and will be right again. Undefined if nothing is to be moved.
 */
export async function setClockRight(db: Db, isBehind = false): Promise<MovedMoments | undefined> {
  const moved = Object.entries(moments).filter(([, { areWaits }]) => areWaits || !isBehind);
  const byMs = await aheadBy(db, moved);
  const by = sql`(${Math.max(byMs, 0)}::float8 * interval '1 millisecond')`;
  const isAhead = sql`now() + ${toleranceMs} * interval '1 millisecond'`;
  let rows = 0;
  // One after another: each is right by itself, and one transaction over all of them would wait for all others.
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

async function aheadBy(db: Db, of: readonly (readonly [string, Moments])[]): Promise<number> {
  const newest = of.map(([table, { past }]) => sql`(select max(${newestOf(past)}) from ${sql.table(table)})`);
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from greatest(${sql.join(newest)}) - now()) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? 0;
}

async function changed(db: Db, update: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await update.execute(db);
  return Number(numAffectedRows ?? 0);
}
