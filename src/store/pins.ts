import { sql } from "kysely";
import { type Db, hasAdded, hasChanged, type Tx } from "./database/connection.ts";

/** What a repository's name means since first contact (SR-07). */
export interface RepositoryPin {
  readonly repoId: number;
  readonly installationId: number;
  readonly installed: boolean;
}

/** Returns undefined before first contact. */
export async function findPin(db: Db | Tx, repo: string): Promise<RepositoryPin | undefined> {
  return db
    .selectFrom("repository")
    .select(["id as repoId", "installationId", "installed"])
    .where("name", "=", repo.toLowerCase())
    .executeTakeFirst();
}

/** A token for a name's earlier meaning opens nothing. */
const rememberedMs = 1_000;

/** Runs before each request to GitHub, so it remembers an answer for a second unless `fresh` is true. */
export function createPinLookup(db: Db): (repo: string, fresh?: boolean) => Promise<number | undefined> {
  const known = new Map<string, { readonly repoId: number; readonly at: number }>();
  return async (repo, fresh = false) => {
    const before = known.get(repo);
    const at = performance.now();
    if (before && !fresh && at - before.at < rememberedMs) return before.repoId;
    const repoId = (await findPin(db, repo))?.repoId;
    if (repoId === undefined) known.delete(repo);
    else known.set(repo, { repoId, at });
    return repoId;
  };
}

/** Returns false if the pin is no longer `before`. The same repository's rows move to its new installation; another's make room. */
export async function keepPin(
  tx: Tx,
  pin: { readonly repo: string; readonly repoId: number; readonly installationId: number },
  before: RepositoryPin | undefined,
): Promise<boolean> {
  const { repo, repoId: id, installationId } = pin;
  const name = repo.toLowerCase();
  if (!before) {
    const row = { name, id, installationId };
    return hasAdded(
      tx
        .insertInto("repository")
        .values(row)
        .onConflict((at) => at.doNothing()),
    );
  }
  const set = await hasChanged(
    tx
      .updateTable("repository")
      .set({ id, installationId, installed: true })
      .where("name", "=", name)
      .where("id", "=", before.repoId)
      .where("installationId", "=", before.installationId)
      .where("installed", "=", before.installed),
  );
  if (!set) return false;
  if (before.repoId !== id) await makeRoom(tx, repo, before.repoId);
  else {
    await tx.updateTable("incident").set({ installationId }).where("repoId", "=", id).execute();
    await tx.updateTable("schedule").set({ installationId }).where("repoId", "=", id).execute();
    await tx.updateTable("reaction").set({ installationId }).where(sql`lower(repo)`, "=", name).execute();
    // The new installation tries what the old one could not post.
    await tx.updateTable("comment").set({ installationId, parked: null }).where(sql`lower(repo)`, "=", name).execute();
  }
  return true;
}

/** A name and an issue's number have one board, so rows of a repository that lost the name are renamed. */
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

/** The next installation that brings its repositories is as good. */
export async function leaveInstallation(tx: Tx, installationId: number): Promise<void> {
  await tx.updateTable("repository").set({ installed: false }).where("installationId", "=", installationId).execute();
}
