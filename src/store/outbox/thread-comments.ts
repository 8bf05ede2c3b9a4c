import { auditOf } from "../audit/rows.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { RowsWith } from "../incident-rows.ts";
import { slots } from "./slots.ts";
import type { OutboxComment } from "./wanted.ts";

/** The incident's board; undefined if there is none yet. */
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

/** Every comment of ours on an issue, in the order of their places. */
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

export async function commentIn(db: Db | Tx, incidentId: string, slot: string): Promise<OutboxComment | undefined> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("incidentId", "=", incidentId)
    .where("slot", "=", slot)
    .executeTakeFirst();
}

/** Whether a comment of ours in one of these slots stood on the issue before then. */
export async function stoodBefore(tx: Tx, incidentId: string, among: readonly string[], at: Date): Promise<boolean> {
  const row = await tx
    .selectFrom("comment")
    .select("id")
    .where("incidentId", "=", incidentId)
    .where("slot", "in", among)
    .where("firstPostedAt", "<", at)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids among these that belong to comments of ours. */
export async function ownIds(db: Db, githubIds: readonly number[]): Promise<ReadonlySet<number | null>> {
  const rows = await db.selectFrom("comment").select("githubId").where("githubId", "in", githubIds).execute();
  return new Set(rows.map(({ githubId }) => githubId));
}

/** The marks among these that the store has never given to a comment. */
export async function unknownMarks(db: Db | Tx, marks: readonly string[]): Promise<readonly string[]> {
  if (marks.length === 0) return [];
  const rows = await db.selectFrom("comment").select("id").where("id", "in", marks).execute();
  const known = new Set(rows.map(({ id }) => id));
  return marks.filter((mark) => !known.has(mark));
}

/** The comment of ours with this GitHub id; undefined if it is not ours. */
export async function commentByGithubId(db: Db | Tx, githubId: number): Promise<OutboxComment | undefined> {
  return db.selectFrom("comment").selectAll().where("githubId", "=", githubId).executeTakeFirst();
}

/**
 * The comment of ours with this mark if GitHub's answer to its creation is still missing, so that its id is not known. It is younger than
 * its deleted predecessors, because GitHub's ids grow.
 */
export async function unansweredComment(
  db: Db | Tx,
  { mark, githubId }: { readonly mark: string; readonly githubId: number },
): Promise<OutboxComment | undefined> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("id", "=", mark)
    .where("githubId", "is", null)
    .where("gone", "<", githubId)
    .executeTakeFirst();
}

/** When people ticked boxes of a comment by hand, as far as we know: such an edit means nothing (SR-27). */
export async function ticksOn(
  db: Db | Tx,
  { incidentId, slot }: Pick<OutboxComment, "incidentId" | "slot">,
): Promise<readonly Date[]> {
  const ticks = incidentId === null ? [] : await auditOf(db, incidentId, "card_ticked");
  return ticks.flatMap(({ kind, body }) =>
    kind === "card_ticked" && body.slot === slot && body.editedAt ? [new Date(body.editedAt)] : [],
  );
}

/** The board, and the cards of one action of an incident or of all open ones. */
export async function shownComments(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
  which: "open" | { readonly actionId: string },
): Promise<{ readonly board: OutboxComment | undefined; readonly cards: readonly OutboxComment[] }> {
  const shown = await db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", incident.repo)
    .where("issue", "=", incident.number)
    .where(({ eb, or, selectFrom }) => {
      const own = selectFrom("action").select("card").where("incidentId", "=", incident.id);
      const cards =
        which === "open" ? own.where("state", "in", ["proposed", "approved"]) : own.where("id", "=", which.actionId);
      return or([eb("slot", "=", slots.board), eb("slot", "in", cards)]);
    })
    .execute();
  return {
    board: shown.find(({ slot }) => slot === slots.board),
    cards: shown.filter(({ slot }) => slot !== slots.board),
  };
}

/**
 * Whether the card of one of these actions, or of the action that superseded it, may stand on the issue although GitHub's answer to its
 * creation is missing (F-08): a person may have read it.
 */
export async function isUnanswered(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
  ids: "all" | readonly { readonly number: number }[],
): Promise<boolean> {
  const rows = await db
    .selectFrom("action")
    .innerJoin("comment", "comment.slot", "action.card")
    .select(["action.number", "action.supersededBy", "comment.githubId", "comment.attempts", "comment.parked"])
    .where("action.incidentId", "=", incident.id)
    .where("comment.repo", "=", incident.repo)
    .where("comment.issue", "=", incident.number)
    .where("action.state", "in", ["proposed", "approved", "superseded"])
    .execute();
  const named = rows.filter(({ number }) => ids === "all" || ids.some((id) => id.number === number));
  const read = new Set(named.flatMap(({ number, supersededBy }) => [number, supersededBy]));
  return rows.some(
    ({ number, githubId, attempts, parked }) =>
      read.has(number) && githubId === null && attempts > 0 && parked === null,
  );
}

/** The card of an action, as people can read it on the issue. */
export interface ShownCard {
  /** When its card first stood there, by GitHub's clock in whole seconds. */
  readonly createdAt: Date;
  /** GitHub's id of the comment that is its card now; null if it was deleted and is still to be made again. */
  readonly id: number | null;
  /** The id of an earlier card that was deleted; 0 if there was none. */
  readonly gone: number;
}

/** The cards of an incident's actions, by action id; without those that were never on the issue. */
export function firstShownOf({ actions, posted }: RowsWith<"actions" | "posted">): ReadonlyMap<string, ShownCard> {
  const bySlot = new Map(posted.map((comment) => [comment.slot, comment]));
  return new Map(
    actions.flatMap(({ id, card }) => {
      const comment = bySlot.get(card);
      const createdAt = comment?.firstPostedAt;
      return comment && createdAt ? [[id, { createdAt, id: comment.githubId, gone: comment.gone }] as const] : [];
    }),
  );
}
