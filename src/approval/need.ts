import { invisible } from "../base/invisible.ts";
import type { Risk } from "../base/risk.ts";

/** Policy's demands: people, time, words (SR-18, SR-19, SR-20). Pure. Decided at the approval and again before sending. */

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
  readonly manyServers: number;
  /** Up to this risk the author's own approval counts. */
  readonly authorCounts: Risk | "none";
  /** One person's high-risk approvals per hour before further ones must be confirmed (SR-57). */
  readonly highPerHour?: number | undefined;
  /** The lowest risk whose approvals take a passkey (PK-01). */
  readonly passkey?: "none" | "medium" | "high" | undefined;
}

interface PolicySubject {
  readonly risk: Risk;
  readonly place: string;
  readonly servers: readonly string[];
}

/** Medium on many servers counts as high. */
export function effectiveRisk(risk: Risk, servers: number, manyServers: number): Risk {
  return risk === "medium" && !(servers <= manyServers) ? "high" : risk;
}

export const levelOf = (
  { risk, servers }: { readonly risk: Risk; readonly servers: readonly string[] },
  { manyServers }: Pick<ApprovalPolicy, "manyServers">,
): Risk => effectiveRisk(risk, servers.length, manyServers);

/** Infinite for a blocked action. */
export function peopleNeeded(
  action: { readonly risk: Risk; readonly servers: readonly string[] },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const level = levelOf(action, policy);
  return level === "block" ? Number.POSITIVE_INFINITY : quorum(policy[level].approvals);
}

/** At least one, and infinite if policy gives no number. */
export const quorum = (approvals: number): number =>
  Number.isNaN(approvals) ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(approvals));

/** Returns why low-risk commands need their own approval; undefined if they do not. */
export function whyLowWaits(low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">): string | undefined {
  if (quorum(low.approvals) !== 1) return `low risk takes ${low.approvals} approvals here`;
  return low.reason === "required" || low.restateServer === true
    ? "low risk wants a reason or the server named with each approval here"
    : undefined;
}

/** A time that is not a number is over. */
export const isOver = (until: number, now: number): boolean => !(now < until);

/** Until when an action may be approved and sent, in ms: the card's time or policy's now, whichever is shorter. */
export function expiryOf(
  action: Pick<PolicySubject, "risk" | "servers"> & { readonly createdAt: number; readonly expiresAt: number },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const risk = levelOf(action, policy);
  return risk === "block" ? action.expiresAt : Math.min(action.expiresAt, action.createdAt + policy[risk].expiresMs);
}

export interface ApprovalWords {
  /** It names this action alone, by number. */
  readonly alone: boolean;
  /** `3@1a2b3c4d`. */
  readonly pinnedDigest?: string | undefined;
  /** The first word after the numbers: a server or group named again. */
  readonly restated?: string | undefined;
  readonly note: string;
}

/** A shorter pin could match by chance. */
const leastPin = 8;

export type MissingPart = "not-alone" | "digest-mismatch" | "server-missing" | "reason-missing";

/** Returns what a comment's words lack. Decided when `/approve` is read, and again on GitHub's comment before sending. */
export function unsaidIn(
  { alone, pinnedDigest, restated, note }: ApprovalWords,
  action: PolicySubject & { readonly digest: string },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): readonly MissingPart[] {
  const level = levelOf(action, policy);
  const rule = level === "block" ? policy.high : policy[level];
  const pin = pinnedDigest?.toLowerCase();
  const isOther = pin !== undefined && (pin.length < leastPin || !action.digest.toLowerCase().startsWith(pin));
  // A reason needs a visible letter or digit.
  return [
    ...(level === "high" && !alone ? (["not-alone"] as const) : []),
    ...(isOther ? (["digest-mismatch"] as const) : []),
    ...(rule.restateServer && !isRestated(restated, action) ? (["server-missing"] as const) : []),
    ...(rule.reason === "required" && !/[\p{L}\p{N}]/u.test(note.replace(invisible, ""))
      ? (["reason-missing"] as const)
      : []),
  ];
}

/** Whether it names the card's place; a single server's name is enough. */
export const isRestated = (
  restated: string | undefined,
  { place, servers }: Pick<PolicySubject, "place" | "servers">,
): boolean =>
  restated !== undefined &&
  restated !== "" &&
  (restated === place || (servers.length === 1 && restated === servers[0]));
