import { sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";

/** What a repository's name means since first contact (SR-07). */
export interface Pinned {
  readonly repoId: number;
  readonly installationId: number;
  readonly installed: boolean;
}

/** What is pinned under a name; nothing before first contact. */
export async function findPin(db: Db | Tx, repo: string): Promise<Pinned | undefined> {
  return db
    .selectFrom("repository")
    .select(["id as repoId", "installationId", "installed"])
    .where("name", "=", repo.toLowerCase())
    .executeTakeFirst();
}

/** How long a name is taken to mean what it meant; a token for what it meant before opens nothing. */
const rememberedMs = 1_000;

/** Looks up which repository a name is pinned to. It is asked before each request to GitHub, and reads the store now and then, or `anew`. */
export function createPinLookup(db: Db): (repo: string, anew?: boolean) => Promise<number | undefined> {
  const known = new Map<string, { readonly repoId: number; readonly at: number }>();
  return async (repo, anew = false) => {
    const before = known.get(repo);
    const at = performance.now();
    if (before && !anew && at - before.at < rememberedMs) return before.repoId;
    const repoId = (await findPin(db, repo))?.repoId;
    if (repoId === undefined) known.delete(repo);
    else known.set(repo, { repoId, at });
    return repoId;
  };
}

/**
 * Pins a name, or pins it anew where it still reads as `before`: false where another process was first. What the store keeps of the
 * same repository goes on by its new installation; what it keeps of another one that had the name makes room.
 */
export async function keepPin(
  tx: Tx,
  pin: { readonly repo: string; readonly repoId: number; readonly installationId: number },
  before: Pinned | undefined,
): Promise<boolean> {
  const { repo, repoId: id, installationId } = pin;
  const name = repo.toLowerCase();
  if (!before) {
    const row = { name, id, installationId };
    const made = await tx
      .insertInto("repository")
      .values(row)
      .onConflict((at) => at.doNothing())
      .executeTakeFirst();
    return made.numInsertedOrUpdatedRows === 1n;
  }
  const set = await tx
    .updateTable("repository")
    .set({ id, installationId, installed: true })
    .where("name", "=", name)
    .where("id", "=", before.repoId)
    .where("installationId", "=", before.installationId)
    .where("installed", "=", before.installed)
    .executeTakeFirst();
  if (set.numUpdatedRows !== 1n) return false;
  if (before.repoId !== id) await makeRoom(tx, repo, before.repoId);
  else {
    await tx.updateTable("incident").set({ installationId }).where("repoId", "=", id).execute();
    await tx.updateTable("schedule").set({ installationId }).where("repoId", "=", id).execute();
    await tx.updateTable("reaction").set({ installationId }).where(sql`lower(repo)`, "=", name).execute();
    // What could not be posted by the old one is tried by this one.
    await tx.updateTable("comment").set({ installationId, parked: null }).where(sql`lower(repo)`, "=", name).execute();
  }
  return true;
}

/** Under its name and an issue's number there can be one board: that of a repository that has lost the name is put out of the way. */
async function makeRoom(tx: Tx, repo: string, goneId: number): Promise<void> {
  const gone = `${repo}@${goneId}`;
  const incidents = tx.selectFrom("incident").where("repoId", "=", goneId);
  await tx
    .deleteFrom("label")
    .where(sql`lower(repo)`, "=", repo.toLowerCase())
    .where("issue", "in", incidents.select("number"))
    .execute();
  await tx
    .updateTable("comment")
    .set({ repo: gone, parked: sql`coalesce(parked, 'its name is another repository''s now')` })
    .where("incidentId", "in", incidents.select("id"))
    .execute();
  await tx.updateTable("incident").set({ repo: gone }).where("repoId", "=", goneId).execute();
}

/** GitHub says that an installation is gone: the next one that brings the same repositories is as good. */
export async function leaveInstallation(tx: Tx, installationId: number): Promise<void> {
  await tx.updateTable("repository").set({ installed: false }).where("installationId", "=", installationId).execute();
}
