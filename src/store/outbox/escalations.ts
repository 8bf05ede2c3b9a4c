import type { Selectable } from "kysely";
import { type Db, hasAdded, type Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";

export type Escalation = Selectable<Tables["escalation"]>;

const mostAttempts = 3;
/** The process of an earlier try has ended. */
const abandonedMs = 120_000;

/** Oldest first. */
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

/** Returns false if this step was called before. A team is called by the comment alone. */
export async function addEscalation(
  tx: Tx,
  call: Pick<Escalation, "actionId" | "step" | "incidentId" | "kind" | "who" | "why" | "at"> &
    Partial<Pick<Escalation, "round">>,
): Promise<boolean> {
  const state = call.kind === "team" ? "done" : "open";
  return hasAdded(
    tx
      .insertInto("escalation")
      .values({ ...call, state })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/**
 * Those that need an assignment or a hook. First ends the tries of dead processes: repeating an assignment does no harm; a hook stays
 * unsure.
 */
export async function openEscalations(
  db: Db,
  now: Date,
): Promise<readonly Pick<Escalation, "incidentId" | "kind" | "who">[]> {
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
  return db
    .selectFrom("escalation")
    .select(["incidentId", "kind", "who"])
    .distinct()
    .where("state", "=", "open")
    .execute();
}

/**
 * Claims a person's or hook's open calls by compare-and-set: only the caller that gets rows sends them. A process that ends meanwhile
 * leaves them to `openEscalations`.
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

/** A call that certainly did not arrive opens again while it has tries left. */
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
