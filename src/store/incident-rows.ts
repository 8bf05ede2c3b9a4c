import { type RawBuilder, sql } from "kysely";
import { actionStates, isUndecided, isUnfinished, type NamedValue, type RunbookDemand } from "../base/action.ts";
import type { ChatMessage } from "../base/agent.ts";
import type { Action, Approval, KeptAction } from "./actions.ts";
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
import { asDrawnWith, type KnownComment, type OutboxComment } from "./outbox/wanted.ts";
import { lateBy } from "./outbox/write-budget.ts";
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
  /** Approvals that were taken back: their comment has counted once and counts no more. */
  readonly withdrawn: readonly Pick<Approval, "actionId" | "commentId">[];
  readonly runs: readonly Run[];
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

/**
 * Changed since its comments were drawn, or with another limit to name on its board. Of turns, actions and batches only what is drawn:
 * comments that stand as drawn and cannot change are left out (`settledIn`).
 */
export interface UndrawnRows extends IncidentRows {
  readonly comments: readonly KnownComment[];
  /** Makes its comments late. */
  readonly late: Limit | null;
  /** The comments that are drawn: all that they show is among the rows. */
  readonly slots: readonly { readonly slot: string }[];
  /** Of the actions that are not among the rows. */
  readonly kept: readonly Pick<KeptAction, "row">[];
  /** Of these, if one among the rows is to be compared with them: an open proposal that is no person's. */
  readonly acts: readonly Required<Pick<KeptAction, "act">>[];
  /** How many turns that are not among the rows took no step of the model. */
  readonly freeTurns: number;
}

/** What a turn is told of an action that was settled before. */
export interface PastAction extends Pick<Action, "id" | "number" | "state" | "origin"> {
  readonly spec: Pick<Action["spec"], "place" | "command" | "set" | "risk" | "probes">;
}

export type EarlierRun = Pick<
  Run,
  | "id"
  | "actionId"
  | "server"
  | "step"
  | "ending"
  | "outcome"
  | "trouble"
  | "startedAt"
  | "durationMs"
  | "bytes"
  | "redactedSha256"
>;

/** What is open, or was not settled before; of all else what a turn is told. */
export interface TurnRows extends IncidentRows {
  readonly pastActions: readonly PastAction[];
  readonly pastRuns: readonly EarlierRun[];
  /** How many turns that are not among the rows took no step of the model. */
  readonly freeTurns: number;
}

/** What the last look asks GitHub about. */
export interface LookRows extends RowsWith<"actions" | "approvals"> {
  /** What the repository's name means; null before first contact. */
  readonly pin: RepositoryPin | null;
  /** The board, and the card that shows the action. */
  readonly shown: readonly OutboxComment[];
}

/** One statement instead of a dozen round trips. */
export const rowsOf = (db: Db | Tx, incidentId: string): Promise<IncidentRows> =>
  partsOf(db, incidentId, ...shownParts);

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
  return required(read(db, which, parts, { reads: openReads, ctes: openActions }), id);
};

async function required<Rows>(reading: Promise<Rows | undefined>, id: string): Promise<Rows> {
  const rows = await reading;
  if (!rows) throw new Error(`there is no incident of ${id}`);
  return rows;
}

