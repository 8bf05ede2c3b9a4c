import { every } from "../../base/every.ts";
import { type Action, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { lockIncident } from "../../store/incidents.ts";
import { overdueActions } from "../../store/open-actions.ts";
import type { Deps } from "../context.ts";
import { endLeasesOver } from "../proposal/lease.ts";
import { show, wakeUndrawn } from "../thread/show.ts";
import { remindOfExpiry } from "./remind.ts";

const everyMs = 30_000;

/**
 * Marks proposals as expired when their time is over, so that cards and board do not offer what can no longer be approved, and
 * reminds the team of those whose time is nearly over; ends leases by their time. What else is still to be drawn is seen to on the way.
 */
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

/** One sweep over all incidents; what fails on one keeps no other waiting. */
export async function expireOverdue(deps: Deps): Promise<void> {
  const overdue = await overdueActions(deps.store.db, deps.now());
  for (const [incidentId, actions] of Map.groupBy(overdue, (action) => action.incidentId)) {
    await expire(deps, incidentId, actions).catch((error) =>
      deps.log.warn({ module: "store", event: "expiry_late", incidentId, err: error }),
    );
  }
}

async function expire(
  deps: Deps,
  incidentId: string,
  actions: readonly Pick<Action, "id" | "number" | "digest">[],
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, incidentId);
    for (const action of actions) {
      if (!(await moveAction(tx, action, { from: "proposed", to: "expired" }))) continue;
      const body = { number: action.number, digest: action.digest };
      await appendAudit(tx, { kind: "command_expired", incidentId, body });
    }
    await show(tx, deps, incident);
  });
}
