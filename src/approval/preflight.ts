/**
 * The last look before a command is sent (SR-24): everything an approval rests on, read again. Pure: the feature reads, this
 * decides. What cannot be read as a number, a time or a digest counts against it.
 */

import type { LeaseDecision } from "./lease.ts";
import { isOver, quorum } from "./need.ts";

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
  /** Whether policy wants a passkey behind each approval of it now (PK-01). */
  readonly passkey: boolean;
  readonly approvals: readonly {
    readonly personId: number;
    readonly digest: string;
    readonly counts: boolean;
    /** Given by a lease in the name of who gave that, and not for this action by itself (AR-03). */
    readonly byLease: boolean;
    /**
     * What GitHub shows of the comment now, and whether its own words approve this action in its issue: what the store says of
     * it vouches for nothing (SR-25, SR-55). Absent where it is gone; `unread` where GitHub has it and does not show it yet.
     */
    readonly comment: { readonly unchanged: boolean; readonly approves: boolean } | "unread" | undefined;
    /** Written after the issue was closed last: what was approved before that is void, also if nobody heard of the closing. */
    readonly sinceClosing: boolean;
    readonly mayApprove: boolean;
    /** Whether an assertion in the store proves who wrote it, by a key that is in force now; asked only where one is wanted. */
    readonly proved: boolean;
    /** Given after the last halt or hold was lifted. */
    readonly fresh: boolean;
  }[];
  /** Whether the lease lets it go now; asked only where an approval rests on one. */
  readonly lease: LeaseDecision | undefined;
  /**
   * What the action's card reads now; absent where it is gone, `unread` where GitHub does not show yet what it has. Of one that is still
   * to be posted nobody can have read anything.
   */
  readonly card:
    | { readonly asWeWroteIt: boolean; readonly untouched: boolean; readonly showsIt: boolean }
    | "not-posted"
    | "unread"
    | undefined;
  readonly now: Date;
}

/** Why an approved action will never be sent; `{what}` is what only the moment knows. */
const endWords = {
  "wrong-digest": "its record does not match its digest",
  "not-served": "the bot does not work for this repository: {what}",
  "only-proposes": "this bot only proposes (execution.enabled: false)",
  "other-issue": "the issue or its repository is not the one it was approved in",
  "repository-renamed": "the repository has another name now",
  "not-installed": "the App is not installed in the repository any more, or suspended",
  "repository-public": "the repository is public now",
  "issue-closed": "the issue is closed",
  expired: "it expired before it could be sent",
  unanswered: "its time is over, and still {what}",
  "server-gone": "the server is gone",
  "server-refused": "{what}",
  "server-changed": "the server's entry or host key is no longer the one that was approved",
  "rules-changed": "the rules that gave it its risk have changed since",
  "store-restored": "an older copy of the bot's store was put back, so it may have run already",
  "card-deleted": "its card was deleted from the issue",
  "card-edited": "its card was edited by somebody else",
  "card-differs": "its card shows another command under its number",
} as const;

/** Why its approvals do not hold: it is open again without them. */
const reopenWords = {
  "not-approved": "it is not approved",
  "comment-changed": "the comment that approved it was edited or deleted",
  "comment-silent": "the comment that is said to approve it does not say what is needed",
  "rights-lost": "a person who approved it may no longer approve",
  "not-proved": "an approval has no passkey in force behind it",
  lease: "the lease does not let it go: {what}",
  "too-few": "it has {what} approvals",
  "before-failed": "{what}, which stands before it, did not go well",
  "before-open": "{what}, which stands before it, is not approved",
  "approved-before-stop": "it was approved before a halt or hold was lifted",
  "approved-before-closing": "the issue was closed after it was approved",
} as const;

/** Why it waits, until it expires. */
const waitWords = {
  "before-going": "{what}, which stands before it, has not ended",
  "card-not-posted": "its card is not on the issue",
  "card-unread": "its card cannot be read yet",
  "comment-unread": "the comment that approved it cannot be read yet",
  stopped: "{what}",
} as const;

export type DispatchCode = keyof typeof endWords | keyof typeof reopenWords | keyof typeof waitWords;

export type DispatchDecision =
  | { readonly kind: "go" }
  /** The action will never run; `to` is its last state. */
  | {
      readonly kind: "end";
      readonly code: keyof typeof endWords;
      readonly to: "void" | "expired";
      readonly reason: string;
    }
  /** The approvals do not hold; the action is open again without them. */
  | { readonly kind: "reopen"; readonly code: keyof typeof reopenWords; readonly reason: string }
  /** Somebody stopped the incident or the bot; the approvals wait, until they expire. */
  | { readonly kind: "wait"; readonly code: keyof typeof waitWords; readonly reason: string };

