import { loadTemplate } from "../../base/template.ts";
import { duration } from "../../github/render/ink.ts";
import type { Action } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { threadOf } from "../thread/show.ts";

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

/** A run that asks now, as of when it does. */
export interface Late {
  readonly run: Run;
  readonly due: Date;
}

/**
 * A new comment about a command that asks what to do with it, since an edit of its card notifies nobody (AR-12): at its first
 * soft limit, and each time that a `/wait` is over, for which somebody asked. Of its other servers the card alone tells.
 */
export async function sayOverdue(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  incident: Incident,
  asked: { readonly action: Action; readonly late: readonly Late[]; readonly isFirst: boolean; readonly now: Date },
): Promise<void> {
  const { action, isFirst, now } = asked;
  const late = asked.late.filter(({ run }) => isFirst || run.waitUntil !== null);
  const [first] = late;
  if (!first) return;
  const ranMs = Math.max(...late.map(({ run: { startedAt } }) => now.getTime() - (startedAt ?? now).getTime()));
  const body = overdue({
    number: String(action.number),
    where: late.map(({ run }) => markdown.code(run.server)).join(", "),
    elapsed: duration(ranMs),
  });
  const slot = slots.softLimit(action.number, first.run.waitUntil);
  await wantComments(tx, threadOf(incident), [{ slot, body }]);
}
