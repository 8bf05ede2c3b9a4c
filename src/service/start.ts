import type { IncomingMessage, ServerResponse } from "node:http";
import own from "../../package.json" with { type: "json" };
import { type Clock, createClock } from "../base/clock.ts";
import { type Opened, openTogether } from "../base/opened.ts";
import { removeLeftFolders } from "../base/private-folder.ts";
import { type Config, polls, repositoryIn, takesWebhooks } from "../config/load.ts";
import type { Deps } from "../features/context.ts";
import { keepExpiring } from "../features/incident/expire.ts";
import { keepStopping } from "../features/incident/hold-watch.ts";
import { keepRetention } from "../features/incident/retention.ts";
import { keepCatchUp } from "../features/intake/catch-up.ts";
import { keepCalling } from "../features/oncall/call.ts";
import { keepAppLook } from "../features/operator/app-look.ts";
import { keepClock, setStoreRight } from "../features/operator/clock.ts";
import { gaugesOf } from "../features/operator/gauges.ts";
import { readiness, type Setup } from "../features/operator/readiness.ts";
import { keepLocalDoor } from "../features/operator/socket.ts";
import { type PollPace, usualPace } from "../features/poll/pace.ts";
import { keepPolling } from "../features/poll/poll.ts";
import { createRunRegistry } from "../features/run/run-registry.ts";
import { keepSchedules } from "../features/schedule/watch.ts";
import { createMarkdown } from "../features/thread/markdown-escaper.ts";
import { createFactsCache } from "../features/turn/facts-cache.ts";
import { keepCheckpoint } from "../features/verify/checkpoint-writer.ts";
import { createBoardCheck, voidIfRestored } from "../features/verify/restored.ts";
import { fetchHookAddresses } from "../github/app/hook-addresses.ts";
import { createMissed } from "../github/app/missed.ts";
import { type AppReach, listenTo } from "../github/app/reach.ts";
import { type Client, createClient } from "../github/client.ts";
import { createPollSource } from "../github/poll.ts";
import { keepAllowList } from "../http/allow-list.ts";
import { startFront } from "../http/server.ts";
import { openStore } from "../store/database/open.ts";
import { createPinLookup } from "../store/pins.ts";
import { createInbox, type Inbox } from "../store/queue/inbox.ts";
import { createLog } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createLearningRedactor } from "../text/learning.ts";
import type { Redact } from "../text/redact.ts";
import { openAgentDoor } from "./agent-door.ts";
import { openAlertDoor } from "./alert-door.ts";
import { createLiveParts, logConfig } from "./live-parts.ts";
import { createWorld, githubOf, secretsOf, withBareErrors } from "./parts.ts";
import { openPasskeyDoor } from "./passkey-door.ts";
import { startWorker } from "./worker.ts";

/** How the log calls what the front says of a delivery. */
const deliveryEvents = {
  accepted: "delivery_accepted",
  refused: "delivery_refused",
  "not-stored": "delivery_not-stored",
  ended: "connections_ended",
} as const;

export interface Bot {
  /** Where webhooks go, health and metrics are told. */
  readonly url: string;
  readonly deps: Deps;
  /**
   * Puts a new config in force at once and logs its changed sections (CFG-1); what only a restart can change stays and is named.
   * Throws where it cannot be used, and then nothing has changed. What is under way goes on with what it began with.
   */
  readonly reload: (config: Config) => void;
  /** Takes nothing new, lets what is under way end or hands it over, and lets go of everything (RR-14). */
  readonly close: () => Promise<void>;
}

interface BotOptions {
  /** Serves other paths, e.g. the demo's page. */
  readonly extra?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Gets each line of the log beside the places that the config names. */
  readonly onLogLine?: (line: string) => void;
  /** Whether the config is still what its files say; whoever follows the files knows. */
  readonly isConfigCurrent?: () => boolean;
  /** How things stand that only a person can fix; without it nothing is wrong. */
  readonly setup?: () => Setup;
  /** How often GitHub is asked where it is; as usual unless said otherwise. */
  readonly pace?: PollPace;
  /** The kubectl to start; by default the one of the usual folders. */
  readonly kubectl?: string;
}

/**
 * In the order in which it ends. First, at once and together: while a slow sender or GitHub is waited for, nothing new is begun.
 * The kill switch and /cancel reach what runs until it has ended or was handed over.
 */
const stages = ["intake", "kill switch", "marks", "store", "servers", "last word", "log"] as const;

/**
 * Puts the bot together and starts it: the store, then the doors to GitHub, model and servers, then the worker, and the front
 * last, so that nothing is accepted before it can be served. Where it cannot be started nothing of it stays open.
 */
export const startBot = (config: Config, options: BotOptions = {}): Promise<Bot> =>
  openTogether(stages, (opened) => openBot(config, options, opened));

