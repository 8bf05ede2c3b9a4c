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

type CheckpointDeps = Pick<Deps, "store" | "notary"> & { readonly config: Pick<Deps["config"], "audit" | "roles"> };

interface KnownFile {
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

/** What this process last accepted or wrote. It stays valid if the signing key is replaced. */
const known = new WeakMap<Store, KnownFile>();

/**
 * Returns why the checkpoint file contradicts the store: it knows more, or belongs to another audit (RR-24, SR-66). Undefined without a
 * file.
 */
export async function fileContradiction(
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
