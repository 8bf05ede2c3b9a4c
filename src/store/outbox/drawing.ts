import { sql } from "kysely";
import type { Db, Tx } from "../database/connection.ts";
import { newId } from "../ids.ts";
import type { Incident } from "../incidents.ts";
import type { Folded } from "./fold.ts";
import { labelsOfDrawing, type WantedLabels } from "./labels.ts";
import type { Limit } from "./urgency.ts";
import type { OutboxComment, Thread, WantedComment } from "./wanted.ts";

/** What an issue of ours is to show. */
interface ThreadDrawing {
  readonly comments: readonly WantedComment[];
  /** Each is folded once it reads as it should; what it was folded as first it stays. */
  readonly folded: readonly Folded[];
  readonly labels: WantedLabels | undefined;
}

/** A comment of ours as it is before it is drawn anew. */
export type KnownComment = Pick<OutboxComment, "slot" | "body" | "githubId" | "postedAt" | "foldAs">;

/** Of which change of an incident a drawing is, and whether it is to count: then the comments are drawn as of that change. */
interface DrawnAs {
  readonly incident: Pick<Incident, "id" | "changed">;
  readonly counts: boolean;
  /** Because of which limit the board says that comments come late. */
  readonly late: Limit | null;
}

/**
 * Keeps in one statement what an issue is to show. False, and nothing kept, where the incident has changed since: it was drawn from rows
 * that are no more.
 */
export async function storeDrawing(
  db: Db | Tx,
  {
    thread,
    known,
    drawnAs,
  }: { readonly thread: Thread; readonly known: readonly KnownComment[]; readonly drawnAs?: DrawnAs },
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
  const others = [...folds].filter(
    ([slot]) => before.get(slot)?.foldAs === null && !changed.some((comment) => comment.slot === slot),
  );
  if (!drawnAs && changed.length + others.length === 0 && !labels) return true;
  const { installationId, repo, issue, incidentId } = thread;
  const drawn = drawnAs
    ? sql`update incident set drawn = case when ${drawnAs.counts} then changed else drawn end,
        undrawn_since = case when ${drawnAs.counts} then null else undrawn_since end,
        late_said = ${drawnAs.late}
        where id = ${drawnAs.incident.id} and changed = ${drawnAs.incident.changed} returning true as kept`
    : sql`select true as kept`;
  // One text however many there are.
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
        -- What GitHub did not take then it may take now: rights come back, and an outage ends.
        parked = null,
        -- What somebody waits for they wait for until it is posted.
        awaited = excluded.awaited or (comment.awaited and comment.version > comment.posted_version),
        -- One that was given its place before it was drawn has it from now on.
        asked_by = coalesce(comment.asked_by, excluded.asked_by), reads_only = comment.reads_only or excluded.reads_only,
        due_at = case when comment.version > comment.posted_version
          then least(comment.due_at, excluded.due_at) else excluded.due_at end,
        fold_as = coalesce(comment.fold_as, excluded.fold_as)
    ), folded as (
      update comment set fold_as = wanted.fold_as
      from unnest(${others.map(([slot]) => slot)}::text[], ${others.map(([, as]) => as)}::text[]) as wanted (slot, fold_as), drawn
      where repo = ${repo} and issue = ${issue} and comment.slot = wanted.slot and comment.fold_as is null
    )${labels ? sql`, labeled as (${labelsOfDrawing(thread, labels)})` : sql``}
    select exists (select from drawn) as kept`.execute(db);
  return rows[0]?.kept === true;
}

/** How long an edit waits, by its pace; anything new is due at once. */
function waitMs({ pace }: WantedComment, before: KnownComment | undefined): number {
  if (!before?.githubId || !pace) return 0;
  // A clock that was set back holds nothing up.
  const postedAgoMs = Math.max(0, Date.now() - (before.postedAt?.getTime() ?? 0));
  return Math.max(pace.holdMs, pace.apartMs - postedAgoMs);
}

/** GitHub takes 65,536 characters, our marker included; a longer one would be refused, and nobody would read any of it. */
const maxBodyCharacters = 65_000;

const fitting = (body: string): string =>
  body.length <= maxBodyCharacters
    ? body
    : `${body.slice(0, maxBodyCharacters)}\n\n⋯ cut here, since no comment can be longer ⋯`;
