import { withoutMarker } from "../github/comments.ts";
import type { CommentEvent } from "../github/events.ts";
import { sameCard } from "../github/render/same-card.ts";
import { type Action, actionsOf, moveAction, withdrawApprovals } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import type { Tx } from "../store/database.ts";
import { findIncident, type Incident, lockIncident } from "../store/incidents.ts";
import { commentByGithubId, type OutboxComment, restoreComment, slots, wantComments } from "../store/outbox.ts";
import type { Job } from "../store/queue.ts";
import { turnsOf } from "../store/turns.ts";
import { show, threadOf } from "./show.ts";
import { groundOf, isServed, type World } from "./world.ts";

/**
 * A comment was edited or deleted. An approval given in it is withdrawn while its command has not been sent (SR-28). A card of
 * ours that somebody else changed is put back, and what it showed is void, because nobody can know what was read there
 * (SR-27); a ticked box alone changes nothing and is set back.
 */
export async function commentChanged(world: World, job: Job, event: CommentEvent): Promise<void> {
  const { comment, issue } = event;
  // Our own edits come back as events too.
  if (event.sender.id === comment.author?.id && event.sender.type === "Bot") return;
  if (!isServed(world.config, event)) return;
  const incident = await findIncident(world.store.db, issue.repoId, issue.number);
  if (!incident) return;
  const ours = await commentByGithubId(world.store.db, comment.id);
  const ground = await groundOf(world, issue);
  await world.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (ours) await cardChanged(tx, world, locked, ours, event);
    else await approvalChanged(tx, locked, event);
    await show(tx, world, ground, { incident: locked });
    await job.settle(tx);
  });
}

async function approvalChanged(tx: Tx, incident: Incident, event: CommentEvent): Promise<void> {
  const open = (await actionsOf(tx, incident.id)).filter(isOpen);
  const withdrawn = await withdrawApprovals(tx, { commentId: event.comment.id, actionIds: open.map(({ id }) => id) });
  const reason = `the comment that approved it was ${event.action}`;
  for (const { actionId } of withdrawn) {
    const action = open.find(({ id }) => id === actionId);
    if (!action) continue;
    if (action.state === "approved") await moveAction(tx, action, { from: "approved", to: "proposed", reason });
    await appendAudit(tx, {
      kind: "approval_withdrawn",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, commentId: event.comment.id, by: event.sender.id, reason },
    });
  }
}

async function cardChanged(
  tx: Tx,
  world: World,
  incident: Incident,
  card: OutboxComment,
  event: CommentEvent,
): Promise<void> {
  const deleted = event.action === "deleted";
  const seen = withoutMarker(event.comment.body);
  // The event may be late: what it shows may be a body of ours that is in force again.
  if (!deleted && seen === (card.postedBody ?? card.body)) return;
  await restoreComment(tx, card, deleted ? "create" : "edit");
  const onlyTicked = !deleted && sameCard(seen, card.postedBody ?? card.body);
  const numbers = onlyTicked
    ? []
    : await voidActionsOf(tx, incident, card, `its card was ${event.action} by @${event.sender.login}`);
  await appendAudit(tx, {
    kind: onlyTicked ? "card_ticked" : "card_tampered",
    incidentId: incident.id,
    body: { slot: card.slot, by: { id: event.sender.id, login: event.sender.login }, action: event.action, numbers },
  });
  if (onlyTicked) {
    const body =
      "A box shows a state; ticking it runs nothing, so I set it back. To approve, comment `/approve <number>`.";
    await wantComments(tx, threadOf(incident), [{ slot: "ticked", body }]);
  } else if (numbers.length > 0) {
    const who = world.ink.code(`@${event.sender.login}`);
    const list = numbers.join(", ");
    const body = `⚠️ ${who} has ${event.action} a comment of mine, so ${list} ${numbers.length === 1 ? "is" : "are"} void and nothing of it runs. I have put the comment back. Propose it anew with \`/run\` if it is still wanted.`;
    await wantComments(tx, threadOf(incident), [{ slot: `tampered:${event.comment.id}:${card.version}`, body }]);
  }
}

const isOpen = (action: Action): boolean => action.state === "proposed" || action.state === "approved";

/** The open actions that a comment of ours shows, made void. */
async function voidActionsOf(
  tx: Tx,
  incident: Incident,
  card: OutboxComment,
  reason: string,
): Promise<readonly number[]> {
  const turns = await turnsOf(tx, incident.id);
  const slotOf = (action: Action): string => {
    const turn = turns.find((candidate) => candidate.id === action.turnId);
    return turn ? slots.card(turn.step) : slots.personCard(action.number);
  };
  const numbers: number[] = [];
  for (const action of (await actionsOf(tx, incident.id)).filter(isOpen)) {
    if (slotOf(action) !== card.slot) continue;
    if (!(await moveAction(tx, action, { from: action.state, to: "void", reason }))) continue;
    await appendAudit(tx, {
      kind: "command_void",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, reason },
    });
    numbers.push(action.number);
  }
  return numbers;
}
