/**
 * Agent mode (AR-03): whether a step of low risk may go without an `/approve` of its own. Pure; asked when a step is proposed
 * and again just before it is sent. Whatever is not said counts against it.
 */
import type { Risk } from "../base/risk.ts";
import { quorum, type RiskPolicy } from "./need.ts";

/** Where it may be on at all. */
export interface AutoPlace {
  /** The operator's switch, narrowed by the repository: the servers on which it may run. Empty means none. */
  readonly servers: readonly string[];
  readonly low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">;
  readonly executes: boolean;
  readonly incident: { readonly open: boolean; readonly public: boolean };
  /** The kill switch or a hold, in words. */
  readonly stopped: string | undefined;
}

/** What has become of it since it was switched on. */
export interface AutoProgress {
  /** Why it was switched off, where it was. */
  readonly off: string | undefined;
  /** Switched on after the last hold or halt was lifted. */
  readonly fresh: boolean;
  /** Turns taken since. */
  readonly steps: number;
  readonly maxSteps: number;
  /** The number of a command that has not gone well since. */
  readonly failed: number | undefined;
}

export interface AutoStep {
  readonly origin: "model" | "offline" | "person";
  /** As approved, and as judged again now. */
  readonly risk: Risk;
  readonly riskNow: Risk;
  /** Why it is left to people, as judged now; nothing where it is not. */
  readonly attended: string | undefined;
  readonly servers: readonly string[];
}

export type AutoDecision = { readonly kind: "go" } | { readonly kind: "no"; readonly reason: string };

const no = (reason: string): AutoDecision => ({ kind: "no", reason });
const go: AutoDecision = { kind: "go" };

/** Whether agent mode may be on here. */
export function decidePlace({ servers, low, executes, incident, stopped }: AutoPlace): AutoDecision {
  if (!executes) return no("this bot only proposes (execution.enabled: false)");
  if (servers.length === 0) return no("the operator allows it on no server of this repository (policy.auto)");
  if (incident.public !== false) return no("it is never on in a public repository");
  if (incident.open !== true) return no("the incident is closed");
  if (stopped !== undefined) return no(stopped);
  if (quorum(low.approvals) !== 1) return no(`low risk takes ${low.approvals} approvals here`);
  if (low.reason === "required" || low.restateServer === true)
    return no("low risk wants a reason or the server named with each approval here");
  return go;
}

/** Whether it is still on. */
export function decideProgress({ off, fresh, steps, maxSteps, failed }: AutoProgress): AutoDecision {
  if (off !== undefined) return no(off);
  if (fresh !== true) return no("it was stopped by a hold or a halt");
  if (failed !== undefined) return no(`${failed} did not go well`);
  if (!(steps <= maxSteps)) return no(`its ${maxSteps} steps are used up`);
  return go;
}

/** Where a step may go: on servers that are allowed now, and that were when the person who switched it on read their names. */
export interface AutoServers {
  readonly allowed: readonly string[];
  readonly consented: readonly string[];
}

/** Whether this one step may go. */
export function decideStep(
  { origin, risk, riskNow, attended, servers }: AutoStep,
  { allowed, consented }: AutoServers,
): AutoDecision {
  if (origin !== "model" && origin !== "offline") return no("a person wrote it");
  if (risk !== "low" || riskNow !== "low") return no("it is not low risk");
  if (attended !== undefined) return no(attended);
  const strange = servers.find((server) => !allowed.includes(server));
  if (servers.length === 0 || strange !== undefined) return no("it is not allowed on every server of it");
  const added = servers.find((server) => !consented.includes(server));
  if (added !== undefined) return no(`${added} was added since it was switched on; /auto on again includes it`);
  return go;
}
