import type { Selectable } from "kysely";
import type { Action } from "../actions.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";

export type Escalation = Selectable<Tables["escalation"]>;

/** What is to be done outside the store is tried so often. */
const mostAttempts = 3;
/** Whatever was begun this long ago belongs to a process that has ended. */
const abandonedMs = 120_000;

/** What waits for a decision in open incidents. */
export async function waitingActions(
  db: Db | Tx,
  now: Date,
): Promise<readonly Pick<Action, "id" | "incidentId" | "createdAt" | "spec">[]> {
  return db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.id", "action.incidentId", "action.createdAt", "action.spec"])
    .where("action.state", "=", "proposed")
    .where("incident.state", "=", "open")
    .where("action.expiresAt", ">", now)
    .execute();
}

/** Who was called in these incidents, the first first. */
export async function escalationsOf(db: Db | Tx, incidentIds: readonly string[]): Promise<readonly Escalation[]> {
  if (incidentIds.length === 0) return [];
  return db
    .selectFrom("escalation")
    .selectAll()
    .where("incidentId", "in", incidentIds)
    .orderBy("at")
    .orderBy("step")
    .execute();
}

/** Takes a step of an action, or of what an incident waits for, if nobody has taken it: false where somebody has. The team is called by the comment alone. */
export async function addEscalation(
  tx: Tx,
  call: Pick<Escalation, "actionId" | "step" | "incidentId" | "kind" | "who" | "why" | "at"> &
    Partial<Pick<Escalation, "round">>,
): Promise<boolean> {
  const state = call.kind === "team" ? "done" : "open";
  const added = await tx
    .insertInto("escalation")
    .values({ ...call, state })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** What is still to be done outside the store: people to assign, hooks to call. */
export async function openEscalations(db: Db): Promise<readonly Pick<Escalation, "incidentId" | "kind" | "who">[]> {
  return db
    .selectFrom("escalation")
    .select(["incidentId", "kind", "who"])
    .distinct()
    .where("state", "=", "open")
    .execute();
}

/**
 * Takes what is to be done for one who was called, by compare-and-set: whoever gets rows here does it, and nobody else. A process that
 * ends before it tells how it went leaves them as `sending` (`endAbandoned`).
 */
export async function claimEscalations(
  db: Db,
  { incidentId, kind, who, now }: Pick<Escalation, "incidentId" | "kind" | "who"> & { readonly now: Date },
): Promise<readonly Escalation[]> {
  return db
    .updateTable("escalation")
    .set((eb) => ({ state: "sending", attempts: eb("attempts", "+", 1), triedAt: now }))
    .where("incidentId", "=", incidentId)
    .where("kind", "=", kind)
    .where("who", "=", who)
    .where("state", "=", "open")
    .returningAll()
    .execute();
}

/** Records how it went. What surely did not arrive is open again for as long as it has tries left. */
export async function settleEscalation(
  tx: Tx,
  { incidentId, actionId, round, step, attempts }: Escalation,
  outcome: { readonly kind: "done" | "failed" | "unsure"; readonly fault?: string },
): Promise<void> {
  const isOver = outcome.kind !== "failed" || attempts >= mostAttempts;
  await tx
    .updateTable("escalation")
    .set({ state: isOver ? outcome.kind : "open", fault: outcome.fault ?? null })
    .where("incidentId", "=", incidentId)
    .where("actionId", "is not distinct from", actionId)
    .where("round", "=", round)
    .where("step", "=", step)
    .where("state", "=", "sending")
    .execute();
}

/** What a process was at when it ended: an assignment is done again, which changes nothing; whether a hook was called nobody knows. */
export async function endAbandoned(db: Db, now: Date): Promise<void> {
  await db
    .updateTable("escalation")
    .set((eb) => ({
      state: eb
        .case()
        .when("kind", "=", "person")
        .then("open" as const)
        .else("unsure" as const)
        .end(),
      fault: "the bot ended while it was sent",
    }))
    .where("state", "=", "sending")
    .where("triedAt", "<", new Date(now.getTime() - abandonedMs))
    .execute();
}
