import { type Action, approvalsOfAction, timesOf } from "../../store/actions.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import { auditRows } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { isStanding } from "../../store/holds.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type Incident, lockIncident, openIncidents } from "../../store/incidents.ts";
import { isTurnDue } from "../../store/queue/table.ts";
import { messagesOf } from "../../store/turns.ts";
import type { Deps } from "../context.ts";
import { show } from "../thread/show.ts";
import { readUpTo } from "../turn/changes.ts";
import { enqueueTurn } from "../turn/turn.ts";
import type { Cause } from "../turn/turn-message.ts";
import { mayRunOn, standingIn } from "./hold.ts";
import { isOpen, reopen } from "./withdraw.ts";

/**
 * Continues an incident unless another hold stands: withdraws earlier approvals (returns their actions' numbers), ends waiting batches,
 * starts the missed turn.
 */
export async function afterLift(tx: Tx, deps: Deps, incident: Incident): Promise<readonly number[]> {
  const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "halts", "holds");
  if (rows.holds.some(isStanding)) {
    await show(tx, deps, incident);
    return [];
  }
  const standing = await standingIn(deps, incident, rows);
  // This repeats after an error on another incident; later approvals stay.
  const wasApprovedBefore = ({ id }: Action): boolean =>
    approvalsOfAction(rows.approvals, { id }).some(
      (approval) => mayRunOn(standing, [timesOf(approval)]).kind !== "yes",
    );
  const before = rows.actions.filter((action) => isOpen(action) && wasApprovedBefore(action));
  const reopened = await reopen(tx, before, "it was approved before a hold was lifted");
  if (rows.batches.some(({ endedAt }) => endedAt === null)) await deps.store.queue.hasten(tx, "execute", incident.id);
  if (incident.state === "open") {
    await deps.store.queue.hasten(tx, "turn", incident.id);
    const cause = await missedTurn(tx, incident);
    if (cause && !(await isTurnDue(tx, incident.id, cause))) await enqueueTurn(tx, deps, incident, cause);
  }
  await show(tx, deps, incident);
  return reopened;
}

async function missedTurn(tx: Tx, incident: Incident): Promise<Cause | undefined> {
  const parts = ["actions", "batches", "runs", "turns", "session"] as const;
  const { actions, batches, runs, turns, session } = await partsOf(tx, incident.id, ...parts);
  // Only a turn that a batch caused reads results, and only those that existed when it began.
  const reader = turns.findLast(({ cause }) => cause === "batch-ended");
  const last = turns.at(-1);
  const endedLate = new Set<number | undefined>();
  if (reader && last && !last.offline) {
    const from = readUpTo(await messagesOf(tx, session.id), last.createdAt);
    for await (const rows of auditRows(tx, { incidentId: incident.id, ...from }))
      for (const event of rows.map(readEvent))
        if (event.kind === "command_executed" || event.kind === "command_unknown") endedLate.add(factsOf(event).number);
  }
  // A batch that has not ended causes its turn itself.
  const ended = new Set(batches.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id));
  const unread = runs.filter(({ endedAt, batchId }) => endedAt !== null && ended.has(batchId));
  const numbers = actions
    .filter(({ id, number }) =>
      unread.some(
        ({ actionId, endedAt }) =>
          actionId === id && (!reader || (endedAt && endedAt > reader.createdAt) || endedLate.has(number)),
      ),
    )
    .map(({ number }) => number);
  if (numbers.length > 0) return { kind: "batch-ended", numbers };
  if (turns.length === 0) return { kind: "opened" };
  // The first turn left its place to a batch that was held.
  return session.steps === 0 && batches.some(({ commentId }) => commentId === null)
    ? { kind: "batch-ended", numbers }
    : undefined;
}

/** Changes the repository's other open incidents, in one transaction each, so that none waits for another's commands. */
export async function changeOthers(
  deps: Deps,
  { id: own, repoId }: Incident,
  work: (tx: Tx, incident: Incident) => Promise<unknown>,
): Promise<void> {
  const others = (await openIncidents(deps.store.db, { repoIds: [repoId] })).filter(({ id }) => id !== own);
  for (const { id } of others) await deps.store.transaction(async (tx) => work(tx, await lockIncident(tx, id)));
}
