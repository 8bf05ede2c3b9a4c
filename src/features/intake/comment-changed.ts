import { rightsOf } from "../../approval/rights.ts";
import { markIn, withoutMarker } from "../../github/comments.ts";
import type { CommentEvent } from "../../github/events.ts";
import { imitatedNumbers, sameCard } from "../../github/render/read-card.ts";
import { parseSlashCommand } from "../../slash/grammar.ts";
import { verbNamed } from "../../slash/verbs.ts";
import { actionsOf, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncident, type Incident, lockIncident } from "../../store/incidents.ts";
import { leaseOf } from "../../store/leases.ts";
import { wantNotice, wantReply } from "../../store/outbox/notices.ts";
import { restoreComment } from "../../store/outbox/posting.ts";
import { commentByGithubId, slots, unansweredComment } from "../../store/outbox/thread-comments.ts";
import { type OutboxComment, wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { taskWords } from "../../text/tasks.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { isOpen, voidShown, voidWords } from "../incident/withdraw.ts";
import { endLease } from "../proposal/lease.ts";
import { repost, reproposedWords } from "../proposal/propose.ts";
import { show, threadOf } from "../thread/post.ts";

/**
 * Withdraws a changed comment's approvals (SR-28). Restores our card if another account changed it, and voids its commands, because it is
 * unknown what people read (SR-27, SR-30); a ticked box voids nothing.
 */
export async function commentChanged(deps: Deps, job: Job, event: CommentEvent): Promise<void> {
  const { comment, issue, sender } = event;
  // Our own edits return as events. Another bot's edit of its own comment can make it a look-alike.
  const isOurOwn = sender.type === "Bot" && sender.id === comment.author?.id;
  if (isOurOwn && comment.viaAppId === deps.config.github.appId) return;
  if (event.action === "edited") await answerImitation(deps, event, async () => {});
  const incident = await findIncident(deps.store.db, issue.repoId, issue.number);
  if (!incident) return;
  // Before GitHub answered its creation, our comment is known by its mark. Anyone can copy a mark, so the author counts too.
  const mark = comment.author?.type === "Bot" ? markIn(comment.before ?? comment.body) : undefined;
  const marked =
    mark === undefined ? undefined : await unansweredComment(deps.store.db, { mark, githubId: comment.id });
  const isOurs = marked !== undefined && comment.author?.login === `${await deps.ownName()}[bot]`;
  const ours = isOurs
    ? {
        ...marked,
        githubId: comment.id,
        nodeId: comment.nodeId,
        firstPostedAt: marked.firstPostedAt ?? comment.createdAt,
      }
    : await commentByGithubId(deps.store.db, comment.id);
  const repoContext = await loadRepoContext(deps, issue);
  const command = ours ? undefined : await commandByEdit(deps, event);
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (ours) await cardChanged(tx, deps, repoContext, { incident: locked, card: ours, event });
    else {
      const open = (await actionsOf(tx, locked.id)).filter(isOpen);
      const withdrawn = await withdrawApprovals(tx, {
        commentId: event.comment.id,
        actionIds: open.map(({ id }) => id),
      });
      const how = event.action === "deleted" ? "deleted" : "edited";
      const by = { id: event.sender.id, login: event.sender.login };
      const commentId = event.comment.id;
      const reason = `the comment that approved it was ${how}`;
      const isAuto = (await leaseOf(tx, locked.id))?.commentId === event.comment.id;
      const endedLease = isAuto && (await endLease(tx, locked, `the comment that gave it was ${event.action}`));
      const reopened = open.filter(({ id }) => withdrawn.some(({ actionId }) => actionId === id));
      for (const action of reopened) {
        if (action.state === "approved") await moveAction(tx, action, { from: "approved", to: "proposed", reason });
        await appendAudit(tx, {
          kind: "approval_withdrawn",
          incidentId: locked.id,
          body: { number: action.number, digest: action.digest, commentId, by, how, reason },
        });
      }
      const { code } = deps.markdown;
      const [first] = reopened;
      let body: string | undefined;
      if (first) {
        const numbers = reopened.map(({ number }) => number);
        const own = first.spec.risk === "high" ? `${first.number} ${first.spec.place} <why>` : numbers.join(" ");
        const again = command?.startsWith("/approve ") ? command : `/approve ${own}`;
        body = `The approval of **${numbers.join("**, **")}** no longer counts: its comment was ${how}. Comment ${code(again)} again.`;
      } else if (endedLease) body = `The lease has ended: the comment that gave it was ${how}. Comment it again.`;
      else if (command !== undefined)
        body = `Nothing was run: an edited comment does not count. Comment ${code(command)} again.`;
      // One answer per comment, even if it is edited again.
      const slot = slots.edited(event.comment.id);
      if (body !== undefined)
        await wantComments(tx, threadOf(locked), [
          { slot, body, sameAs: () => true, askedBy: { id: by.id, readsOnly: false } },
        ]);
    }
    await show(tx, deps, locked);
    await job.settle(tx);
  });
}

