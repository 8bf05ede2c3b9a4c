/**
 * The last look before a command is sent (SR-24): everything an approval rests on, read again. Pure: the story reads, this
 * decides. What cannot be read as a number, a time or a digest counts against it.
 */

import type { AutoDecision } from "./agent-mode.ts";
import { isOver, quorum } from "./authorize.ts";

/** What was read. What could not be read is absent, and absent means no. */
export interface DispatchQuestion {
  readonly action: {
    readonly state: string;
    /** As recorded when the action was made, and as computed again from its row now. */
    readonly digest: string;
    readonly digestNow: string;
    readonly expiresAt: Date;
    /** Whether the inventory still says of the server what was approved, host keys included. */
    readonly serverUnchanged: boolean;
    /** Whether the rules that gave it its risk are still in force, and find no higher one now (RR-18). */
    readonly rulesUnchanged: boolean;
  };
  /** What stands before it in its list and keeps it waiting; nothing else does where it is `none`. */
  readonly before: "none" | { readonly number: number; readonly is: "open" | "going" | "failed" };
  readonly incident: { readonly open: boolean };
  /** Why nothing may be sent here now: the kill switch or a hold, in words (SR-68). */
  readonly stopped: string | undefined;
  readonly issue: {
    readonly open: boolean;
    readonly sameRepository: boolean;
    /** By the name under which it was approved, which may have passed on with the repository. */
    readonly sameName: boolean;
    /** Whether the App is still installed there. */
    readonly installed: boolean;
    readonly sameIssue: boolean;
    /** Not public where it was private when the incident began, nor where the operator does not allow it (SR-11). */
    readonly asPrivate: boolean;
  };
  /** Whether the store is no older copy of itself: what it takes for approved may have run already (RR-24). */
  readonly storeIsCurrent: boolean;
  readonly executes: boolean;
  /** How many distinct people policy wants. */
  readonly needed: number;
  readonly approvals: readonly {
    readonly personId: number;
    readonly digest: string;
    readonly counts: boolean;
    /** Given by agent mode in the name of who switched it on, and not for this action by itself (AR-03). */
    readonly byAgentMode: boolean;
    /**
     * What GitHub shows of the comment now, and whether its own words approve this action in its issue: what the store says of
     * it vouches for nothing (SR-25, SR-55). Absent where it is gone.
     */
    readonly comment: { readonly unchanged: boolean; readonly approves: boolean } | undefined;
    readonly mayApprove: boolean;
    /** Given after the last halt or hold was lifted. */
    readonly fresh: boolean;
  }[];
  /** Whether agent mode lets it go now; asked only where an approval rests on that. */
  readonly agentMode: AutoDecision | undefined;
  /** What the action's card reads now; absent where it is gone. Of one that is still to be posted nobody can have read anything. */
  readonly card:
    | { readonly asWeWroteIt: boolean; readonly untouched: boolean; readonly showsIt: boolean }
    | "not-posted"
    | undefined;
  readonly now: Date;
}

export type DispatchDecision =
  | { readonly kind: "go" }
  /** The action will never run; `to` is its last state. */
  | { readonly kind: "end"; readonly to: "void" | "expired"; readonly reason: string }
  /** The approvals do not hold; the action is open again without them. */
  | { readonly kind: "reopen"; readonly reason: string }
  /** Somebody stopped the incident or the bot; the approvals wait, until they expire. */
  | { readonly kind: "wait"; readonly reason: string };

/** What is not `none` and cannot be read counts against it too. */
function behind(before: Exclude<DispatchQuestion["before"], "none"> | undefined): DispatchDecision {
  const it = `${before?.number ?? "something"}, which stands before it,`;
  if (before?.is === "going") return { kind: "wait", reason: `${it} has not ended` };
  return { kind: "reopen", reason: before?.is === "failed" ? `${it} did not go well` : `${it} is not approved` };
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const end = (to: "void" | "expired", reason: string): DispatchDecision => ({ kind: "end", to, reason });

/** Decides whether an approved action may be sent now. The first reason against it is the one that is told. */
export function decideDispatch(q: DispatchQuestion): DispatchDecision {
  if (q.action.state !== "approved") return { kind: "reopen", reason: "it is not approved" };
  if (!isDigest(q.action.digest) || q.action.digest !== q.action.digestNow)
    return end("void", "its record does not match its digest");
  if (!q.executes) return end("void", "this bot only proposes (execution.enabled: false)");
  if (!q.issue.sameRepository || !q.issue.sameIssue)
    return end("void", "the issue or its repository is not the one it was approved in");
  if (!q.issue.sameName) return end("void", "the repository has another name now");
  if (!q.issue.installed) return end("void", "the App is not installed in the repository any more, or suspended");
  if (!q.issue.asPrivate) return end("void", "the repository is public now");
  if (!q.incident.open || !q.issue.open) return end("void", "the issue is closed");
  if (isOver(q.action.expiresAt.getTime(), q.now.getTime()))
    return end("expired", "its time was over before it could be sent");
  if (!q.action.serverUnchanged)
    return end("void", "the server's entry or host key is no longer the one that was approved");
  if (!q.action.rulesUnchanged) return end("void", "the rules that gave it its risk have changed since");
  if (!q.storeIsCurrent)
    return end("void", "an older copy of the bot's store was put back, so it may have run already");
  if (q.card === "not-posted") return { kind: "wait", reason: "its card is not on the issue" };
  if (!q.card) return end("void", "its card was deleted from the issue");
  if (!q.card.asWeWroteIt || !q.card.untouched) return end("void", "its card was edited by somebody else");
  if (!q.card.showsIt) return end("void", "its card shows another command under its number");
  const gone = q.approvals.find((approval) => !approval.comment?.unchanged);
  if (gone) return { kind: "reopen", reason: "the comment that approved it was edited or deleted" };
  const silent = q.approvals.find((approval) => !approval.comment?.approves);
  if (silent) return { kind: "reopen", reason: "the comment that is said to approve it does not" };
  const lost = q.approvals.find((approval) => !approval.mayApprove);
  if (lost) return { kind: "reopen", reason: "a person who approved it may no longer approve" };
  if (q.approvals.some((approval) => approval.byAgentMode) && q.agentMode?.kind !== "go") {
    const why = q.agentMode?.reason ?? "it was not asked";
    return { kind: "reopen", reason: `agent mode does not let it go: ${why}` };
  }
  const people = new Set(
    q.approvals
      .filter((approval) => approval.counts && approval.digest === q.action.digest)
      .map((approval) => approval.personId),
  );
  const needed = quorum(q.needed);
  if (people.size < needed) return { kind: "reopen", reason: `it has ${people.size} of ${needed} approvals` };
  if (q.before !== "none") return behind(q.before);
  if (q.stopped !== undefined) return { kind: "wait", reason: q.stopped };
  if (q.approvals.some((approval) => !approval.fresh))
    return { kind: "reopen", reason: "it was approved before a halt or hold was lifted" };
  return { kind: "go" };
}
