import * as z from "zod";
import { endUnknown } from "../../base/unknown.ts";
import { actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { isStanding } from "../../store/holds.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { wantReaction } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { batchOf, endBatch, hasNumber, markRead, runsOfBatch } from "../../store/runs.ts";
import { type Deps, rulesAlone } from "../context.ts";
import { isDraft } from "../incident/postmortem.ts";
import { reopen } from "../incident/withdraw.ts";
import { endLeaseAloud } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/show.ts";
import { endParts, tellEnd } from "../thread/tell-end.ts";
import { endWithoutCard, enqueueReading } from "../turn/turn.ts";
import { finishRun } from "./finish-run.ts";

const jobSchema = z.object({ batchId: z.string() });
const turnSchema = z.object({ incidentId: z.string() });

/**
 * Gives up a batch after its last attempt (RR-17): sent runs end as unknown, other actions reopen without approvals, and the issue says so.
 * Throws if the job is lost, because another process may run it.
 */
export async function giveUpBatch(deps: Deps, job: Job, reason: string): Promise<void> {
  const batch = await batchOf(deps.store.db, jobSchema.parse(job.data).batchId);
  if (batch.endedAt !== null) return;
  const incident = await incidentOf(deps.store.db, batch.incidentId);
  const actions = await actionsOf(deps.store.db, incident.id);
  for (const run of await runsOfBatch(deps.store.db, batch.id)) {
    const action = actions.find(({ id }) => id === run.actionId);
    if (!action || run.ending !== null) continue;
    const ending =
      run.startedAt === null
        ? ({ kind: "unreachable", reason: "Not started: the bot failed before it was sent there." } as const)
        : endUnknown("bot-failed", {});
    await finishRun({ deps, batch, action, fence: job.fence }, run, { ending, durationMs: null });
  }
  await deps.store.transaction(async (tx) => {
    await job.fence(tx);
    const locked = await lockIncident(tx, incident.id);
    const now = await partsOf(tx, incident.id, "actions", "batches", "runs", "session", "holds");
    const rest = now.actions.filter(
      ({ number, state }) => state === "approved" && hasNumber(now.batches, batch, number),
    );
    await reopen(tx, rest, "the bot failed to carry it out");
    await endBatch(
      tx,
      batch.id,
      `I failed to carry this out and have given up: ${reason}. The operator's log has the details.`,
    );
    deps.store.queue.announce(tx, batch.id);
    if (batch.commentId !== null)
      await wantReaction(tx, threadOf(locked), { commentId: batch.commentId, content: "confused" });
    await endLeaseAloud(tx, deps, rulesAlone(deps, locked.repo), locked, "a step of it could not be carried out");
    // People are told of this one; what ended before it, and a first turn that left its place to it, still want the agent.
    await markRead(tx, [batch.id], deps.now());
    const others = now.batches.map((one) => (one.id === batch.id ? { ...one, readAt: deps.now() } : one));
    if (locked.state === "open" && !now.holds.some(isStanding))
      await enqueueReading(tx, deps, { ...now, batches: others }, batch);
    await tellEnd(tx, deps, await partsOf(tx, locked.id, ...endParts), { batch, reading: false });
    await show(tx, deps, locked);
  });
}

/** Gives up an agent turn after its last attempt. */
export async function giveUpTurn(tx: Tx, deps: Deps, job: Job, reason: string): Promise<void> {
  const incident = await lockIncident(tx, turnSchema.parse(job.data).incidentId);
  // Takes "the agent reads" off the board.
  await endWithoutCard(tx, deps, incident);
  if (incident.state !== "open" || isDraft(job)) return;
  const body = `⚠️ I failed to read this and have given up: ${deps.markdown.plain(reason)}. To try again: \`/ask\`. The operator's log has the details.`;
  await wantNotice(tx, threadOf(incident), body);
}
