import * as z from "zod";
import { clockBackMs } from "../../approval/lease.ts";
import { needsPasskey } from "../../approval/passkey.ts";
import { type DispatchDecision, endDispatch } from "../../approval/preflight.ts";
import { placeOfRun } from "../../base/action.ts";
import { type Reservation, stopsRest } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { clock } from "../../github/render/ink.ts";
import { type Action, approvalsOfAction, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { isStanding } from "../../store/holds.ts";
import { partsAroundBatch, partsOf } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { spendLease } from "../../store/leases.ts";
import { wantReaction } from "../../store/outbox/wanted.ts";
import { hasRevokedKey } from "../../store/passkeys.ts";
import type { Job } from "../../store/queue/queue.ts";
import {
  addNote,
  type Batch,
  endBatch,
  hasNumber,
  isCarriedOut,
  type Run,
  setWaitsFor,
  startRuns,
} from "../../store/runs.ts";
import { type LinePredecessor, leaveLine, queueUp, stillBefore } from "../../store/server-line.ts";
import { logAlso } from "../../telemetry/log.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { mayRun, mayRunOn, standingIn } from "../incident/hold.ts";
import { reopen } from "../incident/withdraw.ts";
import { approvable } from "../proposal/approvable.ts";
import { enqueueBatch } from "../proposal/enqueue-batch.ts";
import { endLeaseAloud, endLeaseIfOver, leaseCostOf } from "../proposal/lease.ts";
import { orderOf } from "../proposal/list-order.ts";
import { provenanceOf } from "../proposal/provenance.ts";
import { show, threadOf } from "../thread/show.ts";
import { tellUnread, unreadParts } from "../thread/unread.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { countersignedIn } from "./approval-comment.ts";
import { checkDispatch, type DispatchCheck, isStale } from "./check-dispatch.ts";
import { findAgain, type Reservations, reserveFor, runFanOut, type SentRun } from "./fan-out.ts";
import { sharesServers } from "./finish-run.ts";
import type { RegisteredRun } from "./run-registry.ts";

const jobSchema = z.object({ batchId: z.string() });

export interface BatchRun {
  readonly deps: Deps;
  readonly job: Job;
  readonly repoContext: Pick<RepoContext, "rules">;
  readonly batch: Batch;
}

export interface ActionRun extends BatchRun {
  readonly action: Action;
  readonly watched: RegisteredRun;
}

export interface Dispatch extends ActionRun {
  readonly reservations: Reservations;
  readonly look: () => Promise<DispatchCheck>;
}

/** After a hold or GitHub's silence. */
const waitMs = 15_000;
const leastMs = 1_000;

/**
 * Runs a batch in order until an action fails, each checked just before it is sent (SR-24, SR-51). Runs of an earlier attempt are followed
 * to their end or are UNKNOWN, never sent again (RR-06, SR-63).
 */
export async function execute(deps: Deps, job: Job): Promise<void> {
  const { batchId } = jobSchema.parse(job.data);
  const rows = await partsAroundBatch(deps.store.db, batchId, "session", "actions", "runs", "batches");
  const { incident, session } = rows;
  logAlso({ sessionId: session.id });
  const batch = rows.batches.find(({ id }) => id === batchId);
  if (!batch) throw new Error(`there is no batch ${batchId}`);
  if (batch.endedAt !== null) return;
  const repoContext = await loadRepoContext(deps, incident).catch((error) => {
    deps.log.warn({ module: "github", event: "ground_failed", repo: incident.repo, err: error });
    return undefined;
  });
  const at: BatchRun = { deps, job, repoContext: repoContext ?? rulesAlone(deps, incident.repo), batch };
  if (batch.waitsFor !== null) await deps.store.transaction((tx) => setWaitsFor(tx, batch.id, null));

  // Settled even if GitHub does not answer. A failure before the crash also stops the rest.
  const earlier = rows.runs
    .filter((run) => run.batchId === batch.id)
    .flatMap((run): readonly SentRun[] => {
      const action = rows.actions.find(({ id }) => id === run.actionId);
      return action ? [{ action, run }] : [];
    });
  const open = earlier.filter(({ run }) => run.ending === null);
  let failed =
    !(await findAgain(at, open)) ||
    earlier.some(({ action, run }) => run.ending !== null && stopsRest(action.spec.risk, run));
  if (!repoContext) return withoutRepoContext(at, incident, failed);

  let missing: number | undefined;
  const waiting = [...batch.numbers];
  for (let number = waiting[0]; number !== undefined; number = waiting[0]) {
    if (failed && !batch.keepGoing) break;
    const now = await partsOf(deps.store.db, incident.id, "actions", "batches");
    const action = now.actions.find((one) => one.number === number);
    if (action?.state !== "approved" || !hasNumber(now.batches, batch, number)) {
      waiting.shift();
      // Those behind were approved to run after it, even if it moved to another card.
      if (action && !["dispatching", "running", "done", "rejected"].includes(action.state)) {
        failed = true;
        missing ??= number;
      }
      continue;
    }
    const busy = await stillBusy(deps, action, incident);
    if (busy !== undefined) return comeBack(at, busy);
    const watched = deps.running.add(action.id, incident);
    const dispatch: Dispatch = {
      ...at,
      action,
      watched,
      reservations: reserveFor(deps, action, watched),
      look: () => checkDispatch(deps, repoContext, { action, batch }),
    };
    try {
      const reservation = await sayingWait(dispatch, dispatch.reservations.first());
      const decision = await clearAndClaim(dispatch, reservation);
      // Another process was first: read the row again.
      if (decision.kind === "lost") continue;
      if (decision.kind === "come-back")
        return await comeBack(at, decision.reason, {
          leaves: decision.leaves ? action : undefined,
          soon: decision.soon,
        });
      waiting.shift();
      if (decision.kind !== "claimed") {
        await standDown(at, action, decision);
        failed = true;
      } else if (!(await runFanOut(dispatch, decision))) failed = true;
    } finally {
      await dispatch.reservations.release();
      watched.release();
    }
  }
  await endOf(at, failed, missing);
}

/** What an action waits for in its servers' line. A held action does not stand in line. */
async function stillBusy(deps: Deps, action: Action, incident: Incident): Promise<string | undefined> {
  if (sharesServers(action)) return undefined;
  const before = await deps.store.transaction(async (tx) =>
    (await mayRun(deps, tx, incident)).kind === "yes" ? stillBefore(tx, action) : undefined,
  );
  return before && busyWords(before, incident);
}

/** Hides the numbers of other repositories. */
function busyWords({ server, number, incidentId, repoId, issue, since }: LinePredecessor, incident: Incident): string {
  const other = repoId === incident.repoId ? `${number} of issue ${issue}` : "a command of another repository";
  return `${server} is busy with ${incidentId === incident.id ? number : other}, in line since ${clock(since)}`;
}

const patienceMs = 1_000;

async function sayingWait<T>({ deps, batch, action }: ActionRun, waiting: Promise<T>): Promise<T> {
  const draw = (waitsFor: string | null): Promise<void> =>
    deps.store.transaction(async (tx) => {
      await setWaitsFor(tx, batch.id, waitsFor);
      await show(tx, deps, await lockIncident(tx, batch.incidentId));
    });
  const drawn: Promise<void>[] = [];
  const timer = setTimeout(() => {
    const saying = draw(`${action.spec.place} has no session free yet`).catch((error) =>
      deps.log.warn({ module: "ssh", event: "card_late", batch: batch.id, err: error }),
    );
    drawn.push(saying);
  }, patienceMs);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
    await Promise.all(drawn);
    if (drawn.length > 0) await draw(null);
  }
}

