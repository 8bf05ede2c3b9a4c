import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import { revived } from "./database/json-rows.ts";
import type { Tables } from "./database/schema.ts";
import { type Hold, type HoldPlace, wholeRepository } from "./holds.ts";

type Halt = Selectable<Tables["halt"]>;

/** The last word on each scope. */
export async function haltsIn(db: Db | Tx): Promise<readonly Halt[]> {
  return db.selectFrom("halt").selectAll().orderBy("scope").execute();
}

/** What stops commands on an incident. */
export interface Stops {
  /** As `haltsIn` reads them. */
  readonly halts: readonly Halt[];
  /** As `holdsOn` does. */
  readonly holds: readonly Hold[];
}

/** Reads both in one statement. */
export async function stopsOn(db: Db | Tx, { repoId, issue }: HoldPlace): Promise<Stops> {
  const { rows } = await sql<{ halts: readonly Halt[]; holds: readonly object[] }>`select
    (select coalesce(json_agg(h order by scope), '[]') from halt h) as halts,
    (select coalesce(json_agg(h order by issue desc), '[]') from hold h
      where repo_id = ${repoId} and issue in (${issue}, ${wholeRepository})) as holds`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the store told nothing of halts and holds");
  // The columns are those of the table whose rows they are.
  return { halts: row.halts, ...(revived({ holds: row.holds }) as { holds: readonly Hold[] }) };
}

export async function writeHaltTable(tx: Tx, halt: Halt): Promise<void> {
  await tx
    .insertInto("halt")
    .values(halt)
    .onConflict((conflict) => conflict.column("scope").doUpdateSet(halt))
    .execute();
}
