import type { CommentEvent } from "../../github/events.ts";
import { imitatedNumbers } from "../../github/render/read-card.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncident, lockIncident } from "../../store/incidents.ts";
import { wantNotice, wantReply } from "../../store/outbox/notices.ts";
import { taskWords } from "../../text/tasks.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { voidShown, voidWords } from "../incident/withdraw.ts";
import { repost, reproposedWords } from "../proposal/propose.ts";
import { show, threadOf } from "../thread/show.ts";

/** Returns the numbers in a look-alike of our card, outside quotes and code; undefined if it is none. */
export function imitatedIn(body: string): readonly number[] | undefined {
  const text = body.replace(/\r\n?/g, "\n");
  const raw = text.split("\n").filter((line) => !/^ {0,3}>/.test(line));
  return imitatedNumbers(taskWords(text), raw);
}

/**
 * Voids and reproposes the commands in a look-alike of our card by a person with write access or an App, because readers could approve what
 * it shows (SR-30). Returns whether it was one; the caller then does nothing else.
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
