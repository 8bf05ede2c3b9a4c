import { type Action, moveAction } from "../store/actions.ts";
import { lockIncident } from "../store/incidents.ts";
import type { Run } from "../store/runs.ts";
import type { Ending, Server } from "../types.ts";
import type { At } from "./execute.ts";
import { finishRun, type Result } from "./finish-run.ts";
import { createLiveCard } from "./live-card.ts";
import type { Watched } from "./running.ts";
import { show } from "./show.ts";

/** How long the drawing waits, so that the request has left this process before the store keeps its one thread busy. */
const breathMs = 10;

/** How long a connection may take before the card is drawn without waiting for it. */
const patienceMs = 250;

/** A claimed command, ready to be sent. */
interface Going {
  readonly action: Action;
  readonly run: Run;
  readonly server: Server;
  readonly watched: Watched;
}

/** Sends one claimed command and records how it ended. However it ends, that is data; this does not throw for it. */
export async function runAction(at: At, { action, run, server, watched }: Going): Promise<Ending> {
  const { world } = at;
  const live = createLiveCard(at, action, run);
  // The claim alone decides whether it may ever run again. That the board says "running" can wait until the command is on
  // its way, or until it is clear that the connection takes its time.
  const asides: Promise<unknown>[] = [];
  const sayRunning = once((state: "dispatching" | "running") => {
    const drawn = world.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, at.batch.incidentId);
      if (state === "running") await moveAction(tx, action, { from: "dispatching", to: "running" });
      await show(tx, world, at.ground, { incident });
    });
    asides.push(drawn.catch((error) => world.log.warn({ module: "ssh", event: "card_late", run: run.id, err: error })));
  });
  const impatience = setTimeout(() => sayRunning("dispatching"), patienceMs);
  world.log.info({ module: "ssh", event: "run_start", run: run.id, number: action.number, server: server.name });
  const ended = world.exec(
    { runId: run.id, server, wrapped: wrappedFor(action, server) },
    // Not at once: drawing keeps this thread busy for a while, and the request still has to leave.
    {
      signal: watched.signal,
      onOutput: live.push,
      onSent: () => {
        watched.sent();
        setTimeout(sayRunning, breathMs, "running" as const);
      },
    },
  );
  const result = await Promise.race([ended, stopped(at.job.signal)]);
  clearTimeout(impatience);
  await live.stop();
  await Promise.all(asides);
  world.log.info({
    module: "ssh",
    event: "run_end",
    run: run.id,
    number: action.number,
    server: server.name,
    ending: result.ending.kind,
    durationMs: result.durationMs,
    bytes: result.capture?.bytes ?? null,
  });
  await finishSurely(at, action, run, result);
  return result.ending;
}

/** The bytes that were approved for this server. */
function wrappedFor({ spec }: Action, server: Server): string {
  const target = spec.targets.find((candidate) => candidate.server === server.name);
  if (!target) throw new Error(`${server.name} is no server of the action`);
  return target.wrapped;
}

/** The bot is told to end before the command has: what is known is that it was sent. */
function stopped(signal: AbortSignal): Promise<Result & { readonly durationMs: null }> {
  const reason = "The bot was stopped while this ran; on the server it goes on.";
  return new Promise((resolve) => {
    const stop = () => resolve({ ending: { kind: "unknown", reason }, durationMs: null });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function once<A>(act: (argument: A) => void): (argument: A) => void {
  let done = false;
  return (argument) => {
    if (done) return;
    done = true;
    act(argument);
  };
}

/** While the result is in memory a store that fails for a moment must not make it UNKNOWN. */
async function finishSurely(at: At, action: Action, run: Run, result: Result): Promise<void> {
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