/** `number`: the action whose card shows what is looked at. */
export const lookRows = (
  db: Db | Tx,
  { incidentId, number }: { readonly incidentId: string; readonly number: number },
): Promise<LookRows> => {
  const pin = sql`(select id as repo_id, installation_id, installed from repository where name = lower(found.repo))`;
  const shown = shownOf(sql`select card from ${own("action")} a where number = ${number}`, ["*"]);
  const more = sql`, ${one(pin)} as pin, ${list(shown, "position")} as shown`;
  const reading = read<"actions" | "approvals", LookRows>(db, sql`id = ${incidentId}::uuid`, ["actions", "approvals"], {
    reads: openReads,
    ctes: openActions,
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
  // A batch with an action that may still change is not settled.
  batches: list(
    sql`(select * from batch where id in (
      select id from ${own("batch")} b where ended_at is null or read_at is null or comment_id is null
      union select id from ${own("batch")} b where not settled
        and exists (select from unfinished where numbers @> to_jsonb(unfinished.number))))`,
    "created_at",
  ),
};

/**
 * Chooses the comments to draw, with all that they show: those with a row that is not settled. If `drawnWith` has changed since the last
 * drawing, or the incident is closed, chooses all. The first two turns and the newest one are never settled.
 */
const drawnRows = (drawnWith: string): RawBuilder<unknown> => sql`whole as materialized (
    select state = 'closed' or drawn_with is distinct from ${asDrawnWith(drawnWith)} as is_whole from found
  ), open_action as materialized (
    select card from ${own("action")} a where kept is null
  ), open_turn as materialized (
    select step from ${own("turn")} t where not settled
  ), open_batch as materialized (
    select id, told_on from ${own("batch")} b where not settled
  ), drawn_slot as materialized (
    select card as slot from open_action
    union select 'card:' || step from open_turn
    union select 'batch:' || id from open_batch
    union select 'card:' || told_on from open_batch where told_on is not null
    union select card from ${own("action")} a where (select is_whole from whole)
    union select 'card:' || step from ${own("turn")} t where (select is_whole from whole)
    union select 'batch:' || id from ${own("batch")} b where (select is_whole from whole)
  ), drawn_step as materialized (
    select split_part(slot, ':', 2)::int as step from drawn_slot where slot like 'card:%'
  ), drawn_batch as materialized (
    select id, numbers from ${own("batch")} b where id in (
      select split_part(slot, ':', 2)::uuid from drawn_slot where slot like 'batch:%'
      union select told.id from ${own("batch")} told where told_on = any (array(select step from drawn_step)))
  ), drawn_action as materialized (
    select id from ${own("action")} a where card = any (array(select slot from drawn_slot))
    union select id from ${own("action")} a
      where number = any (array(select n::int from drawn_batch, jsonb_array_elements(numbers) n))
  )`;

const ofDrawnActions = (table: string): RawBuilder<unknown> =>
  sql`(select o.* from ${sql.table(table)} o where action_id in (select id from drawn_action))`;

const drawnReads: Partial<Record<RowPart, RawBuilder<unknown>>> = {
  turns: list(sql`(select * from ${own("turn")} t where step = any (array(select step from drawn_step)))`, "step"),
  actions: list(sql`(select * from action where id in (select id from drawn_action))`, "number"),
  approvals: list(sql`(select * from ${ofDrawnActions("approval")} s where withdrawn_at is null)`, "created_at, id"),
  runs: list(ofDrawnActions("run"), "id"),
  batches: list(sql`(select * from batch where id in (select id from drawn_batch))`, "created_at"),
};

/** A batch is not settled while the agent has not read it, or while one of its actions may change. */
const turnActions = sql`${openActions}, turn_batch as materialized (
    select id, numbers from ${own("batch")} b where not settled
  ), turn_action as materialized (
    select id from open_action
    union select id from ${own("action")} a where kept is null
    union select id from ${own("action")} a
      where number = any (array(select n::int from turn_batch, jsonb_array_elements(numbers) n))
  ), turn_turn as materialized (
    select step from ${own("turn")} t where not settled
    union (select max(step) from ${own("turn")} t where offline)
    union (select max(step) from ${own("turn")} t where not offline)
  )`;

const ofTurnActions = (table: string): RawBuilder<unknown> =>
  sql`(select o.* from ${sql.table(table)} o where action_id in (select id from turn_action))`;

const turnReads: Partial<Record<RowPart, RawBuilder<unknown>>> = {
  turns: list(sql`(select * from ${own("turn")} t where step in (select step from turn_turn))`, "step"),
  actions: list(sql`(select * from action where id in (select id from turn_action))`, "number"),
  approvals: list(sql`(select * from ${ofTurnActions("approval")} s where withdrawn_at is null)`, "created_at, id"),
  runs: list(ofTurnActions("run"), "id"),
  batches: list(sql`(select * from batch where id in (select id from turn_batch))`, "created_at"),
};

/** For a turn: the last turns and what may still change whole, earlier ones by what it is told of them. */
export const turnRowsOf = (db: Db | Tx, incidentId: string): Promise<TurnRows> => {
  const actions = sql`(
    select id, number, state, origin, jsonb_strip_nulls(jsonb_build_object('place', spec -> 'place', 'command', spec -> 'command',
      'set', spec -> 'set', 'risk', spec -> 'risk', 'probes', spec -> 'probes')) as spec
    from ${own("action")} a where kept is not null and id not in (select id from turn_action))`;
  const runs = sql`(
    select r.id, action_id, server, step, ending, outcome, trouble, started_at, duration_ms, bytes, redacted_sha256
    from run r join ${own("action")} a on a.id = action_id where kept is not null and a.id not in (select id from turn_action))`;
  return required(
    read<RowPart, TurnRows>(db, sql`id = ${incidentId}::uuid`, shownParts, {
      reads: turnReads,
      ctes: turnActions,
      more: sql`, ${list(actions, "number")} as past_actions, ${list(runs, "id")} as past_runs,
        (select count(*)::int from ${own("turn")} t where offline and step > 0
          and step not in (select step from turn_turn where step is not null)) as free_turns`,
    }),
    incidentId,
  );
};

/** Returns undefined if nothing changed since the drawing. */
export const undrawnRows = (
  db: Db | Tx,
  { repo, issue, drawnWith }: { readonly repo: string; readonly issue: number; readonly drawnWith: string },
): Promise<UndrawnRows | undefined> =>
  readDrawn(
    db,
    sql`repo = ${repo} and number = ${issue}
      and (changed > drawn or late_said is distinct from ${lateBy(sql`incident.installation_id`)} and late_said is not null)`,
    drawnWith,
  );

/** As if the incident had changed. */
export const drawnRowsOf = (db: Db | Tx, incidentId: string, drawnWith: string): Promise<UndrawnRows> =>
  required(readDrawn(db, sql`id = ${incidentId}::uuid`, drawnWith), incidentId);

function readDrawn(db: Db | Tx, which: RawBuilder<unknown>, drawnWith: string): Promise<UndrawnRows | undefined> {
  const comments = sql`(
    select slot, body, github_id, posted_at, fold_as from comment where repo = (select repo from found)
      and issue = (select number from found) and slot = any (array(select slot from drawn_slot
        union select 'batch:' || id from drawn_batch union values (${slots.board}), (${slots.checks}))))`;
  const settled = sql`${own("action")} a where kept is not null and id not in (select id from drawn_action)`;
  const kept = sql`(select number, kept -> 'row' as row from ${settled})`;
  const acts = sql`(
    select number, kept -> 'act' as act from ${settled} and jsonb_exists(kept, 'act') and (
      select exists (select from ${own("action")} o where kept is null and state = 'proposed' and origin <> 'person')))`;
  return read<RowPart, UndrawnRows>(db, which, shownParts, {
    reads: drawnReads,
    ctes: drawnRows(drawnWith),
    more: sql`, ${list(comments, "slot")} as comments, ${lateBy(sql`found.installation_id`)} as late,
      ${list(sql`(select slot from drawn_slot)`, "slot")} as slots, ${list(kept, "number")} as kept,
      ${list(acts, "number")} as acts,
      (select count(*)::int from ${own("turn")} t where settled and offline and step > 0
        and step <> all (array(select step from drawn_step))) as free_turns`,
  });
}

/** What a transaction may have put off. Writing the audit locks its head, so no other part writes it. */
const putOff: Partial<Record<RowPart, "actions" | "approvals" | "batches" | "audit">> = {
  actions: "actions",
  approvals: "approvals",
  withdrawn: "approvals",
  batches: "batches",
  head: "audit",
};

interface RowChoice {
  /** Instead of all rows of a part. */
  readonly reads: Partial<Record<RowPart, RawBuilder<unknown>>>;
  /** What these read from. */
  readonly ctes: RawBuilder<unknown>;
  readonly more: RawBuilder<unknown>;
}

async function read<Part extends RowPart, Rows = RowsWith<Part>>(
  db: Db | Tx,
  which: RawBuilder<unknown>,
  parts: readonly Part[],
  { reads = {}, ctes, more = sql`` }: Partial<RowChoice> = {},
): Promise<Rows | undefined> {
  await writeNow(db, ...parts.flatMap((part) => putOff[part] ?? []));
  const columns = parts.map((part) => sql`${reads[part] ?? partReads[part]} as ${sql.ref(part)}`);
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    with found as materialized (select * from incident where ${which})${ctes ? sql`, ${ctes}` : sql``}
    select row_to_json(found) as incident, ${sql.join(columns)}${more}
    from found`.execute(db);
  const [found] = rows;
  // The tables' columns; a halt's moment is a text.
  return found && { ...(revived(found) as Rows), ...(found.halts ? { halts: found.halts } : {}) };
}
