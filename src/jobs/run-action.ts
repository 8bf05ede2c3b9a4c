import { type Action, moveAction } from "../store/actions.ts";
import type { Run } from "../store/runs.ts";
import type { Ending, Server } from "../types.ts";
import type { At } from "./execute.ts";
import { finishRun } from "./finish-run.ts";
import { createLiveCard } from "./live-card.ts";

/** Sends one claimed command and records how it ended. However it ends, that is data; this does not throw for it. */
export async function runAction(at: At, action: Action, run: Run, server: Server): Promise<Ending> {
  const { world } = at;
  const live = createLiveCard(at, action, run);
  const { signal, release } = world.running.add(action.id);
  let sent: Promise<unknown> = Promise.resolve();
  world.log.info({ module: "ssh", event: "run_start", run: run.id, number: action.number, server: server.name });
  const result = await world.exec(
    { runId: run.id, server, wrapped: action.spec.wrapped },
    {
      signal,
      onOutput: live.push,
      onSent: () => {
        // The claim alone decides whether it may ever run again; this only makes the board say "running".
        sent = world.store
          .transaction((tx) => moveAction(tx, action, { from: "dispatching", to: "running" }))
          .catch((error) => world.log.warn({ module: "ssh", event: "state_late", run: run.id, err: error }));
      },
    },
  );
  release();
  await live.stop();
  await sent;
  world.log.info({
    module: "ssh",
    event: "run_end",
    run: run.id,
    number: action.number,
    server: server.name,
    ending: result.ending.kind,
    durationMs: result.durationMs,
    bytes: result.capture.bytes,
  });
  await finishRun(at, action, run, result);
  return result.ending;
}
