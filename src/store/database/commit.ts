import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

/** Steps of one statement; reading their outcome makes PostgreSQL run them in order. */
interface PutOffWrite {
  readonly steps: readonly RawBuilder<unknown>[];
  readonly outcome: RawBuilder<unknown>;
  readonly check?: (outcome: unknown) => void;
}

/** In the order they are written, which is the order of their locks. */
const kinds = [
  "marks",
  "reactions",
  "jobs",
  "poster's jobs",
  "deliveries",
  "job ends",
  "server line",
  "actions",
  "approvals",
  "batches",
  "outputs",
  "audit",
] as const;
type WriteKind = (typeof kinds)[number];

const open = new WeakMap<object, Map<WriteKind, () => PutOffWrite>>();
const acts = new WeakMap<Tx, (() => void)[]>();

/**
 * Puts writes off to the transaction's end, where one statement writes all kinds in one round trip. Readers of such rows first call
 * `writeNow`, for these kinds only: locking the audit head early deadlocks with a transaction that waits for it. Outside
 * `Store.transaction` nothing is put off.
 */
export function beforeCommit<T>(
  kind: WriteKind,
  write: (items: readonly T[]) => PutOffWrite,
): (tx: Tx, item: T) => Promise<void> {
  const items = new WeakMap<Tx, T[]>();
  return async (tx, item) => {
    const waiting = open.get(tx);
    if (!waiting) return writeAll(tx, [write([item])]);
    const mine = items.get(tx) ?? [];
    items.set(tx, mine);
    mine.push(item);
    waiting.set(kind, () => write(mine.splice(0)));
  };
}

/** Counts the rows of the steps `name_0`, `name_1` … */
export const countOf = (name: string, steps: readonly unknown[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    steps.map((_, index) => sql`(select count(*) from ${sql.raw(`${name}_${index}`)})`),
    sql` + `,
  )})`;

/** Writes what was put off of these kinds, so that it can be read. Does nothing outside a transaction. */
export async function writeNow(db: Db | Tx, ...which: readonly WriteKind[]): Promise<void> {
  const waiting = open.get(db);
  const due = kinds.filter((kind) => which.includes(kind) && waiting?.has(kind));
  const parts = due.flatMap((kind) => waiting?.get(kind)?.() ?? []);
  for (const kind of due) waiting?.delete(kind);
  if (parts.length > 0) await writeAll(db, parts);
}

async function writeAll(db: Db | Tx, parts: readonly PutOffWrite[]): Promise<void> {
  const outcomes = parts.map(({ outcome }, index) => sql`${outcome} as ${sql.raw(`part${index}`)}`);
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    with recursive ${sql.join(parts.flatMap(({ steps }) => steps))} select ${sql.join(outcomes)}`.execute(db);
  for (const [index, { check }] of parts.entries()) check?.(rows[0]?.[`part${index}`]);
}

/** Runs `act` only if `tx`, of `Store.transaction`, commits. */
export function afterCommit(tx: Tx, act: () => void): void {
  const waiting = acts.get(tx);
  if (waiting) waiting.push(act);
  else acts.set(tx, [act]);
}

/** Runs `work`, writes what it put off, commits, and does what waited for the commit. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let committed: Tx | undefined;
  const result = await db.transaction().execute(async (tx) => {
    committed = tx;
    open.set(tx, new Map());
    try {
      const done = await work(tx);
      await writeNow(tx, ...kinds);
      return done;
    } finally {
      open.delete(tx);
    }
  });
  if (!committed) return result;
  for (const act of acts.get(committed) ?? []) act();
  acts.delete(committed);
  return result;
}
