import type { Generated, JSONColumnType } from "kysely";
import type { ActionState, NamedValue, OpenPlace, SetMember } from "../../base/action.ts";
import type { Finding, Risk, Unbounded } from "../../base/risk.ts";
import type { Expectation } from "../../base/run.ts";
import type { Cluster, Server, Source } from "../../base/server.ts";

/** One server of an action, with all that decides what happens there. */
export interface Target {
  readonly server: string;
  /** Which command of the set runs there, from 0; absent where the action is one command, so that its digest is what it always was. */
  readonly step?: number;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: Server["os"];
  readonly hostKeys: readonly string[];
  /** As a job of this id it is found again after a crash; null: it runs in its session. */
  readonly jobId: string | null;
  /** The exact bytes sent over SSH, wrapper and all; for a cluster the plan of kubectl and its filters. */
  readonly wrapped: string;
  readonly hardTimeoutMs: number;
  readonly outputCapBytes: number;
  /** Of a cluster, where `user` is the identity; absent for SSH, so that its digests are what they always were. */
  readonly cluster?: Pick<Cluster, "context" | "as" | "apiServer" | "caSha256"> & { readonly namespace?: string };
  /** Of a source, whose certificate authority is in `hostKeys`. */
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
  /** The servers that was when the action was made, in order; at least one, frozen. */
  readonly targets: readonly Target[];
  /** The command as shown on the card, and as it is wrapped: the same bytes. */
  readonly command: string;
  /** Of a set of checks each command by itself; `command` is then all of them, a line each. */
  readonly set?: readonly SetMember[] | undefined;
  /** What was made of what its proposer wrote, in words; absent where it is that. */
  readonly tidied?: readonly string[] | undefined;
  /** What was filled into the command, and who said it. */
  readonly filled?: readonly NamedValue[] | undefined;
  /** What it leaves open: such an action is incomplete, and is never approved or sent. */
  readonly open?: readonly OpenPlace[] | undefined;
  readonly risk: Risk;
  /** How its runs are to go; one that does not is a failure. */
  readonly expect?: Expectation | undefined;
  /** What of it nothing ends but the server's limit. */
  readonly unbounded?: readonly Unbounded[] | undefined;
  /** What a skill says of this very command, shown beside it: how to see whether it helped, how to undo it. */
  readonly check?: string | undefined;
  readonly undo?: string | undefined;
  /** A command that only reads and runs behind it under the same approval, as an action of its own. */
  readonly ownCheck?: string | undefined;
  /** The number of the action whose `ownCheck` this is: an approval of that one approves this too. */
  readonly checks?: number | undefined;
  /** The number of the action of which it shows what that would do. */
  readonly probes?: number | undefined;
  /** The number that it repeats, where a person asked for that. */
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

export interface ActionTable {
  id: string;
  incidentId: string;
  number: number;
  state: ActionState;
  stateReason: string | null;
  supersededBy: number | null;
  spec: JSONColumnType<ActionSpec>;
  digest: string;
  title: string;
  description: string;
  origin: "model" | "offline" | "person";
  authorId: number | null;
  authorLogin: string | null;
  findings: JSONColumnType<readonly Finding[]>;
  /** Which comment of ours shows it: the slot of the card. */
  card: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface ApprovalTable {
  id: string;
  actionId: string;
  digest: string;
  verdict: "approve" | "reject";
  /** A comment on this very action, or the one that gave a lease (AR-03), under the name that it had when the column was made. */
  via: Generated<"comment" | "agent-mode">;
  personId: number;
  login: string;
  role: string;
  commentId: number;
  commentNodeId: string;
  commentSha256: string;
  reason: string;
  createdAt: Generated<Date>;
  withdrawnAt: Date | null;
}
