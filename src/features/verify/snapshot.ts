import { placeOfRun } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { renderAction } from "../../github/render/card.ts";
import { readCard } from "../../github/render/read-card.ts";
import { endOf, proposerOf } from "../../github/render/record.ts";
import type { Action } from "../../store/actions.ts";
import { type AuditKind, factsOf, type ReadEvent, readEvent } from "../../store/audit/events.ts";
import { type AuditRow, auditRows } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentsOf } from "../../store/outbox/thread-comments.ts";
import { isUndrawn, type OutboxComment } from "../../store/outbox/wanted.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { LedgerEntry, LedgerWord, StoredLedger } from "./ledger.ts";

interface Snapshot {
  readonly comments: readonly OutboxComment[];
  readonly rows: readonly AuditRow[];
  readonly actions: readonly Action[];
  readonly batches: readonly Batch[];
  readonly runs: readonly Run[];
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
 * Builds the record to compare an issue with. Pure. Takes our comments from before and after reading GitHub, because one may change
 * meanwhile.
 */
export function storedLedgerFrom(
  before: Snapshot,
  after: Pick<Snapshot, "comments">,
  { isPublic, markdown }: { readonly isPublic: boolean; readonly markdown: Deps["markdown"] },
): StoredLedger {
  const draw = (action: Action) => renderAction({ ...action, verdicts: [], runs: [] }, markdown);
  const moving = before.actions.filter(({ state }) => state === "dispatching" || state === "running");
  return {
    posted: after.comments.map((comment) => {
      const { id, slot, githubId, firstPostedAt, parked } = comment;
      const earlier = before.comments.find((other) => other.id === id);
      const told = before.batches.filter(
        ({ id, toldOn }) => slots.batch(id) === slot || (toldOn !== null && slots.card(toldOn) === slot),
      );
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
        numbers: [
          ...told.flatMap(({ numbers }) => numbers),
          ...before.actions.filter(({ card }) => card === slot).map(({ number }) => number),
        ],
        failed: before.runs.some(
          (run) => told.some(({ id }) => id === run.batchId) && run.ending !== null && !wentWell(run),
        ),
      };
    }),
    words: wordsOf(before.rows),
    entries: storedEntries(before.rows, before.actions, { draw, isPublic }),
    moving: moving.map(({ number }) => number),
    reposted: new Set(
      before.rows.flatMap((row) => {
        const { kind, body } = readEvent(row);
        return kind === "card_tampered" && body.action === "deleted" ? [body.slot] : [];
      }),
    ),
  };
}

const isQuiet = ({ githubId, version, postedVersion, parked }: OutboxComment): boolean =>
  githubId !== null && (version === postedVersion || parked !== null);

/** No person's comment caused these, or they only report one without effect. */
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
    // A question has a number too; only an action has a digest.
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

interface ShownRecord {
  /** As `card.ts` draws it. */
  readonly draw: (action: Action) => string;
  readonly isPublic: boolean;
}

/** Builds the store's record in the form of `rebuild`, from the chained audit and the actions, which its digests bind. Pure. */
export function storedEntries(
  rows: readonly AuditRow[],
  actions: readonly Action[],
  { draw, isPublic }: ShownRecord,
): readonly LedgerEntry[] {
  const facts = new Map<number, ActionFacts>();
  for (const row of rows) {
    const event = readEvent(row);
    const { number, digest } = factsOf(event);
    if (number === undefined || digest === undefined) continue;
    const known = facts.get(number);
    if (known) facts.set(number, { ...known, ...changedFacts(event, known) });
    else if (event.kind === "command_proposed" || event.kind === "command_blocked")
      facts.set(number, { digest, approvals: [], runs: [] });
  }
  return actions.flatMap((action): readonly LedgerEntry[] => {
    const known = facts.get(action.number);
    const [shown] = readCard(draw(action));
    if (!known || !shown) return [];
    const runs = known.runs.map((run) => (isPublic ? { ...run, outputSha256: null } : run));
    return [
      {
        ...shown,
        digest: known.digest,
        by: proposerOf(action),
        // Before a run, an approval is only in its own comment.
        approvals: runs.length === 0 ? [] : known.approvals,
        runs: runs.toSorted((a, b) => (a.server < b.server ? -1 : 1)),
        unlisted: 0,
      },
    ];
  });
}

interface ActionFacts {
  readonly digest: string;
  readonly approvals: LedgerEntry["approvals"];
  readonly runs: LedgerEntry["runs"];
}

function changedFacts({ kind, body }: ReadEvent, known: ActionFacts): Partial<ActionFacts> {
  switch (kind) {
    case "command_approved":
      return { approvals: [...known.approvals, { login: body.by.login, commentId: body.comment?.id ?? 0 }] };
    case "approval_withdrawn": {
      const stays = (approval: { readonly commentId: number }) =>
        body.commentId !== undefined && approval.commentId !== body.commentId;
      return { approvals: known.approvals.filter(stays) };
    }
    case "command_executed":
    case "command_unknown": {
      const { ending, redactedSha256 } = body;
      return { runs: [...known.runs, { server: placeOfRun(body), end: endOf(ending), outputSha256: redactedSha256 }] };
    }
    default:
      return {};
  }
}
