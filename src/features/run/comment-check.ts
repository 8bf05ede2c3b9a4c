import { clockBackMs } from "../../approval/lease.ts";
import { expiryOf, isOver, unsaidIn } from "../../approval/need.ts";
import { isWrittenAfter, type Written } from "../../github/comment-order.ts";
import { withoutMarker } from "../../github/comments.ts";
import type { CommentFact, Facts } from "../../github/facts.ts";
import { renderAction } from "../../github/render/entry.ts";
import { readCard } from "../../github/render/read-card.ts";
import { sameCard } from "../../github/render/same-card.ts";
import { leaseIn } from "../../slash/arguments.ts";
import { type Id, parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approvable, saidBehind } from "../proposal/approvable.ts";
import { type LeaseUse, leaseTermsOf } from "../proposal/lease.ts";
import { hashBody } from "./approval-comment.ts";
import { isOwnWord } from "./own-word.ts";

/**
 * What GitHub's own comments vouch for just before a command is sent. What the store says of them does not count: whoever can write
 * it could put another command under an approval that was given once (SR-25, SR-55).
 */

export interface CardState extends Written {
  readonly asWeWroteIt: boolean;
  /** Nobody else has ever changed more of it than its task boxes, also where we have written over it since. */
  readonly untouched: boolean;
  /** Whether it shows this very command, at its risk and place, under the action's number. */
  readonly showsIt: boolean;
}

/** The card reads as we last wrote it, or as an edit of ours that is on its way will have it (SR-27). */
export function cardState(
  { markdown }: Pick<Deps, "markdown">,
  action: Action,
  card: OutboxComment | undefined,
  { facts, ticks }: { readonly facts: Facts /** When boxes were ticked by hand. */; readonly ticks: readonly Date[] },
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

/** Whether a card reads as we last wrote it, or as an edit of ours that is on its way will have it. */
export const isAsWritten = ({ postedBody, postingBody, body }: OutboxComment, seen: string): boolean =>
  [postedBody, postingBody, body].some((ours) => ours !== null && sameCard(ours, seen));

/**
 * Only the comment as it was approved counts: same author, same words, never edited, not by e-mail (SR-23, SR-28), and written with
 * the card before the person's eyes, no longer ago than an approval lasts.
 */
export function checkApprovalComment(
  deps: Pick<Deps, "config" | "now">,
  repoContext: Pick<RepoContext, "rules">,
  action: Action,
  given: {
    readonly approval: Approval;
    readonly card: Written | undefined;
    readonly fact: CommentFact | undefined;
    readonly leased?: LeaseUse | undefined;
  },
): { readonly unchanged: boolean; readonly approves: boolean } | undefined {
  const { approval, card, fact } = given;
  if (!fact) return undefined;
  const unchanged =
    !fact.edited &&
    !fact.byEmail &&
    fact.authorId === approval.personId &&
    hashBody(fact.body) === approval.commentSha256;
  const slash = parseSlashCommand(fact.body, deps.config.commands.prefixes);
  const isHere = fact.issueNodeId === action.spec.issueNodeId && slash?.kind === "command";
  if (!isHere) return { unchanged, approves: false };
  if (approval.via === "agent-mode")
    return { unchanged, approves: leases(deps, repoContext, { action, approval, fact, slash, leased: given.leased }) };
  const isLate = isTooOld(deps, repoContext, action, fact.createdAt);
  // It says itself what would run, so no card had to be read.
  if (isOwnWord(slash, action)) return { unchanged, approves: card !== undefined && !isLate };
  const isInTime = card !== undefined && isWrittenAfter(fact, card) && !isLate;
  return { unchanged, approves: isInTime && isSaidIn(slash, repoContext, action) };
}

/** Whether these words are a lease that covers the action at this moment, whatever end and count the store has of it (AR-03). */
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
  if (word?.kind !== "on" || leased?.lease.commentId !== approval.commentId) return false;
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

/** Whether these words approve the action, with all that high risk asks of them (SR-19). */
function isSaidIn(slash: SlashCommand, { rules: { policy } }: Pick<RepoContext, "rules">, action: Action): boolean {
  if (slash.verb !== verbs.approve.verb) return false;
  const { ids } = slash;
  const { number, digest } = action;
  // What is approved with its check has that on its card too, and in its digest.
  const isCheck = action.spec.checks !== undefined && action.spec.risk === "low";
  const isNamed = (id: Id): boolean =>
    (id.number === number && digest.startsWith(id.pin ?? "")) || (isCheck && id.number === action.spec.checks);
  if (ids !== "all" && !ids.some(isNamed)) return false;
  // Of `/approve all` a high risk is left out.
  const alone = ids !== "all" && new Set(ids.map((id) => id.number)).size === 1;
  const subject = approvable(action);
  return subject.risk !== "block" && unsaidIn({ alone, ...saidBehind(slash, subject) }, subject, policy).length === 0;
}
