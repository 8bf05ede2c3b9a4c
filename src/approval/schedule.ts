/**
 * Whether a scheduled workflow may run unattended (WF-2). Pure. Decided when due, and again before sending. A missing fact counts against
 * it.
 */

import type { LeaseStep } from "./lease.ts";
import { type RiskPolicy, whyLowWaits } from "./need.ts";

export interface ScheduleEntry {
  readonly repo: string;
  readonly workflow: string;
  readonly servers: readonly string[];
  readonly sha256: string;
}

export type Allowance =
  | { readonly kind: "allowed"; readonly places: readonly string[] }
  /** Allowed with other content; suspended until allowed again. */
  | { readonly kind: "changed" }
  | { readonly kind: "never" };

/** Whether the operator allows a workflow's schedule as its file reads now. */
export function allowanceOf(
  entries: readonly ScheduleEntry[],
  workflow: { readonly repo: string; readonly name: string; readonly sha256: string },
): Allowance {
  const own = entries.filter(
    (entry) => entry.repo.toLowerCase() === workflow.repo.toLowerCase() && entry.workflow === workflow.name,
  );
  if (own.length === 0) return { kind: "never" };
  const exact = own.filter(({ sha256 }) => sha256.toLowerCase() === workflow.sha256);
  return exact.length === 0
    ? { kind: "changed" }
    : { kind: "allowed", places: exact.flatMap(({ servers }) => servers) };
}

export interface ScheduleStanding {
  readonly allowance: Allowance;
  readonly low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">;
  readonly executes: boolean;
  /** As GitHub says now. */
  readonly repository: { readonly same: boolean; readonly public: boolean };
  /** The issue that shows its runs. */
  readonly record: { readonly open: boolean };
  readonly stopped: string | undefined;
}

export type ScheduleDecision = { readonly kind: "go" } | { readonly kind: "no"; readonly reason: string };

const no = (reason: string): ScheduleDecision => ({ kind: "no", reason });
const go: ScheduleDecision = { kind: "go" };

/** Whether a scheduled workflow may run now. */
export function decideSchedule(standing: ScheduleStanding): ScheduleDecision {
  const { allowance, low, executes, repository, record, stopped } = standing;
  if (!executes) return no("this bot only proposes (execution.enabled: false)");
  if (allowance.kind === "changed") return no("its file is not the one that the operator allowed (schedules.allowed)");
  if (allowance.kind !== "allowed") return no("the operator does not allow it (schedules.allowed)");
  if (allowance.places.length === 0) return no("the operator allows none on any server (schedules.allowed)");
  if (repository.public !== false) return no("nothing runs by a schedule in a public repository");
  if (repository.same !== true) return no("the repository is not the one it was allowed for");
  if (record.open !== true) return no("the issue that shows its runs is closed; reopen it to let it go on");
  if (stopped !== undefined) return no(stopped);
  const waits = whyLowWaits(low);
  return waits === undefined ? go : no(waits);
}

export type StepDecision =
  | { readonly kind: "go" }
  /** The other steps go on. */
  | { readonly kind: "skip"; readonly reason: string }
  /** Nothing more runs. */
  | { readonly kind: "no"; readonly reason: string };

/** Low risk, as made and as judged now, on servers that the operator named. */
export function decideScheduledStep(
  { risk, riskNow, attended, servers }: Omit<LeaseStep, "origin">,
  allowed: readonly string[],
): StepDecision {
  const strange = servers.find((server) => !allowed.includes(server));
  if (servers.length === 0 || strange !== undefined)
    return { kind: "no", reason: `the operator does not allow it on ${strange ?? "any server"} (schedules.allowed)` };
  if (risk !== "low" || riskNow !== "low")
    return { kind: "skip", reason: `its risk is ${risk === "low" ? riskNow : risk}, and only low runs by a schedule` };
  if (attended !== undefined) return { kind: "skip", reason: `it is left to people: ${attended}` };
  return { kind: "go" };
}
