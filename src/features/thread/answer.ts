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

/** The comment that is answered. */
interface Answered {
  readonly deps: Deps;
  readonly event: CommentEvent;
  /** What its author may do here; none if GitHub has not said. */
  readonly rights?: Pick<Rights, "propose"> | undefined;
  /** A command on a further line of the comment, which is not carried out. */
  readonly below?: string | undefined;
}

/** Whoever wrote a comment, as they are answered. */
export const askerOf = ({ event: { comment }, rights }: Pick<Answered, "event" | "rights">): Asker | undefined =>
  comment.author && { id: comment.author.id, readsOnly: rights !== undefined && !rights.propose };

/** Answers below the comment that holds the command if there is something to say, else by reactions to it. */
export async function answer(
  tx: Tx,
  call: Answered,
  incident: Incident,
  reply: { readonly outcome: AnswerOutcome | "seen"; readonly body?: string },
): Promise<void> {
  const { id: commentId } = call.event.comment;
  const thread = threadOf(incident);
  // Whoever made a mistake writes anew in any case.
  const unread = reply.outcome === "done" || reply.outcome === "seen" ? unreadText(call) : [];
  const body = [...(reply.body ? [reply.body] : []), ...unread].join("\n\n");
  const askedBy = askerOf(call);
  if (body !== "") await wantReply(tx, thread, { commentId, body, askedBy });
  else
    for (const content of ["eyes", ...(reply.outcome === "seen" ? [] : [outcomes[reply.outcome]])] as const)
      await wantReaction(tx, thread, { commentId, content, readsOnly: askedBy?.readsOnly ?? false });
  await wakePoster(tx, call.deps, incident);
}

const unreadText = ({ deps, below }: Pick<Answered, "deps" | "below">): readonly string[] =>
  below === undefined
    ? []
    : [
        `Only the first line was read as a command. ${deps.markdown.code(below)} below it was not: write it as a comment of its own.`,
      ];
