import { type Selectable, sql } from "kysely";
import type { PullRequestState } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type PullRequestRow = Selectable<Tables["pullRequest"]>;

/** Records what an action opened. The first row of an action stands. */
export async function addPullRequest(
  tx: Tx,
  row: Pick<PullRequestRow, "actionId" | "incidentId" | "number" | "url">,
): Promise<void> {
  await tx
    .insertInto("pullRequest")
    .values({ ...row, seen: null, lookedAt: null })
    .onConflict((conflict) => conflict.column("actionId").doNothing())
    .execute();
}

/**
 * Takes those that are open, were opened since, and that nobody has looked at for `everyMs`, so that of several processes one looks at each.
 * The longest unseen come first.
 */
export async function takePullRequests(
  db: Db,
  { openedSince, everyMs, most }: { readonly openedSince: Date; readonly everyMs: number; readonly most: number },
): Promise<readonly PullRequestRow[]> {
  const due = db
    .selectFrom("pullRequest")
    .select("actionId")
    .where("state", "=", "open")
    .where("openedAt", ">", openedSince)
    .where(({ or, eb }) =>
      or([
        eb("lookedAt", "is", null),
        eb("lookedAt", "<", sql<Date>`now() - make_interval(secs => ${everyMs / 1000})`),
      ]),
    )
    .orderBy(sql`looked_at nulls first`)
    .limit(most)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable("pullRequest")
    .set({ lookedAt: sql<Date>`now()` })
    .where("actionId", "in", due)
    .returningAll()
    .execute();
}

/** Stores what GitHub shows now; false if it is what was seen before. */
export async function seePullRequest(tx: Tx, actionId: string, seen: PullRequestState): Promise<boolean> {
  const changed = await tx
    .updateTable("pullRequest")
    .set({ seen: JSON.stringify(seen), state: seen.state })
    .where("actionId", "=", actionId)
    .where("state", "=", "open")
    .where(sql<boolean>`seen is distinct from ${JSON.stringify(seen)}::jsonb`)
    .returning("actionId")
    .execute();
  return changed.length > 0;
}
