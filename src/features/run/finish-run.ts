import { memberOf } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import type { Risk } from "../../base/risk.ts";
import type { Capture, Ending, Outcome } from "../../base/run.ts";
import { exitMeaning } from "../../risk/exit-codes.ts";
import { outcomeOf } from "../../runbooks/expect.ts";
import { type Action, finishAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { lockIncident } from "../../store/incidents.ts";
import { storeOutput } from "../../store/outputs.ts";
import type { Job } from "../../store/queue/queue.ts";
import { endRun, type Run } from "../../store/runs.ts";
import { leaveLine, nextInLine } from "../../store/server-line.ts";
import { bareEnding } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { onDebug } from "../payload.ts";
import { show, showLater } from "../thread/show.ts";
import type { ActionRun } from "./execute.ts";
import { endingOffIssue, offIssue, presentOutput } from "./present-output.ts";

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
    // Shown once, with its batch.
    await (ended.isLast && action.number === batch.numbers.at(-1) ? showLater(tx, incident) : show(tx, deps, incident));
    return true;
  });
  reached("CP14");
  if (!isKept) await output.text?.discard();
  capture?.release?.();
  return { ending, outcome };
}

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
