import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { reached } from "../../base/crash-point.ts";
import {
  aloneWithHead,
  type Checkpoint,
  checkpointText,
  contradiction,
  readHead,
  readUnsigned,
} from "../../store/audit/checkpoint.ts";
import type { Db, Store, Tx } from "../../store/database/open.ts";
import type { Deps } from "../context.ts";

type Outside = Pick<Deps, "store" | "notary"> & { readonly config: Pick<Deps["config"], "audit" | "roles"> };

interface Known {
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

/** What this process has found good or written there last: a signing key that was replaced since makes it no forgery. */
const known = new WeakMap<Store, Known>();

/**
 * Holds the store against the operator's checkpoint file (RR-24, SR-66): what is wrong where the file has seen more than the store
 * holds, or is no checkpoint of this audit; nothing where it agrees, or where there is none. A file and a row are read for it.
 */
export async function fileContradiction(
  { config, store, notary }: Outside,
  db: Db | Tx = store.db,
): Promise<string | undefined> {
  const { checkpointFile } = config.audit;
  if (checkpointFile === undefined) return undefined;
  const text = await readFile(checkpointFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Before the first checkpoint there is none.
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

/** Longer than this no disk takes that can be relied on. */
const longestWriteMs = 10_000;

/**
 * Has the operator's file know of what is about to be sent (RR-24): where GitHub takes no comment, nothing else tells a later start
 * that an older copy of the store was put back. For whoever sends, when the intent is committed and before the first byte goes out.
 * Returns undefined where the file has it, durably, or there is none; else why nothing may be sent.
 */
export async function sealIntent(deps: Outside & Pick<Deps, "log">): Promise<string | undefined> {
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

/** The write that goes on in this process, and the one that has not begun and so will know of all that is committed by now. */
const lastWrite = new WeakMap<Store, Promise<void>>();
const nextWrite = new WeakMap<Store, Promise<void>>();

/**
 * Writes how far the audit has come to the operator's file, durably when it returns. Callers that wait share one write. The file
 * never goes back: throws where it has seen more than the store holds, unless `afterRestore` says that this was told and the store
 * counts from now on.
 */
export function writeCheckpoint(deps: Outside, afterRestore = false): Promise<void> {
  const { config, store } = deps;
  // Whoever only takes webhooks has no key to sign with.
  const mayWrite = config.roles.some((role) => role !== "web");
  if (config.audit.checkpointFile === undefined || !mayWrite) return Promise.resolve();
  const shared = afterRestore ? undefined : nextWrite.get(store);
  if (shared !== undefined) return shared;
  const write = (lastWrite.get(store) ?? Promise.resolve()).then(() => {
    if (!afterRestore) nextWrite.delete(store);
    return aloneWithHead(store, (db) => replaceFile(deps, db, afterRestore));
  });
  if (!afterRestore) nextWrite.set(store, write);
  lastWrite.set(
    store,
    write.catch(() => {}),
  );
  return write;
}

async function replaceFile(deps: Outside, db: Db | Tx, afterRestore: boolean): Promise<void> {
  const { config, store, notary } = deps;
  const file = config.audit.checkpointFile ?? "";
  const fault = afterRestore ? undefined : await fileContradiction(deps, db);
  if (fault !== undefined) throw new Error(fault);
  const checkpoint = await readHead(db);
  const text = notary?.sign(checkpoint) ?? checkpointText(checkpoint);
  // Of its own: several processes may keep one file.
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true });
    reached("CP17");
    // Who stood still for long has lost its turn with its connection; its older head is not to replace a newer one.
    await readHead(db);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  known.set(store, { text, checkpoint });
  await syncFolder(dirname(file));
}

/** Makes a rename in it durable. A file system that syncs no folders says so by these, as PostgreSQL knows; then there is no more to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EINVAL" && error.code !== "EBADF") throw error;
    });
  } finally {
    await handle.close();
  }
}
