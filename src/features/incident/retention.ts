import { type Clock, every } from "../../base/clock.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { removeOld } from "../../store/database/retention.ts";
import type { Deps } from "../context.ts";

const everyMs = 24 * 3_600_000;
const lookMs = 60_000;
/** How long the inbox recognizes a repeated delivery (RR-02). GitHub redelivers for three days. */
const inboxMs = 30 * 24 * 3_600_000;

type RetentionDeps = Pick<Deps, "store" | "log" | "now"> & {
  readonly config: { readonly retention: Pick<Deps["config"]["retention"], "outputsMs"> };
};

/** Removes overdue rows at the start and daily, once GitHub has told the time: a clock a month ahead makes today's rows look old. */
export function keepRetention(deps: RetentionDeps & { readonly clock: Pick<Clock, "isTold"> }): {
  readonly stop: () => Promise<void>;
} {
  const failed = (error: unknown) => deps.log.warn({ module: "store", event: "retention_late", err: error });
  let nextAt = 0;
  const look = async (): Promise<void> => {
    if (!deps.clock.isTold() || performance.now() < nextAt) return;
    await removeOverdue(deps);
    nextAt = performance.now() + everyMs;
  };
  return every(lookMs, look, failed);
}

/** Removes overdue rows and audits how many. Never shortens the audit. */
export async function removeOverdue(deps: RetentionDeps): Promise<void> {
  const now = deps.now().getTime();
  const { outputsMs } = deps.config.retention;
  const days = Number((outputsMs / 86_400_000).toFixed(1));
  const removed = await removeOld(deps.store, {
    outputsBefore: new Date(now - outputsMs),
    deliveriesBefore: new Date(now - inboxMs),
    why: `it was kept for ${days} days and then removed (retention.outputs)`,
  });
  if (removed.outputs + removed.deliveries === 0) return;
  deps.log.info({ module: "store", event: "old_removed", ...removed });
  if (removed.outputs > 0)
    await deps.store.transaction((tx) => appendAudit(tx, { kind: "outputs_removed", body: { ...removed, days } }));
}
