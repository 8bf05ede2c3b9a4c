import { type Action, approvalsOfAction } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import { type Incident, lockIncident, openIncidents } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { show } from "../thread/show.ts";
import { enqueueTurn } from "../turn/turn.ts";
import type { Cause } from "../turn/turn-message.ts";
import { mayRunOn, standingIn } from "./hold.ts";
import { reopen } from "./reopen.ts";
import { isOpen } from "./void.ts";

/**
 * What follows when a hold was lifted: what had been approved is open again without its approvals (their numbers are returned),
 * the batches that waited end at once, and the agent makes up for the turn that it was not let take. Another hold that still
 * stands keeps all of that back.
 */
export async function afterLift(tx: Tx, deps: Deps, incident: Incident): Promise<readonly number[]> {
  const isHeld = (await holdsOn(tx, incident)).some(isStanding);
  const reopened = isHeld ? [] : await takeBack(tx, deps, incident);
  if (!isHeld && incident.state === "open") {
    await deps.store.queue.hasten(tx, "turn", incident.id);
    const cause = missedTurn(await partsOf(tx, incident.id, "actions", "batches", "runs", "turns"));
    if (cause) await enqueueTurn(tx, deps, incident, cause);
  }
  await show(tx, deps, incident);
  return reopened;
}

async function takeBack(tx: Tx, deps: Deps, incident: Incident): Promise<readonly number[]> {
  const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "halts", "holds");
  const standing = await standingIn(deps, incident, rows);
  // Where this is done once more, people may have approved since.
  const isOfBefore = ({ id }: Action): boolean =>
    approvalsOfAction(rows.approvals, { id }).some(
      ({ commentId, createdAt: keptAt }) => mayRunOn(standing, [{ commentId, keptAt }]).kind !== "yes",
    );
  const before = rows.actions.filter((action) => isOpen(action) && isOfBefore(action));
  const reopened = await reopen(tx, before, "it was approved before a hold was lifted");
  if (rows.batches.some(({ endedAt }) => endedAt === null)) await deps.store.queue.hasten(tx, "execute", incident.id);
  return reopened;
}

/** Why the agent would have taken a turn while it was held: results that it has not read, or the incident itself. */
function missedTurn({
  actions,
  batches,
  runs,
  turns,
}: RowsWith<"actions" | "batches" | "runs" | "turns">): Cause | undefined {
  const last = turns.at(-1);
  // A batch that has not ended brings its turn itself.
  const ended = new Set(batches.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id));
  const unread = runs.filter(
    ({ endedAt, batchId }) => endedAt !== null && ended.has(batchId) && (!last || endedAt > last.createdAt),
  );
  const numbers = actions
    .filter(({ id }) => unread.some(({ actionId }) => actionId === id))
    .map(({ number }) => number);
  if (numbers.length > 0) return { kind: "batch-ended", numbers };
  return last ? undefined : { kind: "opened" };
}

/** The same for the other incidents of a repository, once its hold was lifted. */
export const liftRepository = (deps: Deps, from: Incident): Promise<void> =>
  eachOther(deps, from, async (tx, incident) => {
    await afterLift(tx, deps, incident);
  });

/** Has the boards of a repository's other incidents say that it is held. */
export const redrawRepository = (deps: Deps, from: Incident): Promise<void> =>
  eachOther(deps, from, (tx, incident) => show(tx, deps, incident));

/** One transaction each: none waits for another's commands. */
async function eachOther(
  deps: Deps,
  { id: own, repoId }: Incident,
  work: (tx: Tx, incident: Incident) => Promise<void>,
): Promise<void> {
  const others = (await openIncidents(deps.store.db, { repoIds: [repoId] })).filter(({ id }) => id !== own);
  for (const { id } of others) await deps.store.transaction(async (tx) => work(tx, await lockIncident(tx, id)));
}
