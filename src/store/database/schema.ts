import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { ChatMessage, Confidence, Phase } from "../../base/agent.ts";
import type { AlertTable } from "../alerts.ts";
import type { EscalationTable } from "../outbox/escalations.ts";
import type { LabelTable } from "../outbox/labels.ts";
import type { Limit } from "../outbox/urgency.ts";
import type { WriteBudgetTable, WriteShareTable, WriteWaitTable } from "../outbox/write-budget.ts";
import type { PasskeyPageTable, PasskeyTable } from "../passkeys.ts";
import type { Similar } from "../past-incidents.ts";
import type { KnownLink } from "../track-record.ts";
import type { ActionTable, ApprovalTable } from "./action-tables.ts";
import type {
  FeedbackTable,
  IncidentChangesTable,
  IncidentValueTable,
  NoticeTable,
  QuestionTable,
  UsageTable,
} from "./agent-tables.ts";
import type { LeaseTable } from "./lease-tables.ts";
import type { PollTable, RepositoryTable } from "./pin-tables.ts";
import type { PersonPromptTable } from "./prompt-tables.ts";
import type { BatchTable, OutputPartTable, OutputTable, RunTable, ServerLineTable } from "./run-tables.ts";
import type { ScheduleRunTable, ScheduleTable } from "./schedule-tables.ts";
import type { HaltTable, HoldTable } from "./stop-tables.ts";

/** The tables as Kysely sees them (camelCase here, snake_case in the database); `migrations/` is the truth. */
export interface Tables {
  delivery: DeliveryTable;
  repository: RepositoryTable;
  poll: PollTable;
  incident: IncidentTable;
  incidentValue: IncidentValueTable;
  incidentChanges: IncidentChangesTable;
  alert: AlertTable;
  session: SessionTable;
  message: MessageTable;
  personPrompt: PersonPromptTable;
  turn: TurnTable;
  action: ActionTable;
  batch: BatchTable;
  approval: ApprovalTable;
  passkey: PasskeyTable;
  passkeyPage: PasskeyPageTable;
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
  lease: LeaseTable;
  halt: HaltTable;
  hold: HoldTable;
  writeBudget: WriteBudgetTable;
  writeShare: WriteShareTable;
  writeWait: WriteWaitTable;
  usage: UsageTable;
  notice: NoticeTable;
  question: QuestionTable;
  feedback: FeedbackTable;
  escalation: EscalationTable;
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
  /** How often what its comments show has changed, and up to which of these changes they were drawn. */
  changed: Generated<number>;
  drawn: Generated<number>;
  /** Since when they differ. */
  undrawnSince: Generated<Date | null>;
  /** Because of which limit the board says that comments come late; null if it does not. */
  lateSaid: Limit | null;
  /** What the board says is going on; empty where it goes by the rows. */
  doing: Generated<string>;
  openerId: number;
  openerLogin: string;
  state: Generated<"open" | "closed">;
  nextNumber: Generated<number>;
  phase: Generated<Phase>;
  confidence: Confidence | null;
  headline: string | null;
  createdAt: Generated<Date>;
  closedAt: Date | null;
  /** What it was, as whoever closed it said; null where nobody did. */
  cause: string | null;
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
  toolCalls: Generated<number>;
  /** Of its turns. */
  durationMs: Generated<number>;
  /** Comments with a higher id than this have not been read to the model yet. */
  heardComment: number | null;
  /** SHA-256 of the repository's rules that the model was last told, empty where there were none; null before it was told any. */
  toldRules: string | null;
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
  /** Of the repository's files that were read for it; null where there were none. */
  contextCommit: string | null;
  /** An incident of before that its card names; null where there is none. */
  similarIncident: ColumnType<Similar | null, string | null | undefined, string | null>;
  createdAt: Generated<Date>;
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
  /** Whether somebody waits for what it says next. */
  awaited: Generated<boolean>;
  /** Whose command it answers, and whether they may only read. */
  askedBy: number | null;
  readsOnly: Generated<boolean>;
  parked: string | null;
  createdAt: Generated<Date>;
  postedAt: Date | null;
  /** When people could first see it, by GitHub's clock. */
  firstPostedAt: Date | null;
  foldAs: "OUTDATED" | "RESOLVED" | null;
  folded: Generated<boolean>;
  foldAttempts: Generated<number>;
  /** Whether it is pinned, or GitHub does not pin it; the board alone is. */
  pinned: Generated<boolean>;
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
  /** Whether it is for somebody who may only read. */
  readsOnly: Generated<boolean>;
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
