import {
  decidePlace,
  decideProgress,
  decideStep,
  decideTerms,
  type LeaseDecision,
  type LeasePlace,
} from "../../approval/lease.ts";
import { serversIn } from "../../base/action.ts";
import type { LeaseWord } from "../../slash/arguments.ts";
import { type Action, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Lease, leaseOf, stopLease } from "../../store/leases.ts";
import { addBatch, type Batch, failedSince, runsOfAction } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type IncidentStanding, isSaidSince, standingOf } from "../incident/hold.ts";
import { riskNowOf, whyAttendedNow } from "./draft.ts";
import { enqueueBatch } from "./enqueue-batch.ts";
import { standBefore } from "./list-order.ts";
import { inListOrder } from "./order-now.ts";
import { targetServersOf } from "./target-servers.ts";

/** A lease on an incident as it stands at this moment (AR-03). */
export type LeaseStanding =
  | { readonly kind: "on"; readonly lease: Lease }
  /** `isOver`: it is not to be on again by itself, and nobody has recorded that yet. */
  | { readonly kind: "off"; readonly reason: string; readonly isOver?: boolean };

type Rules = Pick<RepoContext, "rules">;

/** What decides whether a lease may be on here: the operator's and the repository's rules, what is stopped, and the issue. */
export const leasePlaceOf = (
  { config }: Pick<Deps, "config">,
  { rules }: Rules,
  { incident, standing }: { readonly incident: Incident; readonly standing: IncidentStanding },
): LeasePlace => ({
  caps: rules.lease,
  low: rules.policy.low,
  executes: config.execution.enabled,
  incident: { open: incident.state === "open", public: incident.public },
  stopped: standing.kind === "stopped" ? standing.words : undefined,
});

/** What the words of a lease's comment give here and now; asked when it is given, and of GitHub's own text before each sending. */
export function leaseTermsOf(
  { rules }: Rules,
  word: Extract<LeaseWord, { kind: "on" }>,
): ReturnType<typeof decideTerms> {
  const placed = word.places === undefined ? undefined : targetServersOf(rules.servers, word.places);
  if (placed !== undefined && placed.kind !== "placed")
    return { kind: "no", reason: "it names a server or group that is not of this repository" };
  return decideTerms({ ...word, servers: placed?.servers.map(({ name }) => name) }, rules.lease);
}

/** Reads all that a lease depends on again, as it is now. `cost`: how many commands are wanted. */
export async function leaseStandingOf(
  deps: Deps,
  db: Db | Tx,
  repoContext: Rules,
  { incident, cost = 1 }: { readonly incident: Incident; readonly cost?: number },
): Promise<LeaseStanding> {
  const lease = await leaseOf(db, incident.id);
  if (!lease) return { kind: "off", reason: "nobody has given one" };
  const standing = await standingOf(deps, db, incident);
  const place = decidePlace(leasePlaceOf(deps, repoContext, { incident, standing }));
  if (place.kind === "no") return { kind: "off", reason: place.reason };
  const progress = decideProgress({
    off: lease.offAt === null ? undefined : (lease.offWhy ?? "it was ended"),
    fresh: standing.kind === "free" && isSaidSince(standing, { commentId: lease.commentId, keptAt: lease.onAt }),
    endsAt: lease.endsAt.getTime(),
    seenAt: lease.seenAt.getTime(),
    now: deps.now().getTime(),
    used: lease.used,
    maxCommands: lease.maxCommands,
    cost,
    failed: await failedSince(db, incident.id, lease.onAt),
  });
  return progress.kind === "no"
    ? { kind: "off", reason: progress.reason, isOver: lease.offAt === null }
    : { kind: "on", lease };
}

/** How many commands of a lease an action takes: one for each run that it begins. */
export const leaseCostOf = ({ spec }: { readonly spec: { readonly targets: readonly unknown[] } }): number =>
  spec.targets.length;

/** A lease and how many more commands of it an action wants: none once they are taken, as it goes on from server to server. */
export interface LeasedBy {
  readonly lease: Lease;
  readonly cost: number;
}

export async function leasedBy(db: Db | Tx, action: Action): Promise<LeasedBy | undefined> {
  const lease = await leaseOf(db, action.incidentId);
  const isTaken = (await runsOfAction(db, action.id)).length > 0;
  return lease && { lease, cost: isTaken ? 0 : leaseCostOf(action) };
}

