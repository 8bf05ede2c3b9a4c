import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { type Selectable, sql } from "kysely";
import {
  type ActionState,
  actionStates,
  isUnfinished,
  type NamedValue,
  type OpenPlace,
  type SetMember,
} from "../base/action.ts";
import type { Person } from "../base/github.ts";
import type { Finding, Risk, UnboundedPart } from "../base/risk.ts";
import type { Expectation } from "../base/run.ts";
import type { Cluster, Server, Source } from "../base/server.ts";
import { beforeCommit, writeNow } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { type HoldPlace, isWhole } from "./holds.ts";
import { newId } from "./ids.ts";
import type { Incident } from "./incidents.ts";
import { slots } from "./outbox/slots.ts";
import { leaveLine } from "./server-line.ts";

export type Action = Selectable<Tables["action"]>;
export type Approval = Selectable<Tables["approval"]>;

/** Which state may follow which; the database has the same list and refuses the rest (`action_transition`). */
export const lawfulTransitions = {
  proposed: ["approved", "rejected", "superseded", "expired", "void"],
  incomplete: ["rejected", "superseded", "void"],
  approved: ["dispatching", "proposed", "rejected", "expired", "void"],
  dispatching: ["running", "done"],
  running: ["done"],
  done: [],
  rejected: [],
  superseded: ["proposed"],
  expired: [],
  void: [],
  blocked: [],
} as const satisfies Record<ActionState, readonly ActionState[]>;

/** SHA-256, hex, of the RFC 8785 form of what an approval binds. */
export const digestOf = (spec: ActionSpec): string =>
  createHash("sha256")
    .update(canonicalize(spec) ?? "")
    .digest("hex");

/** The part of the spec that the store itself knows. */
type GivenByStore = "incidentId" | "number" | "installationId" | "repoId" | "issueNodeId" | "createdAt";

export interface ActionDraft {
  readonly spec: Omit<ActionSpec, GivenByStore>;
  readonly state: "proposed" | "blocked" | "incomplete";
  readonly title: string;
  readonly description: string;
  readonly origin: Action["origin"];
  readonly author?: Person | undefined;
  readonly findings: readonly Finding[];
  /** The card of others that shows it too; without it, the action gets a card of its own. */
  readonly card?: string | undefined;
}

/** Takes the incident's next numbers, which are never used again (PA-6), and returns the first. */
export async function reserveNumbers(db: Db | Tx, incidentId: string, count: number): Promise<number> {
  const { nextNumber } = await db
    .updateTable("incident")
    .set((eb) => ({ nextNumber: eb("nextNumber", "+", count) }))
    .where("id", "=", incidentId)
    .returning("nextNumber")
    .executeTakeFirstOrThrow();
  return nextNumber - count;
}

