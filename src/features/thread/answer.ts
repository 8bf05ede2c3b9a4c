import type { Rights } from "../../approval/rights.ts";
import type { CommentEvent, IssueEvent } from "../../github/events.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { wantReply } from "../../store/outbox/notices.ts";
import { type Asker, wantReaction } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import { threadOf, wakePoster } from "./post.ts";

/** 🚀 done, 😕 a mistake to fix, 👎 not allowed. */
export const outcomes = { done: "rocket", mistake: "confused", denied: "-1" } as const;
export type AnswerOutcome = keyof typeof outcomes;

interface AnsweredComment {
  readonly deps: Deps;
  readonly event: CommentEvent;
  readonly rights?: Pick<Rights, "propose"> | undefined;
  /** On a later line; it does not run. */
  readonly below?: string | undefined;
}

/** The comment's author, by whom GitHub's write budget is shared. */
export const askerOf = ({ event: { comment }, rights }: Pick<AnsweredComment, "event" | "rights">): Asker | undefined =>
  comment.author && { id: comment.author.id, readsOnly: rights !== undefined && !rights.propose };

/** Comments if there is something to say, else reacts. */
export async function answer(
  tx: Tx,
  call: AnsweredComment,
  incident: Incident,
  reply: { readonly outcome: AnswerOutcome | "seen"; readonly body?: string },
): Promise<void> {
  const { id: commentId } = call.event.comment;
  const thread = threadOf(incident);
  const { below, deps } = call;
  // After a mistake people write again anyway.
  const isRight = reply.outcome === "done" || reply.outcome === "seen";
  const unread =
    below !== undefined && isRight
      ? `Only the first line was read as a command. ${deps.markdown.code(below)} below it was not: write it as a comment of its own.`
      : undefined;
  const body = [reply.body, unread].filter(Boolean).join("\n\n");
  const askedBy = askerOf(call);
  if (body !== "") await wantReply(tx, thread, { commentId, body, askedBy });
  else
    for (const content of ["eyes", ...(reply.outcome === "seen" ? [] : [outcomes[reply.outcome]])] as const)
      await wantReaction(tx, thread, { commentId, content, readsOnly: askedBy?.readsOnly ?? false });
  await wakePoster(tx, deps, incident);
}

/** Answers on an issue that is no incident. */
export async function answerOutside(
  tx: Tx,
  deps: Deps,
  event: IssueEvent,
  answer: { readonly commentId: number; readonly body: string; readonly askedBy: Asker | undefined },
): Promise<void> {
  const { installationId, repo, number } = event.issue;
  const thread = { installationId, repo, issue: number, incidentId: null };
  await wantReply(tx, thread, answer);
  await wakePoster(tx, deps, { repo, number });
}
