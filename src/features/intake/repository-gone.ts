import type { RepositoryEvent } from "../../github/events.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { becomePublic, lockIncident, openIncidents } from "../../store/incidents.ts";
import { leaveInstallation } from "../../store/pins.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { voidOpen } from "../incident/withdraw.ts";
import { endLease } from "../proposal/lease.ts";
import { show } from "../thread/show.ts";

/** Voids open commands and ends leases, because approvals were given for another place (SR-11, SR-12). */
export async function endForRepositoryGone(deps: Deps, job: Job, event: RepositoryEvent): Promise<void> {
  const { installationId, repoIds } = event;
  if (event.public) await becomePublic(deps.store.db, repoIds ?? []);
  const incidents = await openIncidents(deps.store.db, { installationId, repoIds });
  for (const repo of new Set(incidents.map((incident) => incident.repo))) deps.context.drop(repo);
  for (const { id } of incidents) {
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, id);
      await voidOpen(tx, incident, event.what);
      await endLease(tx, incident, event.what);
      // If GitHub accepts no more edits, the cards still run nothing.
      if (event.reachable) await show(tx, deps, incident);
    });
  }
  await deps.store.transaction(async (tx) => {
    if (event.uninstalled) await leaveInstallation(tx, installationId);
    const by = { id: event.sender.id, login: event.sender.login };
    await appendAudit(tx, {
      kind: "ground_lost",
      body: { what: event.what, installationId, repoIds: repoIds ?? "all", by, incidents: incidents.length },
    });
    await job.settle(tx);
  });
}
