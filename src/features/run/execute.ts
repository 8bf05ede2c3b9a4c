import * as z from "zod";
import { type DispatchDecision, endDispatch } from "../../approval/preflight.ts";
import { stopsRest } from "../../base/run.ts";
import { type Action, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { isStanding } from "../../store/holds.ts";
import { partsAroundBatch, partsOf, type RowsWith } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { wantReaction } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { addNote, type Batch, endBatch, hasNumber, isCarriedOut, setWaitsFor } from "../../store/runs.ts";
import { leaveLine } from "../../store/server-line.ts";
import { logAlso } from "../../telemetry/log.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { reopen } from "../incident/reopen.ts";
import { enqueueBatch } from "../proposal/enqueue-batch.ts";
import { endLeaseAloud, endLeaseIfOver } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/show.ts";
import { tellUnread, unreadParts } from "../thread/unread.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { clearAndClaim } from "./clear-and-claim.ts";
import { findAgain, type Open, runFanOut } from "./fan-out.ts";
import { checkDispatch } from "./preflight.ts";
import { reserveFor } from "./reserve.ts";
import { stillBusy } from "./server-line.ts";

const jobSchema = z.object({ batchId: z.string() });

/** How long a batch waits before it looks again whether a hold is lifted or GitHub answers. */
const waitMs = 15_000;
const leastMs = 1_000;

/**
 * Runs a batch: its approved actions in order, each checked again just before it is sent (SR-24), until one fails. What an
 * earlier attempt of this job had begun is UNKNOWN and is never repeated (RR-06).
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
  // What ran before is found again and told whatever GitHub says.
  const at = { deps, job, repoContext: repoContext ?? rulesAlone(deps, incident.repo), batch };
  if (batch.waitsFor !== null) await deps.store.transaction((tx) => setWaitsFor(tx, batch.id, null));
  let failed = await settleEarlier(at, rows);
  if (!repoContext) return withoutRepoContext(at, incident, failed);
  /** The first that did not get its turn because nobody approves it any more. */
  let missing: number | undefined;

  const waiting = [...batch.numbers];
  for (let number = waiting[0]; number !== undefined; number = waiting[0]) {
    if (failed && !batch.keepGoing) break;
    const now = await partsOf(deps.store.db, incident.id, "actions", "batches");
    const action = now.actions.find((one) => one.number === number);
    if (action?.state !== "approved" || !hasNumber(now.batches, batch, number)) {
      waiting.shift();
      // Whether it is another card's or its own: what was named behind it was approved to run after it.
      if (action && !hadItsTurn(action)) {
        failed = true;
        missing ??= number;
      }
      continue;
    }
    const busy = await stillBusy(deps, action, incident);
    if (busy !== undefined) return comeBack(at, busy);
    const look = () => checkDispatch(deps, repoContext, { action, batch });
    const watched = deps.running.add(action.id, incident);
    const reservations = reserveFor(deps, action, watched);
    try {
      const reservation = await tellingOf(at, action, reservations.first());
      const decision = await clearAndClaim(at, action, { look, reservation });
      // Its row says why.
      if (decision.kind === "lost") continue;
      if (decision.kind === "come-back")
        return await comeBack(at, decision.reason, {
          leaves: decision.leaves ? action : undefined,
          soon: decision.soon,
        });
      if (decision.kind !== "claimed") {
        await standDown(at, action, decision);
        waiting.shift();
        failed = true;
        continue;
      }
      waiting.shift();
      if (!(await runFanOut(at, { action, ...decision, reservations, watched, look }))) failed = true;
    } finally {
      await reservations.release();
      watched.release();
    }
  }
  await endOf(at, failed, missing);
}

/** Whether an action of a batch has run, or somebody decided that it shall not: only then does what was named behind it follow. */
const hadItsTurn = ({ state }: Action): boolean => ["dispatching", "running", "done", "rejected"].includes(state);

export interface At {
  readonly deps: Deps;
  readonly job: Job;
  readonly repoContext: Pick<RepoContext, "rules">;
  readonly batch: Batch;
}

