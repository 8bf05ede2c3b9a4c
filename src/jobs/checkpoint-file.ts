import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { reached } from "../crash-point.ts";
import { type Checkpoint, contradiction, readHead, readUnsigned, textOf } from "../store/checkpoint.ts";
import type { Store } from "../store/database.ts";
import type { World } from "./world.ts";

type Outside = Pick<World, "config" | "store" | "notary">;

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
export async function fileContradiction({ config, store, notary }: Outside): Promise<string | undefined> {
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
  if (!checkpoint) return `${checkpointFile} is no checkpoint of this audit, or its signature does not hold`;
  known.set(store, { text, checkpoint });
  return contradiction(store.db, checkpoint);
}

/** Writes how far the audit has come to the operator's file; replaced by a rename, so never half. Returns its size. */
export async function writeCheckpoint({ config, store, notary }: Outside, unless?: number): Promise<number> {
  const { checkpointFile } = config.audit;
  const checkpoint = await readHead(store.db);
  // Whoever only takes webhooks has no key to sign with.
  const mayWrite = config.roles.some((role) => role !== "web");
  if (checkpointFile === undefined || !mayWrite || checkpoint.size === unless) return checkpoint.size;
  const text = notary?.sign(checkpoint) ?? textOf(checkpoint);
  // Of its own: several processes may keep one file.
  const unfinished = `${checkpointFile}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  reached("CP17");
  await rename(unfinished, checkpointFile);
  known.set(store, { text, checkpoint });
  return checkpoint.size;
}
