import { messageOf, RetryLater } from "../../base/errors.ts";
import { markIn, withoutMarker } from "../../github/comments.ts";
import { type WriteFailure, writeFailure } from "../../github/outcome.ts";
import { readCheckpoint } from "../../github/render/board.ts";
import { utcMinute } from "../../github/render/ink.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { type Checkpoint, contradiction, readHeadAfter } from "../../store/audit/checkpoint.ts";
import { lastAuditOf } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import {
  findIncidents,
  type Incident,
  incidentOf,
  lockIncident,
  openIncidents,
  passOverNumbers,
} from "../../store/incidents.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { slots } from "../../store/outbox/slots.ts";
import { boardOf, unknownMarks } from "../../store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import { passOverDue } from "../../store/schedules.ts";
import type { Deps } from "../context.ts";
import { voidOpen, voidWords } from "../incident/withdraw.ts";
import { endLease } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/show.ts";
import { fileContradiction, writeCheckpoint } from "./checkpoint-file.ts";

const reason = "an older copy of the bot's store was put back: what happened since is not known";

type Outside = Pick<Deps, "config" | "store" | "log" | "notary" | "now">;

/**
 * Holds the store against the operator's checkpoint file, before anything is served and before each command that is sent (RR-24,
 * F-37). Where the file has seen more, an older copy was put back: whatever is open in it is void, and no schedule makes up for what
 * was due, since it may have run already. True where it was so.
 */
export async function voidIfRestored(deps: Outside): Promise<boolean> {
  const { store, log, now } = deps;
  const fault = await fileContradiction(deps);
  if (fault === undefined) return false;
  const incidents = await findIncidents(store.db);
  for (const { id } of incidents) await store.transaction((tx) => setBack(tx, { store }, id));
  await store.transaction((tx) => passOverDue(tx, { why: reason, at: now() }));
  log.error({ module: "store", event: "store_restored", reason: fault, incidents: incidents.length });
  // Once it is told, the store counts: by that file all that people approve from now on would be void as well.
  await writeCheckpoint(deps, true).catch((error) =>
    log.error({ module: "audit", event: "checkpoint_failed", err: error }),
  );
  return true;
}

/**
 * Whether an issue has seen more than the store holds, so that the store is an older copy of itself (RR-24). The board tells by its
 * checkpoint: it is edited for each command that goes out. One that is gone or unreadable tells nothing, and anybody with write
 * access can make it so: then any comment of ours of which the store has never heard tells it; an issue that is gone tells nothing.
 * Throws where GitHub does not answer.
 */
export async function isBehindIssue(
  deps: Pick<Deps, "store" | "readComments">,
  { id, createdAt, installationId, repo, number: issue }: Incident,
  board: string | undefined,
): Promise<boolean> {
  const { db } = deps.store;
  const shown = board === undefined ? undefined : readCheckpoint(withoutMarker(board));
  if (shown) return (await contradiction(db, shown)) !== undefined;
  // What a store before this one has left, or what the incident was set back for already, is no news.
  const known = Math.max(createdAt.getTime(), await setBackAt(deps, id));
  try {
    for await (const page of deps.readComments({ installationId, repo, issue })) {
      const ours = page.filter((comment) => comment.ours && comment.createdAt.getTime() > known);
      const marks = ours.flatMap(({ body }) => markIn(body) ?? []);
      if ((await unknownMarks(db, marks)).length > 0) return true;
    }
  } catch (error) {
    if (writeFailure(error, Date.now()).kind !== "never") throw error;
  }
  return false;
}

/**
 * Nothing that is open on an incident may run any more; the audit tells from when on it is known again what happened, and a person is
 * told once.
 */
export async function setBack(tx: Tx, deps: Pick<Deps, "store">, incidentId: string): Promise<void> {
  const incident = await lockIncident(tx, incidentId);
  const last = await lastAuditOf(tx, incidentId);
  const voided = await voidOpen(tx, incident, reason);
  // An `/auto off` that was said since is not known either.
  await endLease(tx, incident, reason);
  const numbers = voided.map(({ number }) => number);
  await appendAudit(tx, { kind: "store_restored", incidentId, body: { reason, void: numbers } });
  // Found out again before anything else has happened, it is the same restoration.
  if (incident.state !== "open" || last?.kind === "store_restored") return;
  await passOverNumbers(tx, incidentId);
  const since = utcMinute(last ? new Date(last.at) : incident.createdAt);
  const gone = numbers.length === 0 ? "" : ` So ${voidWords(numbers)}.`;
  await wantNotice(
    tx,
    threadOf(incident),
    `⚠️ My database was restored from an older copy: what I know of this issue is from ${since}.${gone} What I proposed after that can no longer be approved. To look again: \`/investigate\`.`,
  );
  await show(tx, deps, incident);
}

