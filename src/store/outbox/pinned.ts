import type { Db } from "../database/open.ts";
import { slots } from "./slots.ts";
import type { OutboxComment, Thread } from "./wanted.ts";

/** The board of a thread that is posted and is to be pinned; undefined where there is none, or while it is all that is posted: people wait for a card. */
export const boardToPin = (
  db: Db,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): Promise<OutboxComment | undefined> =>
  db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .where("slot", "=", slots.board)
    .where("githubId", "is not", null)
    .where("pinned", "=", false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("comment as other")
          .select("other.id")
          .where("other.repo", "=", repo)
          .where("other.issue", "=", issue)
          .where("other.slot", "<>", slots.board)
          .where("other.githubId", "is not", null),
      ),
    )
    .executeTakeFirst();

/** It is pinned, or GitHub does not pin it: either way it is not tried again, unless it is made anew. */
export async function pinDone(db: Db, { id, githubId }: OutboxComment): Promise<void> {
  await db.updateTable("comment").set({ pinned: true }).where("id", "=", id).where("githubId", "=", githubId).execute();
}
