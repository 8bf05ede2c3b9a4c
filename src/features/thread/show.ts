import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { markChanged, type Thread, threadKey, undrawnThreads } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";

export const threadOf = (incident: Incident): Thread => ({
  installationId: incident.installationId,
  repo: incident.repo,
  issue: incident.number,
  incidentId: incident.id,
});

/**
 * Marks the incident as changed, for the poster to draw (`draw-thread.ts`). Call it in the transaction that changes the rows. Until the
 * next change the board says `doing`.
 */
export async function show(
  tx: Tx,
  deps: Pick<Deps, "store">,
  incident: Pick<Incident, "id" | "repo" | "number">,
  doing = "",
): Promise<void> {
  await markChanged(tx, incident.id, doing);
  await wakePoster(tx, deps, incident);
}

export async function wakePoster(
  tx: Tx,
  deps: Pick<Deps, "store">,
  place: { readonly repo: string; readonly number: number },
): Promise<void> {
  const thread = { repo: place.repo, issue: place.number };
  await deps.store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: place.repo });
}

/** Wakes the poster for undrawn issues, if their job was lost. */
export async function wakeUndrawn(deps: Pick<Deps, "store">): Promise<void> {
  const undrawn = await undrawnThreads(deps.store.db);
  if (undrawn.length === 0) return;
  const jobs = undrawn.map(({ repo, number: issue }) => ({
    key: threadKey({ repo, issue }),
    share: repo,
    data: { repo, issue },
  }));
  await deps.store.transaction((tx) => deps.store.queue.enqueueMissing(tx, "post", jobs));
}
