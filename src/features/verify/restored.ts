import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { every, startOfSecond } from "../../base/clock.ts";
import { reached } from "../../base/crash-point.ts";
import { markIn, withoutMarker } from "../../github/comments.ts";
import { type WriteFailure, writeFailure } from "../../github/outcome.ts";
import { readCheckpoint } from "../../github/render/board.ts";
import { utcMinute } from "../../github/render/ink.ts";
import { reserveNumbers } from "../../store/actions.ts";
import { appendAudit, lastAuditOf } from "../../store/audit/chain.ts";
import {
  aloneWithHead,
  type Checkpoint,
  checkpointText,
  contradiction,
  readHead,
  readHeadAfter,
  readUnsigned,
} from "../../store/audit/checkpoint.ts";
import type { Db, Store, Tx } from "../../store/database/open.ts";
import { findIncidents, type Incident, incidentOf, lockIncident, openIncidents } from "../../store/incidents.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { slots, unknownMarks } from "../../store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import { passOverDue } from "../../store/schedules.ts";
import type { Deps } from "../context.ts";
import { voidOpen, voidWords } from "../incident/withdraw.ts";
import { endLease } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/post.ts";

const reason = "an older copy of the bot's store was put back: what happened since is not known";

type RestoreDeps = Pick<Deps, "config" | "store" | "log" | "notary" | "now">;

/**
 * Checks for a restored older store by the checkpoint file, before the bot serves and before each command (RR-24, F-37, SR-66). Then voids
 * open actions, and lets schedules skip what was due, because it may have run.
 */
export async function voidIfRestored(deps: RestoreDeps): Promise<boolean> {
  const { store, log, now } = deps;
  const fault = await fileContradiction(deps);
  if (fault === undefined) return false;
  const incidents = await findIncidents(store.db);
  for (const { id } of incidents) await store.transaction((tx) => setBack(tx, { store }, id));
  await store.transaction((tx) => passOverDue(tx, { why: reason, at: now() }));
  log.error({ module: "store", event: "store_restored", reason: fault, incidents: incidents.length });
  // From now on the store counts. With the old file, later approvals would become void as well.
  await writeCheckpoint(deps, true).catch((error) =>
    log.error({ module: "audit", event: "checkpoint_failed", err: error }),
  );
  return true;
}

/**
 * Whether an issue knows more than the store: by the board's checkpoint, edited for each command, or without a board by an unknown comment
 * of ours. Throws if GitHub does not answer.
 */
export async function isBehindIssue(
  deps: Pick<Deps, "store" | "readComments">,
  { id, createdAt, installationId, repo, number: issue }: Incident,
  board: string | undefined,
): Promise<boolean> {
  const { db } = deps.store;
  const shown = board === undefined ? undefined : readCheckpoint(withoutMarker(board));
  if (shown) return (await contradiction(db, shown)) !== undefined;
  // Comments of an earlier store, or from before a handled restoration, prove nothing.
  const began = startOfSecond(createdAt).getTime();
  const handled = await setBackAt(deps, id);
  try {
    for await (const page of deps.readComments({ installationId, repo, issue })) {
      const ours = page.filter((comment) => {
        const at = comment.createdAt.getTime();
        return comment.ours && at >= began && at > handled;
      });
      const marks = ours.flatMap(({ body }) => markIn(body) ?? []);
      if ((await unknownMarks(db, marks)).length > 0) return true;
    }
  } catch (error) {
    if (writeFailure(error, Date.now()).kind !== "never") throw error;
  }
  return false;
}

/** More than an incident uses in a day or two. */
const numbersPassedOver = 100;

/** Voids an incident's open actions after a restoration, audits and reports it once. */
export async function setBack(tx: Tx, deps: Pick<Deps, "store">, incidentId: string): Promise<void> {
  const incident = await lockIncident(tx, incidentId);
  const last = await lastAuditOf(tx, incidentId);
  const voided = await voidOpen(tx, incident, reason);
  // An `/auto off` may be among the lost comments.
  await endLease(tx, incident, reason);
  const numbers = voided.map(({ number }) => number);
  await appendAudit(tx, { kind: "store_restored", incidentId, body: { reason, void: numbers } });
  // Nothing else has happened since, so it is the same restoration.
  if (incident.state !== "open" || last?.kind === "store_restored") return;
  // The older copy may lack numbers that stand on the issue (PA-6).
  await reserveNumbers(tx, incidentId, numbersPassedOver);
  const since = utcMinute(last ? new Date(last.at) : incident.createdAt);
  const gone = numbers.length === 0 ? "" : ` So ${voidWords(numbers)}.`;
  await wantNotice(
    tx,
    threadOf(incident),
    `⚠️ My database was restored from an older copy: I know this issue only up to ${since}.${gone} What I proposed after that can no longer be approved. To look again: \`/investigate\`.`,
  );
  await show(tx, deps, incident);
}

/**
 * Sets back a repository's incidents, because a lost comment may have held the whole repository. Spares other repositories, because people
 * with write access here could stop them.
 */
export async function setRepositoryBack(
  deps: Pick<Deps, "store">,
  { id: found, repoId }: Pick<Incident, "id" | "repoId">,
): Promise<void> {
  const open = await openIncidents(deps.store.db, { repoIds: [repoId] });
  for (const id of new Set([found, ...open.map(({ id }) => id)]))
    await deps.store.transaction((tx) => setBack(tx, deps, id));
}

/** Returns when the store was last found to be an older copy, in ms. */
export async function setBackAt({ store }: Pick<Deps, "store">, id: string): Promise<number> {
  const row = await lastAuditOf(store.db, id, "store_restored");
  return row ? Date.parse(row.at) : 0;
}

