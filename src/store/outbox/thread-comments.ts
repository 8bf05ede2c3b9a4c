import { sql } from "kysely";
import type { Db, Tx } from "../database/connection.ts";
import type { OutboxComment } from "./wanted.ts";

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

/** In order of place. */
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

/** Those that are comments of ours. */
export async function ownIds(db: Db, githubIds: readonly number[]): Promise<ReadonlySet<number | null>> {
  const rows = await db.selectFrom("comment").select("githubId").where("githubId", "in", githubIds).execute();
  return new Set(rows.map(({ githubId }) => githubId));
}

/** Those that the store never gave to a comment. */
export async function unknownMarks(db: Db | Tx, marks: readonly string[]): Promise<readonly string[]> {
  if (marks.length === 0) return [];
  const rows = await db.selectFrom("comment").select("id").where("id", "in", marks).execute();
  const known = new Set(rows.map(({ id }) => id));
  return marks.filter((mark) => !known.has(mark));
}

/** Returns undefined if the comment is not ours. */
export async function commentByGithubId(db: Db | Tx, githubId: number): Promise<OutboxComment | undefined> {
  return db.selectFrom("comment").selectAll().where("githubId", "=", githubId).executeTakeFirst();
}

/** GitHub's answer to its creation, and so its id, is missing. GitHub's ids grow, so it is younger than deleted predecessors. */
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

/** The board, and an action's card. */
export async function shownComments(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
  action: { readonly id: string },
): Promise<readonly OutboxComment[]> {
  return db
    .selectFrom("comment")
    .selectAll()
    .where("repo", "=", incident.repo)
    .where("issue", "=", incident.number)
    .where(({ eb, selectFrom }) => {
      const own = selectFrom("action")
        .select("card as slot")
        .where("incidentId", "=", incident.id)
        .where("id", "=", action.id);
      // Looked up one by one, because an incident has as many comments as steps.
      return eb("slot", "=", sql<string>`any (array(${own} union all values (${slots.board})))`);
    })
    .execute();
}

/** Whether their card, or the superseding action's, may stand on the issue unanswered by GitHub (F-08): a person may have read it. */
export async function isUnanswered(
  db: Db | Tx,
  incident: { readonly id: string; readonly repo: string; readonly number: number },
  ids: "all" | readonly { readonly number: number }[],
): Promise<boolean> {
  const unanswered = await db
    .selectFrom("comment")
    .select("slot")
    .where("repo", "=", incident.repo)
    .where("issue", "=", incident.number)
    // As the index has those that are open.
    .whereRef("version", ">", "postedVersion")
    .where("parked", "is", null)
    .where("githubId", "is", null)
    .where("attempts", ">", 0)
    .execute();
  if (unanswered.length === 0) return false;
  const actions = await db
    .selectFrom("action")
    .select(["number", "supersededBy", "card"])
    .where("incidentId", "=", incident.id)
    .where("state", "in", ["proposed", "approved", "superseded"])
    .execute();
  const named = actions.filter(({ number }) => ids === "all" || ids.some((id) => id.number === number));
  const read = new Set(named.flatMap(({ number, supersededBy }) => [number, supersededBy]));
  const isOpen = new Set<string>(unanswered.map(({ slot }) => slot));
  return actions.some(({ number, card }) => read.has(number) && isOpen.has(card));
}

export interface ShownCard {
  /** By GitHub's clock, in whole seconds. */
  readonly createdAt: Date;
  /** Null if it was deleted and not remade yet. */
  readonly id: number | null;
  /** The id of a deleted earlier card, or 0. */
  readonly gone: number;
}

/** Comments and their reasons (PRODUCT: noise kills bots). An edit in place notifies no one. */
const kinds = {
  /** To the incident's opener; then only edited. */
  board: "asked",
  reply: "asked",
  /** For an edit of a comment into a command, or of an approval out of it; once per comment. */
  edited: "asked",
  /** For a ticked box; once per incident. */
  ticked: "asked",
  /** The agent's proposals, or its answer to a question or result. */
  card: "decision",
  /** A person's own action, or one proposed again. */
  action: "decision",
  reminder: "decision",
  /** Once for each person on call. */
  call: "decision",
  /** A closed incident's alert fires again and reopens it. */
  "alert-again": "decision",
  /** People decide on everything again. */
  "lease-ended": "decision",
  /** A patch is merged, and a read that should show its effect cannot be proposed. */
  "merge-check": "decision",
  "soft-limit": "decision",
  batch: "result",
  /** What an edit of the run card would not notify about: above all UNKNOWN and withheld (RR-22). */
  unread: "result",
  schedule: "result",
  /** Several within a while are one comment. */
  resolved: "result",
  /** A person changed a comment of ours. */
  notice: "unsolicited",
} as const satisfies Record<string, CommentReason>;

/** Only unsolicited comments are delayed, and none is lost. */
type CommentReason = "asked" | "decision" | "result" | "unsolicited";
type CommentKind = keyof typeof kinds;

/** A kind, with a key if there are several. */
export type Slot = CommentKind | `${CommentKind}:${string}`;

export const slots = {
  board: "board",
  ticked: "ticked",
  edited: (commentId: number) => `edited:${commentId}`,
  card: (step: number) => `card:${step}`,
  /** A runbook's checks, before the agent's first step. */
  checks: "card:0",
  ownCard: (number: number) => `action:${number}`,
  batch: (id: string) => `batch:${id}`,
  /** Also one for each `/wait`. */
  softLimit: (number: number, waitUntil: Date | null = null) =>
    `soft-limit:${number}${waitUntil === null ? "" : (`:${waitUntil.getTime()}` as const)}`,
  leaseEnded: (commentId: number) => `lease-ended:${commentId}`,
  mergeCheck: (number: number) => `merge-check:${number}`,
  reminder: (expiresAt: Date) => `reminder:${expiresAt.getTime()}`,
  call: ({ who, at }: { readonly who: string; readonly at: Date }) => `call:${at.getTime()}:${who}`,
  firesAgain: (fires: number) => `alert-again:${fires}`,
  schedule: (key: string) => `schedule:${key}`,
  unread: (batchId: string) => `unread:${batchId}`,
  resolved: (number: number) => `resolved:${number}`,
  reply: (commentId: number) => `reply:${commentId}`,
  notice: (number: number) => `notice:${number}`,
} as const satisfies Record<string, Slot | ((of: never) => Slot)>;

export const kindsOf = (why: CommentReason): readonly CommentKind[] =>
  Object.keys(kinds).filter((kind): kind is CommentKind => isKind(kind) && kinds[kind] === why);

/** A kind that no longer exists counts as a result. */
export function whyOf(slot: string): CommentReason {
  const kind = slot.split(":", 1)[0] ?? "";
  return isKind(kind) ? kinds[kind] : "result";
}

const isKind = (kind: string): kind is CommentKind => Object.hasOwn(kinds, kind);
