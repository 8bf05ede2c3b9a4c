import { createHash } from "node:crypto";
import type { UnfitReason } from "../../approval/authorize.ts";
import { isRestated } from "../../approval/need.ts";
import type { CommentEvent } from "../../github/events.ts";
import type { Facts } from "../../github/facts.ts";
import { eachFlag, linesIn, type SlashCommand } from "../../slash/grammar.ts";
import type { Action, Approval, ApprovalDraft } from "../../store/actions.ts";
import type { CountersignRequest } from "../../store/passkeys.ts";
import type { Deps } from "../context.ts";
import type { CommentTimes } from "../incident/hold.ts";
import { noteWords, shownNote } from "../intake/note.ts";
import type { approvable } from "../proposal/in-force.ts";

/**
 * The approval's comment, as stored and as GitHub shows it at dispatch. The store alone proves nothing, because its writers could put
 * another command under an old approval (SR-23, SR-25, SR-27, SR-28, SR-55).
 */

/** What is stored to find a later edit or deletion. */
export const approvalComment = ({ comment }: Pick<CommentEvent, "comment">): ApprovalDraft["comment"] => ({
  id: comment.id,
  nodeId: comment.nodeId,
  sha256: hashBody(comment.body),
});

/** What the passkey signs (PK-01). */
export const countersignedIn = (approval: Approval): CountersignRequest => ({
  digest: approval.digest,
  personId: approval.personId,
  comment: { id: approval.commentId, sha256: approval.commentSha256 },
});

/** A later hold or halt stops what was said before. */
export const saidIn = ({ comment }: Pick<CommentEvent, "comment">): CommentTimes => ({
  commentId: comment.id,
  writtenAt: comment.createdAt,
});

/** Why a comment can approve nothing. Undefined also if GitHub does not show it; dispatch looks again. */
export function unfitnessOf({
  facts,
  event,
}: {
  readonly facts: Facts;
  readonly event: CommentEvent;
}): UnfitReason | undefined {
  const fact = facts.comments.get(event.comment.nodeId);
  if (fact?.byEmail) return "by-email";
  return fact?.edited ? "edited" : undefined;
}

/** GitHub returns line ends as typed or as stored. */
export const hashBody = (body: string): string =>
  createHash("sha256").update(body.replace(/\r\n?/g, "\n").trimEnd()).digest("hex");

/** Without secrets, for store and audit. */
export const approvalReason = (call: { readonly deps: Deps; readonly slash: SlashCommand }): string => shownNote(call);

/**
 * Whether a comment names exactly what would run, so that an approver's `/run`, `/retry` or `/probe` approves it too. Only low risk: higher
 * risks are read on the card first.
 */
export function isOwnWord(
  { verb, words, block, ids, flags }: Pick<SlashCommand, "verb" | "words" | "block" | "ids" | "flags">,
  { origin, spec }: Pick<Action, "origin" | "spec">,
): boolean {
  if (spec.risk !== "low" || spec.checks !== undefined) return false;
  if (verb === "retry") return ids !== "all" && ids.some(({ number }) => number === spec.again);
  // A signer wants its own number; only there a read is a job.
  if (verb === "probe" && spec.targets.some(({ jobId }) => jobId !== null)) return false;
  if (verb === "probe") return ids !== "all" && ids.some(({ number }) => number === spec.probes);
  const isEach = flags.has(eachFlag);
  const said = isEach ? linesIn(block ?? "").join("\n") : block?.trim();
  return (
    verb === "run" &&
    origin === "person" &&
    words[0] === spec.place &&
    isEach === (spec.set !== undefined) &&
    said === spec.command
  );
}

/** The server restated after an `/approve`, and the reason. */
export function saidBehind(slash: SlashCommand, subject: Pick<ReturnType<typeof approvable>, "place" | "servers">) {
  // `web-1:`, `` `web-1` `` or `web-1,web-2`
  const restated = slash.words[0]
    ?.replace(/[`:]/g, "")
    .split(",")
    .filter((name) => name !== "")
    .join(", ");
  const names = isRestated(restated, subject);
  return { restated: names ? restated : undefined, note: noteWords(slash, names ? 1 : 0) };
}