/** Returns why a board must not be edited now. */
export type CheckBoard = (
  board: OutboxComment,
) => Promise<Exclude<WriteFailure, { kind: "never" }> | { readonly kind: "redrawn" } | undefined>;

/**
 * Compares an incident's board, or its issue, with the store before this process first edits it: the edit would remove the proof of an
 * older store, and an approved command could run again.
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
    // A new incident's issue holds nothing from an earlier store.
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
      return { kind: "redrawn" };
    }
    checked.add(incidentId);
    return undefined;
  };
}

const everyMs = 60_000;

/**
 * Keeps the audit's checkpoint in the operator's file, each minute if the audit grew. Checks first, because an older store may be restored
 * under this process.
 */
export function keepCheckpoint(deps: Deps): { readonly stop: () => Promise<void> } {
  const { audit, roles } = deps.config;
  if (audit.checkpointFile === undefined || roles.every((role) => role === "web")) return { stop: async () => {} };
  let written = -1;
  const write = async (): Promise<void> => {
    await voidIfRestored(deps);
    const { size } = await readHead(deps.store.db);
    if (size === written) return;
    await writeCheckpoint(deps);
    written = size;
  };
  const failed = (error: unknown) => deps.log.error({ module: "audit", event: "checkpoint_failed", err: error });
  // At once, so that a file missing later must have been removed.
  const writing = every(everyMs, write, failed);
  return {
    stop: async () => {
      await writing.stop();
      await write().catch(failed);
    },
  };
}

type CheckpointDeps = Pick<Deps, "store" | "notary"> & { readonly config: Pick<Deps["config"], "audit" | "roles"> };

interface KnownFile {
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

/** What this process last accepted or wrote. It stays valid if the signing key is replaced. */
const known = new WeakMap<Store, KnownFile>();

/**
 * Returns why the checkpoint file contradicts the store: it knows more, or belongs to another audit. Undefined without a
 * file.
 */
async function fileContradiction(
  { config, store, notary }: CheckpointDeps,
  db: Db | Tx = store.db,
): Promise<string | undefined> {
  const { checkpointFile } = config.audit;
  if (checkpointFile === undefined) return undefined;
  const text = await readFile(checkpointFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const before = known.get(store);
  const read = () => (notary ? notary.read(text) : readUnsigned(text));
  const checkpoint = before?.text === text ? before.checkpoint : read();
  if (!checkpoint) return `${checkpointFile} is not a checkpoint of this audit, or its signature does not match`;
  known.set(store, { text, checkpoint });
  return contradiction(db, checkpoint);
}

const longestWriteMs = 10_000;

/**
 * Writes the checkpoint between a command's committed intent and its first byte: if GitHub takes no comment, only this file shows later
 * that an older store was restored. Returns why the command must not be sent.
 */
export async function sealIntent(deps: CheckpointDeps & Pick<Deps, "log">): Promise<string | undefined> {
  if (deps.config.audit.checkpointFile === undefined) return undefined;
  try {
    const isLate = sleep(longestWriteMs, "late", { ref: false });
    if ((await Promise.race([writeCheckpoint(deps), isLate])) !== "late") return undefined;
    throw new Error(`it was not written within ${longestWriteMs / 1_000} s`);
  } catch (error) {
    deps.log.error({ module: "audit", event: "checkpoint_failed", err: error });
    return "the audit's checkpoint file cannot be written";
  }
}

/** The running write, and the waiting one, which includes everything committed by now. */
const lastWrite = new WeakMap<Store, Promise<void>>();
const nextWrite = new WeakMap<Store, Promise<void>>();

/** Writes the audit's head durably. Waiting callers share a write. Throws if the file knows more than the store, unless `afterRestore`. */
export function writeCheckpoint(deps: CheckpointDeps, afterRestore = false): Promise<void> {
  const { config, store } = deps;
  // A process with only the web role has no key to sign with.
  const mayWrite = config.roles.some((role) => role !== "web");
  if (config.audit.checkpointFile === undefined || !mayWrite) return Promise.resolve();
  const shared = afterRestore ? undefined : nextWrite.get(store);
  if (shared !== undefined) return shared;
  const write = (lastWrite.get(store) ?? Promise.resolve()).then(() => {
    if (!afterRestore) nextWrite.delete(store);
    return aloneWithHead(store, async (db) => {
      const { notary } = deps;
      const file = config.audit.checkpointFile ?? "";
      const fault = afterRestore ? undefined : await fileContradiction(deps, db);
      if (fault !== undefined) throw new Error(fault);
      const checkpoint = await readHead(db);
      const text = notary?.sign(checkpoint) ?? checkpointText(checkpoint);
      // Several processes may write the file.
      const unfinished = `${file}.${randomUUID()}`;
      try {
        await writeFile(unfinished, text, { mode: 0o600, flush: true });
        reached("CP17");
        // A suspended process has lost its lock; its older head must not replace a newer one.
        await readHead(db);
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      known.set(store, { text, checkpoint });
      // Makes a rename durable. As in PostgreSQL, these two errors mean that the file system syncs no folders.
      const folder = dirname(file);
      const handle = await open(folder);
      try {
        await handle.sync().catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EINVAL" && error.code !== "EBADF") throw error;
        });
      } finally {
        await handle.close();
      }
    });
  });
  if (!afterRestore) nextWrite.set(store, write);
  lastWrite.set(
    store,
    write.catch(() => {}),
  );
  return write;
}
