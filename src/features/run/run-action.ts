import { placeOfRun, targetOfRun } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import type { Reservation } from "../../base/run.ts";
import { sleep } from "../../base/sleep.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import { inSpan } from "../../telemetry/trace.ts";
import type { At } from "./execute.ts";
import { finishRun, type HowItWent, type Result } from "./finish-run.ts";
import type { LiveCard } from "./live-card.ts";
import type { RegisteredRun } from "./run-registry.ts";
import { settledBy } from "./target.ts";

/** A claimed command, ready to be sent. */
interface Going {
  readonly action: Action;
  readonly run: Run;
  readonly reservation: Reservation;
  readonly watched: RegisteredRun;
  readonly live: LiveCard;
  /** When it was looked at last whether it may be sent, in ms by the clock on the wall. */
  readonly asOf: number;
  /** An earlier process may have sent it: it is found again, and nothing is sent that could start it. */
  readonly again?: boolean;
}

/**
 * Sends one claimed command, at once, and records how it ended. However it ends, that is data; this does not throw for it. "stale":
 * what was looked at is too old by now, and nothing was sent.
 */
export async function runAction(
  at: At,
  { action, run, reservation, watched, live, asOf, again = false }: Going,
): Promise<HowItWent | "stale"> {
  const { deps } = at;
  const { server } = reservation;
  const followed = live.follow(run, server);
  const sinceApprovedMs = run.startedAt ? run.startedAt.getTime() - at.batch.createdAt.getTime() : undefined;
  const line = { module: "ssh", run: run.id, number: action.number, server: server.name, risk: action.spec.risk };
  reached("CP09");
  const sent = reservation.send(asOf, {
    runId: run.id,
    onOutput: followed.push,
    onSent: () => watched.sent(placeOfRun(run)),
  });
  if (sent === "stale") {
    await followed.stop();
    return sent;
  }
  deps.log.info({ ...line, event: "run_start", ...(!again && { sinceApprovedMs }) });
  const ended = inSpan("run", { run: run.id, server: server.name, risk: action.spec.risk }, () => sent);
  const first = await Promise.race([ended, stopped(at.job.signal)]);
  await followed.stop();
  if (first === "stopped" && jobIdOf(action, run) !== null)
    throw new Error("the bot stops; the job goes on and is found again");
  const result = first === "stopped" ? leftRunning(action, run) : first;
  if (result.ending.kind === "timed-out")
    deps.log.warn({ ...line, event: "tool_timeout", tool: "ssh", timeoutMs: result.ending.afterMs });
  deps.log.info({
    ...line,
    event: "run_end",
    tool: "ssh",
    ending: result.ending.kind,
    isError: result.ending.kind !== "exited" || result.ending.code !== 0,
    durationMs: result.durationMs,
    bytes: result.capture?.bytes ?? null,
  });
  reached("CP13");
  return finishSurely(at, action, run, result);
}

const jobIdOf = ({ spec }: Action, run: Run): string | null => targetOfRun(spec.targets, run)?.jobId ?? null;

/** The bot is told to end before the command has. */
function stopped(signal: AbortSignal): Promise<"stopped"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("stopped");
    else signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
}

/** What is known of a command in its session when the bot must end: that it was sent. */
function leftRunning({ spec }: Action, run: Run): Result {
  const target = targetOfRun(spec.targets, run);
  const reason = target?.source
    ? "The bot was stopped while it waited for the answer."
    : target?.cluster
      ? `The bot was stopped while this ran, and kubectl with it.${settledBy(target)}`
      : "The bot was stopped while this ran; it keeps running on the server.";
  return { ending: { kind: "unknown", reason }, durationMs: null };
}

/** While the result is in memory a store that fails for a moment must not make it UNKNOWN. */
async function finishSurely(at: At, action: Action, run: Run, result: Result): Promise<HowItWent> {
  for (const waitMs of [100, 1_000, 5_000, 15_000, 30_000]) {
    try {
      return await finishRun(at, action, run, result);
    } catch (error) {
      at.deps.log.error({ module: "ssh", event: "result_not_stored", run: run.id, waitMs, err: error });
      await sleep(waitMs);
    }
  }
  return finishRun(at, action, run, result);
}
