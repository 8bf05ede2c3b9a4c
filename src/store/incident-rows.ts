import { type RawBuilder, sql } from "kysely";
import { actionStates, isUndecided, isUnfinished, type NamedValue, type RunbookDemand } from "../base/action.ts";
import type { ChatMessage } from "../base/agent.ts";
import type { Action, Approval } from "./actions.ts";
import type { AlertRow, PagerAnswer } from "./alerts.ts";
import { writeNow } from "./database/commit.ts";
import { type Db, revived, type Tx } from "./database/connection.ts";
import { type Stops, wholeRepository } from "./holds.ts";
import type { HypothesisRow } from "./hypotheses.ts";
import type { Incident, IncidentChanges, Session } from "./incidents.ts";
import type { Lease } from "./leases.ts";
import type { Escalation } from "./outbox/escalations.ts";
import { slots } from "./outbox/thread-comments.ts";
import type { Limit } from "./outbox/urgency.ts";
import type { KnownComment, OutboxComment } from "./outbox/wanted.ts";
import { lateBy } from "./outbox/write-budget.ts";
import type { RunOutput } from "./outputs.ts";
import type { RepositoryPin } from "./pins.ts";
import type { PullRequestRow } from "./pull-requests.ts";
import type { Question } from "./questions.ts";
import type { Batch, Run } from "./runs.ts";
import type { Turn } from "./turns.ts";

/** Lists have the order of the function that reads them alone. */
interface AllRows extends Stops {
  readonly incident: Incident;
  readonly session: Session;
  readonly actions: readonly Action[];
  /** Those that still stand, rejections included. */
  readonly approvals: readonly Approval[];
  readonly withdrawn: readonly Pick<Approval, "actionId" | "commentId">[];
  readonly runs: readonly Run[];
  /** As people see them, without the text. */
  readonly outputs: readonly RunOutput[];
  readonly turns: readonly Turn[];
  /** What the model has been told and has said. */
  readonly messages: readonly { readonly message: ChatMessage }[];
  readonly questions: readonly Question[];
  readonly hypotheses: readonly HypothesisRow[];
  readonly pullRequests: readonly PullRequestRow[];
  readonly batches: readonly Batch[];
  readonly values: readonly NamedValue[];
  readonly lease: Lease | null;
  readonly alert: AlertRow | null;
  readonly repoChanges: (IncidentChanges & { readonly toldAt: Date | null }) | null;
  readonly escalations: readonly Escalation[];
  readonly pagerAnswers: readonly PagerAnswer[];
  /** What runbooks demand of its actions: of what waits first, and of the newest first. */
  readonly demands: readonly { readonly demands: readonly RunbookDemand[] }[];
  /** The board, and the cards of what waits or is approved. */
  readonly shown: readonly Pick<OutboxComment, "slot" | "nodeId" | "position">[];
  /** Ours that GitHub has, or had. */
  readonly posted: readonly StandingComment[];
  readonly head: { readonly seq: number; readonly hash: string };
}

const shownParts = [
  "session",
  "actions",
  "approvals",
  "runs",
  "turns",
  "questions",
  "hypotheses",
  "pullRequests",
  "batches",
  "holds",
  "values",
  "lease",
  "alert",
  "repoChanges",
  "escalations",
  "pagerAnswers",
  "head",
] as const;

type RowPart = Exclude<keyof AllRows, "incident">;
export type RowsWith<Part extends RowPart> = Pick<AllRows, "incident" | Part>;
export type IncidentRows = RowsWith<(typeof shownParts)[number]>;

export type StandingComment = Pick<OutboxComment, "slot" | "githubId" | "firstPostedAt" | "gone">;

/** Changed since its comments were drawn, or with another limit to name on its board. */
export interface UndrawnRows extends IncidentRows {
  readonly comments: readonly KnownComment[];
  /** Makes its comments late. */
  readonly late: Limit | null;
}

/** What the last look asks GitHub about. */
export interface LookRows extends RowsWith<"actions" | "approvals"> {
  /** What the repository's name means; null before first contact. */
  readonly pin: RepositoryPin | null;
  /** The board, and the card that shows the action. */
  readonly shown: readonly OutboxComment[];
}

/** One statement instead of a dozen round trips. */
export const rowsOf = <Part extends RowPart = never>(
  db: Db | Tx,
  incidentId: string,
  ...more: readonly Part[]
): Promise<RowsWith<(typeof shownParts)[number] | Part>> =>
  partsOf<(typeof shownParts)[number] | Part>(db, incidentId, ...shownParts, ...more);

