import { type Selectable, sql } from "kysely";
import type { NamedValue } from "../base/action.ts";
import type { IssueRef, Person, SeenChanges } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId, newNonce } from "./ids.ts";

/** What a session is about first (AR-16). */
export const pillars = ["troubleshoot", "revive"] as const;
export type Pillar = (typeof pillars)[number];

export interface SessionInstruction {
  /** The person or workflow that says it, e.g. `@lee` or `workflow drain`. */
  readonly source: string;
  readonly text: string;
}

export type Incident = Selectable<Tables["incident"]>;
export type Session = Selectable<Tables["session"]>;

/** Opens an incident for an issue, once: a second call finds the row of the first and says so. */
export async function openIncident(
  tx: Tx,
  input: {
    readonly issue: IssueRef;
    readonly title: string;
    readonly body: string;
    readonly public: boolean;
    readonly labels: readonly string[];
    /** Opened with /investigate, without the label. */
    readonly byHand?: boolean;
    readonly opener: Person;
    /** Whose session it is; the opener's by default. */
    readonly user?: Person;
    readonly pillar?: Pillar;
    readonly stepLimit: number;
    /** Given if a schedule's run names the session before it begins. */
    readonly sessionId?: string;
  },
): Promise<{ readonly incident: Incident; readonly opened: boolean; readonly sessionId?: string }> {
  const { issue, opener, user = opener, sessionId = newId() } = input;
  const inserted = await tx
    .with("made", (db) =>
      db
        .insertInto("incident")
        .values({
          id: newId(),
          installationId: issue.installationId,
          repoId: issue.repoId,
          repo: issue.repo,
          number: issue.number,
          nodeId: issue.nodeId,
          title: input.title,
          body: input.body,
          public: input.public,
          labels: JSON.stringify(input.labels),
          byHand: input.byHand ?? false,
          openerId: opener.id,
          openerLogin: opener.login,
        })
        .onConflict((conflict) => conflict.columns(["repoId", "number"]).doNothing())
        .returningAll(),
    )
    .with(
      "begun",
      () => sql`(
        insert into session (id, incident_id, user_id, user_login, nonce, pillar, step_limit)
        select ${sessionId}::uuid, id, ${user.id}::bigint, ${user.login}, ${newNonce()}, ${input.pillar ?? "troubleshoot"},
          ${input.stepLimit}::integer from made)`,
    )
    .selectFrom("made")
    .selectAll()
    .executeTakeFirst();
  if (!inserted) return { incident: await requireIncident(tx, issue), opened: false };
  return { incident: inserted, opened: true, sessionId };
}

async function requireIncident(tx: Tx, issue: IssueRef): Promise<Incident> {
  return tx
    .selectFrom("incident")
    .selectAll()
    .where("repoId", "=", issue.repoId)
    .where("number", "=", issue.number)
    .executeTakeFirstOrThrow();
}

/** The incident of an issue; undefined if it never was one. */
export async function findIncident(db: Db | Tx, repoId: number, number: number): Promise<Incident | undefined> {
  return db
    .selectFrom("incident")
    .selectAll()
    .where("repoId", "=", repoId)
    .where("number", "=", number)
    .executeTakeFirst();
}

/** All incidents, or those with this number in any repository, oldest first. */
export async function findIncidents(db: Db | Tx, number?: number): Promise<readonly Incident[]> {
  return db
    .selectFrom("incident")
    .selectAll()
    .$if(number !== undefined, (query) => query.where("number", "=", number ?? 0))
    .orderBy("createdAt")
    .execute();
}

/** The open incidents, oldest first: all, or those of an installation or of repositories. */
export async function openIncidents(
  db: Db | Tx,
  {
    installationId,
    repoIds,
  }: { readonly installationId?: number; readonly repoIds?: readonly number[] | undefined } = {},
): Promise<readonly Incident[]> {
  return db
    .selectFrom("incident")
    .selectAll()
    .where("state", "=", "open")
    .$if(installationId !== undefined, (query) => query.where("installationId", "=", installationId ?? 0))
    .$if(repoIds !== undefined, (query) => query.where("repoId", "in", [0, ...(repoIds ?? [])]))
    .orderBy("createdAt")
    .execute();
}