/**
 * What an earlier attempt of this batch has left: jobs that were under way when the process died are found again, other runs
 * are told as unknown, once.
 * True where one of its runs stops the rest, so that a failure before a crash stops the rest as one after it does.
 */
async function settleEarlier(at: At, { actions, runs }: RowsWith<"actions" | "runs">): Promise<boolean> {
  const own = runs.filter(({ batchId }) => batchId === at.batch.id);
  const earlier = own.flatMap((run): readonly Open[] => {
    const action = actions.find(({ id }) => id === run.actionId);
    return action ? [{ action, run }] : [];
  });
  const found = await findAgain(
    at,
    earlier.filter(({ run }) => run.ending === null),
  );
  return !found || earlier.some(({ action, run }) => run.ending !== null && stopsRest(action.spec.risk, run));
}

/** How long a session may be waited for before the run card says so. */
const patienceMs = 1_000;

/** Says on the run card what is waited for, as long as it is. */
async function tellingOf<T>(at: At, { spec }: Action, waiting: Promise<T>): Promise<T> {
  const draw = (waitsFor: string | null): Promise<void> =>
    at.deps.store.transaction(async (tx) => {
      await setWaitsFor(tx, at.batch.id, waitsFor);
      await show(tx, at.deps, await lockIncident(tx, at.batch.incidentId));
    });
  const said: Promise<void>[] = [];
  const say = (): void => {
    const drawn = draw(`${spec.place} has no session free yet`);
    said.push(
      drawn.catch((error) => at.deps.log.warn({ module: "ssh", event: "card_late", batch: at.batch.id, err: error })),
    );
  };
  const timer = setTimeout(say, patienceMs);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
    await Promise.all(said);
    if (said.length > 0) await draw(null);
  }
}

/** An action that may not be sent: ended, or open again without its approvals; said on its card and in the audit. */
async function standDown(at: At, action: Action, decision: Extract<DispatchDecision, { kind: "end" | "reopen" }>) {
  const { deps, batch } = at;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    const to = decision.kind === "end" ? decision.to : "proposed";
    // Taken back and approved anew while it was looked at, it is its later batch's.
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

/**
 * GitHub is down and nothing is known of the repository: the job begins again in a while, since nothing is lost by looking again
 * (RR-11), until the time of all that was approved is over.
 */
async function withoutRepoContext(at: At, incident: Incident, failed: boolean): Promise<void> {
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

/** The batch cannot go on now and loses nothing: it looks again in a while. */
async function comeBack(
  at: At,
  reason: string,
  { leaves, soon = false }: { readonly leaves?: Action | undefined; readonly soon?: boolean | undefined } = {},
): Promise<void> {
  const { deps, job, batch } = at;
  // Soon at first, then ever later: as long again as it has waited.
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

/** Ends the batch: what has not run is open again without its approvals, the comment gets its 🚀 or 😕, the agent reads. */
async function endOf(at: At, failed: boolean, missing?: number): Promise<void> {
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
    // Nobody would settle them any more; the next attempt does.
    if (ran.some(({ endedAt }) => endedAt === null)) throw new Error(`batch ${batch.id} has runs that have not ended`);
    const content = isCarriedOut(batch, ran) ? "rocket" : "confused";
    if (batch.commentId !== null) await wantReaction(tx, threadOf(incident), { commentId: batch.commentId, content });
    if (rows.lease && (failed || ran.length === 0))
      await endLeaseAloud(tx, deps, incident, `${batch.numbers.join(", ")} did not go well`);
    else if (rows.lease) await endLeaseIfOver(tx, deps, at.repoContext, incident);
    // A hold keeps the agent too; /resume makes up for its turn.
    const reads = incident.state === "open" && ran.length > 0 && !rows.holds.some(isStanding);
    if (reads) {
      await enqueueTurn(tx, deps, incident, { kind: "batch-ended", numbers: [...batch.numbers] });
    }
    await tellUnread(tx, deps, rows, { batch, read: reads });
    await show(tx, deps, incident, reads ? "reading the results" : "");
    await job.settle(tx);
  });
}
