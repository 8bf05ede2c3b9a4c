import type { Selectable } from "kysely";
import type { Action } from "../actions.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";

export type Escalation = Selectable<Tables["escalation"]>;

/** How often an assignment or a hook is tried. */
const mostAttempts = 3;
/** A try that began this long ago belongs to a process that has ended. */
const abandonedMs = 120_000;

/** The actions of open incidents that wait for a decision. */
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

/** The calls in these incidents, in their order. */
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

/** Adds a call for an action or an incident; false if this step was called already. The comment alone calls the team. */
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

/** The calls that still need an assignment or a hook. */
export async function openEscalations(db: Db): Promise<readonly Pick<Escalation, "incidentId" | "kind" | "who">[]> {
  return db
    .selectFrom("escalation")
    .select(["incidentId", "kind", "who"])
    .distinct()
    .where("state", "=", "open")
    .execute();
}

/**
 * Claims the open calls of one person or hook by compare-and-set: only the caller that gets the rows sends them. A process that ends
 * before it records the outcome leaves them as `sending` (`endAbandoned`).
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

/** Records the outcome of a try. A call that certainly did not arrive is open again while it has tries left. */
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

/** Ends the tries of processes that have ended: an assignment is repeated, which does no harm; whether a hook was called stays unsure. */
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
