import { markIn, withoutMarker } from "../../github/comments.ts";
import type { CommentEvent } from "../../github/events.ts";
import { sameCard } from "../../github/render/read-card.ts";
import { actionsOf, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncident, type Incident, lockIncident } from "../../store/incidents.ts";
import { leaseOf } from "../../store/leases.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentByGithubId, unansweredComment } from "../../store/outbox/thread-comments.ts";
import { type OutboxComment, restoreComment, wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { isOpen, proposedAnew, repost, voidOpen, voidWords } from "../incident/void.ts";
import { endLease } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/show.ts";
import { commandByEdit, editAnswer } from "./edited-command.ts";
import { answerImitation } from "./forged-card.ts";

/**
 * A comment was edited or deleted. An approval given in it is withdrawn while its command has not been sent (SR-28). A card of
 * ours that somebody else changed is put back, and what it showed is void, because nobody can know what was read there
 * (SR-27); a ticked box alone changes nothing and is set back.
 */
export async function commentChanged(deps: Deps, job: Job, event: CommentEvent): Promise<void> {
  const { comment, issue, sender } = event;
  // Our own edits come back as events too; another bot's edit of its comment can make it a look-alike like anybody's (SR-30).
  const isOurOwn = sender.type === "Bot" && sender.id === comment.author?.id;
  if (isOurOwn && comment.viaAppId === deps.config.github.appId) return;
  if (event.action === "edited") await answerImitation(deps, event, async () => {});
  const incident = await findIncident(deps.store.db, issue.repoId, issue.number);
  if (!incident) return;
  const ours = (await byItsMark(deps, event)) ?? (await commentByGithubId(deps.store.db, comment.id));
  const repoContext = await loadRepoContext(deps, issue);
  const command = ours ? undefined : await commandByEdit(deps, event);
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (ours) await cardChanged(tx, deps, repoContext, { incident: locked, card: ours, event });
    else await approvalChanged(tx, deps, { incident: locked, event, command });
    await show(tx, deps, locked);
    await job.settle(tx);
  });
}

/** A comment of ours that was changed before GitHub's answer to its making was here. Anyone can copy a mark: the author counts. */
async function byItsMark(deps: Deps, { comment }: CommentEvent): Promise<OutboxComment | undefined> {
  const mark = comment.author?.type === "Bot" ? markIn(comment.before ?? comment.body) : undefined;
  const card = mark === undefined ? undefined : await unansweredComment(deps.store.db, { mark, githubId: comment.id });
  const isOurs = card !== undefined && comment.author?.login === `${await deps.ownName()}[bot]`;
  return isOurs
    ? { ...card, githubId: comment.id, nodeId: comment.nodeId, firstPostedAt: card.firstPostedAt ?? comment.createdAt }
    : undefined;
}

async function approvalChanged(
  tx: Tx,
  deps: Deps,
  given: { readonly incident: Incident; readonly event: CommentEvent; readonly command: string | undefined },
): Promise<void> {
  const { incident, event, command } = given;
  const open = (await actionsOf(tx, incident.id)).filter(isOpen);
  const withdrawn = await withdrawApprovals(tx, { commentId: event.comment.id, actionIds: open.map(({ id }) => id) });
  const how = event.action === "deleted" ? "deleted" : "edited";
  const by = { id: event.sender.id, login: event.sender.login };
  const commentId = event.comment.id;
  const reason = `the comment that approved it was ${how}`;
  const isAuto = (await leaseOf(tx, incident.id))?.commentId === event.comment.id;
  const endedLease = isAuto && (await endLease(tx, incident, `the comment that gave it was ${event.action}`));
  const reopened = open.filter(({ id }) => withdrawn.some(({ actionId }) => actionId === id));
  for (const action of reopened) {
    if (action.state === "approved") await moveAction(tx, action, { from: "approved", to: "proposed", reason });
    await appendAudit(tx, {
      kind: "approval_withdrawn",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, commentId, by, how, reason },
    });
  }
  const body = editAnswer(deps, { how, withdrawn: reopened, endedLease, command });
  // Once for a comment, however often it is edited.
  const slot = slots.edited(event.comment.id);
  if (body !== undefined)
    await wantComments(tx, threadOf(incident), [
      { slot, body, sameAs: () => true, askedBy: { id: by.id, readsOnly: false } },
    ]);
}

async function cardChanged(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: { readonly incident: Incident; readonly card: OutboxComment; readonly event: CommentEvent },
): Promise<void> {
  const { incident, card, event } = given;
  const deleted = event.action === "deleted";
  const seen = withoutMarker(event.comment.body);
  // The event may be late: what it shows may be a body of ours that is in force again.
  const ours = [card.postedBody, card.postingBody, card.body].filter((body) => body !== null);
  // A tick that was taken back, or one that we have set back already.
  const about = (numbers: readonly number[] = []) => ({
    slot: card.slot,
    by: { id: event.sender.id, login: event.sender.login },
    action: event.action,
    editedAt: event.comment.updatedAt.toISOString(),
    numbers,
  });
  const ticked = () => appendAudit(tx, { kind: "card_ticked", incidentId: incident.id, body: about() });
  if (!deleted && ours.includes(seen)) return ticked();
  await restoreComment(tx, card, deleted ? "create" : "edit");
  if (!deleted && ours.some((body) => sameCard(seen, body))) {
    await ticked();
    const body = "Nothing was run: ticking a box does not approve. To approve, comment `/approve <number>`.";
    await wantComments(tx, threadOf(incident), [{ slot: slots.ticked, body }]);
    return;
  }
  const reason = `its card was ${event.action} by ${event.sender.login}`;
  const voided = await voidOpen(tx, incident, reason, (action) => action.card === card.slot);
  const numbers = voided.map((action) => action.number);
  await appendAudit(tx, { kind: "card_tampered", incidentId: incident.id, body: about(numbers) });
  if (numbers.length === 0) return;
  const anew = await repost(tx, deps, repoContext, { incident, actions: voided });
  const body = `⚠️ ${deps.markdown.code(`@${event.sender.login}`)} ${event.action} one of my comments, so ${voidWords(numbers)}. I have put the comment back${anew.length === 0 ? "" : ` and ${proposedAnew(anew)}`}.`;
  await wantNotice(tx, threadOf(incident), body);
}
