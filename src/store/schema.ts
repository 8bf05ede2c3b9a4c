import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { ActionState, ChatMessage, Confidence, Expectation, Finding, Phase, Risk, Server } from "../types.ts";
import type { FeedbackTable, NoticeTable, QuestionTable, UsageTable } from "./agent-tables.ts";
import type { AutoModeTable } from "./auto-tables.ts";
import type { LabelTable } from "./labels.ts";
import type { RepositoryTable } from "./pin-tables.ts";
import type { PersonPromptTable } from "./prompt-tables.ts";
import type { BatchTable, OutputPartTable, OutputTable, RunTable, ServerLineTable } from "./run-tables.ts";
import type { ScheduleRunTable, ScheduleTable } from "./schedule-tables.ts";
import type { HaltTable, HoldTable } from "./stop-tables.ts";
import type { KnownLink } from "./track-record.ts";
import type { WriteBudgetTable } from "./write-budget.ts";

/** The tables as Kysely sees them (camelCase here, snake_case in the database); `migrations.ts` is the truth. */
export interface Tables {
  delivery: DeliveryTable;
  repository: RepositoryTable;
  incident: IncidentTable;
  session: SessionTable;
  message: MessageTable;
  personPrompt: PersonPromptTable;
  turn: TurnTable;
  action: ActionTable;
  batch: BatchTable;
  approval: ApprovalTable;
  run: RunTable;
  serverLine: ServerLineTable;
  schedule: ScheduleTable;
  scheduleRun: ScheduleRunTable;
  output: OutputTable;
  outputPart: OutputPartTable;
  comment: CommentTable;
  reaction: ReactionTable;
  label: LabelTable;
  audit: AuditTable;
  auditHead: AuditHeadTable;
  autoMode: AutoModeTable;
  halt: HaltTable;
  hold: HoldTable;
  writeBudget: WriteBudgetTable;
  usage: UsageTable;
  notice: NoticeTable;
  question: QuestionTable;
  feedback: FeedbackTable;
}

interface DeliveryTable {
  guid: string;
  position: Generated<number>;
  line: string;
  event: string;
  action: string | null;
  semanticKey: string | null;
  payload: string;
  receivedAt: Generated<Date>;
  state: Generated<"stored" | "done" | "quarantined">;
  attempts: Generated<number>;
  outcome: string | null;
}

interface IncidentTable {
  id: string;
  installationId: number;
  repoId: number;
  repo: string;
  number: number;
  nodeId: string;
  title: string;
  /** The issue's text as people see it, from the time it was taken in (SR-36). */
  body: string;
  /** On a public repository outputs stay off the issue (SR-11). */
  public: boolean;
  /** As the last event about the issue told them. */
  labels: JSONColumnType<readonly string[]>;
  /** Somebody took it in with /investigate: it is an incident without the label. */
  byHand: Generated<boolean>;
  /** An older copy of the store was put back, and its comments have not been drawn since. */
  setBack: Generated<boolean>;
  openerId: number;
  openerLogin: string;
  state: Generated<"open" | "closed">;
  nextNumber: Generated<number>;
  phase: Generated<Phase>;
  confidence: Confidence | null;
  headline: string | null;
  createdAt: Generated<Date>;
  closedAt: Date | null;
}

/** What a session is about first (AR-16). */
export const pillars = ["troubleshoot", "revive"] as const;
export type Pillar = (typeof pillars)[number];

interface SessionTable {
  id: string;
  incidentId: string;
  userId: number;
  userLogin: string;
  pillar: Generated<Pillar>;
  nonce: string;
  /** What people and workflows told the agent for this session alone, oldest first (S13.4). */
  instructions: ColumnType<readonly SessionInstruction[], string | undefined, string>;
  steps: Generated<number>;
  stepLimit: number;
  inputTokens: Generated<number>;
  /** Of the input tokens those that the provider had in its cache. */
  cachedTokens: Generated<number>;
  outputTokens: Generated<number>;
  /** Comments with a higher id than this have not been read to the model yet. */
  heardComment: number | null;
  /** Who was asked to take the incident over and has not answered, by login. */
  offeredTo: string | null;
  createdAt: Generated<Date>;
}

