import { sql } from "kysely";
import type { Db, Tx } from "../database/connection.ts";
import { kindsOf, slots } from "./thread-comments.ts";
import { type Asker, type Thread, wantComments } from "./wanted.ts";

/** One unsolicited comment per issue in this time (PRODUCT). */
const quietMs = 10 * 60_000;

/** Joins a notice that still waits. The caller holds the incident's lock. */
export async function wantNotice(tx: Tx, thread: Thread, text: string): Promise<void> {
  const notices = await tx
    .selectFrom("comment")
    .select(["slot", "body", "githubId", "parked"])
    .where("repo", "=", thread.repo)
    .where("issue", "=", thread.issue)
    .where("slot", "like", "notice:%")
    .orderBy("position", "desc")
    .execute();
  const [last] = notices;
  const waits = last !== undefined && last.githubId === null && last.parked === null;
  const said = waits ? last.body.split("\n\n") : [];
  if (said.includes(text)) return;
  const slot = slots.notice(notices.length + (waits ? 0 : 1));
  await wantComments(tx, thread, [{ slot, body: [...said, text].join("\n\n") }]);
}

/** Joins the person's answer that has waited a while, or any if they may only read, so that many questions do not delay other answers. */
export async function wantReply(
  tx: Tx,
  thread: Thread,
  reply: { readonly commentId: number; readonly body: string; readonly askedBy: Asker | undefined },
): Promise<void> {
  const { commentId, body, askedBy } = reply;
  const readsOnly = askedBy?.readsOnly ?? false;
  const waiting = askedBy
    ? await tx
        .selectFrom("comment")
        .select(["slot", "body"])
        .where("repo", "=", thread.repo)
        .where("issue", "=", thread.issue)
        .where("askedBy", "=", askedBy.id)
        .where(({ eb, or }) => or([eb.val(readsOnly), eb("createdAt", "<", sql<Date>`now() - interval '3 seconds'`)]))
        .where("slot", "like", "reply:%")
        .where("githubId", "is", null)
        .where("attempts", "=", 0)
        .where("parked", "is", null)
        .executeTakeFirst()
    : undefined;
  const said = waiting?.body.split(rule) ?? [];
  if (said.includes(body) || said.includes(unanswered)) return;
  const joined = [...said, readsOnly && said.length >= mostJoined ? unanswered : body].join(rule);
  await wantComments(tx, thread, [
    waiting && joined.length <= mostCharacters
      ? { slot: slots.reply(Number(waiting.slot.split(":")[1])), body: joined, askedBy }
      : { slot: slots.reply(commentId), body, askedBy },
  ]);
}

const rule = "\n\n---\n\n";
/** For a person who may only read; all others get every answer. */
const mostJoined = 5;
/** GitHub takes 65,536. */
const mostCharacters = 60_000;
const unanswered =
  "I have left your further commands unanswered: too much is to be written here. Please ask again later.";

/** Returns undefined if the issue has had none. */
export async function nextUnsolicitedAt(
  db: Db | Tx,
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): Promise<Date | undefined> {
  const { last } = await db
    .selectFrom("comment")
    .select((eb) => eb.fn.max(eb.fn.coalesce("firstPostedAt", "postedAt")).as("last"))
    .where("repo", "=", repo)
    .where("issue", "=", issue)
    .where(sql<string>`split_part(slot, ':', 1)`, "in", kindsOf("unsolicited"))
    .executeTakeFirstOrThrow();
  // A clock that was set back makes no one wait longer.
  return last === null ? undefined : new Date(Math.min(new Date(last).getTime(), Date.now()) + quietMs);
}