export async function incidentOf(db: Db | Tx, id: string): Promise<Incident> {
  return db.selectFrom("incident").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/**
 * The incident with its row locked until the transaction ends. Every change of its actions holds this lock, so that a turn, a slash
 * command and a run that end at the same moment see each other's work, and never half of it (RR-04).
 */
export async function lockIncident(tx: Tx, id: string): Promise<Incident> {
  return tx.selectFrom("incident").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

export async function sessionOf(db: Db | Tx, incidentId: string): Promise<Session> {
  return db.selectFrom("session").selectAll().where("incidentId", "=", incidentId).executeTakeFirstOrThrow();
}

/** Raises a session's step limit by `more` if its steps are used up (AR-17); false if some are left. */
export async function grantSteps(tx: Tx, incidentId: string, more: number): Promise<boolean> {
  const granted = await tx
    .updateTable("session")
    .set((eb) => ({ stepLimit: eb("stepLimit", "+", more) }))
    .where("incidentId", "=", incidentId)
    .whereRef("steps", ">=", "stepLimit")
    .executeTakeFirst();
  return granted.numUpdatedRows === 1n;
}

export async function setPillar(tx: Tx, incidentId: string, pillar: Pillar): Promise<void> {
  await tx.updateTable("session").set({ pillar }).where("incidentId", "=", incidentId).execute();
}

/** Offers the incident to the person with this login, in place of an earlier offer; null ends the offer. */
export async function offerSession(tx: Tx, incidentId: string, to: string | null): Promise<void> {
  await tx.updateTable("session").set({ offeredTo: to }).where("incidentId", "=", incidentId).execute();
}

/** Makes the incident's session this person's. */
export async function takeSession(tx: Tx, incidentId: string, person: Person): Promise<void> {
  const taken = { userId: person.id, userLogin: person.login, offeredTo: null };
  await tx.updateTable("session").set(taken).where("incidentId", "=", incidentId).execute();
}

/**
 * Skips the numbers that an older copy of the store may have lost, because they still stand on the issue (PA-6).
 */
export async function passOverNumbers(tx: Tx, id: string): Promise<void> {
  const nextNumber = sql<number>`next_number + ${numbersPassedOver}`;
  await tx.updateTable("incident").set({ nextNumber }).where("id", "=", id).execute();
}

/** More than an incident uses in a day or two. */
const numbersPassedOver = 100;

/** Closes an incident; `cause` is in the words of the person who closed it. */
export async function closeIncident(tx: Tx, id: string, cause: string | null = null): Promise<void> {
  await tx.updateTable("incident").set({ state: "closed", closedAt: new Date(), cause }).where("id", "=", id).execute();
}

export async function reopenIncident(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("incident").set({ state: "open", closedAt: null }).where("id", "=", id).execute();
}

/** Reopens an incident by /investigate: it is one without the label from now on. */
export async function takeInByHand(tx: Tx, id: string): Promise<void> {
  await reopenIncident(tx, id);
  await tx.updateTable("incident").set({ byHand: true }).where("id", "=", id).execute();
}

/** Makes the incidents of public repositories public for good (SR-11): if one becomes private again, they show no more than before. */
export async function becomePublic(db: Db | Tx, repoIds: readonly number[]): Promise<void> {
  if (repoIds.length === 0) return;
  await db
    .updateTable("incident")
    .set({ public: true })
    .where("repoId", "in", repoIds)
    .where("public", "=", false)
    .execute();
}

/** Removing the label ends the incident, also one that began without it. */
export async function endByLabel(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("incident").set({ byHand: false }).where("id", "=", id).execute();
}

/** Adds an instruction for the agent in this session alone (S13.4). The caller holds the incident's lock. */
export async function addSessionInstruction(
  tx: Tx,
  incidentId: string,
  instruction: SessionInstruction,
): Promise<void> {
  const { id, instructions } = await sessionOf(tx, incidentId);
  const all = [...instructions, instruction];
  await tx
    .updateTable("session")
    .set({ instructions: JSON.stringify(all) })
    .where("id", "=", id)
    .execute();
}

/** Stores the labels that the issue carries now. Returns its incident; undefined if it has none. */
export async function keepLabels(
  db: Db | Tx,
  issue: Pick<IssueRef, "repoId" | "number">,
  labels: readonly string[],
): Promise<Incident | undefined> {
  return db
    .updateTable("incident")
    .set({ labels: JSON.stringify(labels) })
    .where("repoId", "=", issue.repoId)
    .where("number", "=", issue.number)
    .returningAll()
    .executeTakeFirst();
}

/** Stores the values that a source gives (the labels of an alert, the issue form, or a person by `/fill`), in place of its earlier ones. */
export async function keepValues(
  tx: Tx,
  incidentId: string,
  source: NamedValue["source"],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.deleteFrom("incidentValue").where("incidentId", "=", incidentId).where("source", "=", source).execute();
  const rows = Object.entries(values).map(([name, value]) => ({ incidentId, source, name, value }));
  if (rows.length > 0) await tx.insertInto("incidentValue").values(rows).execute();
}

/** The named values of an incident, from all sources. */
export const valuesOf = (db: Db | Tx, incidentId: string): Promise<readonly NamedValue[]> =>
  db
    .selectFrom("incidentValue")
    .select(["source", "name", "value"])
    .where("incidentId", "=", incidentId)
    .orderBy("source")
    .orderBy("name")
    .execute();

/** What changed before an incident, as read from GitHub. */
export interface IncidentChanges extends SeenChanges {
  readonly since: Date;
  readonly until: Date;
  readonly services: readonly string[];
}

/** Stores the changes for the agent's next turn, in place of those read before. */
export async function keepChanges(tx: Tx, incidentId: string, seen: IncidentChanges): Promise<void> {
  const { since, until, services, changes, unseen } = seen;
  const row = {
    since,
    until,
    services: JSON.stringify(services),
    changes: JSON.stringify(changes),
    unseen: JSON.stringify(unseen),
    toldAt: null,
  };
  await tx
    .insertInto("incidentChanges")
    .values({ incidentId, ...row })
    .onConflict((conflict) => conflict.column("incidentId").doUpdateSet(row))
    .execute();
}

/** Records that a turn has shown the agent the stored changes. */
export async function markChangesTold(tx: Tx, incidentId: string): Promise<void> {
  await tx.updateTable("incidentChanges").set({ toldAt: new Date() }).where("incidentId", "=", incidentId).execute();
}
