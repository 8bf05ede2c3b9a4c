import type { Db } from "../database/open.ts";
import { isAsTried } from "./attempts.ts";
import type { OutboxComment, Thread } from "./wanted.ts";

/** What is over on an issue, in GitHub's words for why it is folded. */
export interface Folded {
  readonly slot: string;
  readonly as: "OUTDATED" | "RESOLVED";
}

/** The comments of a thread that are to be folded and are not yet; one that still changes is not due. */
export async function openFolds(
  db: Db,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): Promise<readonly OutboxComment[]> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .where("foldAs", "is not", null)
    .where("folded", "=", false)
    .where("githubId", "is not", null)
    .whereRef("version", "=", "postedVersion")
    .where("parked", "is", null)
    .orderBy("position")
    .execute();
}

/** It is folded, or never will be: either way it is not tried again, unless it was deleted meanwhile and is made anew. */
export async function foldDone(db: Db, comment: OutboxComment): Promise<void> {
  await db.updateTable("comment").set({ folded: true }).where(isAsTried(comment)).execute();
}

/** Counts a failed attempt, so that the next one waits longer; how many there have been. */
export async function foldFailed(db: Db, { id }: Pick<OutboxComment, "id">): Promise<number> {
  const { foldAttempts } = await db
    .updateTable("comment")
    .set((eb) => ({ foldAttempts: eb("foldAttempts", "+", 1) }))
    .where("id", "=", id)
    .returning("foldAttempts")
    .executeTakeFirstOrThrow();
  return foldAttempts;
}