export interface SessionInstruction {
  /** Who or what says it, e.g. `@lee` or `workflow drain`. */
  readonly source: string;
  readonly text: string;
}

interface MessageTable {
  id: Generated<number>;
  sessionId: string;
  message: JSONColumnType<ChatMessage & object>;
  createdAt: Generated<Date>;
}

interface TurnTable {
  id: string;
  incidentId: string;
  step: number;
  cause: string;
  offline: boolean;
  prose: string;
  confidence: Confidence | null;
  phase: Phase;
  suggestions: JSONColumnType<readonly string[]>;
  runbooks: JSONColumnType<readonly KnownLink[]>;
  notes: JSONColumnType<readonly string[]>;
  inputTokens: Generated<number>;
  cachedTokens: Generated<number>;
  outputTokens: Generated<number>;
  /** Who set it going; null where nobody did. */
  personId: number | null;
  createdAt: Generated<Date>;
}

/** One server of an action, with all that decides what happens there. */
export interface Target {
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: Server["os"];
  readonly hostKeys: readonly string[];
  /** As a job of this id it is found again after a crash; null: it runs in its session (ARCHITECTURE.md "SSH side"). */
  readonly jobId: string | null;
  /** The exact bytes sent over SSH, wrapper and all. */
  readonly wrapped: string;
  readonly hardTimeoutMs: number;
  readonly outputCapBytes: number;
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
  /** The command as shown on the card. */
  readonly command: string;
  readonly risk: Risk;
  /** How its runs are to go; one that does not is a failure. */
  readonly expect?: Expectation | undefined;
  /** What a skill says of this very command, shown beside it: how to see whether it helped, how to undo it. */
  readonly check?: string | undefined;
  readonly undo?: string | undefined;
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

interface ActionTable {
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

interface ApprovalTable {
  id: string;
  actionId: string;
  digest: string;
  verdict: "approve" | "reject";
  /** A comment on this very action, or the one that switched agent mode on (AR-03). */
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

interface CommentTable {
  id: string;
  position: Generated<number>;
  installationId: number;
  repo: string;
  issue: number;
  incidentId: string | null;
  /** Which comment of the issue this is: `board`, `card:3`, `run:5`, `reply:<comment id>` … */
  slot: string;
  body: string;
  version: Generated<number>;
  postedVersion: Generated<number>;
  /** What the last attempt tried to post: after a lost answer GitHub may show this one. */
  postingBody: string | null;
  postedBody: string | null;
  githubId: number | null;
  nodeId: string | null;
  /** GitHub's id of the last one that was deleted, so that this was made anew; 0 where none was. */
  gone: Generated<number>;
  attempts: Generated<number>;
  dueAt: Generated<Date>;
  parked: string | null;
  createdAt: Generated<Date>;
  postedAt: Date | null;
  /** When people could first see it, by GitHub's clock. */
  firstPostedAt: Date | null;
  foldAs: "OUTDATED" | "RESOLVED" | null;
  folded: Generated<boolean>;
  foldAttempts: Generated<number>;
}

interface ReactionTable {
  id: string;
  installationId: number;
  repo: string;
  issue: number;
  /** 0 for a reaction on the issue itself. */
  commentId: Generated<number>;
  content: "eyes" | "rocket" | "confused" | "-1";
  posted: Generated<boolean>;
  attempts: Generated<number>;
  parked: string | null;
  createdAt: Generated<Date>;
}

interface AuditTable {
  seq: number;
  /** RFC 3339, as hashed. */
  at: string;
  kind: string;
  incidentId: string | null;
  /** JSON, as hashed. */
  body: string;
  prev: string;
  hash: string;
}

interface AuditHeadTable {
  one: number;
  seq: number;
  hash: string;
}