/** Adds an action under a number that was reserved for it, or else under the incident's next. The caller holds the incident's lock. */
export async function addAction(tx: Tx, incident: Incident, draft: ActionDraft, reserved?: number): Promise<Action> {
  const number = reserved ?? (await reserveNumbers(tx, incident.id, 1));
  const createdAt = new Date();
  const spec: ActionSpec = {
    ...draft.spec,
    incidentId: incident.id,
    number,
    installationId: incident.installationId,
    repoId: incident.repoId,
    issueNodeId: incident.nodeId,
    createdAt: createdAt.toISOString(),
  };
  return tx
    .insertInto("action")
    .values({
      id: newId(),
      incidentId: incident.id,
      number,
      state: draft.state,
      spec: JSON.stringify(spec),
      digest: digestOf(spec),
      title: draft.title,
      description: draft.description,
      origin: draft.origin,
      authorId: draft.author?.id ?? null,
      authorLogin: draft.author?.login ?? null,
      findings: JSON.stringify(draft.findings),
      card: draft.card ?? slots.ownCard(number),
      createdAt,
      expiresAt: new Date(spec.expiresAt),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All actions of an incident in the order of their numbers. */
export async function actionsOf(db: Db | Tx, incidentId: string): Promise<readonly Action[]> {
  return db.selectFrom("action").selectAll().where("incidentId", "=", incidentId).orderBy("number").execute();
}

/**
 * How many proposals of one author are open, and how many were made since then, in all incidents. Locks out other transactions that
 * count the same author's, so that two cannot both be the last one allowed.
 */
export async function proposalsBy(
  tx: Tx,
  { id, login }: Person,
  since: Date,
): Promise<{ open: number; recent: number }> {
  await writeNow(tx, "actions");
  await sql`select pg_advisory_xact_lock(hashtext(${`proposals of ${id} ${login}`}))`.execute(tx);
  return tx
    .selectFrom("action")
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere("state", "in", unfinished).as("open"),
      eb.fn.countAll<number>().filterWhere("createdAt", ">", since).as("recent"),
    ])
    .where("authorId", "=", id)
    .where("authorLogin", "=", login)
    .where((eb) => eb.or([eb("state", "in", unfinished), eb("createdAt", ">", since)]))
    .executeTakeFirstOrThrow();
}

const unfinished = actionStates.filter((state) => isUnfinished({ state }));

export async function actionOf(db: Db | Tx, incidentId: string, number: number): Promise<Action | undefined> {
  return db
    .selectFrom("action")
    .selectAll()
    .where("incidentId", "=", incidentId)
    .where("number", "=", number)
    .executeTakeFirst();
}

export async function actionById(db: Db | Tx, id: string): Promise<Action | undefined> {
  return db.selectFrom("action").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The approvals of this action, among those of its incident. */
export const approvalsOfAction = (approvals: readonly Approval[], { id }: Pick<Action, "id">): readonly Approval[] =>
  approvals.filter(({ actionId, verdict }) => actionId === id && verdict === "approve");

/**
 * Moves an action by compare-and-set: true if its state was `from` and is now `to`. False is not an error: another process was first,
 * and the caller does nothing.
 */
export async function moveAction(
  tx: Tx,
  action: { readonly id: string },
  step: {
    readonly from: ActionState;
    readonly to: ActionState;
    readonly reason?: string;
    readonly supersededBy?: number;
  },
): Promise<boolean> {
  const moved = await tx
    .updateTable("action")
    .set({
      state: step.to,
      stateReason: step.reason ?? null,
      // Undefined leaves it as it is.
      supersededBy: step.supersededBy,
    })
    .where("id", "=", action.id)
    .where("state", "=", step.from)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) return false;
  // An action on its way to run keeps its place in line for its servers; any other gives it up.
  if (step.to !== "dispatching" && step.to !== "running") await leaveLine(tx, action.id);
  return true;
}

/** Ends an action that is being sent or runs, when the transaction ends; any other stays as it is. */
export const finishAction = beforeCommit<string>("actions", (ids) => ({
  steps: [
    sql`done as (update action set state = 'done', state_reason = null
      where id = any (${[...ids]}::uuid[]) and state in ('dispatching', 'running') returning id)`,
  ],
  outcome: sql`(select count(*) from done)`,
}));

export interface ApprovalDraft {
  readonly verdict: Approval["verdict"];
  readonly via?: Approval["via"];
  readonly person: Person;
  readonly role: string;
  readonly comment: { readonly id: number; readonly nodeId: string; readonly sha256: string };
  readonly reason: string;
}

/** Records one person's verdict on one action, bound to the action's digest. Only one of each kind can stand. */
export async function addApproval(tx: Tx, action: Action, draft: ApprovalDraft): Promise<void> {
  await tx
    .insertInto("approval")
    .values({
      id: newId(),
      actionId: action.id,
      digest: action.digest,
      verdict: draft.verdict,
      via: draft.via ?? "comment",
      personId: draft.person.id,
      login: draft.person.login,
      role: draft.role,
      commentId: draft.comment.id,
      commentNodeId: draft.comment.nodeId,
      commentSha256: draft.comment.sha256,
      reason: draft.reason,
      withdrawnAt: null,
    })
    .execute();
}

/**
 * Withdraws approvals because an action was reopened, or their comment was edited or deleted (SR-28). Returns the actions concerned.
 * Rejections stay: they are final.
 */
export async function withdrawApprovals(
  tx: Tx,
  which: { readonly actionIds: readonly string[]; readonly commentId?: number },
): Promise<readonly { readonly actionId: string }[]> {
  if (which.actionIds.length === 0) return [];
  const { commentId } = which;
  return tx
    .updateTable("approval")
    .set({ withdrawnAt: new Date() })
    .where("withdrawnAt", "is", null)
    .where("verdict", "=", "approve")
    .where("actionId", "in", which.actionIds)
    .$if(commentId !== undefined, (query) => query.where("commentId", "=", commentId ?? 0))
    .returning("actionId")
    .execute();
}

/** Proposed actions whose time is over. */
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

/** Proposed actions of open incidents whose time ends within this span. */
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

/** The approved and sent actions that a hold on this place concerns, by issue and number. */
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

/** The action on another issue of this repository whose digest begins with this. */
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

/** The actions that this person has approved since then, in all repositories. */
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

/** The actions of an incident that a comment has approved, also those whose approvals were withdrawn since. */
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

/** One server of an action, with everything that decides what happens there. A digest covers it, so what does not apply is absent. */
export interface Target {
  readonly server: string;
  /** Which command of the set runs there, from 0; absent if the action is one command. */
  readonly step?: number;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: Server["os"];
  readonly hostKeys: readonly string[];
  /** The id of its job, by which it is found again after a crash; null if it runs in its session. */
  readonly jobId: string | null;
  /** The exact bytes sent over SSH, wrapper and all; for a cluster the plan of kubectl and its filters. */
  readonly wrapped: string;
  readonly hardTimeoutMs: number;
  readonly outputCapBytes: number;
  /** For a cluster, whose `user` is the identity. */
  readonly cluster?: Pick<Cluster, "context" | "as" | "apiServer" | "caSha256"> & { readonly namespace?: string };
  /** For a source, whose certificate authority is in `hostKeys`. */
  readonly source?: Omit<Source, "tokenFile" | "ca">;
}

/** What an approval binds (SR-20): every field is in the digest, and no field ever changes. */
export interface ActionSpec {
  readonly incidentId: string;
  readonly number: number;
  readonly installationId: number;
  readonly repoId: number;
  readonly issueNodeId: string;
  /** Where it runs, in the proposer's words: a server, a group, or several of them. */
  readonly place: string;
  /** The servers that `place` meant when the action was made, in order; at least one. */
  readonly targets: readonly Target[];
  /** The command as shown on the card, and as it is wrapped: the same bytes. */
  readonly command: string;
  /** The commands of a set of checks; `command` then has one on each line. */
  readonly set?: readonly SetMember[] | undefined;
  /** How the command differs from what its proposer wrote, in words; absent if it does not. */
  readonly tidied?: readonly string[] | undefined;
  /** The values that were filled into the command, and their sources. */
  readonly filled?: readonly NamedValue[] | undefined;
  /** The places it leaves open: such an action is incomplete, and is never approved or sent. */
  readonly open?: readonly OpenPlace[] | undefined;
  readonly risk: Risk;
  /** What its runs must show; a run that does not is a failure. */
  readonly expect?: Expectation | undefined;
  /** The parts of it that only the server's limit ends. */
  readonly unbounded?: readonly UnboundedPart[] | undefined;
  /** What a skill says about this command: how to see whether it helped, how to undo it. */
  readonly check?: string | undefined;
  readonly undo?: string | undefined;
  /** A read-only command that runs after it under the same approval, as an action of its own. */
  readonly ownCheck?: string | undefined;
  /** The number of the action whose `ownCheck` this is: an approval of that one approves this too. */
  readonly checks?: number | undefined;
  /** The number of the action it rehearses. */
  readonly probes?: number | undefined;
  /** The number of the action that a person repeats with it. */
  readonly again?: number | undefined;
  readonly rulesVersion: string;
  /** Commit of the repository's context files at the time of the proposal. */
  readonly contextCommit: string | null;
  readonly model: string | null;
  /** Hash of the system prompt under which the model proposed it (SR-65). */
  readonly promptSha256: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly nonce: string;
}
