import type { CommentEvent } from "../../github/events.ts";
import { imitatedNumbers } from "../../github/render/read-card.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncident, lockIncident } from "../../store/incidents.ts";
import { wantNotice, wantReply } from "../../store/outbox/notices.ts";
import { taskWords } from "../../text/tasks.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { proposedAnew, repost, voidOpen, voidWords } from "../incident/void.ts";
import { show, threadOf } from "../thread/show.ts";

/** The numbers that a comment shows as if it were a card of ours, outside of quotes and code; nothing where it does not. */
export function imitatedIn(body: string): readonly number[] | undefined {
  const text = body.replace(/\r\n?/g, "\n");
  const raw = text.split("\n").filter((line) => !/^ {0,3}>/.test(line));
  return imitatedNumbers(taskWords(text), raw);
}

/**
 * Somebody with write access made a comment look like a card of ours, at once or by an edit: whoever reads the issue could take
 * it for ours, so what it shows is void and proposed anew on a card that is (SR-30). An App can only write where it was
 * given the right to. True where the comment was such a one; nothing else is done about it then.
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
    const voided = await voidOpen(tx, locked, reason, (action) => numbers.includes(action.number));
    const anew = await repost(tx, deps, repoContext, { incident: locked, actions: voided });
    const by = { id: sender.id, login: sender.login };
    await appendAudit(tx, {
      kind: "card_imitated",
      incidentId: locked.id,
      body: { commentId: comment.id, by, action: event.action, numbers, anew },
    });
    if (voided.length > 0) {
      const who = deps.markdown.code(`@${sender.login}`);
      const list = voidWords(voided.map((action) => action.number));
      const body = `⚠️ ${who} posted a fake copy of one of my cards, so ${list}.${anew.length === 0 ? "" : ` I have ${proposedAnew(anew)}.`}`;
      const thread = threadOf(locked);
      // An edit is nobody's comment to answer, and an answer may stand to what it was before.
      if (event.action === "created")
        await wantReply(tx, thread, { commentId: comment.id, body, askedBy: { id: sender.id, readsOnly: false } });
      else await wantNotice(tx, thread, body);
    }
    await show(tx, deps, locked);
    await settle(tx);
  });
  return true;
}
