import { createHash } from "node:crypto";
import type { UnfitReason } from "../../approval/authorize.ts";
import { clockBackMs } from "../../approval/lease.ts";
import { expiryOf, isOver, unsaidIn } from "../../approval/need.ts";
import { withoutMarker } from "../../github/comments.ts";
import type { CommentEvent } from "../../github/events.ts";
import { type CommentFact, type CommentPosition, type Facts, isWrittenAfter } from "../../github/facts.ts";
import { renderAction } from "../../github/render/card.ts";
import { readCard, sameCard } from "../../github/render/read-card.ts";
import { eachFlag, leaseIn, linesIn } from "../../slash/arguments.ts";
import { type Id, parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { type Action, type Approval, type ApprovalDraft, isByFile } from "../../store/actions.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import type { CountersignRequest } from "../../store/passkeys.ts";
import type { Deps, RepoContext } from "../context.ts";
import type { CommentTimes } from "../incident/hold.ts";
import { shownNote } from "../intake/read-comment.ts";
import { approvable, saidBehind } from "../proposal/approvable.ts";
import { type LeaseUse, leaseTermsOf } from "../proposal/lease.ts";

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

export interface CardState extends CommentPosition {
  readonly asWeWroteIt: boolean;
  /** Others changed only its task boxes, even if we overwrote it since. */
  readonly untouched: boolean;
  readonly showsIt: boolean;
}

/** Compares the card on GitHub with ours. */
export function cardState(
  { markdown }: Pick<Deps, "markdown">,
  action: Action,
  card: OutboxComment | undefined,
  { facts, ticks }: { readonly facts: Facts /** Of boxes ticked by hand. */; readonly ticks: readonly Date[] },
): CardState | undefined {
  const fact = card?.nodeId ? facts.comments.get(card.nodeId) : undefined;
  if (!card || !fact) return undefined;
  const seen = withoutMarker(fact.body);
  const [own] = readCard(renderAction({ ...action, verdicts: [], runs: [] }, markdown));
  return {
    asWeWroteIt: isAsWritten(card, seen),
    untouched: fact.editedByOthers.every((at) =>
      ticks.some((tick) => Math.abs(tick.getTime() - at.getTime()) <= 1_000),
    ),
    showsIt: readCard(seen).some(
      ({ number, risk, place, command }) =>
        number === own?.number && risk === own.risk && place === own.place && command === action.spec.command,
    ),
    id: fact.id,
    createdAt: fact.createdAt,
  };
}

/** Whether a card reads as our last write or pending edit. */
export const isAsWritten = ({ postedBody, postingBody, body }: OutboxComment, seen: string): boolean =>
  [postedBody, postingBody, body].some((ours) => ours !== null && sameCard(ours, seen));

/** Checks the comment as GitHub has it: author, words, unedited, not by email, in time. Undefined if GitHub does not show it. */
export function checkApprovalComment(
  deps: Pick<Deps, "config" | "now">,
  repoContext: Pick<RepoContext, "rules">,
  action: Action,
  given: {
    readonly approval: Approval;
    readonly card: CommentPosition | undefined;
    readonly fact: CommentFact | undefined;
    readonly leased?: LeaseUse | undefined;
    /** What was approved with this read in it. */
    readonly carriers: readonly Action[];
  },
): { readonly unchanged: boolean; readonly approves: boolean } | undefined {
  const { approval, card, fact, leased: by, carriers } = given;
  // The file has no comment; its lease is decided beside this.
  if (isByFile(approval))
    return {
      unchanged: true,
      approves:
        by?.lease.via === "opening" &&
        approval.commentSha256 === by.lease.commentSha256 &&
        action.spec.opening === approval.commentSha256,
    };
  if (!fact) return undefined;
  const unchanged =
    !fact.edited &&
    !fact.byEmail &&
    fact.authorId === approval.personId &&
    hashBody(fact.body) === approval.commentSha256;
  const slash = parseSlashCommand(fact.body, deps.config.commands.prefixes);
  const isHere = fact.issueNodeId === action.spec.issueNodeId && slash?.kind === "command";
  if (!isHere) return { unchanged, approves: false };
  if (approval.via === "lease")
    return { unchanged, approves: leases(deps, repoContext, { action, approval, fact, slash, leased: given.leased }) };
  const isLate = isTooOld(deps, repoContext, action, fact.createdAt);
  // Its author did not need to read a card.
  if (isOwnWord(slash, action)) return { unchanged, approves: card !== undefined && !isLate };
  const isInTime = card !== undefined && isWrittenAfter(fact, card) && !isLate;
  return { unchanged, approves: isInTime && isSaidIn(slash, repoContext, { action, carriers }) };
}

/** Whether a lease covers the action by its comment's terms, not by the store's (AR-03). */
function leases(
  { now }: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  given: {
    readonly action: Action;
    readonly approval: Approval;
    readonly fact: CommentFact;
    readonly slash: SlashCommand;
    readonly leased: LeaseUse | undefined;
  },
): boolean {
  const { action, approval, fact, slash, leased } = given;
  if (slash.verb !== verbs.lease.verb && slash.verb !== verbs.auto.verb) return false;
  const word = leaseIn(slash);
  if (word?.kind !== "on" || leased?.lease.via !== "lease" || leased.lease.commentId !== approval.commentId)
    return false;
  const said = leaseTermsOf(repoContext, word);
  if (said.kind === "no") return false;
  const { terms } = said;
  const age = now().getTime() - fact.createdAt.getTime();
  return (
    age >= -clockBackMs &&
    age < terms.timeMs &&
    leased.lease.used + leased.cost <= terms.commands &&
    action.spec.targets.every(({ server }) => terms.servers.includes(server))
  );
}

function isTooOld(
  { now }: Pick<Deps, "now">,
  { rules }: Pick<RepoContext, "rules">,
  action: Action,
  at: Date,
): boolean {
  const said = { ...approvable(action), createdAt: at.getTime(), expiresAt: Number.POSITIVE_INFINITY };
  return isOver(expiryOf(said, rules.policy), now().getTime());
}

/** Whether the words approve the action, with all that high risk demands (SR-19). */
function isSaidIn(
  slash: SlashCommand,
  { rules: { policy } }: Pick<RepoContext, "rules">,
  { action, carriers }: { readonly action: Action; readonly carriers: readonly Action[] },
): boolean {
  if (slash.verb !== verbs.approve.verb) return false;
  const { ids } = slash;
  // A change's card and digest include its checks.
  const isNamed = (id: Id): boolean =>
    [action, ...carriers].some(({ number, digest }) => id.number === number && digest.startsWith(id.pin ?? ""));
  if (ids !== "all" && !ids.some(isNamed)) return false;
  // `/approve all` leaves out high risk.
  const alone = ids !== "all" && new Set(ids.map((id) => id.number)).size === 1;
  const subject = approvable(action);
  return subject.risk !== "block" && unsaidIn({ alone, ...saidBehind(slash, subject) }, subject, policy).length === 0;
}
