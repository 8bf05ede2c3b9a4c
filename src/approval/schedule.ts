/**
 * Schedules (WF-2): whether a workflow may run with nobody there. Pure; asked when it is due and again just before each of its
 * commands is sent. Whatever is not said counts against it.
 */

import type { Risk } from "../base/risk.ts";
import { quorum, type RiskPolicy } from "./need.ts";

/** What the operator allows: this very content of that workflow, on these servers and groups. */
export interface ScheduleEntry {
  readonly repo: string;
  readonly workflow: string;
  readonly servers: readonly string[];
  readonly sha256: string;
}

export type Allowance =
  | { readonly kind: "allowed"; readonly places: readonly string[] }
  /** It was, with other content: suspended until it is allowed again. */
  | { readonly kind: "changed" }
  | { readonly kind: "never" };

/** What the operator says of a workflow's schedule as the file reads now. */
export function allowanceOf(
  entries: readonly ScheduleEntry[],
  workflow: { readonly repo: string; readonly name: string; readonly sha256: string },
): Allowance {
  const own = entries.filter((entry) => isFor(entry, workflow));
  if (own.length === 0) return { kind: "never" };
  const exact = own.filter(({ sha256 }) => sha256.toLowerCase() === workflow.sha256);
  return exact.length === 0
    ? { kind: "changed" }
    : { kind: "allowed", places: exact.flatMap(({ servers }) => servers) };
}

/** Whether an entry of the operator's is about this workflow, whatever its content. */
const isFor = ({ repo, workflow }: ScheduleEntry, named: { readonly repo: string; readonly name: string }): boolean =>
  repo.toLowerCase() === named.repo.toLowerCase() && workflow === named.name;

export interface ScheduleStanding {
  readonly allowance: Allowance;
  readonly low: Pick<RiskPolicy, "approvals" | "reason" | "restateServer">;
  readonly executes: boolean;
  /** As GitHub says now. */
  readonly repository: { readonly same: boolean; readonly public: boolean };
  /** The issue where its runs are shown. */
  readonly record: { readonly open: boolean };
  /** The kill switch or a hold, in words. */
  readonly stopped: string | undefined;
}

export type ScheduleDecision = { readonly kind: "go" } | { readonly kind: "no"; readonly reason: string };

const no = (reason: string): ScheduleDecision => ({ kind: "no", reason });
const go: ScheduleDecision = { kind: "go" };

/** Whether it may run here at all, now. */
export function decideSchedule(standing: ScheduleStanding): ScheduleDecision {
  const { allowance, low, executes, repository, record, stopped } = standing;
  if (!executes) return no("this bot only proposes (execution.enabled: false)");
  if (allowance.kind === "changed") return no("its file is not the one that the operator allowed (schedules.allowed)");
  if (allowance.kind !== "allowed") return no("the operator does not allow it (schedules.allowed)");
  if (allowance.places.length === 0) return no("the operator allows it on no server (schedules.allowed)");
  if (repository.public !== false) return no("nothing runs by a schedule in a public repository");
  if (repository.same !== true) return no("the repository is not the one it was allowed for");
  if (record.open !== true) return no("the issue that shows its runs is closed; reopen it to let it go on");
  if (stopped !== undefined) return no(stopped);
  if (quorum(low.approvals) !== 1) return no(`low risk takes ${low.approvals} approvals here`);
  if (low.reason === "required" || low.restateServer === true)
    return no("low risk wants a reason or the server named with each approval here");
  return go;
}

export type StepDecision =
  | { readonly kind: "go" }
  /** Not for a schedule: left out, and the others go on. */
  | { readonly kind: "skip"; readonly reason: string }
  /** Something is not as the operator allowed it: nothing more runs. */
  | { readonly kind: "no"; readonly reason: string };

/** Whether one of its steps may: low risk, as made and as judged again now, on servers that the operator named for it alone. */
export function decideScheduledStep(
  step: {
    readonly risk: Risk;
    readonly riskNow: Risk;
    /** Why it is left to people, as judged now; nothing where it is not. */
    readonly attended: string | undefined;
    readonly servers: readonly string[];
  },
  allowed: readonly string[],
): StepDecision {
  const { risk, riskNow, attended, servers } = step;
  const strange = servers.find((server) => !allowed.includes(server));
  if (servers.length === 0 || strange !== undefined)
    return { kind: "no", reason: `the operator does not allow it on ${strange ?? "any server"} (schedules.allowed)` };
  if (risk !== "low" || riskNow !== "low")
    return { kind: "skip", reason: `its risk is ${risk === "low" ? riskNow : risk}, and only low runs by a schedule` };
  if (attended !== undefined) return { kind: "skip", reason: `it is left to people: ${attended}` };
  return { kind: "go" };
}
