import { duration } from "../github/render/ink.ts";
import { runsWords } from "../github/render/state.ts";
import { actionsOf } from "../store/actions.ts";
import type { Tx } from "../store/database.ts";
import { type Incident, sessionOf } from "../store/incidents.ts";
import { wantComments } from "../store/outbox.ts";
import { outputOf } from "../store/outputs.ts";
import { type Batch, type Run, runsOfBatch } from "../store/runs.ts";
import { slots } from "../store/slots.ts";
import { wentWell } from "../types.ts";
import { threadOf } from "./show.ts";
import type { World } from "./world.ts";

/** A shorter one is seen by whoever has just approved it. */
const longMs = 60_000;

/**
 * One new comment with a line for each command of a batch of which an edit of its card would tell nobody (PRODUCT.md): what took long
 * or did not go well, where no turn of the agent follows to tell of it, and in any case what is UNKNOWN or was withheld (RR-22).
 */
export async function tellUnread(
  tx: Tx,
  { ink }: Pick<World, "ink">,
  incident: Incident,
  { batch, read }: { readonly batch: Batch; readonly read: boolean },
): Promise<void> {
  const session = await sessionOf(tx, incident.id);
  const isRead = read && session.steps < session.stepLimit;
  const byAction = Map.groupBy(await runsOfBatch(tx, batch.id), ({ actionId }) => actionId);
  const actions = await actionsOf(tx, incident.id);
  const lines: string[] = [];
  for (const [actionId, runs] of byAction) {
    const action = actions.find(({ id }) => id === actionId);
    if (!action) continue;
    const { number, spec } = action;
    const withheld = (await Promise.all(runs.map(({ id }) => outputOf(tx, id)))).flatMap((one) => one?.withheld ?? []);
    const isUnknown = runs.some(({ ending }) => ending?.kind === "unknown");
    if (!isUnknown && withheld.length === 0 && (isRead || !runs.some(isWorthALine))) continue;
    const tookMs = Math.max(...runs.map(({ durationMs }) => durationMs ?? 0));
    const notes = [
      ...(isUnknown
        ? [`Nobody knows whether it ran to its end: look at the server, then \`/retry ${number}\` proposes it anew.`]
        : []),
      ...new Set(withheld.map((reason) => `Its output is withheld: ${ink.plain(reason)}.`)),
    ];
    const head = `**${number}** on ${ink.code(spec.place)} has ended: ${runsWords(runs, ink)}${tookMs > 0 ? ` · ${duration(tookMs)}` : ""} · \`/output ${number}\``;
    lines.push([head, ...notes].join(" · "));
  }
  if (lines.length === 0) return;
  await wantComments(tx, threadOf(incident), [{ slot: slots.unread(batch.id), body: lines.join("\n\n") }]);
}

const isWorthALine = (run: Run): boolean =>
  run.ending !== null && (!wentWell(run) || run.trouble !== null || (run.durationMs ?? 0) > longMs);