/** Whether the lease lets this action go: on here and now, and the action low, judged again, on its servers alone. */
export async function leaseDecisionOn(
  deps: Deps,
  db: Db | Tx,
  repoContext: Rules,
  {
    incident,
    action,
    leased,
  }: { readonly incident: Incident; readonly action: Action; readonly leased: LeasedBy | undefined },
): Promise<LeaseDecision> {
  const standing = await leaseStandingOf(deps, db, repoContext, { incident, ...(leased && { cost: leased.cost }) });
  return standing.kind === "off"
    ? { kind: "no", reason: standing.reason }
    : stepOf(deps, repoContext, standing.lease, action);
}

function stepOf(deps: Deps, { rules }: Rules, lease: Lease, { origin, spec }: Action): LeaseDecision {
  const names = serversIn(spec.targets);
  const servers = rules.servers.filter(({ name }) => names.includes(name));
  // A server that is no longer there judges nothing, so nothing runs on it.
  const riskNow = servers.length === names.length ? riskNowOf(deps, servers, spec) : "block";
  const attended = whyAttendedNow(deps, servers, spec);
  return decideStep(
    { origin, risk: spec.risk, riskNow, attended, servers: names },
    { allowed: rules.lease.servers, consented: lease.servers },
  );
}

/**
 * Sends off those of these actions that the lease lets go: each gets the approval of who gave it, bound to its digest and to that
 * comment, and all of them one batch. They are checked again, as every approval is, before they are sent
 * (SR-24). Returns undefined if it sends nothing. The caller holds the incident's lock and draws.
 */
export async function startLeased(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, actions }: { readonly incident: Incident; readonly actions: readonly Action[] },
): Promise<Batch | undefined> {
  const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
  if (standing.kind === "off") return undefined;
  const { lease } = standing;
  const person = { id: lease.personId, login: lease.login };
  const comment = { id: lease.commentId, nodeId: lease.commentNodeId, sha256: lease.commentSha256 };
  const rows = await partsOf(tx, incident.id, "actions", "approvals", "runs");
  const listed = inListOrder(deps, repoContext, rows);
  let left = lease.maxCommands - lease.used - waitingCost(rows, lease);
  const going: number[] = [];
  for (const action of actions) {
    if (action.state !== "proposed" || stepOf(deps, repoContext, lease, action).kind === "no") continue;
    const cost = leaseCostOf(action);
    if (cost > left) continue;
    // What stands behind a change of its list waits until that is decided on.
    if (standBefore(action, listed).some(({ is }) => is === "open")) continue;
    if (!(await moveAction(tx, action, { from: "proposed", to: "approved" }))) continue;
    left -= cost;
    const reason = "lease";
    await addApproval(tx, action, { verdict: "approve", via: "agent-mode", person, role: lease.role, comment, reason });
    await appendAudit(tx, {
      kind: "command_approved",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        via: "agent-mode",
        by: { ...person, role: lease.role },
        comment,
        reason,
        have: 1,
        need: 1,
      },
    });
    going.push(action.number);
  }
  if (going.length === 0) return undefined;
  const batch = await addBatch(tx, {
    incidentId: incident.id,
    commentId: null,
    person,
    numbers: going,
    keepGoing: false,
  });
  await enqueueBatch(tx, deps, incident, batch);
  return batch;
}

/** What was approved under a lease and is not claimed yet: it takes its count when it is. */
function waitingCost({ actions, approvals }: RowsWith<"actions" | "approvals">, { commentId }: Lease): number {
  const leased = approvals.filter((one) => one.via === "agent-mode" && one.commentId === commentId);
  const waiting = actions.filter(({ id, state }) => state === "approved" && leased.some((one) => one.actionId === id));
  return waiting.reduce((sum, action) => sum + leaseCostOf(action), 0);
}

/** Ends the lease on an incident, once, and records why. */
export async function endLease(
  tx: Tx,
  incident: Pick<Incident, "id">,
  why: string,
  by?: { readonly id: number; readonly login: string; readonly commentId: number },
): Promise<boolean> {
  const ended = await stopLease(tx, incident.id, why);
  if (!ended) return false;
  const { personId, login, commentId } = ended;
  await appendAudit(tx, {
    kind: "agent_mode_off",
    incidentId: incident.id,
    body: { why, ...(by ? { by } : {}), switchedOnBy: { id: personId, login, commentId } },
  });
  return true;
}
