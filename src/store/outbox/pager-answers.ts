import type { Selectable } from "kysely";
import { type Db, hasAdded, type Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { newId } from "../ids.ts";

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
