import type { CommentEvent } from "../../github/events.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments, wantReaction } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import { threadOf, wakePoster } from "./show.ts";

/** How a slash command went, as the reaction on it says: 🚀 done, 😕 a mistake to fix, 👎 not allowed. */
export const outcomes = { done: "rocket", mistake: "confused", denied: "-1" } as const;
export type AnswerOutcome = keyof typeof outcomes;

/** The comment that is answered. */
interface Answered {
  readonly deps: Deps;
  readonly event: CommentEvent;
  /** A command on a further line of the comment, which is not carried out. */
  readonly below?: string | undefined;
}

/** Reacts to the comment that holds the command, and answers below it where there is something to say. */
export async function answer(
  tx: Tx,
  call: Answered,
  incident: Incident,
  reply: { readonly outcome: AnswerOutcome | "seen"; readonly body?: string },
): Promise<void> {
  const { id: commentId } = call.event.comment;
  const thread = threadOf(incident);
  await wantReaction(tx, thread, { commentId, content: "eyes" });
  if (reply.outcome !== "seen") await wantReaction(tx, thread, { commentId, content: outcomes[reply.outcome] });
  // Whoever made a mistake writes anew in any case.
  const unread = reply.outcome === "done" || reply.outcome === "seen" ? unreadText(call) : [];
  const body = [...(reply.body ? [reply.body] : []), ...unread].join("\n\n");
  if (body !== "") await wantComments(tx, thread, [{ slot: slots.reply(commentId), body }]);
  await wakePoster(tx, call.deps, incident);
}

const unreadText = ({ deps, below }: Pick<Answered, "deps" | "below">): readonly string[] =>
  below === undefined
    ? []
    : [
        `Only the first line was read as a command. ${deps.markdown.code(below)} below it was not: write it as a comment of its own.`,
      ];
