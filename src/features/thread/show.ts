import type { Tx } from "../../store/database/open.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
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

/** Marks a change without waking the poster, because another follows at once. */
export const showLater = (tx: Tx, incident: Pick<Incident, "id">): Promise<void> => markChanged(tx, incident.id, "");

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

interface StatusLine {
  /** A newer one replaces it. Never throws. */
  readonly say: (doing: string) => void;
  /** The final board must come last. */
  readonly settled: () => Promise<void>;
}

/** The board's status line (S15.6, OP-5). Its failures must not fail a turn. */
export function createStatusLine(deps: Deps, incidentId: string): StatusLine {
  let next: string | undefined;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const doing = next;
    if (doing === undefined) return;
    next = undefined;
    try {
      await deps.store.transaction(async (tx) => show(tx, deps, await lockIncident(tx, incidentId), doing));
    } catch (error) {
      deps.log.warn({ module: "agent", event: "status_lost", err: error });
    }
  };
  return {
    say: (doing) => {
      next = doing;
      writing = writing.then(write);
    },
    settled: () => writing,
  };
}
