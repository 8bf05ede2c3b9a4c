import { threadOf, wakePoster } from "../jobs/show.ts";
import type { Tx } from "../store/database.ts";
import type { Incident } from "../store/incidents.ts";
import { wantComments, wantReaction } from "../store/outbox.ts";
import { slots } from "../store/slots.ts";
import type { Call } from "./command.ts";

/** How a slash command went, as the reaction on it says: 🚀 done, 😕 a mistake to mend, 👎 not allowed. */
export const outcomes = { done: "rocket", mistake: "confused", denied: "-1" } as const;
export type Outcome = keyof typeof outcomes;

/** Reacts to the comment that holds the command, and answers below it where there is something to say. */
export async function answer(
  tx: Tx,
  call: Pick<Call, "world" | "event">,
  incident: Incident,
  reply: { readonly outcome: Outcome | "seen"; readonly body?: string },
): Promise<void> {
  const { id: commentId } = call.event.comment;
  const thread = threadOf(incident);
  await wantReaction(tx, thread, { commentId, content: "eyes" });
  if (reply.outcome !== "seen") await wantReaction(tx, thread, { commentId, content: outcomes[reply.outcome] });
  if (reply.body) await wantComments(tx, thread, [{ slot: slots.reply(commentId), body: reply.body }]);
  await wakePoster(tx, call.world, incident);
}
