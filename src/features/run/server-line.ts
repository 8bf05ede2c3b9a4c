import { clock } from "../../github/render/ink.ts";
import type { Action } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import { type LinePredecessor, stillBefore } from "../../store/server-line.ts";
import type { Deps } from "../context.ts";
import { mayRun } from "../incident/hold.ts";

/** `web-1 is busy with 3 since 14:02Z`; of another repository no more than that. */
export function busyWords(
  { server, number, incidentId, repoId, issue, since }: LinePredecessor,
  incident: Incident,
): string {
  const other = repoId === incident.repoId ? `${number} of issue ${issue}` : "a command of another repository";
  return `${server} is busy with ${incidentId === incident.id ? number : other}, in line since ${clock(since)}`;
}

/** What only reads shares a server; what changes something has it to itself, and waits in line for that. */
export const sharesServers = ({ spec }: Action): boolean => spec.risk === "low";

/**
 * What an action that stands in line waits for. Whoever is not yet at the front has nothing to ask GitHub; one that is held is not kept
 * by the line.
 */
export async function stillBusy(deps: Deps, action: Action, incident: Incident): Promise<string | undefined> {
  if (sharesServers(action)) return undefined;
  const before = await deps.store.transaction(async (tx) =>
    (await mayRun(deps, tx, incident)).kind === "yes" ? stillBefore(tx, action) : undefined,
  );
  return before && busyWords(before, incident);
}
