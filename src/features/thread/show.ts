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
 * Has the incident's board, cards and run cards drawn anew from the rows, as they are when the poster comes to write them (`draw.ts`):
 * whoever changes rows calls this in the same transaction, so nothing on the issue differs for long from what the store holds.
 * `doing` is what the board says is going on until the next change.
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

/** The same of what is drawn with a change that follows at once: the poster is not woken for both. */
export const showLater = (tx: Tx, incident: Pick<Incident, "id">): Promise<void> => markChanged(tx, incident.id, "");

/** Tells the poster that an issue has something to post. */
export async function wakePoster(
  tx: Tx,
  deps: Pick<Deps, "store">,
  place: { readonly repo: string; readonly number: number },
): Promise<void> {
  const thread = { repo: place.repo, issue: place.number };
  await deps.store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: place.repo });
}

/** Wakes the poster for each issue with changes to draw, in case their job was lost: to a process that ended, or an older version. */
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
