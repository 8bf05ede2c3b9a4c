import { generateKeyPairSync } from "node:crypto";
import { pino } from "pino";
import type { AskModel } from "../../src/agent/wire/model.ts";
import type { Clock } from "../../src/base/clock.ts";
import type { Config } from "../../src/config/values.ts";
import type { Deps } from "../../src/features/context.ts";
import { keepStopping } from "../../src/features/incident/hold.ts";
import { keepExpiring } from "../../src/features/incident/open-close.ts";
import { keepCatchUp } from "../../src/features/intake/catch-up.ts";
import { keepClock, setStoreRight } from "../../src/features/operator/readiness.ts";
import { createFactsCache } from "../../src/features/run/check-dispatch.ts";
import { createRunRegistry } from "../../src/features/run/run-registry.ts";
import { createMarkdown } from "../../src/features/thread/views.ts";
import { createBoardCheck } from "../../src/features/verify/restored.ts";
import { createClient } from "../../src/github/client.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { startWorker } from "../../src/service/worker.ts";
import type { Connection } from "../../src/store/database/connection.ts";
import { openStoreOn, type Store } from "../../src/store/database/open.ts";
import { createInbox, type Inbox } from "../../src/store/queue/arrival.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { byName } from "../github/by-name.ts";
import type { Doors } from "./github.ts";

export interface Process {
  readonly deps: Deps;
  readonly store: Store;
  readonly receive: Inbox["receive"];
  /** As on SIGTERM: takes nothing new and waits for what is under way. */
  readonly drain: () => Promise<void>;
  /** Stops its timers. */
  readonly bury: () => void;
}

export interface Outside extends Doors {
  readonly connection: Connection;
  readonly config: Config;
  readonly ask: AskModel;
  readonly reserve: Deps["reserve"];
  readonly onLogLine: (line: string) => void;
  /** `passed`: milliseconds by a clock that nobody sets. */
  readonly clock: Pick<Clock, "now" | "isTold"> & { readonly passed: () => number };
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

/** One process of the bot: its stories, worker and queue as they are, with doors to an emulated outside. */
export async function startProcess(outside: Outside, secrets: readonly string[]): Promise<Process> {
  const { connection, config, ask, reserve, onLogLine, clock, missed, ...github } = outside;
  const redact = createRedactor({ secrets });
  const log = pino({ level: "info" }, { write: onLogLine });
  const store = await openStoreOn(connection, "the model's store", (text) => log.warn(text));
  const world: Deps = {
    ...github,
    changes: async () => ({ changes: [], unseen: [] }),
    config,
    store,
    log,
    ask,
    reserve,
    isConfigCurrent: () => true,
    freshMs: 1_000,
    evaluate: createEvaluator({ ...config.policy, now: () => clock.now().getTime() }),
    running: createRunRegistry(),
    factsCache: createFactsCache({ shown: Date.now, elapsed: clock.passed }),
    redact,
    markdown: createMarkdown(redact),
    drawnWith: () => "the model",
    notary: undefined,
    calendar: undefined,
    patches: undefined,
    now: clock.now,
  };
  const client = createClient({ appId: 7, privateKey, apiUrl: "http://127.0.0.1:1", log, ...byName });
  const watched = { ...world, clock };
  await setStoreRight(watched);
  const watch = keepClock(watched, { shown: Date.now, elapsed: clock.passed });
  const expiry = keepExpiring(world);
  const stopping = keepStopping(world);
  const inbox = createInbox(store);
  await startWorker(world, client, createBoardCheck(world));
  const catchUp = keepCatchUp(world, { ...missed, receive: inbox.receive });
  return {
    deps: world,
    store,
    receive: inbox.receive,
    drain: async () => {
      await watch.stop();
      await catchUp.stop();
      await expiry.stop();
      await stopping.stop();
      await store.close();
    },
    bury: () => {
      for (const ending of [watch.stop(), catchUp.stop(), expiry.stop(), stopping.stop(), store.queue.stop()])
        ending.catch(() => undefined);
    },
  };
}
