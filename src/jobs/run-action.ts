import { reached } from "../crash-point.ts";
import type { ExecOrder, HowToRun } from "../ssh/run.ts";
import { type Action, moveAction } from "../store/actions.ts";
import { lockIncident } from "../store/incidents.ts";
import type { Run } from "../store/runs.ts";
import { inSpan } from "../trace.ts";
import type { Server } from "../types.ts";
import type { At } from "./execute.ts";
import { finishRun, type HowItWent, type Result } from "./finish-run.ts";
import type { LiveCard } from "./live-card.ts";
import type { Watched } from "./running.ts";
import { show } from "./show.ts";

/** How long the drawing waits, so that the request has left this process before the store keeps its one thread busy. */
const breathMs = 10;

/** What ends sooner than this is told as ended alone: to say that it runs would be one more edit of the board (RR-08). */
const shortMs = 1_000;

/** How long a connection may take before the card is drawn without waiting for it. */
const patienceMs = 250;

/** A claimed command, ready to be sent. */
interface Going {
  readonly action: Action;
  readonly run: Run;
  readonly server: Server;
  readonly watched: Watched;
  readonly live: LiveCard;
  /** An earlier process may have sent it: it is found again, and nothing is sent that could start it. */
  readonly again?: boolean;
}

/** Sends one claimed command and records how it ended. However it ends, that is data; this does not throw for it. */
export async function runAction(
  at: At,
  { action, run, server, watched, live, again = false }: Going,
): Promise<HowItWent> {
  const { world } = at;
  const how = howToRun(action, run, again);
  const followed = live.follow(run, server);
  // The claim alone decides whether it may ever run again. That the board says "running" can wait until the command is on
  // its way, or until it is clear that the connection takes its time.
  const asides: Promise<unknown>[] = [];
  const sayRunning = once((state: "dispatching" | "running") => {
    const drawn = world.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, at.batch.incidentId);
      if (state === "running") await moveAction(tx, action, { from: "dispatching", to: "running" });
      await show(tx, world, at.ground, { incident, dueAt: new Date(Date.now() + shortMs) });
    });
    asides.push(drawn.catch((error) => world.log.warn({ module: "ssh", event: "card_late", run: run.id, err: error })));
  });
  const impatience = setTimeout(() => sayRunning("dispatching"), patienceMs);
  const sinceApprovedMs = run.startedAt ? run.startedAt.getTime() - at.batch.createdAt.getTime() : undefined;
  const line = { module: "ssh", run: run.id, number: action.number, server: server.name, risk: action.spec.risk };
  world.log.info({ ...line, event: "run_start", ...(!again && { sinceApprovedMs }) });
  reached("CP09");
  const ended = inSpan("run", { run: run.id, server: server.name, risk: action.spec.risk }, () =>
    world.exec(
      { runId: run.id, server, asOf: run.startedAt ?? undefined, ...how },
      // Not at once: drawing keeps this thread busy for a while, and the request still has to leave.
      {
        signal: watched.signalOn(server.name),
        onOutput: followed.push,
        onSent: () => {
          watched.sent(server.name);
          setTimeout(sayRunning, breathMs, "running" as const);
        },
      },
    ),
  );
  const first = await Promise.race([ended, stopped(at.job.signal)]);
  clearTimeout(impatience);
  await followed.stop();
  await Promise.all(asides);
  if (first === "stopped" && how.mode === "job") throw new Error("the bot stops; the job goes on and is found again");
  const result = first === "stopped" ? leftRunning : first;
  if (result.ending.kind === "timed-out")
    world.log.warn({ ...line, event: "tool_timeout", tool: "ssh", timeoutMs: result.ending.afterMs });
  world.log.info({
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

/** The bytes that were approved for this server, and whether they were sent before by a process that is no more. */
function howToRun({ spec }: Action, { server, startedAt }: Run, again: boolean): Pick<ExecOrder, "wrapped"> & HowToRun {
  const target = spec.targets.find((candidate) => candidate.server === server);
  if (!target) throw new Error(`${server} is no server of the action`);
  const { wrapped, jobId } = target;
  if (jobId === null) return { wrapped, mode: "direct" };
  return { wrapped, mode: "job", jobId, ...(again && startedAt ? { resume: { sentAt: startedAt } } : {}) };
}

/** The bot is told to end before the command has. */
function stopped(signal: AbortSignal): Promise<"stopped"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("stopped");
    else signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
}

/** What is known of a command in its session when the bot must end: that it was sent. */
const leftRunning: Result = {
  ending: { kind: "unknown", reason: "The bot was stopped while this ran; on the server it goes on." },
  durationMs: null,
};

function once<A>(act: (argument: A) => void): (argument: A) => void {
  let done = false;
  return (argument) => {
    if (done) return;
    done = true;
    act(argument);
  };
}

/** While the result is in memory a store that fails for a moment must not make it UNKNOWN. */
async function finishSurely(at: At, action: Action, run: Run, result: Result): Promise<HowItWent> {
  for (const waitMs of [100, 1_000, 5_000, 15_000, 30_000]) {
    try {
      return await finishRun(at, action, run, result);
    } catch (error) {
      at.world.log.error({ module: "ssh", event: "result_not_stored", run: run.id, waitMs, err: error });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return finishRun(at, action, run, result);
}
