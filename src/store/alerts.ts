import { type Selectable, sql } from "kysely";
import { type Db, hasAdded, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type AlertRow = Selectable<Tables["alert"]>;

export type AlertStatement = Pick<
  AlertRow,
  "state" | "pagerKey" | "severity" | "startedAt" | "seenDigest" | "seenAt" | "eventAt"
>;

/** Not a parameter, because PostgreSQL picks the index before it knows the values. */
const isCurrent = sql<boolean>`is_current`;

/** The row whose issue stands for the group. */
export const currentAlert = (db: Db | Tx, group: Pick<AlertRow, "source" | "key">): Promise<AlertRow | undefined> =>
  db
    .selectFrom("alert")
    .selectAll()
    .where("source", "=", group.source)
    .where("key", "=", group.key)
    .where("isCurrent", "=", true)
    .executeTakeFirst();

/** Returns undefined if people opened the issue. */
export const alertOf = (db: Db | Tx, incidentId: string): Promise<AlertRow | undefined> =>
  db.selectFrom("alert").selectAll().where("incidentId", "=", incidentId).executeTakeFirst();

export async function alertsSince(db: Db | Tx, source: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom("alert")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("source", "=", source)
    .where("createdAt", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the waiting row, or a new one in place of `before`. The table's index allows one per group over all processes. */
export async function beginAlert(
  tx: Tx,
  group: Pick<AlertRow, "source" | "key">,
  { said, before }: { readonly said: AlertStatement; readonly before?: AlertRow | undefined },
): Promise<{ readonly row: AlertRow; readonly isNew: boolean }> {
  if (before) await tx.updateTable("alert").set({ isCurrent: false }).where("id", "=", before.id).execute();
  const previousId = before?.incidentId ?? null;
  const row = { ...group, ...said, id: newId(), previousId, incidentId: null, firedAt: said.seenAt };
  await tx
    .insertInto("alert")
    .values({ ...row, resolvedAt: null, toldSince: null })
    .onConflict((conflict) => conflict.columns(["source", "key"]).where(isCurrent).doNothing())
    .execute();
  const current = await currentAlert(tx, group);
  if (!current) throw new Error(`the group of ${group.source} has no row`);
  return { row: current, isNew: current.id === row.id };
}

export async function setAlert(
  tx: Tx,
  id: string,
  change: Partial<Omit<AlertRow, "id" | "source" | "key" | "createdAt">>,
): Promise<void> {
  await tx.updateTable("alert").set(change).where("id", "=", id).execute();
}

export type PagerAnswer = Selectable<Tables["pagerAnswer"]>;

/** Returns false if the pager was told the same of this firing before. */
export async function addPagerAnswer(
  tx: Tx,
  answer: Pick<PagerAnswer, "alertId" | "incidentId" | "round" | "event" | "pager" | "login" | "at" | "fault">,
): Promise<boolean> {
  const state = answer.fault === null ? "open" : "failed";
  return hasAdded(
    tx
      .insertInto("pagerAnswer")
      .values({ ...answer, id: newId(), state, dueAt: answer.at })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** In the order in which people acted. */
export async function openPagerAnswers(db: Db | Tx): Promise<readonly PagerAnswer[]> {
  return db
    .selectFrom("pagerAnswer")
    .selectAll()
    .where("state", "in", ["open", "sending"])
    .orderBy("at")
    .orderBy("id")
    .execute();
}

/** Claims by compare-and-set: only the caller that gets true sends. */
export async function claimPagerAnswer(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("pagerAnswer")
    .set((eb) => ({ state: "sending", attempts: eb("attempts", "+", 1) }))
    .where("id", "=", id)
    .where("state", "=", "open")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A process that stalled may end one that another found abandoned. */
export async function settlePagerAnswer(
  tx: Tx,
  id: string,
  to: Pick<PagerAnswer, "state" | "fault"> & Partial<Pick<PagerAnswer, "dueAt" | "toldAt">>,
): Promise<void> {
  await tx
    .updateTable("pagerAnswer")
    .set(to)
    .where("id", "=", id)
    .where("state", "in", ["open", "sending", "unsure"])
    .execute();
}
