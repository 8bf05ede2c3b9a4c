import { isDeepStrictEqual } from "node:util";
import { checksIn } from "../../base/action.ts";
import type { Reading } from "../../base/agent.ts";
import { type OfflineInput, offlineReading, type Reason } from "../../runbooks/offline.ts";
import { serverNamedBy } from "../../runbooks/target.ts";
import type { Action } from "../../store/actions.ts";
import type { Deps } from "../context.ts";
import { isLiveAction } from "../proposal/same-action.ts";
import type { AgentTurn } from "./turn-message.ts";
import { toolSummary } from "./turn-tools.ts";

/** Reads an incident by its runbooks alone (OFF-1). With `ofModel`, the model's commands, adds only follow-ups. */
export function readOffline(deps: Deps, turn: AgentTurn, reason: Reason, ofModel?: readonly string[]): Reading {
  const { incident, rows, repoContext, runbooks, runs, cause, values } = turn;
  const followed = rows.turns.findLast(({ offline }) => offline)?.runbooks ?? [];
  const stateOf = (action: Action) =>
    isLiveAction(deps, repoContext, action) ? "open" : action.state === "rejected" ? "rejected" : "ended";
  const proposed = rows.actions.flatMap((action) =>
    checksIn(action.spec).map(({ command }): NonNullable<OfflineInput["proposed"]>[number] => ({
      command,
      place: action.spec.place,
      by: action.origin === "person" ? "person" : "agent",
      state: stateOf(action),
    })),
  );
  // Runbooks are written for shells; they mean a source only if there are none.
  const shells = repoContext.rules.servers.filter(({ source }) => !source);
  const servers = shells.length > 0 ? shells : repoContext.rules.servers;
  return offlineReading({
    skills: runbooks.skills,
    workflows: runbooks.workflows,
    incident: { title: incident.title, body: incident.body },
    servers: servers.map(toolSummary),
    values,
    serverNamed: serverNamedBy(values, servers),
    runs,
    proposed,
    // None of several candidates was followed.
    following: followed.length === 1 ? followed[0]?.label : undefined,
    asked: cause.kind === "asked" && ofModel === undefined ? cause.text : undefined,
    again: cause.kind === "investigated",
    ofModel,
    reason,
    unread: incident.public,
    readsOnly: (command, name) => {
      const server = servers.find((candidate) => candidate.name === name);
      const os = server?.os === "windows" ? "windows" : "linux";
      return server !== undefined && deps.evaluate(command, { ...server, os }).risk === "low";
    },
  });
}

/** Whether a new card would only repeat the newest one. */
export function isSaidAlready({ rows, cause }: Pick<AgentTurn, "rows" | "cause">, reading: Reading): boolean {
  const newest = rows.turns.at(-1);
  if (cause.kind !== "batch-ended" || !newest?.offline || rows.lease || reading.proposals.length > 0) return false;
  return isDeepStrictEqual(wordsOf(newest), wordsOf(reading));
}

const wordsOf = (said: Pick<Reading, "prose" | "suggestions" | "notes" | "runbooks">): readonly unknown[] => [
  said.prose,
  said.suggestions,
  said.notes,
  said.runbooks.map(({ label }) => label),
];

/** If the model fails: the runbooks' checks before any run, or their answer to a person; otherwise nothing changes. */
export function readWithoutModel(
  { rows, session, runs, cause }: AgentTurn,
  { reading, why }: { readonly reading: Reading; readonly why: string },
): Reading {
  const failed = `The model did not answer: ${why}.`;
  const again = "To try again: `/ask`";
  const { phase: _phase, confidence: _confidence, ...words } = reading;
  const answer = { ...(session.steps === 0 ? reading : words), notes: [`${failed} ${again}`, ...reading.notes] };
  if (runs.length === 0 || (cause.kind === "asked" && reading.proposals.length > 0)) return answer;
  const suggestions = rows.turns.at(-1)?.suggestions ?? [];
  return {
    prose: "",
    proposals: [],
    suggestions,
    runbooks: [],
    notes: [`${failed} Nothing else has changed. ${again}`],
  };
}