const filled = (words: string, what: string): string => words.replace("{what}", () => what);
const isLate = (code: DispatchCode): boolean => code === "expired" || code === "unanswered";

/** Ends an action that will never be sent, with the words of why. */
export const endDispatch = (code: keyof typeof endWords, what = "") =>
  ({ kind: "end", code, to: isLate(code) ? "expired" : "void", reason: filled(endWords[code], what) }) as const;
const reopen = (code: keyof typeof reopenWords, what = "") =>
  ({ kind: "reopen", code, reason: filled(reopenWords[code], what) }) as const;
const wait = (code: keyof typeof waitWords, what = "") =>
  ({ kind: "wait", code, reason: filled(waitWords[code], what) }) as const;

/** What stands before it in its list; what cannot be read counts against it too. */
function behind(before: Exclude<DispatchQuestion["before"], "none"> | undefined): DispatchDecision {
  const what = `${before?.number ?? "something"}`;
  if (before?.is === "going") return wait("before-going", what);
  return reopen(before?.is === "failed" ? "before-failed" : "before-open", what);
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Decides whether an approved action may be sent now. The first reason against it is the one that is told. */
export function decideDispatch(q: DispatchQuestion): DispatchDecision {
  return ofRecord(q) ?? ofIssue(q) ?? ofCard(q) ?? ofApprovals(q) ?? ofMoment(q) ?? { kind: "go" };
}

function ofRecord({ action, executes }: DispatchQuestion): DispatchDecision | undefined {
  if (action.state !== "approved") return reopen("not-approved");
  if (!isDigest(action.digest) || action.digest !== action.digestNow) return endDispatch("wrong-digest");
  return executes ? undefined : endDispatch("only-proposes");
}

function ofIssue({ issue, incident, action, now, storeIsCurrent }: DispatchQuestion): DispatchDecision | undefined {
  if (!issue.sameRepository || !issue.sameIssue) return endDispatch("other-issue");
  if (!issue.sameName) return endDispatch("repository-renamed");
  if (!issue.installed) return endDispatch("not-installed");
  if (!issue.asPrivate) return endDispatch("repository-public");
  if (!incident.open || !issue.open) return endDispatch("issue-closed");
  if (isOver(action.expiresAt.getTime(), now.getTime())) return endDispatch("expired");
  if (!action.serverUnchanged) return endDispatch("server-changed");
  if (!action.rulesUnchanged) return endDispatch("rules-changed");
  return storeIsCurrent ? undefined : endDispatch("store-restored");
}

function ofCard({ card }: DispatchQuestion): DispatchDecision | undefined {
  if (card === "not-posted") return wait("card-not-posted");
  if (card === "unread") return wait("card-unread");
  if (!card) return endDispatch("card-deleted");
  if (!card.asWeWroteIt || !card.untouched) return endDispatch("card-edited");
  return card.showsIt ? undefined : endDispatch("card-differs");
}

function ofApprovals({ approvals, lease, action, needed, passkey }: DispatchQuestion): DispatchDecision | undefined {
  const comments = approvals.map(({ comment }) => comment);
  if (comments.some((comment) => comment !== "unread" && !comment?.unchanged)) return reopen("comment-changed");
  if (comments.includes("unread")) return wait("comment-unread");
  if (comments.some((comment) => comment === "unread" || !comment?.approves)) return reopen("comment-silent");
  if (approvals.some(({ sinceClosing }) => !sinceClosing)) return reopen("approved-before-closing");
  if (approvals.some(({ mayApprove }) => !mayApprove)) return reopen("rights-lost");
  if (passkey !== false && approvals.some(({ proved }) => proved !== true)) return reopen("not-proved");
  if (approvals.some(({ byLease }) => byLease) && lease?.kind !== "go")
    return reopen("lease", lease?.reason ?? "it was not asked");
  const counting = approvals.filter(({ counts, digest }) => counts && digest === action.digest);
  const people = new Set(counting.map(({ personId }) => personId));
  return people.size < quorum(needed) ? reopen("too-few", `${people.size} of ${quorum(needed)}`) : undefined;
}

function ofMoment({ before, stopped, approvals }: DispatchQuestion): DispatchDecision | undefined {
  if (before !== "none") return behind(before);
  if (stopped !== undefined) return wait("stopped", stopped);
  return approvals.some(({ fresh }) => !fresh) ? reopen("approved-before-stop") : undefined;
}
