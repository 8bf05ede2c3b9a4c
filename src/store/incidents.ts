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

/** Takes an issue in as an incident, once: a second call finds the first one's row and says so. */
export async function openIncident(
  tx: Tx,
  input: {
    readonly issue: IssueRef;
    readonly title: string;
    readonly body: string;
    readonly public: boolean;
    readonly labels: readonly string[];
    /** Taken in with /investigate, without the label. */
    readonly byHand?: boolean;
    readonly opener: Person;
    /** Whose session it is; the opener's, unless said otherwise. */
    readonly user?: Person;
    /** What the session is about first; the usual, unless said otherwise. */
    readonly pillar?: Pillar;
    readonly stepLimit: number;
    /** Where the session has a name before it begins: a schedule's run bears it. */
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

/** The incident of an issue, or nothing where the issue was never taken in. */
export async function findIncident(db: Db | Tx, repoId: number, number: number): Promise<Incident | undefined> {
  return db
    .selectFrom("incident")
    .selectAll()
    .where("repoId", "=", repoId)
    .where("number", "=", number)
    .executeTakeFirst();
}

/** All incidents, or those of a number in whatever repository, oldest first. */
export async function findIncidents(db: Db | Tx, number?: number): Promise<readonly Incident[]> {
  return db
    .selectFrom("incident")
    .selectAll()
    .$if(number !== undefined, (query) => query.where("number", "=", number ?? 0))
    .orderBy("createdAt")
    .execute();
}

/** The incidents that are open, oldest first: all, or those of an installation, or of repositories. */
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
 * The incident with its row locked until the transaction ends: whoever changes actions holds it, so that a turn, a slash
 * command and a run that end at the same moment see each other's work and never half of it (RR-04).
 */
export async function lockIncident(tx: Tx, id: string): Promise<Incident> {
  return tx.selectFrom("incident").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

export async function sessionOf(db: Db | Tx, incidentId: string): Promise<Session> {
  return db.selectFrom("session").selectAll().where("incidentId", "=", incidentId).executeTakeFirstOrThrow();
}

/** Raises a session's step limit by `more` where its steps are used up (AR-17); false where some are left. */
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

/** Asks somebody to take an incident over, in place of whoever was asked before; null asks nobody. */
export async function offerSession(tx: Tx, incidentId: string, to: string | null): Promise<void> {
  await tx.updateTable("session").set({ offeredTo: to }).where("incidentId", "=", incidentId).execute();
}

/** The incident's session is this person's from now on. */
export async function takeSession(tx: Tx, incidentId: string, person: Person): Promise<void> {
  const taken = { userId: person.id, userLogin: person.login, offeredTo: null };
  await tx.updateTable("session").set(taken).where("incidentId", "=", incidentId).execute();
}

/**
 * What numbers an older copy of the store has lost nobody knows, and they still stand on the issue: the next is one that cannot
 * have been among them (PA-6).
 */
export async function passOverNumbers(tx: Tx, id: string): Promise<void> {
  const nextNumber = sql<number>`next_number + ${numbersPassedOver}`;
  await tx.updateTable("incident").set({ nextNumber }).where("id", "=", id).execute();
}

/** More than an incident is given in a day or two. */
const numbersPassedOver = 100;

/** Closes it, with what it was where somebody said. */
export async function closeIncident(tx: Tx, id: string, cause: string | null = null): Promise<void> {
  await tx.updateTable("incident").set({ state: "closed", closedAt: new Date(), cause }).where("id", "=", id).execute();
}

export async function reopenIncident(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("incident").set({ state: "open", closedAt: null }).where("id", "=", id).execute();
}

/** Somebody takes the issue of a closed incident in again: from now on it is one without the label. */
export async function takeInByHand(tx: Tx, id: string): Promise<void> {
  await reopenIncident(tx, id);
  await tx.updateTable("incident").set({ byHand: true }).where("id", "=", id).execute();
}

/** The incidents of a repository that is public are so for good (SR-11): when it is private again they show no more than before. */
export async function becomePublic(db: Db | Tx, repoIds: readonly number[]): Promise<void> {
  if (repoIds.length === 0) return;
  await db
    .updateTable("incident")
    .set({ public: true })
    .where("repoId", "in", repoIds)
    .where("public", "=", false)
    .execute();
}

/** Whoever takes the label off ends the incident, however it began. */
export async function endByLabel(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("incident").set({ byHand: false }).where("id", "=", id).execute();
}

/** Adds to what the agent is told for this session alone (S13.4). The incident's row is locked by the caller. */
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

/** Keeps the labels that the issue carries now. Returns its incident; undefined if it has none. */
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

/** Who said a value: the labels of an alert, a line of the issue form, or a person by `/fill`. */
type ValueSource = NamedValue["source"];

/** Keeps what a source says of an incident, in place of what it said before. */
export async function keepValues(
  tx: Tx,
  incidentId: string,
  source: ValueSource,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.deleteFrom("incidentValue").where("incidentId", "=", incidentId).where("source", "=", source).execute();
  const rows = Object.entries(values).map(([name, value]) => ({ incidentId, source, name, value }));
  if (rows.length > 0) await tx.insertInto("incidentValue").values(rows).execute();
}

/** What is known of an incident by name, whoever said it. */
export const valuesOf = (db: Db | Tx, incidentId: string): Promise<readonly NamedValue[]> =>
  db
    .selectFrom("incidentValue")
    .select(["source", "name", "value"])
    .where("incidentId", "=", incidentId)
    .orderBy("source")
    .orderBy("name")
    .execute();

/** What changed before an incident, as it was read of GitHub. */
export interface IncidentChanges extends SeenChanges {
  readonly since: Date;
  readonly until: Date;
  readonly services: readonly string[];
}

/** Keeps what was read, in place of what was read before, for the agent's next turn. */
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

/** Records that a turn has shown the agent what was read until now. */
export async function markChangesTold(tx: Tx, incidentId: string): Promise<void> {
  await tx.updateTable("incidentChanges").set({ toldAt: new Date() }).where("incidentId", "=", incidentId).execute();
}
