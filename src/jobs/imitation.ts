import type { CommentEvent } from "../github/events.ts";
import { imitatedNumbers } from "../github/render/imitation.ts";
import { appendAudit } from "../store/audit.ts";
import { type Incident, lockIncident } from "../store/incidents.ts";
import { slots, wantComments } from "../store/outbox.ts";
import type { Job } from "../store/queue.ts";
import { talkLines } from "../text/talk.ts";
import { proposedAnew, voidWords } from "./comment-changed.ts";
import { show, threadOf } from "./show.ts";
import { repost, voidOpen } from "./void.ts";
import type { Ground, World } from "./world.ts";

/** The numbers that a comment shows as if it were a card of ours, outside of quotes and code; nothing where it does not. */
export function imitatedIn(body: string): readonly number[] | undefined {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const talk = [...talkLines(lines)].map((line) => line.text);
  return imitatedNumbers(
    talk,
    lines.filter((line) => !/^ {0,3}>/.test(line)),
  );
}

/**
 * Somebody with write access posted a look-alike of a card: whoever reads the issue could take it for ours, so what it shows is
 * void and proposed anew on a card that is (SR-30).
 */
export async function answerImitation(
  world: World,
  ground: Ground,
  job: Job,
  given: { readonly event: CommentEvent; readonly incident: Incident; readonly numbers: readonly number[] },
): Promise<void> {
  const { event, numbers } = given;
  await world.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, given.incident.id);
    const reason = `@${event.sender.login} posted a look-alike of its card`;
    const voided = await voidOpen(tx, incident, reason, (action) => numbers.includes(action.number));
    const anew = await repost(tx, world, ground, { incident, actions: voided });
    await appendAudit(tx, {
      kind: "card_imitated",
      incidentId: incident.id,
      body: { commentId: event.comment.id, by: { id: event.sender.id, login: event.sender.login }, numbers, anew },
    });
    if (voided.length > 0) {
      const who = world.ink.code(`@${event.sender.login}`);
      const list = voidWords(voided.map((action) => action.number));
      const body = `⚠️ ${who} has posted what looks like a card of mine and is none, so ${list}. I have${proposedAnew(anew).replace(/^ and/, "")}.`;
      await wantComments(tx, threadOf(incident), [{ slot: slots.reply(event.comment.id), body }]);
    }
    await show(tx, world, ground, { incident });
    await job.settle(tx);
  });
}
