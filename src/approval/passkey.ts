/** When an approval needs a passkey, and what a page and a key's confirmation decide (PK-01). Pure; unknown counts as no. */

import type { Risk } from "../base/risk.ts";
import { type ApprovalPolicy, isOver, levelOf } from "./need.ts";

/** Whether each approval takes a passkey. A read never does. */
export function needsPasskey(
  action: { readonly risk: Risk; readonly servers: readonly string[] },
  policy: Pick<ApprovalPolicy, "manyServers" | "passkey">,
): boolean {
  const level = levelOf(action, policy);
  if (policy.passkey === undefined || policy.passkey === "none" || level === "low") return false;
  return policy.passkey !== "high" || level !== "medium";
}

export interface PasskeyStanding {
  readonly hasKey: boolean;
  /** By a stored assertion for this comment and action. */
  readonly proved: boolean;
}

interface KeyStanding {
  readonly inForceAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Whether a key counts. */
export const isInForce = ({ inForceAt, revokedAt }: KeyStanding): boolean => inForceAt !== null && revokedAt === null;

export type PageDecision = { readonly kind: "open" } | { readonly kind: "shut"; readonly reason: string };

/** Whether a page can be used: once, in its time, if its subject still waits. */
export function decidePage(page: {
  readonly usedAt: Date | null;
  readonly endsAt: Date;
  /** Under the same digest. */
  readonly waits: boolean;
  readonly now: Date;
}): PageDecision {
  if (page.usedAt !== null) return { kind: "shut", reason: "This link was used. See the issue." };
  if (isOver(page.endsAt.getTime(), page.now.getTime()))
    return { kind: "shut", reason: "This link has expired. Comment on the issue again." };
  return page.waits ? { kind: "open" } : { kind: "shut", reason: "What this link was for is not open any more." };
}

export type KeyDecision =
  | { readonly kind: "confirmed" | "prove" }
  | { readonly kind: "refuse"; readonly reason: string };

/** Only another person's comment, with a key of their own, puts a new key in force. */
export function decideKey(question: {
  readonly key: KeyStanding & { readonly personId: number };
  readonly by: number;
  readonly presence: PasskeyStanding;
}): KeyDecision {
  const { key, by, presence } = question;
  if (key.revokedAt !== null) return { kind: "refuse", reason: "this passkey was revoked" };
  if (key.inForceAt !== null) return { kind: "refuse", reason: "this passkey is in force already" };
  if (key.personId === by) return { kind: "refuse", reason: "another approver must confirm your passkey" };
  if (presence.hasKey !== true) return { kind: "refuse", reason: "you need a passkey of your own to confirm one" };
  return { kind: presence.proved === true ? "confirmed" : "prove" };
}
