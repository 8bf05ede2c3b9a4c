import { type OfflineInput, offlineReading, type Reason } from "../runbooks/offline.ts";
import { type Action, actionsOf } from "../store/actions.ts";
import { turnsOf } from "../store/turns.ts";
import type { Reading } from "../types.ts";
import { isUnderWay } from "./same-action.ts";
import type { TurnInput } from "./turn-input.ts";
import { summaryOf } from "./turn-tools.ts";
import type { World } from "./world.ts";

/** Reads an incident by its runbooks alone (OFF-1), as far as it has come; beside the model it is asked for follow-ups only. */
export async function readOffline(world: World, input: TurnInput, reason: Reason | "model-spoke"): Promise<Reading> {
  const { incident, ground, runbooks, runs, cause } = input;
  const { db } = world.store;
  const isModels = reason === "model-spoke";
  const followed = (await turnsOf(db, incident.id)).findLast(({ offline }) => offline)?.runbooks ?? [];
  const stateOf = (action: Action) =>
    isUnderWay(world, ground, action) ? "open" : action.state === "rejected" ? "rejected" : "ended";
  const proposed = (await actionsOf(db, incident.id)).map((action): NonNullable<OfflineInput["proposed"]>[number] => ({
    command: action.spec.command,
    place: action.spec.place,
    by: action.origin === "person" ? "person" : "agent",
    state: stateOf(action),
  }));
  return offlineReading({
    skills: runbooks.skills,
    workflows: runbooks.workflows,
    incident: { title: incident.title, body: incident.body },
    servers: ground.rules.servers.map(summaryOf),
    runs,
    proposed,
    // Of several that might fit none was followed.
    following: followed.length === 1 ? followed[0]?.label : undefined,
    asked: cause.kind === "asked" && !isModels ? cause.text : undefined,
    again: cause.kind === "investigated",
    isModels,
    reason: isModels ? "no-model" : reason,
    unread: incident.public,
    readsOnly: (command, name) => {
      const server = ground.rules.servers.find((candidate) => candidate.name === name);
      const os = server?.os === "windows" ? "windows" : "linux";
      return server !== undefined && world.evaluate(command, { ...server, os }).risk === "low";
    },
  });
}