/** `lookedAt`: when the facts behind the claim were read (ms of the wall clock). */
export interface ClaimedAction {
  readonly kind: "claimed";
  readonly runs: readonly Run[];
  readonly servers: readonly Server[];
  readonly lookedAt: number;
}

const maxLooks = 4;

/**
 * Makes the final check beside the proof of the server's key, and claims. Repeats both until recent. Everything slow is ready before, so
 * nothing stands between claim and send.
 */
async function clearAndClaim(
  dispatch: Dispatch,
  reservation: Reservation | undefined,
): Promise<
  | ClaimedAction
  | { readonly kind: "lost" }
  /** `leaves`: leaves the servers' line. */
  | { readonly kind: "come-back"; readonly reason: string; readonly leaves: boolean; readonly soon?: boolean }
  | Extract<DispatchCheck, { kind: "end" | "reopen" }>
> {
  for (let looks = 0; looks < maxLooks; looks++) {
    const [check, refusal] = await Promise.all([dispatch.look(), reservation?.prove()]);
    if (check.kind === "go" && refusal !== undefined) return endDispatch("server-refused", refusal);
    if (check.kind === "ask-later") return { kind: "come-back", reason: check.reason, leaves: true, soon: false };
    if (check.kind === "wait") {
      // GitHub's GraphQL usually lags by seconds.
      const soon = check.code === "card-unread" || check.code === "comment-unread";
      return { kind: "come-back", reason: check.reason, leaves: true, soon };
    }
    if (check.kind !== "go") return check;
    const { servers, lookedAt } = check;
    if (isStale(lookedAt)) continue;
    const claimed = await claim(dispatch, lookedAt);
    if (claimed.kind === "stale") continue;
    if (claimed.kind === "wait") return { kind: "come-back", reason: claimed.reason, leaves: false };
    return claimed.kind === "lost" ? claimed : { ...claimed, servers, lookedAt };
  }
  return { kind: "come-back", leaves: true, reason: "GitHub answers too slowly to send anything on what it says" };
}

