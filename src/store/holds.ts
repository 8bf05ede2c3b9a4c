import { type Selectable, sql } from "kysely";
import type { Person } from "../base/github.ts";
import { type Db, hasChanged, revived, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type Hold = Selectable<Tables["hold"]>;

/** `issue` 0 is every incident of the repository. */
export interface HoldPlace {
  readonly repoId: number;
  readonly issue: number;
}

export const wholeRepository = 0;

export const holdPlaceOf = (incident: { readonly repoId: number; readonly number: number }): HoldPlace => ({
  repoId: incident.repoId,
  issue: incident.number,
});

/** The incident's last hold, then the repository's, standing or lifted. */
export async function holdsOn(
  db: Db | Tx,
  incident: { readonly repoId: number; readonly number: number },
): Promise<readonly Hold[]> {
  return db
    .selectFrom("hold")
    .selectAll()
    .where("repoId", "=", incident.repoId)
    .where("issue", "in", [incident.number, wholeRepository])
    .orderBy("issue", "desc")
    .execute();
}

export const isWhole = (hold: HoldPlace): boolean => hold.issue === wholeRepository;

export const isStanding = (hold: Hold): boolean => hold.liftedAt === null;

/**
 * Returns the standing hold. One that stood before keeps its person and time, and only gains `kill`. `changed` is false if the same comment
 * placed it before.
 */
export async function placeHold(
  tx: Tx,
  place: HoldPlace,
  given: { readonly person: Person; readonly commentId: number; readonly kill: boolean },
): Promise<{ readonly hold: Hold; readonly changed: boolean }> {
  const { person, commentId, kill } = given;
  const fresh = {
    personId: person.id,
    login: person.login,
    commentId,
    kill,
    heldAt: sql<Date>`now()`,
    liftedAt: null,
    liftedBy: null,
  };
  const placed = await tx
    .insertInto("hold")
    .values({ ...place, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(["repoId", "issue"]).doUpdateSet(fresh).where("hold.liftedAt", "is not", null),
    )
    .returningAll()
    .executeTakeFirst();
  if (placed) return { hold: placed, changed: true };
  const hold = await tx
    .updateTable("hold")
    .set({ kill: sql<boolean>`kill or ${kill}` })
    .where("repoId", "=", place.repoId)
    .where("issue", "=", place.issue)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { hold, changed: hold.commentId !== commentId };
}

/** `lifted` is false if no hold older than this comment stands; `changed` is false if this comment lifted it before. */
export async function liftHold(
  tx: Tx,
  place: HoldPlace,
  commentId: number,
): Promise<{ readonly lifted: boolean; readonly changed: boolean }> {
  const updated = await hasChanged(
    tx
      .updateTable("hold")
      .set({ liftedAt: sql<Date>`now()`, liftedBy: commentId })
      .where("repoId", "=", place.repoId)
      .where("issue", "=", place.issue)
      .where("liftedAt", "is", null)
      .where("commentId", "<", commentId),
  );
  if (updated) return { lifted: true, changed: true };
  const own = await tx
    .selectFrom("hold")
    .select("liftedAt")
    .where("repoId", "=", place.repoId)
    .where("issue", "=", place.issue)
    .where("liftedBy", "=", commentId)
    .where("liftedAt", "is not", null)
    .executeTakeFirst();
  return { lifted: own !== undefined, changed: false };
}

type Halt = Selectable<Tables["halt"]>;

export async function haltsIn(db: Db | Tx): Promise<readonly Halt[]> {
  return db.selectFrom("halt").selectAll().orderBy("scope").execute();
}

export interface Stops {
  readonly halts: readonly Halt[];
  readonly holds: readonly Hold[];
}

export async function stopsOn(db: Db | Tx, { repoId, issue }: HoldPlace): Promise<Stops> {
  const { rows } = await sql<{ halts: readonly Halt[]; holds: readonly object[] }>`select
    (select coalesce(json_agg(h order by scope), '[]') from halt h) as halts,
    (select coalesce(json_agg(h order by issue desc), '[]') from hold h
      where repo_id = ${repoId} and issue in (${issue}, ${wholeRepository})) as holds`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the store told nothing of halts and holds");
  return { halts: row.halts, ...(revived({ holds: row.holds }) as { holds: readonly Hold[] }) };
}

export async function writeHaltTable(tx: Tx, halt: Halt): Promise<void> {
  await tx
    .insertInto("halt")
    .values(halt)
    .onConflict((conflict) => conflict.column("scope").doUpdateSet(halt))
    .execute();
}
