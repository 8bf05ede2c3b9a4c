import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Action, KeptAction } from "../actions.ts";
import { beforeCommit, countOf, writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { newId } from "../ids.ts";
import type { Incident } from "../incidents.ts";
import { settleSeconds, type WantedLabels } from "./posting.ts";
import { type Slot, slots } from "./thread-comments.ts";
import type { Limit } from "./urgency.ts";

export type OutboxComment = Selectable<Tables["comment"]>;
export type OutboxReaction = Selectable<Tables["reaction"]>;

export interface Thread {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  readonly incidentId: string | null;
}

/** A thread's comments are posted one after another. */
export const threadKey = (thread: Pick<Thread, "repo" | "issue">): string => `${thread.repo}#${thread.issue}`;

/**
 * Delays an edit after a change (`holdMs`) and after the last write (`apartMs`), so that many become one; never a new comment, or an edit
 * due sooner.
 */
export interface Pace {
  readonly holdMs: number;
  readonly apartMs: number;
}

export interface Asker {
  readonly id: number;
  readonly readsOnly: boolean;
}

/** Without a pace it is edited at once. */
export interface WantedComment {
  readonly slot: Slot;
  readonly body: string;
  readonly pace?: Pace | undefined;
  /** Says how a command ended, to a person who waits. */
  readonly awaited?: boolean;
  readonly askedBy?: Asker | undefined;
  /** By default every difference counts. */
  readonly sameAs?: (body: string) => boolean;
}

/**
 * A slot's first call makes the comment, in this order; later ones edit it. Edits before the next post become one; an equal body changes
 * nothing.
 */
export async function wantComments(tx: Tx, thread: Thread, comments: readonly WantedComment[]): Promise<void> {
  // Comments that were marked before come before these.
  await writeNow(tx, "marks");
  const known = await tx
    .selectFrom("comment")
    .select(["slot", "body", "githubId", "postedAt", "foldAs"])
    .where("repo", "=", thread.repo)
    .where("issue", "=", thread.issue)
    .where(
      "slot",
      "in",
      comments.map(({ slot }) => slot),
    )
    .execute();
  await storeDrawing(tx, { thread, known }, { comments, folded: [], labels: undefined });
}

/** On the issue if `commentId` is 0. Idempotent; a comment that has an answer gets none. */
export const wantReaction = (
  tx: Tx,
  thread: Thread,
  reaction: Pick<OutboxReaction, "commentId" | "content"> & { readonly readsOnly?: boolean },
): Promise<void> => want(tx, { readsOnly: false, ...thread, ...reaction });

const want = beforeCommit<Thread & Pick<OutboxReaction, "commentId" | "content" | "readsOnly">>("reactions", (all) => ({
  steps: [
    sql`reactions as (
      insert into reaction (id, installation_id, repo, issue, comment_id, content, reads_only)
      select * from (values ${sql.join(
        all.map(
          ({ installationId, repo, issue, commentId, content, readsOnly }) =>
            sql`(${newId()}::uuid, ${installationId}::bigint, ${repo}, ${issue}::integer, ${commentId}::bigint, ${content},
              ${readsOnly}::boolean)`,
        ),
      )}) as wanted (id, installation_id, repo, issue, comment_id, content, reads_only)
      where not exists (select from comment answer where answer.repo = wanted.repo and answer.issue = wanted.issue
        and answer.slot = 'reply:' || wanted.comment_id)
      on conflict (repo, issue, comment_id, content) do nothing returning id)`,
  ],
  outcome: sql`(select count(*) from reactions)`,
}));

/**
 * New comments get their place here, so that later ones do not come first. A proposal precedes its run even within one transaction, because
 * two clocks, the database's and ours, set such times.
 */
export const markChanged = (tx: Tx, incidentId: string, doing: string): Promise<void> =>
  mark(tx, { incidentId, doing });

const mark = beforeCommit<{ readonly incidentId: string; readonly doing: string }>("marks", (all) => {
  const marks = [...new Map(all.map(({ incidentId, doing }) => [incidentId, doing]))];
  const steps = marks.flatMap(([incidentId, doing], index) => {
    const own = sql`where incident_id = ${incidentId}::uuid`;
    const [marked, drawn, placed] = ["marked", "drawn", "placed"].map((name) => sql.raw(`${name}_${index}`));
    return [
      sql`${marked} as (
        update incident set changed = changed + 1, doing = ${doing}, undrawn_since = coalesce(undrawn_since, now())
        where id = ${incidentId}::uuid returning id as incident_id, installation_id, repo, number)`,
      sql`${drawn} as (
        select ${slots.board} as slot, 0 as level, null::timestamptz as since, 0 as n, null::uuid as batch_id
        union all select 'card:' || step, 1, created_at, step, null from turn ${own} and not settled
          and (step > 0 or not exists (select from turn later where later.incident_id = turn.incident_id and later.step > 0))
        union all select card, 2, created_at, number, null from action ${own} and kept is null and card = 'action:' || number
        union all select ${slots.batch("")} || id, 3, created_at, 0, id from batch ${own} and not settled and told_on is null)`,
      // What has its place is left out first; what is settled has it.
      sql`${placed} as (
        insert into comment (id, installation_id, repo, issue, incident_id, slot, body, version, due_at)
        select gen_random_uuid(), installation_id, repo, number, incident_id, slot, '', 0,
          now() + case when level = 3 then ${liveAfterMs} when slot = ${slots.checks} and not exists (select from batch ${own})
              then ${checksWaitMs} else 0 end
            * interval '1 millisecond'
        from ${marked} marked cross join lateral (
          select * from ${drawn} drawn where not exists (
            select from comment c where c.repo = marked.repo and c.issue = marked.number and c.slot = drawn.slot)
          offset 0) unplaced
        where not ${onlyProbes}
        order by level, since, n
        on conflict (repo, issue, slot) do nothing returning id)`,
    ];
  });
  return { steps, outcome: countOf("placed", marks) };
});

/** A batch that ends before has no run card beside its result. */
const liveAfterMs = 10_000;

/** An agent that answers sooner has the runbook's checks on its first card, unless a lease runs them, which waits for the card. */
const checksWaitMs = 10_000;

/** Their results stand on the cards of the changes they probe. */
const onlyProbes = sql`coalesce((
  select bool_and(spec ->> 'probes' is not null) from action join batch on batch.incident_id = action.incident_id
  where batch.id = unplaced.batch_id and batch.numbers @> to_jsonb(action.number)), false)`;

export const undrawnThreads = (db: Db | Tx): Promise<readonly { readonly repo: string; readonly number: number }[]> =>
  db.selectFrom("incident").select(["repo", "number"]).whereRef("changed", ">", "drawn").execute();

export async function isUndrawn(
  tx: Tx,
  { repo, issue }: { readonly repo: string; readonly issue: number },
): Promise<boolean> {
  await writeNow(tx, "marks");
  const row = await tx
    .selectFrom("incident")
    .select("id")
    .where("repo", "=", repo)
    .where("number", "=", issue)
    .whereRef("changed", ">", "drawn")
    .executeTakeFirst();
  return row !== undefined;
}

/** With GitHub's word for the reason. */
export interface FoldedComment {
  readonly slot: string;
  readonly as: "OUTDATED" | "RESOLVED";
}

interface ThreadDrawing {
  readonly comments: readonly WantedComment[];
  /** Folded once the text is posted; the first reason stays. */
  readonly folded: readonly FoldedComment[];
  readonly labels: WantedLabels | undefined;
}

export type KnownComment = Pick<OutboxComment, "slot" | "body" | "githubId" | "postedAt" | "foldAs">;

/** `counts`: the comments then count as drawn. */
interface DrawnChange {
  readonly incident: Pick<Incident, "id" | "changed">;
  readonly counts: boolean;
  /** Named on the board. */
  readonly late: Limit | null;
  /** What was drawn with, beside the rows. */
  readonly drawnWith: string;
  readonly settled: SettledRows;
}

/** A closed incident's comments say other things, a public one's less, and links name the repository. */
export const asDrawnWith = (drawnWith: string): RawBuilder<unknown> =>
  sql`concat_ws(' ', ${drawnWith}::text, state, public::text, repo)`;

/** Rows that later drawings leave out, or read only what is kept of. */
export interface SettledRows {
  readonly actions: readonly (Pick<Action, "id" | "state"> & { readonly kept: KeptAction })[];
  readonly turns: readonly string[];
  readonly batches: readonly string[];
}

/** Whether a comment would stay as it is. */
export const isAsKnown = (
  { body }: Pick<WantedComment, "body">,
  known: Pick<KnownComment, "body"> | undefined,
): boolean => known?.body === fitting(body);

/** In one statement. Returns false and stores nothing if the incident has changed since. */
export async function storeDrawing(
  db: Db | Tx,
  {
    thread,
    known,
    drawnAs,
  }: { readonly thread: Thread; readonly known: readonly KnownComment[]; readonly drawnAs?: DrawnChange },
  { comments, folded, labels }: ThreadDrawing,
): Promise<boolean> {
  const before = new Map<string, KnownComment>(known.map((row) => [row.slot, row]));
  const changed = comments
    .map((comment) => ({ ...comment, body: fitting(comment.body) }))
    .filter(({ slot, body, sameAs = (other) => other === body }) => {
      const now = before.get(slot)?.body;
      return now === undefined || !sameAs(now);
    });
  const folds = new Map(folded.map(({ slot, as }) => [slot, as]));
  const isChanged = new Set<string>(changed.map(({ slot }) => slot));
  const others = [...folds].filter(([slot]) => before.get(slot)?.foldAs === null && !isChanged.has(slot));
  if (!drawnAs && changed.length + others.length === 0 && !labels) return true;
  const { installationId, repo, issue, incidentId } = thread;
  const drawn = drawnAs
    ? sql`update incident set drawn = case when ${drawnAs.counts} then changed else drawn end,
        undrawn_since = case when ${drawnAs.counts} then null else undrawn_since end,
        drawn_with = case when ${drawnAs.counts} then ${asDrawnWith(drawnAs.drawnWith)} else drawn_with end,
        late_said = ${drawnAs.late}
        where id = ${drawnAs.incident.id} and changed = ${drawnAs.incident.changed} returning true as kept`
    : sql`select true as kept`;
  const names = JSON.stringify([...(labels?.wanted ?? [])].sort());
  const labelsAt = sql`now() + ${settleSeconds} * interval '1 second'`;
  // GitHub gets the labels a while later, unless the issue has them.
  const labeled = labels
    ? sql`, labeled as (
    insert into label (repo, issue, installation_id, wanted, spare, due_at)
    select ${repo}, ${issue}, ${installationId}, ${names}::jsonb, ${JSON.stringify(labels.spare)}::jsonb,
      case when ${names}::jsonb = '[]'::jsonb then null else ${labelsAt} end from drawn
    on conflict (repo, issue) do update set
      wanted = excluded.wanted,
      spare = excluded.spare,
      due_at = case when excluded.wanted = label.shown then null else coalesce(label.due_at, ${labelsAt}) end,
      attempts = 0
    where (label.wanted, label.spare) is distinct from (excluded.wanted, excluded.spare))`
    : sql``;
  const settled = drawnAs?.counts ? settling(drawnAs.settled) : sql``;
  // One statement for any number, planned once.
  const { rows } = await sql<{ kept: boolean }>`
    with drawn as (${drawn}), written as (
      insert into comment (id, installation_id, repo, issue, incident_id, slot, body, due_at, fold_as, awaited, asked_by, reads_only)
      select id, ${installationId}, ${repo}, ${issue}, ${incidentId}::uuid, slot, body,
        now() + wait * interval '1 millisecond', fold_as, awaited, asked_by, reads_only
      from unnest(${changed.map(newId)}::uuid[], ${changed.map(({ slot }) => slot)}::text[],
        ${changed.map(({ body }) => body)}::text[], ${changed.map((comment) => waitMs(comment, before.get(comment.slot)))}::float8[],
        ${changed.map(({ slot }) => folds.get(slot) ?? null)}::text[], ${changed.map(({ awaited = false }) => awaited)}::boolean[],
        ${changed.map(({ askedBy }) => askedBy?.id ?? null)}::bigint[], ${changed.map(({ askedBy }) => askedBy?.readsOnly ?? false)}::boolean[]
      ) with ordinality as wanted (id, slot, body, wait, fold_as, awaited, asked_by, reads_only, n), drawn order by n
      on conflict (repo, issue, slot) do update set body = excluded.body, version = comment.version + 1,
        -- GitHub may take now what it refused then: rights come back, and an outage ends.
        parked = null,
        -- A person who waits for it waits until it is posted.
        awaited = excluded.awaited or (comment.awaited and comment.version > comment.posted_version),
        -- A comment that got its place before it was drawn gets this now.
        asked_by = coalesce(comment.asked_by, excluded.asked_by), reads_only = comment.reads_only or excluded.reads_only,
        due_at = case when comment.github_id is null
          and (split_part(comment.slot, ':', 1) in ('batch', 'unread') or comment.slot = ${slots.checks})
          then comment.due_at when comment.version > comment.posted_version
          then least(comment.due_at, excluded.due_at) else excluded.due_at end,
        fold_as = coalesce(comment.fold_as, excluded.fold_as)
    ), folded as (
      update comment set fold_as = wanted.fold_as
      from unnest(${others.map(([slot]) => slot)}::text[], ${others.map(([, as]) => as)}::text[]) as wanted (slot, fold_as), drawn
      where repo = ${repo} and issue = ${issue} and comment.slot = wanted.slot and comment.fold_as is null
    )${labeled}${settled}
    select exists (select from drawn) as kept`.execute(db);
  return rows[0]?.kept === true;
}

/** Only if nothing has changed since; an action that another transaction moved meanwhile stays open. */
function settling({ actions, turns, batches }: SettledRows): RawBuilder<unknown> {
  const kept = sql`, kept as (
    update action set kept = wanted.kept
    from unnest(${actions.map(({ id }) => id)}::uuid[], ${actions.map(({ state }) => state)}::text[],
      ${actions.map((action) => JSON.stringify(action.kept))}::text[]::jsonb[]) as wanted (id, state, kept), drawn
    where action.id = wanted.id and action.state = wanted.state)`;
  const mark = (table: "turn" | "batch", ids: readonly string[]): RawBuilder<unknown> =>
    ids.length === 0
      ? sql``
      : sql`, ${sql.raw(`settled_${table}`)} as (
    update ${sql.table(table)} set settled = true from drawn where id = any (${ids}::uuid[]) and not settled)`;
  return sql`${actions.length === 0 ? sql`` : kept}${mark("turn", turns)}${mark("batch", batches)}`;
}

function waitMs({ pace }: WantedComment, before: KnownComment | undefined): number {
  if (!before?.githubId || !pace) return 0;
  // A clock that was set back delays nothing.
  const postedAgoMs = Math.max(0, Date.now() - (before.postedAt?.getTime() ?? 0));
  return Math.max(pace.holdMs, pace.apartMs - postedAgoMs);
}

/** GitHub refuses a comment of over 65,536 characters, our marker included. */
const maxBodyCharacters = 65_000;

const fitting = (body: string): string =>
  body.length <= maxBodyCharacters
    ? body
    : `${body.slice(0, maxBodyCharacters)}\n\n⋯ cut here, since no comment can be longer ⋯`;
