import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../database/open.ts";
import type { Tables } from "../database/schema.ts";
import { slots } from "./slots.ts";
import type { OutboxComment } from "./wanted.ts";

/**
 * Counts an attempt before it is made, as a step of the statement that takes the write for it, and gives how many there have been: from the
 * second on, GitHub may already have the comment, and the poster looks for its marker first (RR-07).
 */
export const attemptAt = ({ id, body }: OutboxComment): RawBuilder<unknown> => sql`
  update comment set attempts = attempts + 1, posting_body = ${body}, parked = null
  where id = ${id} and exists (select from taken) returning attempts`;

/**
 * Holds the row of a comment for that, as long as it stands for the one on GitHub that was tried. A board that shows other comments is held
 * only if it was drawn from the newest rows.
 */
export const lockTried = ({ id, gone }: OutboxComment, asDrawn: boolean): RawBuilder<unknown> =>
  sql`select id from comment where id = ${id} and gone = ${gone} and not (${asDrawn} and slot = ${slots.board} and github_id is not null
    and exists (select from incident where incident.id = comment.incident_id and changed > drawn)) for update of comment`;

/** An attempt that GitHub has refused for sure is none; not where another process has begun with the comment since, whose it would be. */
export async function takeBackAttempt(db: Db, comment: OutboxComment, attempts: number): Promise<void> {
  await db
    .updateTable("comment")
    .set({ attempts: attempts - 1 })
    .where(isAsTried(comment))
    .where("attempts", "=", attempts)
    .execute();
}

/**
 * Records that GitHub has this version; a newer one that was wanted meanwhile stays open. False, and nothing recorded, where another
 * process has begun with the comment since: see `postOvertaken`.
 */
export async function commentPosted(db: Db, comment: OutboxComment, posted: PostedComment): Promise<boolean> {
  const row = await db
    .updateTable("comment")
    .set({ ...hasIt(comment, posted), postedAt: new Date(), attempts: 0 })
    .where(isAsTried(comment))
    .where("postingBody", "=", comment.body)
    .where((eb) => eb.or([eb("githubId", "is", null), eb("githubId", "=", posted.githubId)]))
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * What to make of a write during which another process had the comment (RR-05, F-34): whose text GitHub shows nobody knows, so it is
 * to be posted `again`; where the other has made the comment, this one is a second `copy` of it; where it was deleted meanwhile, the
 * write is `past`.
 */
export async function postOvertaken(
  tx: Tx,
  comment: OutboxComment,
  posted: PostedComment,
): Promise<"again" | "copy" | "past"> {
  const row = await tx
    .selectFrom("comment")
    .select("githubId")
    .where(isAsTried(comment))
    .forUpdate()
    .executeTakeFirst();
  if (!row) return "past";
  if (row.githubId !== null && row.githubId !== posted.githubId) return "copy";
  await tx
    .updateTable("comment")
    .set((eb) => ({ ...hasIt(comment, posted), version: eb("version", "+", 1), dueAt: sql`now()` }))
    .where(isAsTried(comment))
    .execute();
  return "again";
}

interface PostedComment {
  readonly githubId: number;
  readonly nodeId: string;
  readonly createdAt?: Date;
}

const hasIt = (comment: OutboxComment, { githubId, nodeId, createdAt }: PostedComment) => ({
  githubId,
  nodeId,
  postedVersion: comment.version,
  postedBody: comment.body,
  firstPostedAt: comment.firstPostedAt ?? createdAt ?? null,
});

/** Gives up on a comment for a reason that waiting will not fix; not where it was deleted meanwhile, since it is made anew then. */
export async function parkComment(db: Db | Tx, comment: OutboxComment, why: string): Promise<void> {
  await db.updateTable("comment").set({ parked: why }).where(isAsTried(comment)).execute();
}

/** The row of a comment, as long as it stands for the one on GitHub that was tried. */
export const isAsTried =
  ({ id, gone }: OutboxComment) =>
  (eb: ExpressionBuilder<Tables, "comment">) =>
    eb.and({ id, gone });
