import { peopleNeeded } from "../../approval/need.ts";
import { isStricter, type Risk, stricter } from "../../base/risk.ts";
import type { Server } from "../../base/server.ts";
import type { RepoPolicy } from "../../config/repo.ts";
import type { Evaluate } from "../../risk/evaluate.ts";
import type { PastRun } from "../../runbooks/next-step.ts";
import { offlineReading } from "../../runbooks/offline.ts";
import type { Runbooks } from "../turn/runbooks.ts";
import type { IncidentRecord } from "./record.ts";

/** A repository at one commit: its runbooks, and the rules with its own file in them. */
export interface ReplayBasis {
  readonly runbooks: Pick<Runbooks, "skills" | "workflows">;
  readonly rules: Pick<RepoPolicy, "servers" | "policy">;
  readonly evaluate: Evaluate;
}

/** A command that the bot would come to propose. */
export interface ReplayedStep {
  readonly command: string;
  readonly place: string;
  readonly isAct: boolean;
  readonly risk: Risk;
  /** How many people must approve it; infinity where nobody can. */
  readonly people: number;
}

export interface ReplayOutcome {
  /** The runbook that it follows, where one fits for certain. */
  readonly runbook: string | undefined;
  readonly steps: readonly ReplayedStep[];
}

/** A runbook that never ends is followed so far. */
const maxTurns = 12;

/**
 * What the bot proposes for an incident without a model: the runbook's checks, then each act as a person asks for it, as if all went
 * well and nothing was seen. Pure; the same input gives the same outcome.
 */
export function replayIncident(incident: IncidentRecord, basis: ReplayBasis): ReplayOutcome {
  const { runbooks, rules } = basis;
  const runs: PastRun[] = [];
  const steps = new Map<string, ReplayedStep>();
  let runbook: string | undefined;
  for (let turn = 0; turn < maxTurns; turn++) {
    const reading = offlineReading({
      ...runbooks,
      incident,
      servers: rules.servers,
      values: incident.values,
      serverNamed: rules.servers.some(({ name }) => name === incident.server) ? incident.server : undefined,
      runs,
      following: runbook,
      asked: turn === 0 ? undefined : "act",
      reason: "no-model",
      readsOnly: (command, name) => membersOf(rules, name).every((server) => riskOn(basis, command, server) === "low"),
    });
    // Several that might fit are only listed.
    if (turn === 0)
      runbook =
        reading.runbooks.length === 1 && reading.confidence === "LIKELY" ? reading.runbooks[0]?.label : undefined;
    const fresh = reading.proposals.filter(({ command }) => !steps.has(command));
    if (fresh.length === 0) break;
    for (const { command, server, risk } of fresh) {
      steps.set(command, { command, place: server, isAct: risk !== undefined, ...judged(basis, command, server) });
      runs.push({ command, output: "", ending: { kind: "exited", code: 0 } });
    }
  }
  return { runbook, steps: [...steps.values()] };
}

const membersOf = ({ servers }: ReplayBasis["rules"], place: string): readonly Server[] =>
  servers.filter(({ name, groups }) => name === place || groups.includes(place));

const riskOn = ({ evaluate }: ReplayBasis, command: string, server: Server): Risk =>
  evaluate(command, { ...server, os: server.os === "windows" ? "windows" : "linux" }).risk;

function judged(basis: ReplayBasis, command: string, place: string): Pick<ReplayedStep, "risk" | "people"> {
  const members = membersOf(basis.rules, place);
  const risk = members.map((server) => riskOn(basis, command, server)).reduce(stricter, "low");
  const isOver = members.some(({ maxRisk }) => isStricter(maxRisk, risk));
  const people = peopleNeeded({ risk, servers: members.map(({ name }) => name) }, basis.rules.policy);
  return { risk, people: isOver ? Number.POSITIVE_INFINITY : people };
}
