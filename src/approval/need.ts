/**
 * What policy asks for an action: how many people, until when, and what their comment must say (SR-18, SR-19, SR-20). Pure. Decided when
 * an approval is given, and again before the command is sent.
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
  /** After this many approvals of high risk by one person in an hour, each further one must be confirmed (SR-57). */
  readonly highPerHour?: number | undefined;
  /** The lowest risk whose approvals take a passkey (PK-01); `none` or left out: never. */
  readonly passkey?: "none" | "medium" | "high" | undefined;
}

interface PolicySubject {
  readonly risk: Risk;
  /** The server or group as the card names it. */
  readonly place: string;
  readonly servers: readonly string[];
}

/** The risk at which an action is approved: medium on many servers counts as high. */
export function effectiveRisk(risk: Risk, servers: number, manyServers: number): Risk {
  return risk === "medium" && !(servers <= manyServers) ? "high" : risk;
}

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

/** How many different people are needed: at least one, and more than there are if policy gives no number. */
export const quorum = (approvals: number): number =>
  Number.isNaN(approvals) ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(approvals));

/** Why not every low-risk command may run here without an approval of its own; undefined if it may. */
export function whyLowWaits(low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">): string | undefined {
  if (quorum(low.approvals) !== 1) return `low risk takes ${low.approvals} approvals here`;
  return low.reason === "required" || low.restateServer === true
    ? "low risk wants a reason or the server named with each approval here"
    : undefined;
}

/** A time that is not a number is over. */
export const isOver = (until: number, now: number): boolean => !(now < until);

/**
 * Until when an action may be approved and sent, in ms: as long as its card said, and no longer than policy says now. So a shorter time
 * in the policy holds at once, a longer one only for new proposals.
 */
export function expiryOf(
  action: Pick<PolicySubject, "risk" | "servers"> & { readonly createdAt: number; readonly expiresAt: number },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): number {
  const risk = levelOf(action, policy);
  return risk === "block" ? action.expiresAt : Math.min(action.expiresAt, action.createdAt + policy[risk].expiresMs);
}

/** What a comment says about one action, as `slash/` has read it. */
export interface ApprovalWords {
  /** It names this action alone, by its number. */
  readonly alone: boolean;
  /** `3@1a2b3c4d`. */
  readonly pinnedDigest?: string | undefined;
  /** The first word after the numbers, which is the server or group if it is named again. */
  readonly restated?: string | undefined;
  /** The reason: what stands after the numbers and the server. */
  readonly note: string;
}

/** A part that the words of an approval can lack. */
export type MissingPart = "not-alone" | "digest-mismatch" | "server-missing" | "reason-missing";

/**
 * What the words of a comment lack to approve an action; empty if they approve it. Decided when `/approve` is read, and again from what
 * GitHub shows of the comment right before the command is sent.
 */
export function unsaidIn(
  { alone, pinnedDigest, restated, note }: ApprovalWords,
  action: PolicySubject & { readonly digest: string },
  policy: Pick<ApprovalPolicy, "low" | "medium" | "high" | "manyServers">,
): readonly MissingPart[] {
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

/** Names the place as the card does; if it is one server, that server's name is enough. */
export const isRestated = (
  restated: string | undefined,
  { place, servers }: Pick<PolicySubject, "place" | "servers">,
): boolean =>
  restated !== undefined &&
  restated !== "" &&
  (restated === place || (servers.length === 1 && restated === servers[0]));
