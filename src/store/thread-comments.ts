import type { Db, Tx } from "./connection.ts";
import type { OutboxComment } from "./outbox.ts";
import { slots } from "./slots.ts";

/** The incident's board; nothing where there is none yet. */
export async function boardOf(
  db: Db | Tx,
  { repo, number }: { readonly repo: string; readonly number: number },
): Promise<OutboxComment | undefined> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", repo)
    .where("issue", "=", number)
    .where("slot", "=", slots.board)
    .executeTakeFirst();
}

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

/** Which of these marks of comments the store has never given one of ours. */
export async function unknownMarks(db: Db | Tx, marks: readonly string[]): Promise<readonly string[]> {
  if (marks.length === 0) return [];
  const rows = await db.selectFrom("comment").select("id").where("id", "in", marks).execute();
  const known = new Set(rows.map(({ id }) => id));
  return marks.filter((mark) => !known.has(mark));
}
