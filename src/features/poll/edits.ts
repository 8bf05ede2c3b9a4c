import { withoutMarker } from "../../github/comments.ts";
import type { PolledComment, PolledIssue } from "../../github/poll.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import { commentByGithubId } from "../../store/outbox/thread-comments.ts";
import { broughtBody } from "../../store/queue/deliveries.ts";
import { createdKey, edited, ghost, type Origin, type Told } from "./deliveries.ts";
import type { Polling } from "./polling.ts";

/** GitHub's two accounts of an edit may be so far apart: what the one has and the other has not is looked at again until then. */
const unsureMs = 10 * 60_000;

export interface Edits {
  readonly told: readonly Told[];
  /** Comments of ours that read otherwise than we wrote them, while GitHub does not know of an edit yet. */
  readonly unsure: readonly PolledComment[];
}

/**
 * Who edited these comments: only GraphQL tells. What the bot has done to its own comments is nothing to tell, and neither is a
 * change that touched no text, such as folding.
 */
export async function readEdits(
  polling: Pick<Polling, "deps" | "source">,
  from: Origin & { readonly place: RepoPlace },
  comments: readonly { readonly comment: PolledComment; readonly issue: PolledIssue }[],
  lastRead: ReadonlyMap<number, PolledComment>,
): Promise<Edits> {
  const { deps, source } = polling;
  const others = [];
  for (const one of comments) if (!(await isAsWeWrote(polling, one.comment))) others.push(one);
  const editors = await source.editors(
    from.place,
    others.map(({ comment }) => comment.node_id),
  );
  const told: Told[] = [];
  const unsure: PolledComment[] = [];
  for (const { comment, issue } of others) {
    const ours = isOurs(polling, comment);
    if (!editors.has(comment.node_id)) {
      if (ours && Date.parse(comment.updated_at) > deps.now().getTime() - unsureMs) unsure.push(comment);
      continue;
    }
    const editor = editors.get(comment.node_id) ?? ghost;
    if (ours && editor.id === comment.user?.id) continue;
    const before = lastRead.get(comment.id)?.body ?? (await broughtBody(deps.store.db, createdKey(comment.id)));
    told.push(edited(from, { comment, issue, editor, before }));
  }
  return { told, unsure };
}

/** Whether this App wrote it. */
export const isOurs = (
  { deps }: Pick<Polling, "deps">,
  { user, performed_via_github_app: app }: PolledComment,
): boolean => user?.type === "Bot" && app?.id === deps.config.github.appId;

/** Spares a question: most edits are those of our own board. */
async function isAsWeWrote(polling: Pick<Polling, "deps">, comment: PolledComment): Promise<boolean> {
  if (!isOurs(polling, comment)) return false;
  const own = await commentByGithubId(polling.deps.store.db, comment.id);
  return own?.postedBody === withoutMarker(comment.body ?? "");
}
