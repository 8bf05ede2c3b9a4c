import * as z from "zod";
import { peopleNeeded } from "../../approval/need.ts";
import { policyFor } from "../../approval/place.ts";
import { isStricter, type Risk, risks, stricter } from "../../base/risk.ts";
import { allShells, type Server } from "../../base/server.ts";
import type { RepoPolicy } from "../../config/repo.ts";
import type { Evaluate } from "../../risk/evaluate.ts";
import type { PastRun } from "../../runbooks/next-step.ts";
import { offlineReading } from "../../runbooks/offline.ts";
import type { Runbooks } from "../turn/runbooks.ts";

/** A repository at a commit: its runbooks and narrowed rules. */
export interface ReplayBasis {
  readonly runbooks: Pick<Runbooks, "skills" | "workflows">;
  readonly rules: Pick<RepoPolicy, "servers" | "policy">;
  readonly evaluate: Evaluate;
}

interface ReplayedStep {
  readonly command: string;
  readonly place: string;
  readonly isAct: boolean;
  readonly risk: Risk;
  /** The needed approvals; infinity if impossible. */
  readonly people: number;
}

interface ReplayOutcome {
  /** The surely fitting one. */
  readonly runbook: string | undefined;
  readonly steps: readonly ReplayedStep[];
}

/** For runbooks that never end. */
const maxTurns = 12;

/** Replays an incident without a model: the runbook's checks, then each act as if requested, all successful and without output. */
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
    // Several candidates are only listed.
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
  // Of runbooks' own demands and of hours a replay knows nothing.
  const places = members.map(({ name, groups, cluster }) => ({ name, groups, isCluster: cluster !== undefined }));
  const policy = policyFor(basis.rules.policy, { places }, new Date(0));
  const isOver = [policy, ...members].some(({ maxRisk }) => isStricter(maxRisk, risk));
  const people = peopleNeeded({ risk, servers: members.map(({ name }) => name) }, policy);
  return { risk, people: isOver ? Number.POSITIVE_INFINITY : people };
}

export interface RunbookChange {
  /** Undefined if none fits before the change. */
  readonly runbook: string | undefined;
  readonly incidents: number;
  /** Grouped by difference. */
  readonly changed: readonly { readonly incidents: readonly number[]; readonly says: string }[];
}

interface ReplayedIncident {
  readonly incident: Pick<IncidentRecord, "number" | "helped">;
  readonly before: ReplayOutcome;
  readonly after: ReplayOutcome;
}

/** Compares outcomes by runbook; omits those without differences. */
export function compareOutcomes(replayed: readonly ReplayedIncident[]): readonly RunbookChange[] {
  return [...Map.groupBy(replayed, ({ before }) => before.runbook)].flatMap(([runbook, all]) => {
    const different = all.flatMap((one) => {
      const says = differencesOf(one).join(", ");
      return says === "" ? [] : [{ number: one.incident.number, says }];
    });
    const changed = [...Map.groupBy(different, ({ says }) => says)].map(([says, ones]) => ({
      incidents: ones.map(({ number }) => number),
      says,
    }));
    return changed.length === 0 ? [] : [{ runbook, incidents: all.length, changed }];
  });
}

function differencesOf({ incident, before, after }: ReplayedIncident): readonly string[] {
  if (before.runbook !== after.runbook)
    return [`${before.runbook ?? "no runbook"} → ${after.runbook ?? "no runbook"}${levelOf(after)}`];
  const now = new Map(after.steps.map((step) => [step.command, step]));
  const then = new Set(before.steps.map(({ command }) => command));
  return [
    ...before.steps.flatMap((step) => {
      const { command, place, risk, people, isAct } = step;
      const later = now.get(command);
      if (!later)
        return [
          `${kindOf(step)} no longer proposed${incident.helped.includes(command) ? ", which helped then" : ""}${quoted(step)}`,
        ];
      return [
        ...(later.isAct === isAct ? [] : [`${kindOf(step)} is now an ${kindOf(later)}${quoted(later)}`]),
        ...(later.place === place ? [] : [`runs on ${later.place}, not ${place}${quoted(later)}`]),
        ...(later.risk === risk ? [] : [`${risk} → ${later.risk}${quoted(later)}`]),
        ...(later.people === people ? [] : [`${peopleWords(people)} → ${peopleWords(later.people)}${quoted(later)}`]),
      ];
    }),
    ...after.steps.flatMap((step) =>
      then.has(step.command) ? [] : [`${kindOf(step)} is new${quoted(step)}${levelOf({ steps: [step] })}`],
    ),
  ];
}

const kindOf = ({ isAct }: Pick<ReplayedStep, "isAct">): string => (isAct ? "act" : "check");

const peopleWords = (people: number): string =>
  people === Number.POSITIVE_INFINITY ? "cannot run" : people === 1 ? "1 approval" : `${people} approvals`;

const maxQuoted = 60;
const quoted = ({ command }: Pick<ReplayedStep, "command">): string => {
  const line = command.replace(/\s+/g, " ");
  return ` (\`${line.length > maxQuoted ? `${line.slice(0, maxQuoted - 1)}…` : line}\`)`;
};

const levelOf = ({ steps }: Pick<ReplayOutcome, "steps">): string => {
  const worst = (["block", "high", "medium"] as const).find((level) => steps.some(({ risk }) => risk === level));
  return worst === undefined ? "" : ` (${worst.toUpperCase()})`;
};

/** The lines of `countersign export --incidents`: JSON, servers first. */

const name = z.string().max(200);

/** No address, user or key (PA-8). */
const serverRecordSchema = z.strictObject({
  name,
  os: z.enum(["linux", "windows", "auto"]),
  shell: z.enum(allShells),
  env: name.optional(),
  groups: z.array(name).max(100),
  maxRisk: z.enum(risks),
  protectedPaths: z.array(z.string()).max(1_000),
  criticalServices: z.array(name).max(1_000).optional(),
});
export type ServerRecord = z.output<typeof serverRecordSchema>;

/** A closed incident as opened, and what helped. */
export const incidentRecordSchema = z.strictObject({
  number: z.int().positive(),
  title: z.string().max(1_000),
  body: z.string().max(70_000),
  values: z
    .array(z.strictObject({ source: z.enum(["alert", "form", "person"]), name, value: z.string().max(2_000) }))
    .max(200),
  /** As an alert's `instance` or `node` names it. */
  server: name.optional(),
  /** Commands that ended a fault, in order. */
  helped: z.array(z.string().max(4_000)).max(200),
});
export type IncidentRecord = z.output<typeof incidentRecordSchema>;

export const recordSchema = z.union([
  z.strictObject({ repo: name, servers: z.array(serverRecordSchema).max(10_000) }),
  incidentRecordSchema,
]);
