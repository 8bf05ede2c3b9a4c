/**
 * The final check before sending (SR-24, SR-11, SR-25, SR-55, SR-68, RR-18, RR-24, AR-03, PK-01): everything that an approval rests on,
 * read again. Pure. A number, time or digest that is not one counts against it.
 */

import type { LeaseDecision } from "./lease.ts";
import { isOver, quorum } from "./need.ts";

/** As just read. An absent fact means no. */
export interface DispatchQuestion {
  readonly action: {
    readonly state: string;
    /** As recorded, and as computed from its row now. */
    readonly digest: string;
    readonly digestNow: string;
    readonly expiresAt: Date;
    /** Host keys included. */
    readonly serverUnchanged: boolean;
    /** The rules that gave its risk are in force, and find no higher risk now. */
    readonly rulesUnchanged: boolean;
    /** The operator's rules for its places are those that its digest holds. */
    readonly placeRulesUnchanged: boolean;
    /** Why it is riskier behind what the incident's other actions have done since it was judged. */
    readonly raised: string | undefined;
  };
  /** Its predecessor in the list. */
  readonly before: "none" | { readonly number: number; readonly is: "open" | "going" | "failed" };
  /** Undefined for an action without a condition. `due`: no check is recent enough. */
  readonly guard: { readonly kind: "holds" | "due" } | { readonly kind: "broken"; readonly why: string } | undefined;
  readonly incident: { readonly open: boolean };
  readonly stopped: string | undefined;
  readonly issue: {
    readonly open: boolean;
    readonly sameRepository: boolean;
    /** As when it was approved. */
    readonly sameName: boolean;
    readonly installed: boolean;
    readonly sameIssue: boolean;
    /** False if it became public since the incident began, or is public against the operator's config. */
    readonly asPrivate: boolean;
  };
  /** False if an older store was restored: its approved commands may have run already. */
  readonly storeIsCurrent: boolean;
  readonly executes: boolean;
  readonly needed: number;
  /** The hours outside which it is not sent there; undefined if now is not. */
  readonly shut: string | undefined;
  readonly passkey: boolean;
  readonly approvals: readonly {
    readonly personId: number;
    readonly digest: string;
    readonly counts: boolean;
    /** Given by a lease in its giver's name, not for this action alone. */
    readonly byLease: boolean;
    /**
     * Whether the comment's own words on GitHub approve this action; the store's record proves nothing. Absent if gone; `unread` if GitHub
     * does not show it yet.
     */
    readonly comment: { readonly unchanged: boolean; readonly approves: boolean } | "unread" | undefined;
    /** Approvals from before the issue's last closing are void, even if the bot missed it. */
    readonly sinceClosing: boolean;
    readonly mayApprove: boolean;
    /** By a key in force now; read only if policy wants a passkey. */
    readonly proved: boolean;
    /** Given after the last halt or hold was lifted. */
    readonly fresh: boolean;
  }[];
  /** Decided only if an approval rests on one. */
  readonly lease: LeaseDecision | undefined;
  /** On GitHub; absent if gone, `unread` if GitHub does not show it yet. */
  readonly card:
    | { readonly asWeWroteIt: boolean; readonly untouched: boolean; readonly showsIt: boolean }
    | "not-posted"
    | "unread"
    | undefined;
  readonly now: Date;
}

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
  raised: "its risk has risen since: it {what}",
  "rules-changed": "the rules that gave it its risk have changed since",
  "place-rules-changed": "the rules that say who may approve it there (policy.for) have changed since",
  "store-restored": "an older copy of the bot's store was put back, so it may have run already",
  "card-deleted": "its card was deleted from the issue",
  "card-edited": "its card was edited by somebody else",
  guard: "{what}",
  "card-differs": "its card shows another command under its number",
} as const;

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
  "outside-hours": "only reads are sent there outside {what} (policy.for)",
  "approved-before-stop": "it was approved before a halt or hold was lifted",
  "approved-before-closing": "the issue was closed after it was approved",
} as const;

