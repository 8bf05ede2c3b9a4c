import {
  decidePlace,
  decideProgress,
  decideStep,
  decideTerms,
  type LeaseDecision,
  type LeasePlace,
} from "../../approval/lease.ts";
import { serversIn } from "../../base/action.ts";
import type { LeaseCaps } from "../../base/risk.ts";
import type { LeaseWord } from "../../slash/grammar.ts";
import { type Action, type ActionDraft, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { openPartsOf, type RowsWith } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { type Lease, leaseOf, leasesOver, stopLease } from "../../store/leases.ts";
import { releaseChecks } from "../../store/outbox/results.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { addBatch, type Batch, runsOfAction } from "../../store/runs.ts";
import { type Deps, type RepoContext, rulesAlone } from "../context.ts";
import { type IncidentStanding, isSaidSince, standingOf } from "../incident/hold.ts";
import { show, threadOf } from "../thread/post.ts";
import { riskNowOf, targetServersOf, whyLeftToPeople, whySignerWaits } from "./in-force.ts";
import { enqueueBatch, inListOrder, standBefore } from "./list-order.ts";

/** A lease as of now (AR-03, SR-24). */
type LeaseStanding =
  | { readonly kind: "on"; readonly lease: Lease }
  /** `isOver`: for good, but not recorded yet. */
  | { readonly kind: "off"; readonly lease?: Lease; readonly reason: string; readonly isOver?: boolean };

/** What decides whether a lease may be on. */
export const leasePlaceOf = (
  { config }: Pick<Deps, "config">,
  { rules }: Pick<RepoContext, "rules">,
  {
    incident,
    standing,
    caps = rules.lease,
  }: { readonly incident: Incident; readonly standing: IncidentStanding; readonly caps?: LeaseCaps },
): LeasePlace => ({
  caps,
  low: rules.policy.low,
  executes: config.execution.enabled,
  incident: { open: incident.state === "open", public: incident.public },
  stopped: standing.kind === "stopped" ? standing.words : undefined,
});

/** An incident's first lease is the file's, every other a person's. */
const capsOf = ({ rules }: Pick<RepoContext, "rules">, { via }: Pick<Lease, "via">): LeaseCaps =>
  via === "opening" ? rules.opening : rules.lease;

/** The hash that an action of now carries in its digest, so that the opening lease may let it run. */
export const openingMark = (lease: Lease | null): string | undefined =>
  lease?.via === "opening" && lease.offAt === null ? lease.commentSha256 : undefined;

/** What a lease's words grant now; repeated with GitHub's text before each send. */
export function leaseTermsOf(
  { rules }: Pick<RepoContext, "rules">,
  word: Extract<LeaseWord, { kind: "on" }>,
): ReturnType<typeof decideTerms> {
  const placed = word.places === undefined ? undefined : targetServersOf(rules.servers, word.places);
  if (placed !== undefined && placed.kind !== "placed")
    return { kind: "no", reason: "it names a server or group that is not of this repository" };
  return decideTerms({ ...word, servers: placed?.servers.map(({ name }) => name) }, rules.lease);
}

/** Reads all that a lease depends on, for `cost` more commands. */
export async function leaseStandingOf(
  deps: Deps,
  db: Db | Tx,
  repoContext: Pick<RepoContext, "rules">,
  { incident, cost = 1 }: { readonly incident: Incident; readonly cost?: number },
): Promise<LeaseStanding> {
  const lease = await leaseOf(db, incident.id);
  if (!lease) return { kind: "off", reason: "nobody has given one" };
  const standing = await standingOf(deps, db, incident);
  const caps = capsOf(repoContext, lease);
  const place = decidePlace(leasePlaceOf(deps, repoContext, { incident, standing, caps }));
  if (place.kind === "no") return { kind: "off", lease, reason: place.reason };
  const isOpening = lease.via === "opening";
  const progress = decideProgress({
    off: lease.offAt === null ? undefined : (lease.offWhy ?? "it was ended"),
    unchanged: !isOpening || lease.commentSha256 === deps.config.fileSha256,
    fresh:
      standing.kind === "free" &&
      isSaidSince(standing, { commentId: isOpening ? lease.lastComment + 1 : lease.commentId, keptAt: lease.onAt }),
    // What the files allow now counts, as for a comment's words.
    endsAt: Math.min(lease.endsAt.getTime(), ...(isOpening ? [incident.createdAt.getTime() + caps.maxTimeMs] : [])),
    seenAt: lease.seenAt.getTime(),
    now: deps.now().getTime(),
    used: lease.used,
    maxCommands: isOpening ? Math.min(lease.maxCommands, caps.maxCommands) : lease.maxCommands,
    cost,
    raised: lease.raised,
  });
  return progress.kind === "no"
    ? { kind: "off", lease, reason: progress.reason, isOver: lease.offAt === null }
    : { kind: "on", lease };
}

/** The commands of the lease that an action takes: one for each run. */
export const leaseCostOf = ({ spec }: { readonly spec: { readonly targets: readonly unknown[] } }): number =>
  spec.targets.length;

/** `cost`: 0 once begun, because it took them all then. */
export interface LeaseUse {
  readonly lease: Lease;
  readonly cost: number;
}

/** How an action uses the lease, and whether the lease is on and the action, judged again, is low and on its servers. */
export async function leaseUseOf(
  deps: Deps,
  db: Db | Tx,
  repoContext: Pick<RepoContext, "rules">,
  { incident, action }: { readonly incident: Incident; readonly action: Action },
): Promise<{ readonly use: LeaseUse | undefined; readonly decision: LeaseDecision }> {
  const isTaken = (await runsOfAction(db, action.id)).length > 0;
  const cost = isTaken ? 0 : leaseCostOf(action);
  const standing = await leaseStandingOf(deps, db, repoContext, { incident, cost });
  const { lease } = standing;
  return {
    use: lease && { lease, cost },
    decision:
      standing.kind === "off"
        ? { kind: "no", reason: standing.reason }
        : stepOf(deps, repoContext, standing.lease, action),
  };
}

function stepOf(
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  lease: Lease,
  { origin, spec }: Pick<Action, "origin"> & Pick<ActionDraft, "spec">,
): LeaseDecision {
  const { rules } = repoContext;
  if (lease.via === "opening" && spec.opening !== lease.commentSha256)
    return { kind: "no", reason: "it was not proposed under this lease" };
  const names = serversIn(spec.targets);
  const servers = rules.servers.filter(({ name }) => names.includes(name));
  // A lost server cannot be judged, so nothing runs on it.
  const riskNow = servers.length === names.length ? riskNowOf(deps, servers, spec) : "block";
  const attended = whyLeftToPeople(deps, rules, spec);
  return decideStep(
    { origin, risk: spec.risk, riskNow, attended, servers: names },
    { allowed: capsOf(repoContext, lease).servers, consented: lease.servers },
  );
}

/** Those that the lease runs, in this order, as far as its number goes beside what it has approved and not counted yet. */
function takenIn<T extends Pick<Action, "state" | "origin"> & Pick<ActionDraft, "spec">>(
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  lease: Lease,
  list: readonly T[],
  approved: readonly T[] = [],
): readonly T[] {
  let left = lease.maxCommands - lease.used - approved.reduce((sum, one) => sum + leaseCostOf(one), 0);
  return list.filter((one) => {
    const cost = leaseCostOf(one);
    const isTaken = one.state === "proposed" && cost <= left && stepOf(deps, repoContext, lease, one).kind === "go";
    if (isTaken) left -= cost;
    return isTaken;
  });
}

/** The drafts that the lease runs once they are proposed in this order. */
export function takenByLease(
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  lease: Lease,
  drafts: readonly ActionDraft[],
): readonly ActionDraft[] {
  const opening = openingMark(lease);
  const marked = drafts.map((draft) => ({
    ...draft,
    draft,
    spec: { ...draft.spec, ...(opening !== undefined && { opening }) },
  }));
  return takenIn(deps, repoContext, lease, marked).map(({ draft }) => draft);
}

/** The open reads that wait for nobody but the changes before them: the lease runs them then. */
export function leasedBehind(
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  lease: Lease,
  rows: RowsWith<"actions" | "runs">,
): readonly Action[] {
  const listed = inListOrder(deps, repoContext, rows);
  const isBehind = (action: Action): boolean =>
    action.spec.checks === undefined && standBefore(action, listed).some(({ is }) => is === "open");
  return takenIn(deps, repoContext, lease, rows.actions.filter(isBehind));
}

/**
 * Approves the open reads that the lease covers, as one batch, or returns undefined. The approvals are the lease giver's, bound to digest and lease
 * comment, and checked again before dispatch. The caller holds the incident's lock and draws.
 */
export async function startLeased(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  incident: Incident,
): Promise<Batch | undefined> {
  const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
  if (standing.kind === "off") return undefined;
  const { lease } = standing;
  const person = { id: lease.personId, login: lease.login };
  const comment = { id: lease.commentId, nodeId: lease.commentNodeId, sha256: lease.commentSha256 };
  const rows = await openPartsOf(tx, incident.id, "actions", "approvals", "runs");
  const listed = inListOrder(deps, repoContext, rows);
  // Approved actions take their count when claimed.
  const isLeased = ({ id }: Action): boolean =>
    rows.approvals.some((one) => one.actionId === id && one.via === lease.via && one.commentId === lease.commentId);
  const approved = rows.actions.filter((action) => action.state === "approved" && isLeased(action));
  // People first decide on a change before it.
  const free = rows.actions.filter((action) => !standBefore(action, listed).some(({ is }) => is === "open"));
  const numbers: number[] = [];
  for (const action of takenIn(deps, repoContext, lease, free, approved)) {
    if (!(await moveAction(tx, action, { from: "proposed", to: "approved" }))) continue;
    const reason = "lease";
    await addApproval(tx, action, { verdict: "approve", via: lease.via, person, role: lease.role, comment, reason });
    await appendAudit(tx, {
      kind: "command_approved",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        via: lease.via,
        by: { ...person, role: lease.role },
        ...(lease.via === "opening" ? { operatorFile: comment.sha256 } : { comment }),
        reason,
        have: 1,
        need: 1,
      },
    });
    numbers.push(action.number);
  }
  if (numbers.length === 0) return undefined;
  const batch = await addBatch(tx, {
    incidentId: incident.id,
    commentId: null,
    person,
    numbers,
    // Each has its own answer.
    keepGoing: true,
  });
  await releaseChecks(tx, threadOf(incident));
  await enqueueBatch(tx, deps, incident, batch);
  return batch;
}

