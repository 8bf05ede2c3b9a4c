import * as z from "zod";
import { memberOf } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import type { Risk } from "../../base/risk.ts";
import type { Capture, Ending, Outcome } from "../../base/run.ts";
import { endUnknown } from "../../base/unknown.ts";
import { exitMeaning } from "../../risk/exit-codes.ts";
import { outcomeOf } from "../../runbooks/expect.ts";
import { type Action, actionsOf, finishAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { isStanding } from "../../store/holds.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { markChanged, wantReaction } from "../../store/outbox/wanted.ts";
import { storeOutput } from "../../store/outputs.ts";
import { addPullRequest } from "../../store/pull-requests.ts";
import type { Job } from "../../store/queue/queue.ts";
import { batchOf, endBatch, endRun, hasNumber, markRead, type Run, runsOfBatch } from "../../store/runs.ts";
import { leaveLine, nextInLine } from "../../store/server-line.ts";
import { bareEnding } from "../../text/bare.ts";
import { type Deps, rulesAlone } from "../context.ts";
import { reopen } from "../incident/withdraw.ts";
import { onDebug } from "../payload.ts";
import { endLeaseAloud } from "../proposal/lease.ts";
import { show, threadOf } from "../thread/show.ts";
import { endParts, tellEnd } from "../thread/tell-end.ts";
import { enqueueReading } from "../turn/turn.ts";
import type { ActionRun } from "./execute.ts";
import { offIssue, presentOutput } from "./present-output.ts";

export interface RunResult {
  readonly ending: Ending;
  readonly durationMs: number | null;
  readonly capture?: Capture;
  readonly hostKey?: string | undefined;
  /** Fixed scripts that ran beside the command (AR-08). */
  readonly housekeeping?: readonly string[] | undefined;
  /** What is missing, and why. */
  readonly outputNote?: string | undefined;
}

export interface RunOutcome {
  readonly ending: Ending;
  /** Null if nothing is expected and the exit code is no answer. */
  readonly outcome: Outcome | null;
}

/** `fence`: only the job's holder may record this end. */
type FinishingRun = Pick<ActionRun, "deps" | "batch" | "action"> & Partial<Pick<Job, "fence">>;

/** Records and shows a run's end with its output, cleaned and redacted. The first end stands. */
export async function finishRun(at: FinishingRun, run: Run, result: RunResult): Promise<RunOutcome> {
  const { deps, batch, action, fence } = at;
  const { capture, outputNote, durationMs } = result;
  const output = await presentOutput(deps, action, run, { capture, outputNote });
  const ending = bareEnding(deps.redact, result.ending);
  logOutput(deps, run, { capture, excerpt: output.excerpt });
  const { command, expect } = memberOf(action.spec, run);
  const outcome = expect
    ? outcomeOf(expect, { ending, durationMs, has: output.has })
    : answerOf(action.spec.risk, command, { ending, trouble: output.trouble });
  const isKept = await deps.store.transaction(async (tx) => {
    await fence?.(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    const { bytes = null, sha256: outputSha256 = null } = result.capture ?? {};
    const redactedSha256 = output.sha256;
    const isKeptOff = incident.public && output.withheld === null;
    const shown = {
      ending: incident.public ? endingOffIssue(ending) : ending,
      excerpt: isKeptOff ? offIssue({ bytes, redactedSha256 }) : output.excerpt,
    };
    const ended = await endRun(tx, run.id, {
      ...shown,
      outcome: outcome ?? undefined,
      trouble: incident.public ? undefined : output.trouble,
      durationMs,
      capture: result.capture,
      redactedSha256,
      hostKey: result.hostKey,
    });
    if (!ended) return false;
    if (result.capture) await storeOutput(tx, run.id, output);
    const opened = openedBy(action, result);
    if (opened) {
      await addPullRequest(tx, { actionId: action.id, incidentId: incident.id, ...opened });
      await appendAudit(tx, {
        kind: "pull_request_changed",
        incidentId: incident.id,
        body: { ...opened, number: action.number, state: "open", checks: null, approved: [], changesRequested: [] },
      });
    }
    if (ended.isLast) {
      await finishAction(tx, action.id);
      await leaveLine(tx, action.id);
      const waiting = sharesServers(action) ? [] : await nextInLine(tx, action);
      for (const incidentId of waiting) await deps.store.queue.hasten(tx, "execute", incidentId);
    }
    await appendAudit(tx, {
      kind: result.ending.kind === "unknown" ? "command_unknown" : "command_executed",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        run: run.id,
        server: run.server,
        ...(run.step === null ? {} : { step: run.step }),
        ending,
        ...(outcome ? { outcome } : {}),
        durationMs,
        hostKey: result.hostKey ?? null,
        housekeeping: result.housekeeping ?? [],
        bytes,
        outputSha256,
        redactedSha256,
      },
    });
    // The last is shown once, with its batch.
    if (ended.isLast && action.number === batch.numbers.at(-1)) await markChanged(tx, incident.id, "");
    else await show(tx, deps, incident);
    return true;
  });
  reached("CP14");
  if (!isKept) await output.text?.discard();
  capture?.release?.();
  return { ending, outcome };
}

/** The pull request that a patch opened, from the first line of its answer (`createPatches`). */
function openedBy(
  { spec }: Action,
  { ending, capture }: RunResult,
): { readonly number: number; readonly url: string } | undefined {
  const isPatch = spec.targets.some(({ patches }) => patches !== undefined);
  if (!isPatch || ending.kind !== "exited" || ending.code !== 0 || !capture) return undefined;
  const [, url, number] =
    /^(?:draft )?pull request (https?:\/\/\S+\/pull\/(\d+))/m.exec(Buffer.from(capture.head).toString()) ?? [];
  return url === undefined ? undefined : { url, number: Number(number) };
}

/** A command's question is a line of its output. */
const endingOffIssue = (ending: Ending): Ending =>
  ending.kind === "waiting-for-input" ? { ...ending, asks: "a question that is kept off this public issue" } : ending;

/** Warns if the model sees only a part. */
function logOutput(
  deps: Deps,
  run: Run,
  { capture, excerpt }: { readonly capture: Capture | undefined; readonly excerpt: string },
): void {
  const originalSize = capture?.bytes ?? 0;
  const truncatedSize = Buffer.byteLength(excerpt);
  if (truncatedSize < originalSize && originalSize > deps.config.agent.outputCharacters)
    deps.log.warn({
      module: "ssh",
      event: "tool_output_truncated",
      tool: "ssh",
      run: run.id,
      originalSize,
      truncatedSize,
      dropped: capture?.dropped,
    });
  if (capture)
    onDebug(deps, excerpt, (payload) =>
      deps.log.debug({ module: "ssh", event: "tool_result", tool: "ssh", run: run.id, ...payload }),
    );
}

/** A read's exit code is an answer if its program is known to use it so. */
function answerOf(
  risk: Risk,
  command: string,
  { ending, trouble }: { readonly ending: Ending; readonly trouble: string | undefined },
): Outcome | null {
  const says =
    risk === "low" && ending.kind === "exited" && ending.code !== 0 && ending.of === undefined
      ? exitMeaning(command, ending.code, trouble)
      : undefined;
  return says === undefined ? null : { kind: "answer", says };
}

/** Reads share a server; a change waits in line and has it alone. */
export const sharesServers = ({ spec }: Pick<Action, "spec">): boolean => spec.risk === "low";

const jobSchema = z.object({ batchId: z.string() });

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