const waitWords = {
  "before-going": "{what}, which stands before it, has not ended",
  "card-not-posted": "its card is not on the issue",
  "card-unread": "its card cannot be read yet",
  "comment-unread": "the comment that approved it cannot be read yet",
  stopped: "{what}",
  "check-due": "its check was too long ago",
} as const;

export type DispatchCode = keyof typeof endWords | keyof typeof reopenWords | keyof typeof waitWords;

export type DispatchDecision =
  | { readonly kind: "go" }
  | {
      readonly kind: "end";
      readonly code: keyof typeof endWords;
      readonly to: "void" | "expired";
      readonly reason: string;
    }
  | { readonly kind: "reopen"; readonly code: keyof typeof reopenWords; readonly reason: string }
  /** The approvals stay, until they expire. */
  | { readonly kind: "wait"; readonly code: keyof typeof waitWords; readonly reason: string };

const filled = (words: string, what: string): string => words.replace("{what}", () => what);
const isLate = (code: DispatchCode): boolean => code === "expired" || code === "unanswered";

/** Ends an action that will never be sent. */
export const endDispatch = (code: keyof typeof endWords, what = "") =>
  ({ kind: "end", code, to: isLate(code) ? "expired" : "void", reason: filled(endWords[code], what) }) as const;
const reopen = (code: keyof typeof reopenWords, what = "") =>
  ({ kind: "reopen", code, reason: filled(reopenWords[code], what) }) as const;
const wait = (code: keyof typeof waitWords, what = "") =>
  ({ kind: "wait", code, reason: filled(waitWords[code], what) }) as const;

function behind(before: Exclude<DispatchQuestion["before"], "none"> | undefined): DispatchDecision {
  const what = `${before?.number ?? "something"}`;
  if (before?.is === "going") return wait("before-going", what);
  return reopen(before?.is === "failed" ? "before-failed" : "before-open", what);
}

/** Gives the first reason against sending. */
export function decideDispatch(question: DispatchQuestion): DispatchDecision {
  const { action, executes, issue, incident, now, storeIsCurrent, card, approvals, lease, needed, passkey } = question;
  const { before, stopped, guard } = question;
  if (action.state !== "approved") return reopen("not-approved");
  if (!/^[0-9a-f]{64}$/.test(action.digest) || action.digest !== action.digestNow) return endDispatch("wrong-digest");
  if (!executes) return endDispatch("only-proposes");

  if (!issue.sameRepository || !issue.sameIssue) return endDispatch("other-issue");
  if (!issue.sameName) return endDispatch("repository-renamed");
  if (!issue.installed) return endDispatch("not-installed");
  if (!issue.asPrivate) return endDispatch("repository-public");
  if (!incident.open || !issue.open) return endDispatch("issue-closed");
  if (isOver(action.expiresAt.getTime(), now.getTime())) return endDispatch("expired");
  if (!action.serverUnchanged) return endDispatch("server-changed");
  if (!action.rulesUnchanged) return endDispatch("rules-changed");
  if (!action.placeRulesUnchanged) return endDispatch("place-rules-changed");
  if (action.raised !== undefined) return endDispatch("raised", action.raised);
  if (!storeIsCurrent) return endDispatch("store-restored");

  if (card === "not-posted") return wait("card-not-posted");
  if (card === "unread") return wait("card-unread");
  if (!card) return endDispatch("card-deleted");
  if (!card.asWeWroteIt || !card.untouched) return endDispatch("card-edited");
  if (!card.showsIt) return endDispatch("card-differs");

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
  if (people.size < quorum(needed)) return reopen("too-few", `${people.size} of ${quorum(needed)}`);

  if (before !== "none") return behind(before);
  if (question.shut !== undefined) return reopen("outside-hours", question.shut);
  if (stopped !== undefined) return wait("stopped", stopped);
  if (approvals.some(({ fresh }) => !fresh)) return reopen("approved-before-stop");
  // Last, so that no check is repeated for what may not be sent anyway.
  if (guard === undefined || guard.kind === "holds") return { kind: "go" };
  return guard.kind === "broken" ? endDispatch("guard", guard.why) : wait("check-due");
}