/** Undefined if the issue was never an incident. */
export const partsOfIssue = <Part extends RowPart>(
  db: Db | Tx,
  { repoId, number }: Pick<Incident, "repoId" | "number">,
  ...parts: readonly Part[]
): Promise<RowsWith<Part> | undefined> => read(db, sql`repo_id = ${repoId} and number = ${number}`, parts);

export const partsOf = <Part extends RowPart>(
  db: Db | Tx,
  incidentId: string,
  ...parts: readonly Part[]
): Promise<RowsWith<Part>> => required(read(db, sql`id = ${incidentId}::uuid`, parts), incidentId);

/**
 * Without what no decision depends on any more, so that a step costs the same late in an incident: reads that ended, with their runs and
 * approvals, and their batches once the agent has read them. A card with anything open stays whole.
 */
export const openPartsOf = <Part extends RowPart>(
  db: Db | Tx,
  of: string | { readonly batchId: string },
  ...parts: readonly Part[]
): Promise<RowsWith<Part>> => {
  const [id, which] =
    typeof of === "string"
      ? [of, sql`id = ${of}::uuid`]
      : [of.batchId, sql`id = (select incident_id from batch where id = ${of.batchId}::uuid)`];
  return required(read(db, which, parts, { isOpen: true }), id);
};

async function required<Rows>(reading: Promise<Rows | undefined>, id: string): Promise<Rows> {
  const rows = await reading;
  if (!rows) throw new Error(`there is no incident of ${id}`);
  return rows;
}

/** Returns undefined if nothing changed since the drawing. */
export const undrawnRows = (
  db: Db | Tx,
  { repo, issue }: { readonly repo: string; readonly issue: number },
): Promise<UndrawnRows | undefined> => {
  const comments = sql`(
    select slot, body, github_id, posted_at, fold_as from comment where repo = ${repo} and issue = ${issue})`;
  return read<RowPart, UndrawnRows>(
    db,
    sql`repo = ${repo} and number = ${issue}
      and (changed > drawn or late_said is distinct from ${lateBy(sql`incident.installation_id`)} and late_said is not null)`,
    shownParts,
    { more: sql`, ${list(comments, "slot")} as comments, ${lateBy(sql`found.installation_id`)} as late` },
  );
};

/** `number`: the action whose card shows what is looked at. */
export const lookRows = (
  db: Db | Tx,
  { incidentId, number }: { readonly incidentId: string; readonly number: number },
): Promise<LookRows> => {
  const pin = sql`(select id as repo_id, installation_id, installed from repository where name = lower(found.repo))`;
  const shown = shownOf(sql`select card from ${own("action")} a where number = ${number}`, ["*"]);
  const more = sql`, ${one(pin)} as pin, ${list(shown, "position")} as shown`;
  const reading = read<"actions" | "approvals", LookRows>(db, sql`id = ${incidentId}::uuid`, ["actions", "approvals"], {
    isOpen: true,
    more,
  });
  return required(reading, incidentId);
};

const list = (from: RawBuilder<unknown>, order: string): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(t order by ${sql.raw(order)}), '[]') from ${from} t)`;
const one = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select row_to_json(t) from ${from} t)`;
const own = (table: string): RawBuilder<unknown> =>
  sql`(select * from ${sql.table(table)} where incident_id = (select id from found))`;
const ofActions = (table: string): RawBuilder<unknown> =>
  sql`(select o.* from ${sql.table(table)} o join action a on a.id = o.action_id where a.incident_id = (select id from found))`;

const shownOf = (cards: RawBuilder<unknown>, columns: readonly string[]): RawBuilder<unknown> =>
  sql`(select ${sql.join(columns.map((column) => sql.raw(`comment.${column}`)))} from comment join found on comment.repo = found.repo and issue = found.number
    where slot = ${slots.board} or slot in (${cards}))`;
