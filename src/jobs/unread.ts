import { duration } from "../github/render/ink.ts";
import { runsWords } from "../github/render/state.ts";
import { actionsOf } from "../store/actions.ts";
import type { Tx } from "../store/database.ts";
import { type Incident, sessionOf } from "../store/incidents.ts";
import { wantComments } from "../store/outbox.ts";
import { type Batch, type Run, runsOfBatch } from "../store/runs.ts";
import { slots } from "../store/slots.ts";
import { wentWell } from "../types.ts";
import { threadOf } from "./show.ts";
import type { World } from "./world.ts";

/** A shorter one is seen by whoever has just approved it. */
const longMs = 60_000;

/**
 * One new comment with a line for each command of a batch that took long or did not go well, where no turn of the agent follows
 * to tell of it: an edit of its card notifies nobody (PRODUCT.md).
 */
export async function tellUnread(
  tx: Tx,
  { ink }: Pick<World, "ink">,
  incident: Incident,
  { batch, read }: { readonly batch: Batch; readonly read: boolean },
): Promise<void> {
  const session = await sessionOf(tx, incident.id);
  if (read && session.steps < session.stepLimit) return;
  const byAction = Map.groupBy(await runsOfBatch(tx, batch.id), ({ actionId }) => actionId);
  const actions = await actionsOf(tx, incident.id);
  const lines = [...byAction].flatMap(([actionId, runs]) => {
    const action = actions.find(({ id }) => id === actionId);
    if (!action || !runs.some(isWorthALine)) return [];
    const tookMs = Math.max(...runs.map(({ durationMs }) => durationMs ?? 0));
    return [
      `**${action.number}** on ${ink.code(action.spec.place)} has ended: ${runsWords(runs)}${tookMs > 0 ? ` · ${duration(tookMs)}` : ""} · \`/output ${action.number}\``,
    ];
  });
  if (lines.length === 0) return;
  await wantComments(tx, threadOf(incident), [{ slot: slots.unread(batch.id), body: lines.join("\n\n") }]);
}

const isWorthALine = (run: Run): boolean => run.ending !== null && (!wentWell(run) || (run.durationMs ?? 0) > longMs);
