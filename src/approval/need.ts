/**
 * What policy asks for an action: how many people, until when, and what their comment must say. Pure. Asked when an approval is
 * given, and again before the command is sent.
 */

import { invisible } from "../base/invisible.ts";
import type { Risk } from "../base/risk.ts";

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
  /** From which risk on each approval takes a passkey (PK-01); `none` or left out: never. */
  readonly passkey?: "none" | "medium" | "high" | undefined;
}

/** An action as far as it decides what policy asks. */
interface Subject {
  readonly risk: Risk;
  /** The server or group as the card names it. */
  readonly place: string;
  readonly servers: readonly string[];
}

/** The risk an action is approved at: medium on many servers counts as high (SR-18). */
export function effectiveRisk(risk: Risk, servers: number, manyServers: number): Risk {
  return risk === "medium" && !(servers <= manyServers) ? "high" : risk;
}

/** The risk at which policy decides about an action. */
export const levelOf = (
  { risk, servers }: { readonly risk: Risk; readonly servers: readonly string[] },
  { manyServers }: Pick<ApprovalPolicy, "manyServers">,
): Risk => effectiveRisk(risk, servers.length, manyServers);

/** How many different people policy wants for an action; no number is enough for what is blocked. */
export function peopleNeeded(
  action: { readonly risk: Risk; readonly servers: readonly string[] },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const level = levelOf(action, policy);
  return level === "block" ? Number.POSITIVE_INFINITY : quorum(policy[level].approvals);
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
  action: Pick<Subject, "risk" | "servers"> & { readonly createdAt: number; readonly expiresAt: number },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const risk = levelOf(action, policy);
  return risk === "block" ? action.expiresAt : Math.min(action.expiresAt, action.createdAt + policy[risk].expiresMs);
}

/** What a comment says of one action, as `slash/` has read it. */
export interface SaidOfAction {
  /** It names this action alone, by its number. */
  readonly alone: boolean;
  /** `3@1a2b3c4d`. */
  readonly pinnedDigest?: string | undefined;
  /** The first word after the numbers, where the server or group stands if it is named again. */
  readonly restated?: string | undefined;
  /** What stands after the numbers and, where it is named again, the server: the reason. */
  readonly note: string;
}

/** What a comment can leave unsaid. */
export type Unsaid = "not-alone" | "digest-mismatch" | "server-missing" | "reason-missing";

/**
 * What a comment leaves unsaid that its words need to approve an action; nothing where they approve it (SR-18, SR-19, SR-20). Asked
 * of `/approve` when it is read, and of what GitHub shows of the comment right before the command is sent.
 */
export function unsaidIn(
  { alone, pinnedDigest, restated, note }: SaidOfAction,
  action: Subject & { readonly digest: string },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): readonly Unsaid[] {
  const level = levelOf(action, policy);
  const rule = level === "block" ? policy.high : policy[level];
  const pin = pinnedDigest?.toLowerCase();
  const isOther = pin !== undefined && !(/^[0-9a-f]{8,64}$/.test(pin) && action.digest.toLowerCase().startsWith(pin));
  return [
    ...(level === "high" && !alone ? (["not-alone"] as const) : []),
    ...(isOther ? (["digest-mismatch"] as const) : []),
    ...(rule.restateServer && !isRestated(restated, action) ? (["server-missing"] as const) : []),
    ...(rule.reason === "required" && !saysWhy(note) ? (["reason-missing"] as const) : []),
  ];
}

/** Whether a reason has a letter or a digit that can be seen. */
const saysWhy = (note: string): boolean => /[\p{L}\p{N}]/u.test(note.replace(invisible, ""));

/** The place as the card names it; where it is one server, that server's name does as well. One of many does not. */
export const isRestated = (
  restated: string | undefined,
  { place, servers }: Pick<Subject, "place" | "servers">,
): boolean =>
  restated !== undefined &&
  restated !== "" &&
  (restated === place || (servers.length === 1 && restated === servers[0]));
