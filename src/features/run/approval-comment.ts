import { createHash } from "node:crypto";
import type { Unfit } from "../../approval/authorize.ts";
import type { CommentEvent } from "../../github/events.ts";
import type { Facts } from "../../github/facts.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import type { Approval, ApprovalDraft } from "../../store/actions.ts";
import type { Countersigned } from "../../store/passkeys.ts";
import type { Deps } from "../context.ts";
import type { SaidAt } from "../incident/hold.ts";
import { shownNote } from "../intake/shown-note.ts";

/** What an approval remembers of the comment that gave it, so that an edit or deletion shows before dispatch (SR-28). */
export const approvalComment = ({ comment }: Pick<CommentEvent, "comment">): ApprovalDraft["comment"] => ({
  id: comment.id,
  nodeId: comment.nodeId,
  sha256: hashBody(comment.body),
});

/** What an approval countersigns with its comment, for its passkey (PK-01). */
export const countersignedIn = (approval: Approval): Countersigned => ({
  digest: approval.digest,
  personId: approval.personId,
  comment: { id: approval.commentId, sha256: approval.commentSha256 },
});

/** When a command was given, for what may stop it. */
export const saidIn = ({ comment }: Pick<CommentEvent, "comment">): SaidAt => ({
  commentId: comment.id,
  writtenAt: comment.createdAt,
});

/** Why it can approve nothing, as GitHub tells of it now. A comment that GitHub does not tell of is looked for again before dispatch. */
export function unfitnessOf({
  facts,
  event,
}: {
  readonly facts: Facts;
  readonly event: CommentEvent;
}): Unfit | undefined {
  const fact = facts.comments.get(event.comment.nodeId);
  if (fact?.byEmail) return "by-email";
  return fact?.edited ? "edited" : undefined;
}

/** GitHub may hand line ends back as they were typed or as it stores them. */
export const hashBody = (body: string): string =>
  createHash("sha256").update(body.replace(/\r\n?/g, "\n").trimEnd()).digest("hex");

/** Why somebody decided, in their words and without secrets: it goes into the store and the audit. */
export const approvalReason = (call: { readonly deps: Deps; readonly slash: SlashCommand }): string => shownNote(call);