export async function endLease(
  tx: Tx,
  incident: Pick<Incident, "id">,
  why: string,
  by?: { readonly id: number; readonly login: string; readonly commentId: number },
): Promise<boolean> {
  const ended = await stopLease(tx, incident.id, why);
  if (!ended) return false;
  const { via, personId, login, commentId } = ended;
  await appendAudit(tx, {
    kind: "lease_ended",
    incidentId: incident.id,
    body: { why, ...(by ? { by } : {}), givenBy: { id: personId, login, ...(via === "lease" && { commentId }) } },
  });
  return true;
}

/** What to type for a lease here, with this repository's servers; undefined if no person may give one. */
export function offerLease({ rules: { lease, servers: known } }: Pick<RepoContext, "rules">): string | undefined {
  const servers = lease.servers.filter(
    (name) => whySignerWaits(known.filter((server) => server.name === name)) === undefined,
  );
  if (servers.length === 0) return undefined;
  const minutes = Math.max(1, Math.floor(Math.min(offered.timeMs, lease.maxTimeMs) / 60_000));
  return `/lease ${minutes}m ${servers.slice(0, offered.servers).join(" ")}`;
}
const offered = { timeMs: 15 * 60_000, servers: 3 };

/** Ends a lease. The board says so; a comment too if reads wait that it would have run, because people must decide on them. */
export async function endLeaseAloud(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  repoContext: Pick<RepoContext, "rules">,
  incident: Incident,
  why: string,
): Promise<void> {
  const { lease, actions, approvals } = await openPartsOf(tx, incident.id, "lease", "actions", "approvals");
  if (!lease || !(await endLease(tx, incident, why))) return;
  // What it has approved and not sent is about to open again.
  const isLeased = ({ id }: Action): boolean =>
    approvals.some(({ actionId, via }) => actionId === id && via === lease.via);
  const waiting = actions.filter(
    (one) =>
      one.origin !== "person" &&
      one.spec.risk === "low" &&
      (one.state === "proposed" || (one.state === "approved" && isLeased(one))),
  );
  if (waiting.length === 0) return;
  const offer = offerLease(repoContext);
  const numbers = waiting.map(({ number }) => number).join(" ");
  const body = `**The lease has ended**: ${markdown.plain(why)}. To go on: \`/approve ${numbers}\`${offer === undefined ? "" : `, or a new lease: \`${offer}\``}.`;
  await wantComments(tx, threadOf(incident), [{ slot: slots.leaseEnded(lease.commentId), body }]);
}

/** Ends a lease that is over, not one that is only off for now. */
export async function endLeaseIfOver(
  tx: Tx,
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  incident: Incident,
): Promise<void> {
  const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
  if (standing.kind === "off" && standing.isOver) await endLeaseAloud(tx, deps, repoContext, incident, standing.reason);
}

/** Ends overdue leases, because no board may offer them. One failure does not stop the others. */
export async function endLeasesOver(deps: Deps): Promise<void> {
  for (const incidentId of await leasesOver(deps.store.db, deps.now())) {
    const ended = deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      const repoContext = rulesAlone(deps, incident.repo);
      await endLeaseAloud(tx, deps, repoContext, incident, "its time is over");
      await show(tx, deps, incident);
    });
    await ended.catch((error) => deps.log.warn({ module: "store", event: "expiry_late", incidentId, err: error }));
  }
}
