/**
 * Leases (AR-03): whether an agent's read may run without its own `/approve`. Pure. Decided for the lease, each proposed step, and again
 * before sending. A missing fact counts against it.
 */

import type { LeaseCaps, Risk } from "../base/risk.ts";
import { counted } from "../base/words.ts";
import { isOver, type RiskPolicy, whyLowWaits } from "./need.ts";

export interface LeasePlace {
  readonly caps: LeaseCaps;
  readonly low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">;
  readonly executes: boolean;
  readonly incident: { readonly open: boolean; readonly public: boolean };
  readonly stopped: string | undefined;
}

/** Gaps mean the operator's maximum. */
export interface LeaseWish {
  readonly timeMs?: number | undefined;
  readonly servers?: readonly string[] | undefined;
  readonly commands?: number | undefined;
}

export interface LeaseTerms {
  readonly timeMs: number;
  readonly servers: readonly string[];
  readonly commands: number;
}

/** Times in ms. */
export interface LeaseProgress {
  readonly off: string | undefined;
  /** Of an opening lease: the operator's file is the one that gave it. */
  readonly unchanged: boolean;
  /** Given after the last hold or halt was lifted. */
  readonly fresh: boolean;
  readonly endsAt: number;
  /** When anything last ran under it. */
  readonly seenAt: number;
  readonly now: number;
  readonly used: number;
  readonly maxCommands: number;
  readonly cost: number;
  /** Proposals in which policy found more risk than the agent did. */
  readonly raised: number;
}

export interface LeaseStep {
  readonly origin: "model" | "offline" | "person";
  readonly risk: Risk;
  readonly riskNow: Risk;
  /** Why it is left to people, as judged now. */
  readonly attended: string | undefined;
  readonly servers: readonly string[];
}

export type LeaseDecision = { readonly kind: "go" } | { readonly kind: "no"; readonly reason: string };

const no = (reason: string) => ({ kind: "no", reason }) as const;
const go: LeaseDecision = { kind: "go" };

/** So many proposals that policy finds riskier than the agent did end a lease; each single one is left to people. */
const mostRaised = 3;

/** A lease ends if a clock is set back further, in ms; an NTP step is less. */
export const clockBackMs = 5_000;

/** Whether an incident can have a lease. */
export function decidePlace({ caps, low, executes, incident, stopped }: LeasePlace): LeaseDecision {
  if (!executes) return no("this bot only proposes (execution.enabled: false)");
  if (caps.servers.length === 0) return no("the operator allows none on this repository's servers (policy.lease)");
  if (incident.public !== false) return no("it is never on in a public repository");
  if (incident.open !== true) return no("the incident is closed");
  if (stopped !== undefined) return no(stopped);
  const waits = whyLowWaits(low);
  return waits === undefined ? go : no(waits);
}

/** Refuses more than the operator allows whole, never cuts it. */
export function decideTerms(
  wish: LeaseWish,
  caps: LeaseCaps,
): { readonly kind: "terms"; readonly terms: LeaseTerms } | { readonly kind: "no"; readonly reason: string } {
  const { timeMs = caps.maxTimeMs, servers = caps.servers, commands = caps.maxCommands } = wish;
  if (!(timeMs > 0 && timeMs <= caps.maxTimeMs))
    return no(`the operator allows ${Math.floor(caps.maxTimeMs / 60_000)} min at most`);
  if (!(Number.isInteger(commands) && commands > 0 && commands <= caps.maxCommands))
    return no(`the operator allows ${counted(caps.maxCommands, "command")} at most`);
  const strange = servers.find((server) => !caps.servers.includes(server));
  if (strange !== undefined) return no(`the operator does not allow it on ${strange}`);
  return servers.length === 0 ? no("it names no server") : { kind: "terms", terms: { timeMs, servers, commands } };
}

/** Whether a lease is still on. */
export function decideProgress(at: LeaseProgress): LeaseDecision {
  const { off, unchanged, fresh, endsAt, seenAt, now, used, maxCommands, cost, raised } = at;
  if (off !== undefined) return no(off);
  if (unchanged !== true) return no("the operator's file, which gave it, has changed");
  if (fresh !== true) return no("it was stopped by a hold or a halt");
  if (!(raised < mostRaised)) return no(`policy finds more risk in ${mostRaised} proposals than the agent did`);
  if (isOver(endsAt, now)) return no("its time is over");
  if (!(now >= seenAt - clockBackMs)) return no("the clock was set back");
  if (!(used + cost <= maxCommands))
    return no(
      used < maxCommands
        ? `it has ${counted(maxCommands - used, "command")} left`
        : `its ${maxCommands} commands are used up`,
    );
  return go;
}

/** The servers allowed now, and those that the lease's giver read. */
export interface LeaseReach {
  readonly allowed: readonly string[];
  readonly consented: readonly string[];
}

/** Whether one step may run under a lease. */
export function decideStep(
  { origin, risk, riskNow, attended, servers }: LeaseStep,
  { allowed, consented }: LeaseReach,
): LeaseDecision {
  if (origin !== "model" && origin !== "offline") return no("a person wrote it");
  if (risk !== "low" || riskNow !== "low") return no("it is not low risk");
  if (attended !== undefined) return no(attended);
  const strange = servers.find((server) => !allowed.includes(server));
  if (servers.length === 0 || strange !== undefined) return no("it is not allowed on every server of it");
  const added = servers.find((server) => !consented.includes(server));
  if (added !== undefined) return no(`the lease does not name ${added}`);
  return go;
}
