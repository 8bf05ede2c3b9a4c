import { sql } from "kysely";
import type { Store } from "./open.ts";

/** Others do not wait long for one statement. */
const atOnce = 200;

export interface RemovedCounts {
  readonly outputs: number;
  readonly deliveries: number;
}

/**
 * Removes texts of outputs that ended before `outputsBefore`, and served deliveries received before `deliveriesBefore`. Command, ending,
 * hashes and audit stay. `why` answers a request for a removed output.
 */
export async function removeOld(
  store: Pick<Store, "db" | "transaction">,
  given: { readonly outputsBefore: Date; readonly deliveriesBefore: Date; readonly why: string },
): Promise<RemovedCounts> {
  const outputs = await inParts(() =>
    store.transaction(async (tx) => {
      const old = await tx
        .selectFrom("run")
        .select("id")
        .where("endedAt", "<", given.outputsBefore)
        // By GitHub's clock, because this machine's may have been behind.
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("action")
              .whereRef("id", "=", "run.actionId")
              .where("expiresAt", "<", given.outputsBefore)
              .select("id"),
          ),
        )
        // A process that died while it wrote left parts without an output.
        .where(({ or, exists, selectFrom }) =>
          or([
            exists(
              selectFrom("output").whereRef("runId", "=", "run.id").where("draft", "is not", null).select("runId"),
            ),
            exists(selectFrom("outputPart").whereRef("runId", "=", "run.id").select("runId")),
          ]),
        )
        .limit(atOnce)
        .execute();
      const ids = old.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await tx.deleteFrom("outputPart").where("runId", "in", ids).execute();
      await tx
        .updateTable("output")
        .set({ draft: null, withheld: given.why, excerpt: "" })
        .where("runId", "in", ids)
        .execute();
      return ids.length;
    }),
  );
  // Later positions are as young, even if the clock was behind.
  const { rows } = await sql<{ position: number | null }>`
    select min(position)::float8 as position from delivery where received_at >= ${given.deliveriesBefore}`.execute(
    store.db,
  );
  const first = rows[0]?.position ?? Number.MAX_SAFE_INTEGER;
  const deliveries = await inParts(async () => {
    const { rows: gone } = await sql`
    delete from delivery where guid in (
      select guid from delivery where state <> 'stored' and received_at < ${given.deliveriesBefore} and position < ${first} limit ${atOnce}
    ) returning 1`.execute(store.db);
    return gone.length;
  });
  await inParts(async () => {
    // A share of the write budget is whole again within the hour, and no row says the same.
    const { rows: gone } = await sql`
    delete from write_share where (installation_id, share) in (
      select installation_id, share from write_share where refilled_at < now() - interval '1 day' limit ${atOnce}
    ) returning 1`.execute(store.db);
    return gone.length;
  });
  return { outputs, deliveries };
}

async function inParts(remove: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const removed = await remove();
    all += removed;
    if (removed < atOnce) return all;
  }
}
