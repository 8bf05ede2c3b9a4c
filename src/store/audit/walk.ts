import { sql } from "kysely";
import type { Db } from "../database/connection.ts";
import { beginning, type Row, type Verification, verifyAudit } from "./chain.ts";

/** Rows that one look walks at most: some seconds, in which others are served. */
const mostRowsAtOnce = 250_000;

/**
 * Looks at the chain again and again without walking all of it each time: what held at an earlier look is only counted, and the
 * walk goes on behind it (SR-64). A row that was changed since is found by whoever looks at that row itself (`changedRow`), or by
 * a walk of the whole. Never says that it holds where a part was not walked.
 */
export function createChainWalk(db: () => Db, mostRows = mostRowsAtOnce): () => Promise<Verification> {
  let walked = beginning;
  return async () => {
    const from = (await stands(db(), walked)) ? walked : beginning;
    const found = await verifyAudit(db(), { from, mostRows });
    walked = found.ok ? { seq: found.rows, hash: found.head } : (found.reached ?? beginning);
    return found;
  };
}

/** Whether that row is there as it was, with as many before it as there were. */
async function stands(db: Db, { seq, hash }: Row): Promise<boolean> {
  if (seq === 0) return true;
  const { count } = await db
    .selectFrom("audit")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("seq", "<=", seq)
    .executeTakeFirstOrThrow();
  const row = await db.selectFrom("audit").select("hash").where("seq", "=", seq).executeTakeFirst();
  return count === seq && row?.hash === hash;
}
