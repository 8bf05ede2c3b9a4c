/** What one approval decides (SR-18, SR-19, SR-57). Pure: time is passed in. */

import { invisible } from "../base/invisible.ts";
import { type ActionState, type Risk, risks } from "../base/types.ts";
import { isPersonId, type PersonStanding, type Roster, rightsOf } from "./rights.ts";

export interface RiskPolicy {
  readonly approvals: number;
  readonly expiresMs: number;
  readonly reason?: "required" | "optional" | undefined;
  readonly restateServer?: boolean | undefined;
}

export interface ApprovalPolicy {
  readonly low: RiskPolicy;
  readonly medium: RiskPolicy;
  readonly high: RiskPolicy;
  /** More servers than this at once: medium counts as high. */
  readonly manyServers: number;
  /** Up to which risk the author's own approval counts; `none`: never. */
  readonly authorCounts: Risk | "none";
  /** Approvals of high risk by one person in an hour beyond which a confirmation is asked (SR-57). */
  readonly highPerHour?: number | undefined;
}

export interface EarlierApproval {
  readonly personId: number;
  readonly verdict: "approve" | "reject";
}

/** A mail proves its sender to nobody (SR-23); an edited comment is not what its author saw when they wrote it (SR-28). */
const unfitWords = {
  "by-email": "a reply by e-mail approves nothing; comment on the issue itself",
  edited: "this comment was edited; approve in a new one",
} as const;
export type Unfit = keyof typeof unfitWords;

export interface ApprovalQuestion {
  readonly policy: ApprovalPolicy;
  readonly roster: Roster;
  readonly standing: PersonStanding;
  readonly action: {
    readonly risk: Risk;
    /** The server or group as the card names it. */
    readonly place: string;
    readonly servers: readonly string[];
    readonly origin: "model" | "offline" | "person";
    /** Who wrote the command by `/run` or `/edit`. */
    readonly authorId?: number | undefined;
    readonly createdAt: number;
    readonly expiresAt: number;
    readonly state: ActionState;
    readonly digest: string;
  };
  readonly earlier: readonly EarlierApproval[];
  readonly slash: {
    /** The reason: what stands after the numbers and the server. */
    readonly note: string;
    /** `3@1a2b3c4d`. */
    readonly pinnedDigest?: string | undefined;
    /** The server or group named again, where the first word after the numbers is one. */
    readonly restated?: string | undefined;
    /** Why its comment can approve nothing, whoever wrote it. */
    readonly unfit?: Unfit | undefined;
    /** True where this comment answers a confirmation card (SR-57). */
    readonly confirmed?: boolean | undefined;
  };
  /** High-risk approvals of this person within the last hour. */
  readonly recentHigh?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const refusalCodes = [
  "nobody-may-approve",
  "not-allowed",
  "blocked",
  "not-open",
  "rejected",
  "expired",
  "digest-mismatch",
  "author",
  "already-counted",
  "reason-missing",
  "server-missing",
  "confirm",
  "by-email",
  "edited",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

export type Decision =
  | { readonly kind: "refuse"; readonly code: RefusalCode; readonly text: string }
  | { readonly kind: "counted"; readonly have: number; readonly need: number }
  | { readonly kind: "complete"; readonly have: number; readonly need: number };

/** After this long a card of high risk can have been read (SR-57). */
const readingMs = 5000;

const refuse = (code: RefusalCode, text: string): Decision => ({ kind: "refuse", code, text });

/** The risk an action is approved at: medium on many servers counts as high (SR-18). */
export function effectiveRisk(risk: Risk, servers: number, manyServers: number): Risk {
  return risk === "medium" && !(servers <= manyServers) ? "high" : risk;
}

/** How many different people are needed: at least one, and more than there are where policy does not say a number. */
export const quorum = (approvals: number): number =>
  Number.isNaN(approvals) ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(approvals));

/** A time that cannot be read is over. */
export const isOver = (until: number, now: number): boolean => !(now < until);

/**
 * Until when an action may be approved and sent, in ms: as long as its card said, and no longer than policy lets one of its risk
 * stand now. A shorter time holds at once, a longer one only for what is proposed under it.
 */
export function expiryOf(
  action: Pick<ApprovalQuestion["action"], "risk" | "servers" | "createdAt" | "expiresAt">,
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const risk = effectiveRisk(action.risk, action.servers.length, policy.manyServers);
  return risk === "block" ? action.expiresAt : Math.min(action.expiresAt, action.createdAt + policy[risk].expiresMs);
}

/** Decides one `/approve`. Every refusal says what is wrong and what would be right; nothing is counted twice. */
export function decideApproval(question: ApprovalQuestion): Decision {
  const { policy, roster, standing, action, earlier } = question;
  const risk = effectiveRisk(action.risk, action.servers.length, policy.manyServers);
  if (risk === "block") return refuse("blocked", "this command never runs, even approved");
  const rights = rightsOf(roster, standing);
  if (!rights.approve) {
    const isEmpty = roster.users.length === 0 && roster.teams.length === 0;
    return refuse(isEmpty ? "nobody-may-approve" : "not-allowed", rights.missing);
  }
  const { unfit } = question.slash;
  if (unfit) return refuse(unfit, unfitWords[unfit]);
  const closed = whyClosed(question);
  if (closed) return closed;
  const personId = standing.person.id;
  if (!countsTowards(personId, action, policy)) {
    return refuse("author", `you wrote this command, so a ${risk}-risk approval must come from somebody else`);
  }
  const approved = earlier.filter(({ verdict }) => verdict === "approve").map((approval) => approval.personId);
  const people = new Set(approved.filter((id) => countsTowards(id, action, policy)));
  if (people.has(personId))
    return refuse("already-counted", "your approval is counted already; another person is needed");
  const unclear = whyUnclear(question, risk);
  if (unclear) return unclear;
  people.add(personId);
  const need = quorum(policy[risk].approvals);
  return { kind: people.size >= need ? "complete" : "counted", have: people.size, need };
}

/** Whether a person counts towards the quorum: the command's author only up to a risk (SR-18), an unknown one may be anybody. */
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
  return authorCounts(policy.authorCounts, effectiveRisk(action.risk, action.servers.length, policy.manyServers));
}

