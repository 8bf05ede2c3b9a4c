import { sql } from "kysely";
import type { Db, Tx } from "../database/connection.ts";
import { kindsOf, slots } from "./slots.ts";
import { type Thread, wantComments } from "./wanted.ts";

/** Of what nobody asked for one comment in this long (PRODUCT). */
const quietMs = 10 * 60_000;

/**
 * Says something to an issue that nobody asked for. It joins what waits to be posted there already, so that however much there is to
 * say, one comment says it. The caller holds the incident.
 */
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

/** From when on an issue may get another comment that nobody asked for; nothing where it has had none. */
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
  // A clock that was set back has nobody wait longer.
  return last === null ? undefined : new Date(Math.min(new Date(last).getTime(), Date.now()) + quietMs);
}
