import { type Selectable, sql } from "kysely";
import { msUntil } from "../clock.ts";
import { beforeCommit, writeNow } from "../database/commit.ts";
import { revived } from "../database/json-rows.ts";
import type { Db, Tx } from "../database/open.ts";
import type { Tables } from "../database/schema.ts";
import { newId } from "../ids.ts";
import { storeDrawing } from "./drawing.ts";
import { type Slot, slots } from "./slots.ts";

export type OutboxComment = Selectable<Tables["comment"]>;
export type OutboxReaction = Selectable<Tables["reaction"]>;

/** The issue a comment or reaction of ours belongs to. */
export interface Thread {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  readonly incidentId: string | null;
}

/** The key of a thread in the `post` queue: its comments are posted one after another. */
export const threadKey = (thread: Pick<Thread, "repo" | "issue">): string => `${thread.repo}#${thread.issue}`;

/**
 * How long an edit waits, so that many become one: after what it tells has changed, and after the comment was last written. It holds back
 * no edit that is due sooner, and never a new comment.
 */
export interface Pace {
  readonly holdMs: number;
  readonly apartMs: number;
}

/** Somebody who is answered, and whether they may only read. */
export interface Asker {
  readonly id: number;
  readonly readsOnly: boolean;
}

/** What a comment of ours should read; without a pace it is edited at once. */
export interface WantedComment {
  readonly slot: Slot;
  readonly body: string;
  readonly pace?: Pace | undefined;
  /** Whether somebody waits for what it says now: how a command has ended. */
  readonly awaited?: boolean;
  /** Whose command it answers. */
  readonly askedBy?: Asker | undefined;
  /** Whether a body that differs is as good; without it every difference counts. */
  readonly sameAs?: (body: string) => boolean;
}

/**
 * Says what comments of ours should read from now on, in the order in which new ones are to appear. The first call of a slot
 * makes the comment, later ones edit it, and several edits before the next post become one. Nothing happens where the body
 * is what it was.
 */
export async function wantComments(tx: Tx, thread: Thread, comments: readonly WantedComment[]): Promise<void> {
  // What was marked before has its place before these.
  await writeNow(tx, "marks");
  const known = await tx
    .selectFrom("comment")
    .select(["slot", "body", "githubId", "postedAt", "foldAs"])
    .where("repo", "=", thread.repo)
    .where("issue", "=", thread.issue)
    .where(
      "slot",
      "in",
      comments.map(({ slot }) => slot),
    )
    .execute();
  await storeDrawing(tx, { thread, known }, { comments, folded: [], labels: undefined });
}

/**
 * Wants a reaction on a comment, or on the issue itself if `commentId` is 0. Wanting it twice is wanting it once, and a comment that
 * has an answer gets none.
 */
export const wantReaction = (
  tx: Tx,
  thread: Thread,
  reaction: Pick<OutboxReaction, "commentId" | "content"> & { readonly readsOnly?: boolean },
): Promise<void> => want(tx, { readsOnly: false, ...thread, ...reaction });

const want = beforeCommit<Thread & Pick<OutboxReaction, "commentId" | "content" | "readsOnly">>("reactions", (all) => ({
  steps: [
    sql`reactions as (
      insert into reaction (id, installation_id, repo, issue, comment_id, content, reads_only)
      select * from (values ${sql.join(
        all.map(
          ({ installationId, repo, issue, commentId, content, readsOnly }) =>
            sql`(${newId()}::uuid, ${installationId}::bigint, ${repo}, ${issue}::integer, ${commentId}::bigint, ${content},
              ${readsOnly}::boolean)`,
        ),
      )}) as wanted (id, installation_id, repo, issue, comment_id, content, reads_only)
      where not exists (select from comment answer where answer.repo = wanted.repo and answer.issue = wanted.issue
        and answer.slot = 'reply:' || wanted.comment_id)
      on conflict (repo, issue, comment_id, content) do nothing returning id)`,
  ],
  outcome: sql`(select count(*) from reactions)`,
}));

/** Only the store's clock tells whether it is due: this process's may differ. */
export type DueComment = OutboxComment & { readonly dueInMs: number };

/** What is still to be done on a thread. */
export interface OpenPosts {
  readonly reactions: readonly OutboxReaction[];
  readonly comments: readonly DueComment[];
  /** Whether anything is to be folded. */
  readonly folds: boolean;
  /** In how many ms its labels are due; null where they are as they should be. */
  readonly labelsDueInMs: number | null;
  /** Whether the board is to be pinned once it is posted. */
  readonly pin: boolean;
  /** Whether the board says that comments come late, and is to be looked at again. */
  readonly saysLate: boolean;
}

/**
 * Reads what is still to be done on a thread. A comment that is parked is left out, unless it was tried `silentAfter` times without an
 * answer: that one is tried once more. Where all is drawn, a new one waits for what has its place before it and was marked since.
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
  // The columns are those of the tables whose rows they are.
  return revived(rows[0]) as OpenPosts;
}

export async function reactionPosted(db: Db, reaction: OutboxReaction): Promise<void> {
  await db.updateTable("reaction").set({ posted: true }).where("id", "=", reaction.id).execute();
}

/** Counts a failed attempt, so that the next one waits longer. */
export async function reactionFailed(db: Db, reaction: OutboxReaction): Promise<void> {
  await db
    .updateTable("reaction")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("id", "=", reaction.id)
    .execute();
}

/** Gives up on a reaction for a reason that waiting will not fix; it stays visible to the operator. */
export async function parkReaction(db: Db, { id }: OutboxReaction, why: string): Promise<void> {
  await db.updateTable("reaction").set({ parked: why }).where("id", "=", id).execute();
}

/**
 * Leaves out the reactions that tell nothing any more while too much is to be written: a 👀 beside its outcome, and after a minute every
 * 👀, what a run card tells, and those for people who may only read.
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
 * Has a comment of ours posted again as it should read, because somebody edited it; anew where it was deleted, of which GitHub's id is
 * kept, so that what still comes of the deleted one is not taken for it (RR-07). Its mark stays: one that the issue bears and the
 * store does not know means that the store is an older copy (RR-24).
 */
export async function restoreComment(tx: Tx, comment: OutboxComment, how: "edit" | "create"): Promise<void> {
  const { githubId, nodeId, firstPostedAt } = comment;
  await tx
    .updateTable("comment")
    .set((eb) => ({
      version: eb("version", "+", 1),
      // An edit that met the deleted comment before its event came is parked, and would stay so.
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
