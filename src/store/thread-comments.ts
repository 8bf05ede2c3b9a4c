import type { Db, Tx } from "./connection.ts";
import type { OutboxComment } from "./outbox.ts";

/** Every comment of ours on an issue, in the order in which they were to appear. */
export async function commentsOf(
  db: Db | Tx,
  { repo, number }: { readonly repo: string; readonly number: number },
): Promise<readonly OutboxComment[]> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", repo)
    .where("issue", "=", number)
    .orderBy("position")
    .execute();
}
