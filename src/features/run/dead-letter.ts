import * as z from "zod";
import { actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { wantReaction } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { batchOf, endBatch, runsOfBatch } from "../../store/runs.ts";
import { rulesAlone, type Deps } from "../context.ts";
import { isDraft } from "../incident/postmortem-draft.ts";
import { reopen } from "../incident/reopen.ts";
import { endAutoAloud } from "../proposal/agent-mode-ended.ts";
import { show, threadOf, wakePoster } from "../thread/show.ts";
import { tellUnread } from "../thread/unread.ts";
import { finishRun } from "./finish-run.ts";

const jobSchema = z.object({ batchId: z.string() });
const turnSchema = z.object({ incidentId: z.string() });

/**
 * The bot could not carry a batch out, however often it tried (RR-17): what was under way is told as unknown, the rest is open
 * again without its approvals, and its servers are free for others. Nothing of it stays open in silence.
 */
export async function giveUpBatch(world: Deps, job: Job, reason: string): Promise<void> {
  const batch = await batchOf(world.store.db, jobSchema.parse(job.data).batchId);
  if (batch.endedAt !== null) return;
  const incident = await incidentOf(world.store.db, batch.incidentId);
  const ground = rulesAlone(world, incident.repo);
  const actions = await actionsOf(world.store.db, incident.id);
  for (const run of await runsOfBatch(world.store.db, batch.id)) {
    const action = actions.find(({ id }) => id === run.actionId);
    if (!action || run.ending !== null) continue;
    const ending =
      run.startedAt === null
        ? ({ kind: "unreachable", reason: "Not started: the bot failed before it was sent there." } as const)
        : ({ kind: "unknown", reason: "The bot failed while this was on its way." } as const);
    await finishRun({ world, ground, batch }, action, run, { ending, durationMs: null });
  }
  await world.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    const rest = (await actionsOf(tx, incident.id)).filter(
      ({ number, state }) => batch.numbers.includes(number) && state === "approved",
    );
    const reopened = await reopen(tx, rest, "the bot failed to carry it out");
    const open = reopened.length > 0 ? ` Open again, without approvals: ${reopened.join(", ")}.` : "";
    await endBatch(
      tx,
      batch.id,
      `I failed to carry this out and have given up: ${reason}.${open} The operator's log has the details.`,
    );
    if (batch.commentId !== null)
      await wantReaction(tx, threadOf(locked), { commentId: batch.commentId, content: "confused" });
    await endAutoAloud(tx, world, locked, "a step of it could not be carried out");
    await tellUnread(tx, world, locked, { batch, read: false });
    await show(tx, world, ground, { incident: locked });
  });
}

/** The agent's turn could not be taken, however often it was tried (RR-17): whoever waits for it hears so, and how to go on. */
export async function giveUpTurn(tx: Tx, world: Deps, job: Job, reason: string): Promise<void> {
  const incident = await lockIncident(tx, turnSchema.parse(job.data).incidentId);
  if (incident.state !== "open" || isDraft(job)) return;
  const body = `⚠️ I failed to read this and have given up: ${world.ink.plain(reason)}. To try again: \`/ask\`. The operator's log has the details.`;
  await wantNotice(tx, threadOf(incident), body);
  await wakePoster(tx, world, incident);
}

/** The board no longer says that the agent reads. By itself: drawing may be what the turn failed at, and must not keep it from being given up. */
export async function drawGivenUpTurn(world: Deps, job: Job): Promise<void> {
  const { incidentId } = turnSchema.parse(job.data);
  try {
    await world.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      await show(tx, world, rulesAlone(world, incident.repo), { incident });
    });
  } catch (error) {
    world.log.warn({ module: "worker", event: "board_late", incidentId, err: error });
  }
}
