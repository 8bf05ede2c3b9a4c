/** Decides one approval (SR-18, SR-19, SR-23, SR-28, SR-57, PK-01). Pure. */

import type { ActionState } from "../base/action.ts";
import { type Risk, risks } from "../base/risk.ts";
import { type ApprovalPolicy, type ApprovalWords, expiryOf, isOver, levelOf, peopleNeeded, unsaidIn } from "./need.ts";
import { needsPasskey, type PasskeyStanding } from "./passkey.ts";
import { hoursWords, type PolicyInForce } from "./place.ts";
import { isPersonId, type PersonStanding, type Roster, rightsOf } from "./rights.ts";

export interface EarlierApproval {
  readonly personId: number;
  readonly verdict: "approve" | "reject";
}

/** A mail does not prove its sender; an edited comment is not what its author saw. */
const unfitWords = {
  "by-email": "a reply by e-mail approves nothing; comment on the issue itself",
  edited: "this comment was edited; approve in a new one",
} as const;
export type UnfitReason = keyof typeof unfitWords;

export interface ApprovalQuestion {
  readonly policy: ApprovalPolicy & Partial<Pick<PolicyInForce, "shut">>;
  readonly roster: Roster;
  readonly standing: PersonStanding;
  readonly action: {
    readonly risk: Risk;
    readonly place: string;
    readonly servers: readonly string[];
    readonly origin: "model" | "offline" | "person";
    /** Of a `/run` or `/edit`. */
    readonly authorId?: number | undefined;
    readonly createdAt: number;
    readonly expiresAt: number;
    readonly state: ActionState;
    readonly digest: string;
  };
  readonly earlier: readonly EarlierApproval[];
  readonly slash: ApprovalWords & {
    readonly unfit?: UnfitReason | undefined;
    readonly confirmed?: boolean | undefined;
  };
  /** Within the last hour. */
  readonly recentHigh?: number | undefined;
  /** Set only if policy wants a passkey. */
  readonly presence?: PasskeyStanding | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const refusalCodes = [
  "nobody-may-approve",
  "not-allowed",
  "blocked",
  "not-alone",
  "not-open",
  "rejected",
  "expired",
  "outside-hours",
  "digest-mismatch",
  "author",
  "already-counted",
  "reason-missing",
  "server-missing",
  "confirm",
  "by-email",
  "edited",
  "no-passkey",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

export type Decision =
  | { readonly kind: "refuse"; readonly code: RefusalCode; readonly text: string }
  | { readonly kind: "counted"; readonly have: number; readonly need: number }
  /** Counts once its author proves it with a passkey. */
  | { readonly kind: "prove"; readonly have: number; readonly need: number }
  | { readonly kind: "complete"; readonly have: number; readonly need: number };

const readingMs = 5000;

const refuse = (code: RefusalCode, text: string): Decision => ({ kind: "refuse", code, text });

/** A refusal says what would be right; a person counts once. */
export function decideApproval(question: ApprovalQuestion): Decision {
  const { policy, roster, standing, action, earlier, slash, now } = question;
  const risk = levelOf(action, policy);
  if (risk === "block") return refuse("blocked", "this command never runs, even approved");
  const unsaid = unsaidIn(slash, action, policy);
  if (unsaid.includes("not-alone")) return refuse("not-alone", "a high-risk command needs a comment of its own");
  const rights = rightsOf(roster, standing);
  if (!rights.approve) {
    const isEmpty = roster.users.length === 0 && roster.teams.length === 0;
    return refuse(isEmpty ? "nobody-may-approve" : "not-allowed", rights.missing);
  }
  if (slash.unfit) return refuse(slash.unfit, unfitWords[slash.unfit]);
  if (action.state === "blocked") return refuse("blocked", "this command never runs, even approved");
  if (action.state === "rejected" || earlier.some((approval) => approval.verdict !== "approve")) {
    return refuse("rejected", "this action was rejected, and one rejection is final");
  }
  if (action.state === "expired" || isOver(expiryOf(action, policy), now)) {
    return refuse("expired", "this action has expired; /retry proposes it again");
  }
  if (action.state !== "proposed") return refuse("not-open", `this action is ${action.state}`);
  if (action.servers.length === 0) return refuse("not-open", "this action has no server");
  if (policy.shut)
    return refuse("outside-hours", `only reads are approved there outside ${hoursWords(policy.shut.hours)}`);
  if (unsaid.includes("digest-mismatch"))
    return refuse(
      "digest-mismatch",
      `the action is ${action.digest.slice(0, 8)}, not ${slash.pinnedDigest?.toLowerCase().slice(0, 64)}`,
    );
  const personId = standing.person.id;
  if (!countsTowards(personId, action, policy)) {
    return refuse("author", `you wrote this command, so a ${risk}-risk approval must come from somebody else`);
  }
  // One rejection closes the action, so all of these are approvals.
  const people = new Set(
    earlier.map((approval) => approval.personId).filter((id) => countsTowards(id, action, policy)),
  );
  if (people.has(personId))
    return refuse("already-counted", "your approval already counts; another approver is needed");
  if (unsaid.includes("server-missing")) return refuse("server-missing", `name the server again: ${action.place}`);
  if (unsaid.includes("reason-missing")) return refuse("reason-missing", "a reason is needed after the server's name");
  const isUnsure = risk === "high" && !slash.confirmed;
  if (isUnsure && !(now - action.createdAt >= readingMs)) {
    return refuse("confirm", "this came within 5 seconds of the card; read it and approve again");
  }
  if (isUnsure && policy.highPerHour !== undefined && !((question.recentHigh ?? Number.NaN) < policy.highPerHour)) {
    return refuse("confirm", `more than ${policy.highPerHour} high-risk approvals in an hour; confirm this one`);
  }
  people.add(personId);
  const progress = { have: people.size, need: peopleNeeded(action, policy) };
  if (needsPasskey(action, policy) && question.presence?.proved !== true) {
    const hasKey = question.presence?.hasKey === true;
    return hasKey ? { kind: "prove", ...progress } : refuse("no-passkey", "you have no passkey here yet");
  }
  return { kind: progress.have >= progress.need ? "complete" : "counted", ...progress };
}

/** The author counts only up to a risk. If unknown, each person may be the author. */
export function countsTowards(
  personId: number,
  action: {
    readonly risk: Risk;
    readonly servers: readonly string[];
    readonly origin: string;
    readonly authorId?: number | undefined;
  },
  policy: ApprovalPolicy,
): boolean {
  if (!isPersonId(personId)) return false;
  const isUnknown = action.origin === "person" && action.authorId === undefined;
  if (!isUnknown && action.authorId !== personId) return true;
  return authorCounts(policy.authorCounts, levelOf(action, policy));
}

const limits: readonly (Risk | "none")[] = risks;
const authorCounts = (limit: Risk | "none", risk: Risk): boolean =>
  risk !== "block" && limits.slice(0, limits.indexOf(limit) + 1).includes(risk);
