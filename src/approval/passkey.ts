/** Passkeys (PK-01): when an approval needs one, and what its page and the confirmation of a key decide. Pure; unknown counts as no. */

import type { Risk } from "../base/risk.ts";
import { type ApprovalPolicy, isOver, levelOf } from "./need.ts";

/** Whether each approval of the action takes a passkey. A read never does. */
export function needsPasskey(
  action: { readonly risk: Risk; readonly servers: readonly string[] },
  policy: Pick<ApprovalPolicy, "manyServers" | "passkey">,
): boolean {
  const level = levelOf(action, policy);
  if (policy.passkey === undefined || policy.passkey === "none" || level === "low") return false;
  return policy.passkey !== "high" || level !== "medium";
}

/** What proves a person's presence behind one comment. */
export interface PasskeyStanding {
  /** Whether a key of theirs is in force. */
  readonly hasKey: boolean;
  /** Whether the store has an assertion of such a key for this very comment and action, and its signature is right. */
  readonly proved: boolean;
}

interface KeyStanding {
  readonly inForceAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Whether a key counts. */
export const isInForce = ({ inForceAt, revokedAt }: KeyStanding): boolean => inForceAt !== null && revokedAt === null;

export type PageDecision = { readonly kind: "open" } | { readonly kind: "shut"; readonly reason: string };

/** Whether a page can still be used: once, in its time, and only if its subject still waits. */
export function decidePage(page: {
  readonly usedAt: Date | null;
  readonly endsAt: Date;
  /** Whether its subject still waits under the same digest. */
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

/** Decides whether a comment puts a new key in force: only another person's comment does, with a key of their own. */
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