async function openBot(config: Config, options: BotOptions, opened: Opening): Promise<Bot> {
  const setup = options.setup ?? (() => ({ checks: {}, reasons: [] }));
  const { redact, redactAgain, learn } = createLearningRedactor(secretsOf(config));
  const metrics = config.server.metrics
    ? (await import("../telemetry/metrics.ts")).createMetrics({
        version: own.version,
        read: () => gaugesOf(deps, setup()),
      })
    : undefined;
  opened.add("last word", () => metrics?.close());
  const logging = await createLog({
    ...config.logging,
    redact: (line) => redactLine(redact, line),
    also: options.onLogLine,
    observe: metrics?.observe,
  });
  opened.add("log", logging.close);
  const { log } = logging;
  logConfig(log, config);
  const removed = removeLeftFolders();
  if (removed > 0) log.info({ module: "main", event: "leftovers_removed", folders: removed });
  const store = await openStore(config.store.url, {
    onWarning: (text) => log.warn({ module: "store", event: "store_warning", reason: text }),
  });
  opened.add("intake", store.queue.stop);
  opened.add("store", store.close);
  const clock = createClock();
  const pinnedId = createPinLookup(store.db);
  const client = createClient({
    ...config.github,
    log: log.child({ module: "github", event: "client" }, { level: "warn" }),
    idOf: async (repo, anew) => repositoryIn(parts().config, repo)?.id ?? pinnedId(repo, anew),
    usesTeams: () => parts().config.policy.approvers.teams.length > 0,
    now: clock.now,
    onDate: clock.hear,
  });
  const reach = listenTo(withBareErrors(client, redact));
  const outside = { client: reach.client, log, redact, learn, kubectl: options.kubectl };
  const { parts, reload } = createLiveParts(config, outside, logging.setLevel);
  opened.add("servers", () => parts().ssh.close());
  const deps = createWorld(parts, {
    store,
    log,
    ...githubOf(outside.client, config, clock.now),
    running: createRunRegistry(),
    factsCache: createFactsCache(),
    redact,
    markdown: createMarkdown(redactAgain),
    now: clock.now,
    isConfigCurrent: options.isConfigCurrent ?? (() => true),
  });
  await startWork(deps, client, clock, opened);
  const inbox = createInbox(store);
  const url = await openFront({
    deps,
    options,
    setup,
    opened,
    metrics: metrics?.render,
    receive: inbox.receive,
    reach,
  });
  opened.add("intake", keepSchedules(deps).stop);
  opened.add("intake", keepAppLook(deps, reach.look).stop);
  if (config.roles.includes("agent"))
    startListening({ deps, client: outside.client, pace: options.pace, receive: inbox.receive, opened });
  const { host } = config.server;
  const port = Number(new URL(url).port);
  log.info({ module: "front", event: "server_start", host, port, version: own.version, store: store.kind });
  opened.add("last word", () => log.info({ module: "front", event: "server_stop" }));
  return { url, deps, reload, close: opened.close };
}

type Opening = Opened<(typeof stages)[number]>;

/** Starts what is done without anybody asking, and then the worker. */
async function startWork(deps: Deps, client: Client, clock: Clock, opened: Opening): Promise<void> {
  const watched = { ...deps, clock };
  await setStoreRight(watched);
  opened.add("intake", keepClock(watched).stop);
  const checkBoard = createBoardCheck(deps);
  await voidIfRestored(deps);
  opened.add("marks", keepCheckpoint(deps).stop);
  opened.add("intake", keepExpiring(deps).stop);
  if (deps.config.roles.includes("agent")) opened.add("intake", keepCalling(deps).stop);
  opened.add("marks", (await keepLocalDoor(deps)).stop);
  opened.add("intake", keepRetention(watched).stop);
  opened.add("kill switch", keepStopping(deps).stop);
  await startWorker(deps, client, checkBoard);
}

/** Asks GitHub for what it cannot or need not tell by itself. */
function startListening(given: {
  readonly deps: Deps;
  readonly client: Client;
  readonly pace: PollPace | undefined;
  readonly receive: Inbox["receive"];
  readonly opened: Opening;
}): void {
  const { deps, client, pace = usualPace, receive, opened } = given;
  const { config } = deps;
  const missed = createMissed(client, { ...config.github, now: deps.now });
  // Where GitHub calls nobody there is no call that failed.
  const failedSince = takesWebhooks(config) ? missed.failedSince : async () => ({ attempts: [], isWhole: true });
  opened.add("intake", keepCatchUp(deps, { ...missed, failedSince, receive }).stop);
  if (!polls(config)) return;
  const polling = {
    deps,
    createSource: () => createPollSource(client),
    receive,
    alsoWebhooks: takesWebhooks(config),
    pace,
  };
  opened.add("intake", keepPolling(polling).stop);
}

/** Opens the front; returns its address. */
async function openFront(given: {
  readonly deps: Deps;
  readonly options: BotOptions;
  readonly setup: () => Setup;
  readonly opened: Opening;
  readonly metrics: Metrics["render"] | undefined;
  readonly receive: Inbox["receive"];
  readonly reach: AppReach;
}): Promise<string> {
  const { deps, options, setup, opened, metrics, receive, reach } = given;
  const { config, log } = deps;
  const fetchGitHubs = () => fetchHookAddresses(config.github.apiUrl);
  const allowList = keepAllowList(() => deps.config.server, { fetchGitHubs, log });
  opened.add("intake", allowList.stop);
  const doors = config.roles.includes("web")
    ? [openAlertDoor(deps, receive), openAgentDoor(deps), openPasskeyDoor(deps)]
    : [];
  const front = await startFront({
    ...config.server,
    admits: allowList.admits,
    trustedProxies: () => deps.config.server.trustedProxies,
    metrics,
    bodyCapBytes: config.server.maxBodyMb * 1024 * 1024,
    secrets: () => deps.config.github.webhookSecrets,
    receive: config.roles.includes("web") && takesWebhooks(config) ? receive : undefined,
    appId: config.github.appId,
    ready: () => readiness(deps, reach.words(), setup()),
    log: ({ kind, ...event }) =>
      log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: deliveryEvents[kind] }),
    onFault: (err) => log.error({ module: "front", event: "request_failed", err }),
    extra: async (request, response) => {
      for (const door of doors) if (await door(request, response)) return true;
      return (await options.extra?.(request, response)) ?? false;
    },
  });
  opened.add("intake", front.close);
  return front.url;
}

function redactLine(redact: Redact, line: string): string | undefined {
  const redacted = redact(line);
  return redacted.ok ? redacted.text : undefined;
}
