import { duration } from "../github/render/ink.ts";
import type { Action } from "../store/actions.ts";
import type { Tx } from "../store/database.ts";
import type { Incident } from "../store/incidents.ts";
import { wantComments } from "../store/outbox.ts";
import type { Run } from "../store/runs.ts";
import { slots } from "../store/slots.ts";
import { loadTemplate } from "../template.ts";
import { threadOf } from "./show.ts";
import type { World } from "./world.ts";

const overdue = loadTemplate("comments/soft-limit.md");

/** When a run asks next what to do with it: at its soft limit, or when `/wait` is over. Nothing where it has asked. Pure. */
export function asksAt(
  { startedAt, askedAt, waitUntil }: Pick<Run, "startedAt" | "askedAt" | "waitUntil">,
  softTimeoutMs: number,
): Date | undefined {
  if (startedAt === null) return undefined;
  const at = waitUntil ?? new Date(startedAt.getTime() + softTimeoutMs);
  return askedAt !== null && askedAt.getTime() >= at.getTime() ? undefined : at;
}

/**
 * The one new comment about a command that reached its soft limit (AR-12): an edit of its card notifies nobody. Later reminders,
 * and those of its other servers, are edits.
 */
export async function sayOverdue(
  tx: Tx,
  { ink }: Pick<World, "ink">,
  incident: Incident,
  late: { readonly action: Action; readonly servers: readonly string[]; readonly ranMs: number },
): Promise<void> {
  const { action, servers, ranMs } = late;
  const body = overdue({
    number: String(action.number),
    where: servers.map(ink.code).join(", "),
    elapsed: duration(ranMs),
  });
  await wantComments(tx, threadOf(incident), [{ slot: slots.softLimit(action.number), body }]);
}