const withdrawnOf = (approvals: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select action_id, comment_id from ${approvals} s where withdrawn_at is not null)`;

const undecided = sql.join(actionStates.filter((state) => isUndecided({ state })).map((state) => sql.lit(state)));

const partReads = {
  session: one(own("session")),
  actions: list(own("action"), "number"),
  approvals: list(sql`(select * from ${ofActions("approval")} s where withdrawn_at is null)`, "created_at, id"),
  withdrawn: list(withdrawnOf(ofActions("approval")), "action_id, comment_id"),
  runs: list(ofActions("run"), "id"),
  outputs: list(
    sql`(select run_id, withheld, output.excerpt from output join ${ofActions("run")} r on r.id = run_id)`,
    "run_id",
  ),
  turns: list(own("turn"), "step"),
  messages: list(
    sql`(select m.id, message from message m join session s on s.id = session_id where incident_id = (select id from found))`,
    "id",
  ),
  questions: list(own("question"), "number"),
  hypotheses: list(own("hypothesis"), "changed_at, id"),
  pullRequests: list(own("pull_request"), "opened_at, action_id"),
  batches: list(own("batch"), "created_at"),
  holds: list(
    sql`(select hold.* from hold join found on hold.repo_id = found.repo_id
      and issue in (found.number, ${wholeRepository}))`,
    "issue desc",
  ),
  values: list(sql`(select source, name, value from ${own("incident_value")} v)`, "source, name"),
  lease: one(own("lease")),
  alert: one(own("alert")),
  repoChanges: one(own("incident_changes")),
  halts: list(sql`(select * from halt)`, "scope"),
  escalations: list(own("escalation"), "at, step"),
  pagerAnswers: list(own("pager_answer"), "at, event"),
  demands: list(
    sql`(select spec -> 'demands' as demands, number, state in (${undecided}) as waits
      from ${own("action")} a where jsonb_exists(spec, 'demands'))`,
    "waits desc, number desc",
  ),
  shown: list(
    shownOf(sql`select card from ${own("action")} a where state in ('proposed', 'approved')`, [
      "slot",
      "node_id",
      "position",
    ]),
    "position",
  ),
  posted: list(
    sql`(select slot, github_id, first_posted_at, gone from comment join found on comment.repo = found.repo
      and issue = found.number where first_posted_at is not null or github_id is not null)`,
    "slot",
  ),
  head: one(sql`(select seq, hash from audit_head)`),
} as const satisfies Record<RowPart, RawBuilder<unknown>>;

// Not parameters, because PostgreSQL picks the index `action_standing` before it knows the values.
const unfinished = sql.join(actionStates.filter((state) => isUnfinished({ state })).map((state) => sql.lit(state)));

/**
 * What changes something, or may have left something behind by the operator's word alone, stays: what runs later is judged by it. Of a read
 * that ended only card and number are looked at, because its spec is long.
 */
const openActions = sql`unfinished as materialized (
    select number, card, (spec -> 'guard' ->> 'check')::int as check from ${own("action")} a where state in (${unfinished})
  ), unread as materialized (
    select n::int as number from ${own("batch")} b, jsonb_array_elements(numbers) n where ended_at is null or read_at is null
  ), open_action as materialized (
    select id, number from ${own("action")} a
      where state <> 'done' or spec ->> 'risk' <> 'low' or findings @> '[{"ruleId": "operator.trust"}]'
    union
    select id, number from ${own("action")} a where card = any (array(select card from unfinished))
      or number = any (array(select number from unread)) or number = any (array(select "check" from unfinished)))`;

const ofOpenActions = (table: string): RawBuilder<unknown> =>
  sql`(select o.* from ${sql.table(table)} o where action_id in (select id from open_action))`;

const openReads: Partial<Record<RowPart, RawBuilder<unknown>>> = {
  actions: list(sql`(select * from action where id in (select id from open_action))`, "number"),
  approvals: list(sql`(select * from ${ofOpenActions("approval")} s where withdrawn_at is null)`, "created_at, id"),
  withdrawn: list(withdrawnOf(ofOpenActions("approval")), "action_id, comment_id"),
  runs: list(ofOpenActions("run"), "id"),
  batches: list(
    sql`(select * from ${own("batch")} b where ended_at is null or read_at is null or comment_id is null
      or exists (select from unfinished where numbers @> to_jsonb(unfinished.number)))`,
    "created_at",
  ),
};

/** What a transaction may have put off. Writing the audit locks its head, so no other part writes it. */
const putOff: Partial<Record<RowPart, "actions" | "approvals" | "batches" | "outputs" | "audit">> = {
  actions: "actions",
  approvals: "approvals",
  withdrawn: "approvals",
  batches: "batches",
  outputs: "outputs",
  head: "audit",
};

async function read<Part extends RowPart, Rows = RowsWith<Part>>(
  db: Db | Tx,
  which: RawBuilder<unknown>,
  parts: readonly Part[],
  { isOpen = false, more = sql`` }: { readonly isOpen?: boolean; readonly more?: RawBuilder<unknown> } = {},
): Promise<Rows | undefined> {
  await writeNow(db, ...parts.flatMap((part) => putOff[part] ?? []));
  const columns = parts.map((part) => sql`${(isOpen && openReads[part]) || partReads[part]} as ${sql.ref(part)}`);
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    with found as materialized (select * from incident where ${which})${isOpen ? sql`, ${openActions}` : sql``}
    select row_to_json(found) as incident, ${sql.join(columns)}${more}
    from found`.execute(db);
  const [found] = rows;
  // The tables' columns; a halt's moment is a text.
  return found && { ...(revived(found) as Rows), ...(found.halts ? { halts: found.halts } : {}) };
}
