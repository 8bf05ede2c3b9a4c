import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

/** Writes as steps of one statement, and what comes of them, which has them done in this order. */
interface Written {
  readonly steps: readonly RawBuilder<unknown>[];
  readonly outcome: RawBuilder<unknown>;
  /** Throws where the outcome is not what it must be. */
  readonly check?: (outcome: unknown) => void;
}

/** All that can be put off, in the order in which it is written, which is the order of its locks. */
const kinds = [
  "marks",
  "reactions",
  "jobs",
  "poster's jobs",
  "deliveries",
  "job ends",
  "server line",
  "actions",
  "batches",
  "outputs",
  "audit",
] as const;
type Kind = (typeof kinds)[number];

/** What each open transaction has put off. */
const open = new WeakMap<object, Map<Kind, () => Written>>();
const acts = new WeakMap<Tx, (() => void)[]>();

/**
 * Writes of one kind that wait for the end of their transaction, where all kinds are one statement: nobody reads them before, and each
 * statement is a way to the database and back. What reads such rows in a transaction calls `writeNow` for them first, and for no
 * others: who held the audit's head, which is locked last, would wait for rows of those who wait for the head. Without
 * `Store.transaction` nothing is put off.
 */
export function beforeCommit<T>(
  kind: Kind,
  write: (items: readonly T[]) => Written,
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

/** How many rows the steps `name_0`, `name_1` … return. */
export const countOf = (name: string, steps: readonly unknown[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    steps.map((_, index) => sql`(select count(*) from ${sql.raw(`${name}_${index}`)})`),
    sql` + `,
  )})`;

/** Writes what this transaction has put off of these kinds so far, for what is read of it now. Nothing happens outside of one. */
export async function writeNow(db: Db | Tx, ...which: readonly Kind[]): Promise<void> {
  const waiting = open.get(db);
  const due = kinds.filter((kind) => which.includes(kind) && waiting?.has(kind));
  const parts = due.flatMap((kind) => waiting?.get(kind)?.() ?? []);
  for (const kind of due) waiting?.delete(kind);
  if (parts.length > 0) await writeAll(db, parts);
}

async function writeAll(db: Db | Tx, parts: readonly Written[]): Promise<void> {
  const outcomes = parts.map(({ outcome }, index) => sql`${outcome} as ${sql.raw(`part${index}`)}`);
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    with recursive ${sql.join(parts.flatMap(({ steps }) => steps))} select ${sql.join(outcomes)}`.execute(db);
  for (const [index, { check }] of parts.entries()) check?.(rows[0]?.[`part${index}`]);
}

/** Does `work` in a transaction that has begun, and writes last what it put off. Nothing is put off once it has ended. */
export async function writingLast<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  open.set(tx, new Map());
  try {
    const result = await work();
    await writeNow(tx, ...kinds);
    return result;
  } finally {
    open.delete(tx);
  }
}

/** Has `act` done once `tx` has committed, and never if it does not. Works on transactions of `Store.transaction`. */
export function afterCommit(tx: Tx, act: () => void): void {
  const waiting = acts.get(tx);
  if (waiting) waiting.push(act);
  else acts.set(tx, [act]);
}

/** Does what was put off until `tx` had committed. */
export function runAfterCommit(tx: Tx): void {
  for (const act of acts.get(tx) ?? []) act();
  acts.delete(tx);
}
