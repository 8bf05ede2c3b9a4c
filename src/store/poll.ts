import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Store } from "./database/open.ts";
import type { Tables } from "./database/tables.ts";

export type PollRow = Selectable<Tables["poll"]>;

/**
 * Returns undefined while another process has the repository. The first reading begins a minute ago, because GitHub's clock is not ours.
 */
export async function holdPoll(
  { db, kind }: Pick<Store, "db" | "kind">,
  {
    repo,
    holder,
    now,
    until,
  }: { readonly repo: string; readonly holder: string; readonly now: Date; readonly until: Date },
): Promise<PollRow | undefined> {
  const since = new Date(Math.floor(now.getTime() / 1_000) * 1_000 - 60_000);
  return db
    .insertInto("poll")
    .values({
      repo: repo.toLowerCase(),
      holder,
      heldUntil: until,
      since,
      readAt: null,
      standing: null,
      lastPush: null,
    })
    .onConflict((conflict) =>
      conflict
        .column("repo")
        .doUpdateSet({ holder, heldUntil: until })
        .where((eb) =>
          eb.or([
            eb("poll.holder", "is", null),
            eb("poll.holder", "=", holder),
            eb("poll.heldUntil", "<", now),
            // An embedded store has one process.
            eb.lit(kind === "embedded"),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst();
}

/** `since` never goes back, even for a late process. */
export async function keepPoll(
  db: Db | Tx,
  row: Pick<PollRow, "repo" | "since" | "readAt" | "standing" | "standings" | "lastPush">,
): Promise<void> {
  const { repo, since, ...read } = row;
  await db
    .updateTable("poll")
    .set({ ...read, since: sql<Date>`greatest(since, ${since})` })
    .where("repo", "=", repo.toLowerCase())
    .execute();
}

export async function releasePolls(db: Db, holder: string): Promise<void> {
  await db.updateTable("poll").set({ holder: null, heldUntil: null }).where("holder", "=", holder).execute();
}

/** When GitHub was last read to its end. */
export async function polledAt(db: Db | Tx, repo: string): Promise<Date | undefined> {
  const row = await db.selectFrom("poll").select("readAt").where("repo", "=", repo.toLowerCase()).executeTakeFirst();
  return row?.readAt ?? undefined;
}
