import type { Rights } from "../../approval/rights.ts";
import type { CommentEvent } from "../../github/events.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { wantReply } from "../../store/outbox/notices.ts";
import { type Asker, wantReaction } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import { threadOf, wakePoster } from "./show.ts";

/** How a slash command went, as the reaction on it says: 🚀 done, 😕 a mistake to fix, 👎 not allowed. */
export const outcomes = { done: "rocket", mistake: "confused", denied: "-1" } as const;
export type AnswerOutcome = keyof typeof outcomes;

interface AnsweredComment {
  readonly deps: Deps;
  readonly event: CommentEvent;
  /** What its author may do here; absent if GitHub has not said. */
  readonly rights?: Pick<Rights, "propose"> | undefined;
  /** A command on a later line of the comment, which does not run. */
  readonly below?: string | undefined;
}

/** The author of a comment, for the answer's place in the queue of writes. */
export const askerOf = ({ event: { comment }, rights }: Pick<AnsweredComment, "event" | "rights">): Asker | undefined =>
  comment.author && { id: comment.author.id, readsOnly: rights !== undefined && !rights.propose };

/** Answers a command with a comment if there is something to say, else with reactions. */
export async function answer(
  tx: Tx,
  call: AnsweredComment,
  incident: Incident,
  reply: { readonly outcome: AnswerOutcome | "seen"; readonly body?: string },
): Promise<void> {
  const { id: commentId } = call.event.comment;
  const thread = threadOf(incident);
  const { below, deps } = call;
  // After a mistake its author writes another comment in any case.
  const isRight = reply.outcome === "done" || reply.outcome === "seen";
  const unread =
    below !== undefined && isRight
      ? `Only the first line was read as a command. ${deps.markdown.code(below)} below it was not: write it as a comment of its own.`
      : undefined;
  const body = [reply.body, unread].filter(Boolean).join("\n\n");
  const askedBy = askerOf(call);
  if (body !== "") await wantReply(tx, thread, { commentId, body, askedBy });
  else
    for (const content of ["eyes", ...(reply.outcome === "seen" ? [] : [outcomes[reply.outcome]])] as const)
      await wantReaction(tx, thread, { commentId, content, readsOnly: askedBy?.readsOnly ?? false });
  await wakePoster(tx, deps, incident);
}