const authorCounts = (limit: Risk | "none", risk: Risk): boolean =>
  limit !== "none" && risk !== "block" && risks.includes(risk) && risks.indexOf(risk) <= risks.indexOf(limit);

/** An action that cannot be approved any more. */
function whyClosed({ policy, action, earlier, slash, now }: ApprovalQuestion): Decision | undefined {
  if (action.state === "blocked") return refuse("blocked", "this command never runs, even approved");
  if (action.state === "rejected" || earlier.some((approval) => approval.verdict === "reject")) {
    return refuse("rejected", "this action was rejected, and one rejection is final");
  }
  if (action.state === "expired" || isOver(expiryOf(action, policy), now)) {
    return refuse("expired", "this action has expired; /retry makes it anew");
  }
  if (action.state !== "proposed") return refuse("not-open", `this action is ${action.state}`);
  if (action.servers.length === 0) return refuse("not-open", "this action has no server");
  const pin = slash.pinnedDigest?.toLowerCase();
  if (pin !== undefined && (!/^[0-9a-f]{8,64}$/.test(pin) || !action.digest.toLowerCase().startsWith(pin))) {
    return refuse("digest-mismatch", `the action is ${action.digest.slice(0, 8)}, not ${pin.slice(0, 64)}`);
  }
  return undefined;
}

/** What the risk asks of the comment: the server again, a reason, and time to have read the card (SR-19, SR-57). */
function whyUnclear(question: ApprovalQuestion, risk: "low" | "medium" | "high"): Decision | undefined {
  const { policy, action, slash, now } = question;
  const rule = policy[risk];
  if (rule.restateServer && !isRestated(slash.restated, action)) {
    return refuse("server-missing", `name the server again: ${action.place}`);
  }
  if (rule.reason === "required" && !saysWhy(slash.note)) {
    return refuse("reason-missing", "a reason is needed after the server's name");
  }
  if (risk !== "high" || slash.confirmed) return undefined;
  if (!(now - action.createdAt >= readingMs)) {
    return refuse("confirm", "this came within 5 seconds of the card; read it and approve again");
  }
  if (policy.highPerHour !== undefined && !((question.recentHigh ?? Number.NaN) < policy.highPerHour)) {
    return refuse("confirm", `more than ${policy.highPerHour} high-risk approvals in an hour; confirm this one`);
  }
  return undefined;
}

/** Whether a reason has a letter or a digit that can be seen. */
export const saysWhy = (note: string): boolean => /[\p{L}\p{N}]/u.test(note.replace(invisible, ""));

/** The place as the card names it; where it is one server, that server's name does as well. One of many does not. */
export const isRestated = (
  restated: string | undefined,
  { place, servers }: Pick<ApprovalQuestion["action"], "place" | "servers">,
): boolean =>
  restated !== undefined &&
  restated !== "" &&
  (restated === place || (servers.length === 1 && restated === servers[0]));
