import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { NamedValue } from "../base/action.ts";
import type { IssueRef, Person, SeenChanges } from "../base/github.ts";
import { type Db, hasChanged, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

/** What a session is about first (AR-16). */
export const pillars = ["troubleshoot", "revive"] as const;
export type Pillar = (typeof pillars)[number];

export interface SessionInstruction {
  /** E.g. `@lee` or `workflow drain`. */
  readonly source: string;
  readonly text: string;
}

export type Incident = Selectable<Tables["incident"]>;
export type Session = Selectable<Tables["session"]>;

/** Returns `opened: false` and the first row for an issue's second call. */
export async function openIncident(
  tx: Tx,
  input: {
    readonly issue: IssueRef;
    readonly title: string;
    readonly body: string;
    readonly public: boolean;
    readonly labels: readonly string[];
    /** By /investigate, without the label. */
    readonly byHand?: boolean;
    readonly opener: Person;
    /** The session's owner; by default the opener. */
    readonly user?: Person;
    readonly pillar?: Pillar;
    readonly stepLimit: number;
    /** A schedule's run names the session before it begins. */
    readonly sessionId?: string;
  },
): Promise<{ readonly incident: Incident; readonly opened: boolean; readonly sessionId?: string }> {
  const { issue, opener, user = opener, sessionId = newId() } = input;
  // For tags around texts: each text has two, and nobody learns whether a guess was right.
  const tagNonce = randomBytes(8).toString("hex");
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
        select ${sessionId}::uuid, id, ${user.id}::bigint, ${user.login}, ${tagNonce}, ${input.pillar ?? "troubleshoot"},
          ${input.stepLimit}::integer from made)`,
    )
    .selectFrom("made")
    .selectAll()
    .executeTakeFirst();
  if (!inserted)
    return {
      incident: await tx
        .selectFrom("incident")
        .selectAll()
        .where("repoId", "=", issue.repoId)
        .where("number", "=", issue.number)
        .executeTakeFirstOrThrow(),
      opened: false,
    };
  return { incident: inserted, opened: true, sessionId };
}

/** Returns undefined if the issue was never one. */
export async function findIncident(db: Db | Tx, repoId: number, number: number): Promise<Incident | undefined> {
  return db
    .selectFrom("incident")
    .selectAll()
    .where("repoId", "=", repoId)
    .where("number", "=", number)
    .executeTakeFirst();
}

/** In all repositories, oldest first. */
export async function findIncidents(db: Db | Tx, number?: number): Promise<readonly Incident[]> {
  return db
    .selectFrom("incident")
    .selectAll()
    .$if(number !== undefined, (query) => query.where("number", "=", number ?? 0))
    .orderBy("createdAt")
    .execute();
}

/** Oldest first. */
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

/**
 * Returns the open incidents that may wait for people although no command does: the agent is idle, and there is a question, a missing
 * value, or only the first turn. One statement, because a store can have thousands of open ones.
 */
export async function idleIncidents(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from incident
    where state = 'open' and doing = ''
      and not exists (select from action where incident_id = incident.id
        and state in ('proposed', 'approved', 'dispatching', 'running'))
      and (exists (select from question where incident_id = incident.id and answered_at is null)
        or exists (select from action where incident_id = incident.id and state = 'incomplete')
        or (select cause from turn where incident_id = incident.id order by step desc limit 1) = 'opened')`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function incidentOf(db: Db | Tx, id: string): Promise<Incident> {
  return db.selectFrom("incident").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/**
 * Locks the row until the transaction ends. Every change of its actions holds this lock, so that turns, slash commands and runs see each
 * other's work whole (RR-04).
 */
export async function lockIncident(tx: Tx, id: string): Promise<Incident> {
  return tx.selectFrom("incident").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

export async function sessionOf(db: Db | Tx, incidentId: string): Promise<Session> {
  return db.selectFrom("session").selectAll().where("incidentId", "=", incidentId).executeTakeFirstOrThrow();
}

/** Returns false if the session has steps left (AR-17). */
export async function grantSteps(tx: Tx, incidentId: string, more: number): Promise<boolean> {
  return hasChanged(
    tx
      .updateTable("session")
      .set((eb) => ({ stepLimit: eb("stepLimit", "+", more) }))
      .where("incidentId", "=", incidentId)
      .whereRef("steps", ">=", "stepLimit"),
  );
}

/** Null ends an offer. */
export async function setSession(
  tx: Tx,
  incidentId: string,
  change: Partial<Pick<Session, "pillar" | "offeredTo" | "userId" | "userLogin">>,
): Promise<void> {
  await tx.updateTable("session").set(change).where("incidentId", "=", incidentId).execute();
}

/** `cause`: in the closing person's words. `byHand`: opened without the label. */
export async function setIncident(
  tx: Tx,
  id: string,
  { helped, ...change }: Partial<Pick<Incident, "state" | "closedAt" | "cause" | "helped" | "byHand" | "plan">>,
): Promise<void> {
  const row = { ...change, ...(helped && { helped: JSON.stringify(helped) }) };
  await tx.updateTable("incident").set(row).where("id", "=", id).execute();
}

export async function reopenIncident(tx: Tx, id: string): Promise<void> {
  await setIncident(tx, id, { state: "open", closedAt: null });
}

/** For good (SR-11): if the repository becomes private again, its incidents show no more than before. */
export async function becomePublic(db: Db | Tx, repoIds: readonly number[]): Promise<void> {
  if (repoIds.length === 0) return;
  await db
    .updateTable("incident")
    .set({ public: true })
    .where("repoId", "in", repoIds)
    .where("public", "=", false)
    .execute();
}

/** For this session alone (S13.4). The caller holds the incident's lock. */
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

/** Returns the issue's incident, if any. */
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

/** Replaces the source's earlier values. */
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

export const valuesOf = (db: Db | Tx, incidentId: string): Promise<readonly NamedValue[]> =>
  db
    .selectFrom("incidentValue")
    .select(["source", "name", "value"])
    .where("incidentId", "=", incidentId)
    .orderBy("source")
    .orderBy("name")
    .execute();

export interface IncidentChanges extends SeenChanges {
  readonly since: Date;
  readonly until: Date;
  readonly services: readonly string[];
}

/** Replaces those read before; the agent's next turn shows them. */
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
