import { clockBackMs } from "../../approval/lease.ts";
import { needsPasskey } from "../../approval/passkey.ts";
import { placeOfRun } from "../../base/action.ts";
import { type Action, type Approval, approvalsOfAction, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { lockIncident } from "../../store/incidents.ts";
import { spendLease } from "../../store/leases.ts";
import { hasRevokedKey } from "../../store/passkeys/pages.ts";
import { hasNumber, type Run, startRuns } from "../../store/runs.ts";
import { leaveLine, queueUp } from "../../store/server-line.ts";
import type { Deps } from "../context.ts";
import { mayRunOn, standingIn } from "../incident/hold.ts";
import { approvable } from "../proposal/approvable.ts";
import { leaseCostOf } from "../proposal/lease.ts";
import { orderOf } from "../proposal/list-order.ts";
import { provenanceOf } from "../proposal/provenance.ts";
import { countersignedIn } from "./approval-comment.ts";
import type { At } from "./execute.ts";
import { busyWords, sharesServers } from "./server-line.ts";
import { isStale } from "./stale.ts";

export type ActionClaim =
  | { readonly kind: "claimed"; readonly runs: readonly Run[] }
  /** Somebody else was first. */
  | { readonly kind: "lost" }
  /** What the last look has read is too old by now, or no longer so. */
  | { readonly kind: "stale" }
  /** Stopped since the last look, by a hold or the kill switch; or stopped and let go again, which the next look tells. */
  | { readonly kind: "wait"; readonly reason: string };

/** Claims the action by compare-and-set and records the intent, durably, before anything is sent (RR-06, SR-63). */
export async function claim(at: At, action: Action, lookedAt: number): Promise<ActionClaim> {
  const { deps, batch, job, repoContext } = at;
  return deps.store.transaction(async (tx): Promise<ActionClaim> => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    if (incident.state !== "open") return { kind: "lost" };
    if (isStale(lookedAt)) return { kind: "stale" };
    const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "runs", "session", "halts", "holds");
    if (!hasNumber(rows.batches, batch, action.number)) return { kind: "lost" };
    const approvals = approvalsOfAction(rows.approvals, action);
    const said = approvals.map(({ commentId, createdAt }) => ({ commentId, keptAt: createdAt }));
    const may = mayRunOn(await standingIn(deps, incident, rows), said);
    if (may.kind === "stopped") {
      await leaveLine(tx, action.id);
      return { kind: "wait", reason: may.words };
    }
    const isProof = needsPasskey(approvable(action), repoContext.rules.policy);
    if (isProof && (await hasRevokedKey(tx, approvals.map(countersignedIn)))) return { kind: "stale" };
    // What stands before it may have been reopened since the look, which then tells why.
    if (orderOf(deps, repoContext, rows, { action, batch })) return { kind: "stale" };
    if (may.kind === "said-before") return { kind: "wait", reason: "it was approved before a halt or hold was lifted" };
    const [leased] = approvals.filter(({ via }) => via === "agent-mode");
    const before = sharesServers(action) ? undefined : await queueUp(tx, action);
    if (before) return { kind: "wait", reason: busyWords(before, incident) };
    if (leased) {
      if (rows.actions.find(({ id }) => id === action.id)?.state !== "approved") return { kind: "lost" };
      if (!(await spendFor(tx, deps, action, leased))) return { kind: "stale" };
    }
    if (!(await moveAction(tx, action, { from: "approved", to: "dispatching" }))) return { kind: "lost" };
    const runs = await startRuns(tx, action, batch.id, deps.config.execution.atOnce);
    await appendAudit(tx, {
      kind: "command_dispatched",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        place: action.spec.place,
        targets: action.spec.targets,
        runs: Object.fromEntries(runs.map((run) => [placeOfRun(run), run.id])),
        command: action.spec.command,
        agentMode: leased !== undefined,
        ...(await provenanceOf(tx, rows, action)),
      },
    });
    return { kind: "claimed", runs };
  });
}

/** Takes what the action begins off the count of the lease that approved it; false where that lease has no room for it now. */
const spendFor = (tx: Tx, deps: Pick<Deps, "now">, action: Action, { commentId }: Approval): Promise<boolean> =>
  spendLease(tx, {
    incidentId: action.incidentId,
    commentId,
    commands: leaseCostOf(action),
    now: deps.now(),
    clockBackMs,
  });
