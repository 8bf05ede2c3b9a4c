import { type Clock, every } from "../../base/clock.ts";
import { renderReminder } from "../../github/render/card.ts";
import { moveAction, openProposals, overdueActions } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { removeOld } from "../../store/database/retention.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentIn } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { policyInForce } from "../proposal/in-force.ts";
import { endLeasesOver } from "../proposal/lease.ts";
import { show, threadOf, wakePoster, wakeUndrawn } from "../thread/show.ts";
import { hintOf, viewsOf } from "../thread/views.ts";
import { mayRun } from "./hold.ts";

const everyMs = 30_000;

/** Keeps expiring proposals and leases, and wakes the poster for undrawn threads. */
export function keepExpiring(deps: Deps): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) => deps.log.warn({ module: "store", event: "expiry_late", err: error });
  const sweep = async (): Promise<void> => {
    await wakeUndrawn(deps).catch(failed);
    await expireOverdue(deps);
    await endLeasesOver(deps);
    await remindOfExpiry(deps);
  };
  return every(everyMs, sweep, failed, { first: "later" });
}

/** Expires overdue proposals. Logs an incident's error and continues. */
export async function expireOverdue(deps: Deps): Promise<void> {
  const overdue = await overdueActions(deps.store.db, deps.now());
  for (const [incidentId, actions] of Map.groupBy(overdue, (action) => action.incidentId)) {
    const expired = deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      for (const action of actions) {
        if (!(await moveAction(tx, action, { from: "proposed", to: "expired" }))) continue;
        const body = { number: action.number, digest: action.digest };
        await appendAudit(tx, { kind: "command_expired", incidentId, body });
      }
      await show(tx, deps, incident);
    });
    await expired.catch((error) => deps.log.warn({ module: "store", event: "expiry_late", incidentId, err: error }));
  }
}

const aheadMs = 10 * 60_000;

/** Reminds the team once of medium- and high-risk actions that expire within ten minutes, unless that is their whole time. */
export async function remindOfExpiry(deps: Deps): Promise<void> {
  if (!deps.config.execution.enabled) return;
  const now = deps.now();
  const until = new Date(now.getTime() + aheadMs);
  const open = await openProposals(deps.store.db, { after: now, until });
  const urgent = open.filter(
    ({ spec, createdAt, expiresAt }) => spec.risk !== "low" && expiresAt.getTime() - createdAt.getTime() > aheadMs,
  );
  const together = Map.groupBy(urgent, ({ incidentId, expiresAt }) => `${incidentId} ${expiresAt.getTime()}`);
  for (const [{ incidentId, expiresAt }] of together.values() as Iterable<[(typeof urgent)[number]]>) {
    try {
      const slot = slots.reminder(expiresAt);
      const repoContext = await loadRepoContext(deps, await incidentOf(deps.store.db, incidentId));
      await deps.store.transaction(async (tx) => {
        const incident = await lockIncident(tx, incidentId);
        if (incident.state !== "open" || (await mayRun(deps, tx, incident)).kind !== "yes") return;
        if (await commentIn(tx, incidentId, slot)) return;
        const due = (await viewsOf(tx, incidentId)).filter(
          (view) =>
            view.state === "proposed" &&
            view.spec.risk !== "low" &&
            view.expiresAt.getTime() === expiresAt.getTime() &&
            // Outside its hours no one can decide.
            !policyInForce(repoContext, view, now).shut,
        );
        if (due.length === 0) return;
        const body = renderReminder(due, expiresAt, hintOf(deps, repoContext), deps.markdown);
        await wantComments(tx, threadOf(incident), [{ slot, body }]);
        await wakePoster(tx, deps, incident);
      });
    } catch (error) {
      deps.log.warn({ module: "store", event: "reminder_late", incidentId, err: error });
    }
  }
}

const sweepEveryMs = 24 * 3_600_000;
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
    nextAt = performance.now() + sweepEveryMs;
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
