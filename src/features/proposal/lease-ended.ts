import type { Tx } from "../../store/database/open.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { leaseOf, leasesOver } from "../../store/leases.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Deps, RepoContext } from "../context.ts";
import { show, threadOf } from "../thread/show.ts";
import { endLease, leaseStandingOf } from "./lease.ts";

/** Ends a lease that nobody ended by `/lease off`, and posts a comment about it: from now on people have to decide. */
export async function endLeaseAloud(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  incident: Incident,
  why: string,
): Promise<void> {
  const lease = await leaseOf(tx, incident.id);
  if (!lease || !(await endLease(tx, incident, why))) return;
  const ran = `${lease.used} of ${lease.maxCommands} commands ran`;
  const body = `🤖 **The lease has ended**: ${markdown.plain(why)}; ${ran}. Every command waits for an \`/approve\` again. A new lease: \`/lease 15m web-1\`, or \`/auto on\`.`;
  await wantComments(tx, threadOf(incident), [{ slot: slots.leaseEnded(lease.commentId), body }]);
}

/** Ends a lease if its time or count is over, or a hold or a failure came since. Does nothing if it goes on or is off for now. */
export async function endLeaseIfOver(
  tx: Tx,
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  incident: Incident,
): Promise<void> {
  const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
  if (standing.kind === "off" && standing.isOver) await endLeaseAloud(tx, deps, incident, standing.reason);
}

/** Ends leases whose time is over, so that no board offers one that lets nothing run; what fails on one keeps no other waiting. */
export async function endLeasesOver(deps: Deps): Promise<void> {
  for (const incidentId of await leasesOver(deps.store.db, deps.now())) {
    const ended = deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      await endLeaseAloud(tx, deps, incident, "its time is over");
      await show(tx, deps, incident);
    });
    await ended.catch((error) => deps.log.warn({ module: "store", event: "expiry_late", incidentId, err: error }));
  }
}