type ActionClaim =
  | { readonly kind: "claimed"; readonly runs: readonly Run[] }
  | { readonly kind: "lost" }
  /** The last look is too old or no longer holds. */
  | { readonly kind: "stale" }
  /** A hold or the kill switch stops it, or did since the look. */
  | { readonly kind: "wait"; readonly reason: string };

/** Claims by compare-and-set, and commits the intent before anything is sent. */
export async function claim(dispatch: Omit<ActionRun, "watched">, lookedAt: number): Promise<ActionClaim> {
  const { deps, batch, job, repoContext, action } = dispatch;
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
    // An earlier action may have been reopened since; the next look says why.
    if (orderOf(deps, repoContext, rows, { action, batch })) return { kind: "stale" };
    if (may.kind === "said-before") return { kind: "wait", reason: "it was approved before a halt or hold was lifted" };
    const [leased] = approvals.filter(({ via }) => via === "lease");
    const before = sharesServers(action) ? undefined : await queueUp(tx, action);
    if (before) return { kind: "wait", reason: busyWords(before, incident) };
    if (leased) {
      if (rows.actions.find(({ id }) => id === action.id)?.state !== "approved") return { kind: "lost" };
      const { incidentId } = action;
      const { commentId } = leased;
      const commands = leaseCostOf(action);
      if (!(await spendLease(tx, { incidentId, commentId, commands, now: deps.now(), clockBackMs })))
        return { kind: "stale" };
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
        byLease: leased !== undefined,
        ...(await provenanceOf(tx, rows, action)),
      },
    });
    return { kind: "claimed", runs };
  });
}

/** Ends an action that may not run, or reopens it without approvals. */
async function standDown(
  at: BatchRun,
  action: Action,
  decision: Extract<DispatchDecision, { kind: "end" | "reopen" }>,
) {
  const { deps, batch } = at;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    const to = decision.kind === "end" ? decision.to : "proposed";
    // Withdrawn and approved again meanwhile, it belongs to a later batch.
    if (!hasNumber((await partsOf(tx, incident.id, "batches")).batches, batch, action.number)) return;
    if (!(await moveAction(tx, action, { from: "approved", to, reason: decision.reason }))) return;
    if (decision.kind === "reopen") await withdrawApprovals(tx, { actionIds: [action.id] });
    await appendAudit(tx, {
      kind: to === "proposed" ? "approval_withdrawn" : to === "void" ? "command_void" : "command_expired",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, reason: decision.reason },
    });
    await addNote(tx, batch.id, `${action.number} was not run: ${decision.reason}.`);
    await show(tx, deps, incident);
  });
}

