import type { Selectable } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/schema.ts";

type Halt = Selectable<Tables["halt"]>;

/** The last word on each scope. */
export async function haltsIn(db: Db | Tx): Promise<readonly Halt[]> {
  return db.selectFrom("halt").selectAll().orderBy("scope").execute();
}

export async function writeHaltTable(tx: Tx, halt: Halt): Promise<void> {
  await tx
    .insertInto("halt")
    .values(halt)
    .onConflict((conflict) => conflict.column("scope").doUpdateSet(halt))
    .execute();
}