/**
 * One issue has shown that the store is an older copy of itself: what was said on the others of its repository since, a hold of all
 * of it too, is not known either. Not beyond it: who may write here could stop what is others'.
 */
export async function setRepositoryBack(
  deps: Pick<Deps, "store">,
  { id: found, repoId }: Pick<Incident, "id" | "repoId">,
): Promise<void> {
  const open = await openIncidents(deps.store.db, { repoIds: [repoId] });
  for (const id of new Set([found, ...open.map(({ id }) => id)]))
    await deps.store.transaction((tx) => setBack(tx, deps, id));
}

/** When the store was last found to be an older copy, in ms; what was said before may have been served already. */
export async function setBackAt({ store }: Pick<Deps, "store">, id: string): Promise<number> {
  const row = await lastAuditOf(store.db, id, "store_restored");
  return row ? Date.parse(row.at) : 0;
}

/**
 * Whether the store is an older copy of what it was after something was recorded in it, as far as it was found out already or the
 * issue tells now: then more may have been done since than it says. Where GitHub does not answer, it is too early to say.
 */
export async function isSetBackSince(deps: Deps, incident: Incident, recordedAt: Date): Promise<boolean> {
  const { id, installationId, repo, number: issue } = incident;
  if ((await setBackAt(deps, id)) > recordedAt.getTime()) return true;
  const githubId = (await boardOf(deps.store.db, incident))?.githubId ?? null;
  const read = githubId === null ? undefined : await deps.comments.read({ installationId, repo, issue }, githubId);
  if (read && read.kind !== "read" && read.kind !== "never")
    throw new RetryLater(`GitHub does not show the board of ${repo}#${issue}: ${read.why}`);
  const isBehind = await isBehindIssue(deps, incident, read?.kind === "read" ? read.body : undefined).catch((error) => {
    throw new RetryLater(`GitHub does not show the comments of ${repo}#${issue}: ${messageOf(error)}`);
  });
  if (!isBehind) return false;
  deps.log.error({ module: "store", event: "store_restored", repo, issue });
  await setRepositoryBack(deps, incident);
  return true;
}

/** A board that is about to be edited: in its way where GitHub did not show it or where it was drawn anew, else nothing. */
export type CheckBoard = (
  board: OutboxComment,
) => Promise<Exclude<WriteFailure, { kind: "never" }> | { readonly kind: "drawn-anew" } | undefined>;

/**
 * Holds the board on GitHub, or the issue where it has none, against the store once before this process writes it: the edit would
 * wipe out what tells of an older copy, and an approved command could run again (RR-24). Where the issue has seen more, what is open
 * is void. A store that is put back while this process goes on makes it look again.
 */
export function createBoardCheck(deps: Deps): CheckBoard {
  const checked = new Set<string>();
  let since = deps.now().getTime();
  let seen: Checkpoint = { size: 0, head: "" };
  return async ({ slot, incidentId, githubId, installationId, repo, issue }) => {
    if (slot !== slots.board || incidentId === null) return undefined;
    const { db } = deps.store;
    const { head, contradicts } = await readHeadAfter(db, seen);
    if (contradicts) {
      checked.clear();
      since = deps.now().getTime();
    }
    seen = head;
    if (checked.has(incidentId)) return undefined;
    const incident = await incidentOf(db, incidentId);
    // The first of an incident that has just begun: there is nothing on the issue yet, and then what this store has put there.
    if (githubId === null && incident.createdAt.getTime() >= since) {
      checked.add(incidentId);
      return undefined;
    }
    const read = githubId === null ? undefined : await deps.comments.read({ installationId, repo, issue }, githubId);
    if (read && read.kind !== "read" && read.kind !== "never") return read;
    const board = read?.kind === "read" ? read.body : undefined;
    const isBehind = await isBehindIssue(deps, incident, board).catch((error) => writeFailure(error, Date.now()));
    if (typeof isBehind !== "boolean") return isBehind.kind === "never" ? undefined : isBehind;
    if (isBehind && (await setBackAt(deps, incidentId)) < since) {
      deps.log.error({ module: "store", event: "store_restored", repo, issue });
      await setRepositoryBack(deps, incident);
      checked.add(incidentId);
      return { kind: "drawn-anew" };
    }
    checked.add(incidentId);
    return undefined;
  };
}
