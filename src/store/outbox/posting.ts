import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { msUntil } from "../clock.ts";
import { writeNow } from "../database/commit.ts";
import { type Db, revived, type Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { slots } from "./thread-comments.ts";
import type { OutboxComment, OutboxReaction, Thread } from "./wanted.ts";

/** By the store's clock, because this process's may differ. */
export type DueComment = OutboxComment & { readonly dueInMs: number };

interface OpenPosts {
  readonly reactions: readonly OutboxReaction[];
  readonly comments: readonly DueComment[];
  readonly folds: boolean;
  /** Null if the labels are right. */
  readonly labelsDueInMs: number | null;
  readonly pin: boolean;
  /** The board says that comments come late, and must be checked again. */
  readonly saysLate: boolean;
}

/**
 * Leaves out parked comments, except those that `silentAfter` tries left unanswered. If all is drawn, a new comment waits for those marked
 * since with a place before it.
 */
export async function openPosts(
  db: Db | Tx,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
  silentAfter: number,
  isDrawn: boolean,
): Promise<OpenPosts> {
  await writeNow(db, "marks", "reactions");
  const here = sql`repo = ${repo} and issue = ${issue}`;
  const { rows } = await sql<Readonly<Record<string, unknown>>>`select
    (select coalesce(json_agg(r order by created_at), '[]') from reaction r
      where ${here} and not posted and parked is null) as reactions,
    (select coalesce(json_agg(c order by position), '[]')
      from (select *, ${msUntil(sql`due_at`)} as due_in_ms from comment) c
      where ${here} and version > posted_version and (parked is null or attempts >= ${silentAfter})
        and (github_id is not null or not ${isDrawn} or not exists (
          select from comment before where before.repo = c.repo and before.issue = c.issue and before.version = 0
            and before.position < c.position))) as comments,
    exists (select from comment where ${here} and fold_as is not null and not folded) as folds,
    (select ${msUntil(sql`due_at`)} from label where ${here}) as labels_due_in_ms,
    exists (select from comment where ${here} and slot = ${slots.board} and not pinned)
      and exists (select from comment where ${here} and slot <> ${slots.board} and version > 0) as pin,
    exists (select from incident where repo = ${repo} and number = ${issue} and late_said is not null) as says_late`.execute(
    db,
  );
  return revived(rows[0]) as OpenPosts;
}

/** A parked one stays visible to the operator. */
export async function setReaction(
  db: Db,
  { id }: OutboxReaction,
  change: Partial<Pick<OutboxReaction, "posted" | "parked" | "attempts">>,
): Promise<void> {
  await db.updateTable("reaction").set(change).where("id", "=", id).execute();
}

/**
 * Drops reactions under load: a 👀 beside its outcome; after a minute every 👀, those that a run card shows, and those for people who may
 * only read.
 */
export async function dropReactions(
  db: Db,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
  which: "all" | "readers'",
): Promise<void> {
  await sql`
    update reaction late set parked = 'too much was to be written'
    where repo = ${repo} and issue = ${issue} and not posted and parked is null and (
      created_at < now() - interval '1 minute' and (reads_only or ${which === "all"} and (content = 'eyes'
        or exists (select from batch where batch.comment_id = late.comment_id)))
      or ${which === "all"} and content = 'eyes' and exists (
        select from reaction outcome where outcome.repo = late.repo and outcome.issue = late.issue
          and outcome.comment_id = late.comment_id and outcome.content <> 'eyes'))`.execute(db);
}

/**
 * Posts an edited comment again, or remakes a deleted one. The deleted one's GitHub id is kept, so that late answers about it do not count
 * for the new one (RR-07). Its mark stays, because an unknown mark means that the store is an older copy (RR-24).
 */
export async function restoreComment(tx: Tx, comment: OutboxComment, how: "edit" | "create"): Promise<void> {
  const { githubId, nodeId, firstPostedAt } = comment;
  await tx
    .updateTable("comment")
    .set((eb) => ({
      version: eb("version", "+", 1),
      // An edit that met the deleted comment before its event is parked.
      parked: null,
      ...(how === "edit"
        ? { githubId, nodeId, firstPostedAt }
        : {
            gone: githubId ?? eb.ref("gone"),
            githubId: null,
            nodeId: null,
            attempts: 0,
            pinned: false,
            folded: false,
            foldAttempts: 0,
          }),
    }))
    .where("id", "=", comment.id)
    .execute();
}

/** For an attempt that GitHub certainly refused, unless another process has begun since. */
export async function takeBackAttempt(db: Db, comment: OutboxComment, attempts: number): Promise<void> {
  await db
    .updateTable("comment")
    .set({ attempts: attempts - 1 })
    .where(isAsTried(comment))
    .where("attempts", "=", attempts)
    .execute();
}

/** A newer version stays open. Returns false and records nothing if another process has begun since (`postOvertaken`). */
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
 * Decides about an overtaken write (RR-05, F-34): `again`, because GitHub may show either text; `copy` if the other process made the
 * comment too; `past` if it was deleted.
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

/** If the row still stands for the comment that was tried; one that was deleted meanwhile is made again instead. */
export async function setComment(
  db: Db | Tx,
  comment: OutboxComment,
  change: Partial<Pick<OutboxComment, "parked" | "folded" | "foldAttempts" | "pinned">>,
): Promise<void> {
  await db.updateTable("comment").set(change).where(isAsTried(comment)).execute();
}

/** Matches if the row still stands for the comment that was tried. */
const isAsTried =
  ({ id, gone }: OutboxComment) =>
  (eb: ExpressionBuilder<Tables, "comment">) =>
    eb.and({ id, gone });

/** A comment that still changes is not due. */
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

/** Returns undefined while the board is the only comment, because people wait for a card. */
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

export type OutboxLabels = Selectable<Tables["label"]>;

/** Shorter-lived labels are not worth two writes and two lines in the history. */
export const settleSeconds = 15;

/** `spare`: labels of ours that the issue should not carry. */
export interface WantedLabels {
  readonly wanted: readonly string[];
  readonly spare: readonly string[];
}

/** Returns undefined if the labels are right or given up. */
export async function openLabels(
  db: Db,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): Promise<(OutboxLabels & { readonly dueInMs: number }) | undefined> {
  return db
    .selectFrom("label")
    .selectAll()
    .select(msUntil(sql`due_at`).as("dueInMs"))
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .where("dueAt", "is not", null)
    .executeTakeFirst();
}

/** Others wanted meanwhile stay due. */
export async function labelsShown(db: Db, { repo, issue }: OutboxLabels, names: readonly string[]): Promise<void> {
  const shown = JSON.stringify([...names].sort());
  await sql`
    update label set shown = ${shown}::jsonb, attempts = 0,
      due_at = case when wanted = ${shown}::jsonb then null else due_at end
    where repo = ${repo} and issue = ${issue}`.execute(db);
}

/** Delays the next attempt; returns the count. */
export async function labelsFailed(db: Db, { repo, issue }: OutboxLabels): Promise<number> {
  const { attempts } = await db
    .updateTable("label")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return attempts;
}

/** A change that came meanwhile stays due. */
export async function dropLabels(db: Db, { repo, issue, wanted }: OutboxLabels): Promise<void> {
  await sql`
    update label set due_at = null
    where repo = ${repo} and issue = ${issue} and wanted = ${JSON.stringify(wanted)}::jsonb`.execute(db);
}
