import { wentWell } from "../../base/run.ts";
import { renderAction } from "../../github/render/card.ts";
import type { Action } from "../../store/actions.ts";
import { type AuditKind, factsOf, readEvent } from "../../store/audit/events.ts";
import { type AuditRow, auditRows } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentsOf } from "../../store/outbox/thread-comments.ts";
import { isUndrawn, type OutboxComment } from "../../store/outbox/wanted.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { Held, LedgerWord, PostedComment } from "./ledger.ts";
import { recorded } from "./recorded.ts";

/** All that the store says of an issue, read at one moment. */
export interface Snapshot {
  readonly comments: readonly OutboxComment[];
  readonly rows: readonly AuditRow[];
  readonly actions: readonly Action[];
  readonly batches: readonly Batch[];
  readonly runs: readonly Run[];
  /** Whether something has changed that no comment tells yet. */
  readonly undrawn: boolean;
}

export async function snapshotOf(tx: Tx, incident: Incident): Promise<Snapshot> {
  const rows: AuditRow[] = [];
  for await (const some of auditRows(tx, { incidentId: incident.id })) rows.push(...some);
  return {
    comments: await commentsOf(tx, incident),
    rows,
    ...(await partsOf(tx, incident.id, "actions", "batches", "runs")),
    undrawn: await isUndrawn(tx, { repo: incident.repo, issue: incident.number }),
  };
}

/**
 * What an issue is held against. The comments of ours are looked at before and after GitHub is read, since one may be posted,
 * edited or put back meanwhile; all else is as it was before. Pure.
 */
export function heldFrom(
  before: Snapshot,
  after: Pick<Snapshot, "comments">,
  { isPublic, markdown }: { readonly isPublic: boolean; readonly markdown: Deps["markdown"] },
): Held {
  const draw = (action: Action) => renderAction({ ...action, verdicts: [], runs: [] }, markdown);
  const moving = before.actions.filter(({ state }) => state === "dispatching" || state === "running");
  return {
    posted: after.comments.map((comment) => postedFrom(comment, before)),
    words: wordsOf(before.rows),
    entries: recorded(before.rows, before.actions, { draw, isPublic }),
    moving: moving.map(({ number }) => number),
    reposted: new Set(
      before.rows.flatMap((row) => {
        const { kind, body } = readEvent(row);
        return kind === "card_tampered" && body.action === "deleted" ? [body.slot] : [];
      }),
    ),
  };
}

function postedFrom(comment: OutboxComment, before: Snapshot): PostedComment {
  const { id, slot, githubId, firstPostedAt, parked } = comment;
  const earlier = before.comments.find((other) => other.id === id);
  const batch = before.batches.find((candidate) => slots.batch(candidate.id) === slot);
  const bodies = [earlier, comment].flatMap((row) => (row ? [row.postedBody, row.postingBody, row.body] : []));
  return {
    mark: id,
    slot,
    bodies: [...new Set(bodies.filter((body) => body !== null))],
    githubId,
    settled:
      !before.undrawn &&
      earlier !== undefined &&
      isQuiet(earlier) &&
      isQuiet(comment) &&
      earlier.version === comment.version,
    firstPostedAt,
    parked,
    numbers: batch?.numbers ?? before.actions.filter(({ card }) => card === slot).map(({ number }) => number),
    failed: before.runs.some((run) => run.batchId === batch?.id && run.ending !== null && !wentWell(run)),
  };
}

const isQuiet = ({ githubId, version, postedVersion, parked }: OutboxComment): boolean =>
  githubId !== null && (version === postedVersion || parked !== null);

/** What rests on nobody's word, and what only tells of one that was of no effect. */
const wordless: ReadonlySet<string> = new Set<AuditKind>([
  "command_denied",
  "command_ignored",
  "command_unverified",
  "approval_refused",
  "denials_muted",
  "card_imitated",
  "approval_withdrawn",
  "issue_verified",
]);

/** The comments of people on which the incident's events rest, each once, oldest first. */
function wordsOf(rows: readonly AuditRow[]): readonly LedgerWord[] {
  const withdrawn = new Set(
    rows.flatMap((row) => {
      const { kind, body } = readEvent(row);
      return kind === "approval_withdrawn" ? [`${body.commentId}:${body.number}`] : [];
    }),
  );
  const said = rows.flatMap((row) => {
    const { by, comment, number, digest, ...facts } = factsOf(readEvent(row));
    const commentId = comment?.id ?? facts.commentId;
    if (wordless.has(row.kind) || by === undefined || commentId === undefined) return [];
    // A question has a number too; an action has a digest beside it.
    const action = digest === undefined ? undefined : number;
    return [{ kind: row.kind, login: by.login, commentId, sha256: comment?.sha256, number: action }];
  });
  return [...Map.groupBy(said, ({ commentId }) => commentId)].flatMap(([commentId, events]): readonly LedgerWord[] => {
    const [event] = events;
    if (!event) return [];
    return [
      {
        commentId,
        login: event.login,
        kinds: [...new Set(events.map(({ kind }) => kind))],
        numbers: [...new Set(events.flatMap(({ number }) => number ?? []))],
        sha256: events.find(({ sha256 }) => sha256 !== undefined)?.sha256,
        withdrawn: events.every(({ number }) => withdrawn.has(`${commentId}:${number}`)),
      },
    ];
  });
}