async function cardChanged(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  {
    incident,
    card,
    event,
  }: { readonly incident: Incident; readonly card: OutboxComment; readonly event: CommentEvent },
): Promise<void> {
  const deleted = event.action === "deleted";
  const seen = withoutMarker(event.comment.body);
  // A late event may show an older body of ours.
  const ours = [card.postedBody, card.postingBody, card.body].filter((body) => body !== null);
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
  const voided = await voidShown(tx, incident, reason, (action) => action.card === card.slot);
  const numbers = voided.map((action) => action.number);
  await appendAudit(tx, { kind: "card_tampered", incidentId: incident.id, body: about(numbers) });
  if (numbers.length === 0) return;
  const reposted = await repost(tx, deps, repoContext, { incident, actions: voided });
  const body = `⚠️ ${deps.markdown.code(`@${event.sender.login}`)} ${event.action} one of my comments, so ${voidWords(numbers)}. I have restored the comment${reposted.length === 0 ? "" : ` and ${reproposedWords(reposted)}`}.`;
  await wantNotice(tx, threadOf(incident), body);
}

/** Returns the command that an author's edit made, because a person who fixes a typo waits for an answer. */
async function commandByEdit(deps: Deps, event: CommentEvent): Promise<string | undefined> {
  const { comment, issue, sender } = event;
  const { author, body, before } = comment;
  const line = lineOf(deps, body);
  if (event.action !== "edited" || line === undefined || line === lineOf(deps, before ?? "")) return undefined;
  if (author?.type !== "User" || author.id !== sender.id) return undefined;
  try {
    const { installationId, repo, number } = issue;
    const facts = await deps.facts({ installationId, repo, issue: number, people: [author], comments: [], teams: [] });
    const { role = "none", teams = [] } = facts.people.get(author.id) ?? {};
    const standing = { person: author, type: author.type, role, teams, viaApp: comment.viaAppId !== undefined };
    return rightsOf(deps.config.policy.approvers, standing).propose ? line : undefined;
  } catch (error) {
    deps.log.warn({ module: "github", event: "facts_failed", err: error, repo: issue.repo, issue: issue.number });
    return undefined;
  }
}

/** People do not copy a longer reason. */
const maxReason = 100;

function lineOf({ config }: Deps, body: string): string | undefined {
  const slash = parseSlashCommand(body, config.commands.prefixes);
  if (slash?.kind !== "command" || !verbNamed(slash.verb)) return undefined;
  const ids =
    slash.ids === "all" ? ["all"] : slash.ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const flags = [...slash.flags].map(([name, value]) => (value === "" ? name : `${name} ${value}`));
  const reason = slash.words.join(" ");
  return [`/${slash.verb}`, ...flags, ...ids, ...(reason.length > maxReason ? [] : [reason])].join(" ").trim();
}

/** Returns the numbers in a look-alike of our card, outside quotes and code; undefined if it is none. */
export function imitatedIn(body: string): readonly number[] | undefined {
  const text = body.replace(/\r\n?/g, "\n");
  const raw = text.split("\n").filter((line) => !/^ {0,3}>/.test(line));
  return imitatedNumbers(taskWords(text), raw);
}

/**
 * Voids and reproposes the commands in a look-alike of our card by a person with write access or an App, because readers could approve what
 * it shows. Returns whether it was one; the caller then does nothing else.
 */
export async function answerImitation(
  deps: Deps,
  event: CommentEvent,
  settle: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const { comment, issue, sender } = event;
  const numbers = comment.viaAppId === deps.config.github.appId ? undefined : imitatedIn(comment.body);
  const incident = numbers && (await findIncident(deps.store.db, issue.repoId, issue.number));
  if (!numbers || !incident) return numbers !== undefined;
  const repoContext = await loadRepoContext(deps, issue);
  if (comment.author?.type !== "Bot") {
    const { installationId, repo, number } = issue;
    const facts = await deps.facts({ installationId, repo, issue: number, people: [sender], comments: [], teams: [] });
    const role = facts.people.get(sender.id)?.role ?? "none";
    if (!["write", "maintain", "admin"].includes(role)) return true;
  }
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    const reason = `${sender.login} posted a look-alike of its card`;
    const voided = await voidShown(tx, locked, reason, (action) => numbers.includes(action.number));
    const reposted = await repost(tx, deps, repoContext, { incident: locked, actions: voided });
    const by = { id: sender.id, login: sender.login };
    await appendAudit(tx, {
      kind: "card_imitated",
      incidentId: locked.id,
      body: { commentId: comment.id, by, action: event.action, numbers, anew: reposted },
    });
    if (voided.length > 0) {
      const who = deps.markdown.code(`@${sender.login}`);
      const list = voidWords(voided.map((action) => action.number));
      const body = `⚠️ ${who} posted a fake copy of one of my cards, so ${list}.${reposted.length === 0 ? "" : ` I have ${reproposedWords(reposted)}.`}`;
      const thread = threadOf(locked);
      // After an edit, the first text may have an answer already.
      if (event.action === "created")
        await wantReply(tx, thread, { commentId: comment.id, body, askedBy: { id: sender.id, readsOnly: false } });
      else await wantNotice(tx, thread, body);
    }
    await show(tx, deps, locked);
    await settle(tx);
  });
  return true;
}