/** Retries until every approved action has expired (RR-11). */
async function withoutRepoContext(at: BatchRun, incident: Incident, failed: boolean): Promise<void> {
  const { deps, job, batch } = at;
  const isOver = ({ expiresAt }: Action): boolean => expiresAt <= deps.now();
  const { actions, batches } = await partsOf(deps.store.db, incident.id, "actions", "batches");
  const open = actions.filter(({ number, state }) => state === "approved" && hasNumber(batches, batch, number));
  const decision = endDispatch("unanswered", "GitHub cannot be asked whether the approval holds");
  for (const action of open.filter(isOver)) await standDown(at, action, decision);
  if (open.every(isOver)) return endOf(at, failed || open.length > 0);
  await deps.store.transaction(async (tx) => {
    for (const { id } of open) await leaveLine(tx, id);
    await job.settle(tx);
    await enqueueBatch(tx, deps, incident, batch, { afterMs: waitMs });
  });
}

async function comeBack(
  at: BatchRun,
  reason: string,
  { leaves, soon = false }: { readonly leaves?: Action | undefined; readonly soon?: boolean | undefined } = {},
): Promise<void> {
  const { deps, job, batch } = at;
  // Doubles, up to `waitMs`.
  const afterMs = soon ? Math.min(Math.max(Date.now() - batch.createdAt.getTime(), leastMs), waitMs) : waitMs;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    if (leaves) await leaveLine(tx, leaves.id);
    await setWaitsFor(tx, batch.id, reason);
    await show(tx, deps, incident);
    await job.settle(tx);
    await enqueueBatch(tx, deps, incident, batch, { afterMs });
  });
}

const notRun = (number: number): string => `${number}, which stands before it, did not run`;

/** Ends the batch: the rest reopens without approvals, the agent reads. */
async function endOf(at: BatchRun, failed: boolean, missing?: number): Promise<void> {
  const { deps, job, batch } = at;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    const rows = await partsOf(tx, incident.id, ...unreadParts, "batches", "holds", "lease");
    const rest = rows.actions.filter(
      ({ number, state }) => state === "approved" && hasNumber(rows.batches, batch, number),
    );
    const why = missing === undefined ? "the batch stopped at a failure before it" : notRun(missing);
    const reopened = await reopen(tx, rest, why);
    if (reopened.length > 0) {
      const stop = missing === undefined ? "Stopped at the first failure" : `Stopped: ${notRun(missing)}`;
      const again = `Needs approval again: ${reopened.join(", ")}.`;
      await addNote(tx, batch.id, `${stop} (\`--keep-going\` goes on). ${again}`);
    }
    await endBatch(tx, batch.id);
    const ran = rows.runs.filter(({ batchId }) => batchId === batch.id);
    // Nothing settles an ended batch's runs; the next attempt settles these.
    if (ran.some(({ endedAt }) => endedAt === null)) throw new Error(`batch ${batch.id} has runs that have not ended`);
    const content = isCarriedOut(batch, ran) ? "rocket" : "confused";
    if (batch.commentId !== null) await wantReaction(tx, threadOf(incident), { commentId: batch.commentId, content });
    if (rows.lease && (failed || ran.length === 0))
      await endLeaseAloud(tx, deps, incident, `${batch.numbers.join(", ")} did not go well`);
    else if (rows.lease) await endLeaseIfOver(tx, deps, at.repoContext, incident);
    // A hold stops the agent too; /resume gives it this turn.
    const reads = incident.state === "open" && ran.length > 0 && !rows.holds.some(isStanding);
    if (reads) {
      await enqueueTurn(tx, deps, incident, { kind: "batch-ended", numbers: [...batch.numbers] });
    }
    await tellUnread(tx, deps, rows, { batch, read: reads });
    await show(tx, deps, incident, reads ? "reading the results" : "");
    await job.settle(tx);
  });
}
