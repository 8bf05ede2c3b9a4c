import type { Action } from "./actions.ts";
import type { Db, Tx } from "./database/connection.ts";
import { type HoldPlace, isWhole } from "./holds.ts";

/** Those whose time is over and that still stand as proposed. */
export async function overdueActions(
  db: Db,
  now: Date,
): Promise<readonly Pick<Action, "id" | "incidentId" | "number" | "digest">[]> {
  return db
    .selectFrom("action")
    .select(["id", "incidentId", "number", "digest"])
    .where("state", "=", "proposed")
    .where("expiresAt", "<=", now)
    .execute();
}

/** Those of open incidents that nobody has decided on and whose time is over within this span. */
export async function expiringActions(
  db: Db,
  { after, until }: { readonly after: Date; readonly until: Date },
): Promise<readonly Pick<Action, "incidentId" | "expiresAt" | "createdAt" | "spec">[]> {
  return db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.incidentId", "action.expiresAt", "action.createdAt", "action.spec"])
    .where("action.state", "=", "proposed")
    .where("incident.state", "=", "open")
    .where("action.expiresAt", ">", after)
    .where("action.expiresAt", "<=", until)
    .execute();
}

/** What is approved or sent where a hold may be put on, by issue and number. */
export async function approvedOrSent(
  tx: Tx,
  place: HoldPlace,
): Promise<readonly (Pick<Action, "number" | "state"> & { readonly issue: number })[]> {
  return tx
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.number", "action.state", "incident.number as issue"])
    .where("action.state", "in", ["approved", "dispatching", "running"])
    .where("incident.repoId", "=", place.repoId)
    .$if(!isWhole(place), (query) => query.where("incident.number", "=", place.issue))
    .orderBy("incident.number")
    .orderBy("action.number")
    .execute();
}

/** The action of another issue of this repository whose digest begins so. */
export async function actionElsewhere(
  tx: Tx,
  incident: { readonly id: string; readonly repoId: number },
  digestStart: string,
): Promise<{ readonly number: number; readonly issue: number } | undefined> {
  return tx
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.number as number", "incident.number as issue"])
    .where("incident.repoId", "=", incident.repoId)
    .where("incident.id", "!=", incident.id)
    .where("action.digest", "like", `${digestStart}%`)
    .limit(1)
    .executeTakeFirst();
}

/** What this person has approved since then, in all repositories. */
export async function approvedBy(tx: Tx, personId: number, since: Date): Promise<readonly Pick<Action, "spec">[]> {
  return tx
    .selectFrom("approval")
    .innerJoin("action", "action.id", "approval.actionId")
    .select("action.spec as spec")
    .where("approval.personId", "=", personId)
    .where("approval.verdict", "=", "approve")
    .where("approval.createdAt", ">", since)
    .execute();
}

/** Returns the actions of an incident that a comment has approved, also those whose approvals were taken back since. */
export async function approvedByComment(
  tx: Tx,
  { incidentId, commentId }: { readonly incidentId: string; readonly commentId: number },
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom("approval")
    .innerJoin("action", "action.id", "approval.actionId")
    .select("approval.actionId")
    .where("action.incidentId", "=", incidentId)
    .where("approval.commentId", "=", commentId)
    .execute();
  return new Set(rows.map(({ actionId }) => actionId));
}
