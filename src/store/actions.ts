import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { type Selectable, sql } from "kysely";
import type { PlaceRule } from "../approval/place.ts";
import {
  type ActionState,
  actionStates,
  type DoneAct,
  type Guard,
  isUnfinished,
  type NamedValue,
  type OpenPlace,
  type RunbookDemand,
  type SetMember,
} from "../base/action.ts";
import type { Person } from "../base/github.ts";
import type { Finding, Risk, UnboundedPart } from "../base/risk.ts";
import type { Expectation } from "../base/run.ts";
import type { Cluster, PatchPlace, Server, Source } from "../base/server.ts";
import type { BoardRow } from "../github/render/board.ts";
import { beforeCommit, writeNow } from "./database/commit.ts";
import { type Db, hasChanged, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { type HoldPlace, isWhole } from "./holds.ts";
import { newId } from "./ids.ts";
import type { Incident } from "./incidents.ts";
import { slots } from "./outbox/thread-comments.ts";
import { leaveLine } from "./server-line.ts";

export type Action = Selectable<Tables["action"]>;
export type Approval = Selectable<Tables["approval"]>;

/** What drawings read of an action that has ended, once its card stands as drawn; any change of the action takes it back. */
export interface KeptAction {
  readonly row: BoardRow;
  /** Absent if it never ran. */
  readonly act?: DoneAct | undefined;
}

/** The database refuses all others (`action_transition`). */
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

/** SHA-256, hex, of the spec's RFC 8785 form. */
export const digestOf = (spec: ActionSpec): string =>
  createHash("sha256")
    .update(canonicalize(spec) ?? "")
    .digest("hex");

type GivenByStore = "incidentId" | "number" | "installationId" | "repoId" | "issueNodeId" | "createdAt";

export interface ActionDraft {
  readonly spec: Omit<ActionSpec, GivenByStore>;
  readonly state: "proposed" | "blocked" | "incomplete";
  readonly title: string;
  readonly description: string;
  readonly origin: Action["origin"];
  readonly author?: Person | undefined;
  readonly findings: readonly Finding[];
  /** A shared card; by default the action gets its own. */
  readonly card?: string | undefined;
}

/** Returns the first of the incident's next `count` numbers, which are never used again (PA-6). */
export async function reserveNumbers(db: Db | Tx, incidentId: string, count: number): Promise<number> {
  const { nextNumber } = await db
    .updateTable("incident")
    .set((eb) => ({ nextNumber: eb("nextNumber", "+", count) }))
    .where("id", "=", incidentId)
    .returning("nextNumber")
    .executeTakeFirstOrThrow();
  return nextNumber - count;
}

/** Takes the incident's next number. The caller holds the incident's lock. */
export async function addAction(tx: Tx, incident: Incident, draft: ActionDraft): Promise<Action> {
  const number = await reserveNumbers(tx, incident.id, 1);
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

/** Ordered by number. */
export async function actionsOf(db: Db | Tx, incidentId: string): Promise<readonly Action[]> {
  return db.selectFrom("action").selectAll().where("incidentId", "=", incidentId).orderBy("number").execute();
}

/**
 * Counts an author's open proposals, and those made since then, in all incidents. Locks out concurrent counts, so that two cannot both be
 * the last one allowed.
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

export const approvalsOfAction = (approvals: readonly Approval[], { id }: Pick<Action, "id">): readonly Approval[] =>
  approvals.filter(({ actionId, verdict }) => actionId === id && verdict === "approve");

/** Whether no transition leads out of its state. */
export const isFinal = ({ state }: Pick<Action, "state">): boolean => lawfulTransitions[state].length === 0;

/** Moves an action by compare-and-set. Returns false if another process was first. */
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
  const moved = await hasChanged(
    tx
      .updateTable("action")
      .set({
        state: step.to,
        stateReason: step.reason ?? null,
        // Undefined leaves it as it is.
        supersededBy: step.supersededBy,
      })
      .where("id", "=", action.id)
      .where("state", "=", step.from),
  );
  if (!moved) return false;
  // Only an action on its way to run keeps its place in line.
  if (step.to !== "dispatching" && step.to !== "running") await leaveLine(tx, action.id);
  return true;
}

/** Ends an action that is being sent or runs, when the transaction ends. */
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

/** The operator's file gave it by the opening lease: nobody wrote a comment. */
export const isByFile = ({ via }: Pick<Approval, "via">): boolean => via === "opening";

/** When it was said, to compare with holds; the operator's file has no comment. */
export const timesOf = (approval: Pick<Approval, "via" | "commentId" | "createdAt">) => ({
  commentId: isByFile(approval) ? Number.MAX_SAFE_INTEGER : approval.commentId,
  keptAt: approval.createdAt,
});

/** When the transaction ends. Only one verdict of each kind can stand. */
export const addApproval = (tx: Tx, action: Action, draft: ApprovalDraft): Promise<void> => add(tx, { action, draft });

const add = beforeCommit<{ readonly action: Action; readonly draft: ApprovalDraft }>("approvals", (all) => {
  const rows = all.map(
    ({ action, draft: { verdict, via = "comment", person, role, comment, reason } }) =>
      sql`(${newId()}, ${action.id}, ${action.digest}, ${verdict}, ${via}, ${person.id}, ${person.login}, ${role},
        ${comment.id}, ${comment.nodeId}, ${comment.sha256}, ${reason})`,
  );
  return {
    steps: [
      sql`approvals as (
        insert into approval (id, action_id, digest, verdict, via, person_id, login, role,
          comment_id, comment_node_id, comment_sha256, reason)
        values ${sql.join(rows)} returning id)`,
    ],
    outcome: sql`(select count(*) from approvals)`,
  };
});

/**
 * Withdraws approvals of reopened actions, or of an edited or deleted comment (SR-28); rejections are final. Returns the actions concerned.
 */
export async function withdrawApprovals(
  tx: Tx,
  which: { readonly actionIds: readonly string[]; readonly commentId?: number },
): Promise<readonly { readonly actionId: string }[]> {
  if (which.actionIds.length === 0) return [];
  await writeNow(tx, "approvals");
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

/** Of open incidents, by when they expire. */
export async function openProposals(
  db: Db | Tx,
  { after, until }: { readonly after: Date; readonly until?: Date },
): Promise<readonly Pick<Action, "id" | "incidentId" | "expiresAt" | "createdAt" | "spec">[]> {
  return db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.id", "action.incidentId", "action.expiresAt", "action.createdAt", "action.spec"])
    .where("action.state", "=", "proposed")
    .where("incident.state", "=", "open")
    .where("action.expiresAt", ">", after)
    .$if(until !== undefined, (query) => query.where("action.expiresAt", "<=", until ?? after))
    .execute();
}

/** What a hold on this place covers, ordered by issue and number. */
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

/** Finds a digest prefix on another issue of the repository. */
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

/** In all repositories. */
export async function approvedBy(tx: Tx, personId: number, since: Date): Promise<readonly Pick<Action, "spec">[]> {
  await writeNow(tx, "approvals");
  return tx
    .selectFrom("approval")
    .innerJoin("action", "action.id", "approval.actionId")
    .select("action.spec as spec")
    .where("approval.personId", "=", personId)
    .where("approval.verdict", "=", "approve")
    .where("approval.createdAt", ">", since)
    .execute();
}

/** The digest covers it, so what does not apply is absent. */
export interface Target {
  readonly server: string;
  /** Index in the set; absent for a single command. */
  readonly step?: number;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: Server["os"];
  readonly hostKeys: readonly string[];
  /** Finds the job after a crash; null if it runs in its session. */
  readonly jobId: string | null;
  /** The exact bytes sent over SSH; for a cluster, the plan of kubectl and its filters. */
  readonly wrapped: string;
  readonly hardTimeoutMs: number;
  readonly outputCapBytes: number;
  /** `user` is then the identity. */
  readonly cluster?: Pick<Cluster, "context" | "as" | "apiServer" | "caSha256"> & { readonly namespace?: string };
  /** `hostKeys` then has its certificate authority. */
  readonly source?: Omit<Source, "tokenFile" | "ca">;
  /** The command is then a patch. */
  readonly patches?: PatchPlace;
}

/** What an approval binds (SR-20). Every field is in the digest and never changes. */
export interface ActionSpec {
  readonly incidentId: string;
  readonly number: number;
  readonly installationId: number;
  readonly repoId: number;
  readonly issueNodeId: string;
  /** The hash of the operator's file, if it may run under the opening lease that the file gave. */
  readonly opening?: string;
  /** In the proposer's words. */
  readonly place: string;
  /** What `place` meant at the proposal; at least one. */
  readonly targets: readonly Target[];
  /** The same bytes on the card and wrapped. */
  readonly command: string;
  /** `command` then has one on each line. */
  readonly set?: readonly SetMember[] | undefined;
  /** In words, what differs from the proposer's command. */
  readonly tidied?: readonly string[] | undefined;
  readonly filled?: readonly NamedValue[] | undefined;
  /** Such an action is never approved or sent. */
  readonly open?: readonly OpenPlace[] | undefined;
  readonly risk: Risk;
  /** A run that does not show it is a failure. */
  readonly expect?: Expectation | undefined;
  /** Parts that only the server's limit ends. */
  readonly unbounded?: readonly UnboundedPart[] | undefined;
  /** From a skill: how to check and undo it. */
  readonly check?: string | undefined;
  readonly undo?: string | undefined;
  /** Read-only; runs next under the same approval, as its own action. */
  readonly ownCheck?: string | undefined;
  /** Of a patch: reads that are proposed once it is merged. */
  readonly onMerge?: readonly { readonly place: string; readonly command: string }[] | undefined;
  /** The action whose `ownCheck` this is; its approval counts here too. */
  readonly checks?: number | undefined;
  /** Sent only if it holds. */
  readonly guard?: Guard | undefined;
  /** The change for whose guard this repeats the check, under that change's approval. */
  readonly guards?: number | undefined;
  /** The action it rehearses. */
  readonly probes?: number | undefined;
  /** The action that a person repeats. */
  readonly again?: number | undefined;
  readonly rulesVersion: string;
  /** The operator's rules for its places; sent only while they are these. */
  readonly placeRules?: readonly PlaceRule[] | undefined;
  /** Of its skills or workflow. */
  readonly demands?: readonly RunbookDemand[] | undefined;
  /** Of the repository's context files. */
  readonly contextCommit: string | null;
  readonly model: string | null;
  /** Of the system prompt (SR-65). */
  readonly promptSha256: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly nonce: string;
}
