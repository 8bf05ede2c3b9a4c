import type { IncomingMessage, ServerResponse } from "node:http";
import own from "../../package.json" with { type: "json" };
import { createClock } from "../base/clock.ts";
import { type Opened, openTogether } from "../base/opened.ts";
import { type Config, repositoryIn } from "../config/load.ts";
import { reloaded } from "../config/reload.ts";
import type { Deps } from "../features/context.ts";
import { keepExpiring } from "../features/incident/expire.ts";
import { keepStopping } from "../features/incident/hold-watch.ts";
import { keepRetention } from "../features/incident/retention.ts";
import { keepCatchUp } from "../features/intake/catch-up.ts";
import { keepAppLook } from "../features/operator/app-look.ts";
import { gaugesOf } from "../features/operator/gauges.ts";
import { readiness } from "../features/operator/readiness.ts";
import { keepLocalDoor } from "../features/operator/socket.ts";
import { createRunRegistry } from "../features/run/run-registry.ts";
import { keepSchedules } from "../features/schedule/watch.ts";
import { createMarkdown } from "../features/thread/markdown-escaper.ts";
import { createFactsCache } from "../features/turn/facts-cache.ts";
import { logReinjection } from "../features/turn/prompt-reinjection.ts";
import { keepCheckpoint } from "../features/verify/checkpoint-writer.ts";
import { createBoardCheck, voidIfRestored } from "../features/verify/restored.ts";
import { fetchHookAddresses } from "../github/app/hook-addresses.ts";
import { createMissed } from "../github/app/missed.ts";
import { listenTo } from "../github/app/reach.ts";
import { createClient } from "../github/client.ts";
import { keepAllowList } from "../http/allow-list.ts";
import { startFront } from "../http/server.ts";
import { openStore } from "../store/database/open.ts";
import { createPinLookup } from "../store/pins.ts";
import { createInbox } from "../store/queue/inbox.ts";
import { createLog } from "../telemetry/log.ts";
import { createLearningRedactor } from "../text/learning.ts";
import type { Redact } from "../text/redact.ts";
import { buildParts, createWorld, githubOf, secretsOf, withBareErrors } from "./parts.ts";
import { startWorker } from "./worker.ts";

/** How the log calls what the front says of a delivery. */
const deliveryEvents = {
  accepted: "delivery_accepted",
  refused: "delivery_refused",
  "not-stored": "delivery_not-stored",
} as const;

export interface Bot {
  /** Where webhooks go. */
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
  /** More lines for `/readyz`: how things stand that only a person can mend. */
  readonly setup?: () => Readonly<Record<string, string>>;
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

async function openBot(config: Config, options: BotOptions, opened: Opened<(typeof stages)[number]>): Promise<Bot> {
  let secrets = secretsOf(config);
  const { redact, learn } = createLearningRedactor(secrets);
  const metrics = config.server.metrics
    ? (await import("../telemetry/metrics.ts")).createMetrics({ version: own.version, read: () => gaugesOf(deps) })
    : undefined;
  opened.add("last word", () => metrics?.close());
  const {
    log,
    close: closeLog,
    setLevel,
  } = await createLog({
    ...config.logging,
    redact: (line) => redactLine(redact, line),
    also: options.onLogLine,
    observe: metrics?.observe,
  });
  opened.add("log", closeLog);
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  logReinjection(log, config);
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
    idOf: async (repo) => repositoryIn(parts.config, repo)?.id ?? pinnedId(repo),
    usesTeams: () => parts.config.policy.approvers.teams.length > 0,
    onDate: clock.hear,
  });
  const reach = listenTo(withBareErrors(client, redact));
  const outside = { client: reach.client, log, redact };
  let parts = buildParts(config, outside);
  opened.add("servers", () => parts.ssh.close());
  const deps = createWorld(() => parts, {
    store,
    log,
    ...githubOf(outside.client, config),
    running: createRunRegistry(),
    factsCache: createFactsCache(),
    redact,
    markdown: createMarkdown(redact),
    now: clock.now,
    isConfigCurrent: options.isConfigCurrent ?? (() => true),
  });
  const reload = (next: Config): void => {
    const { config: wanted, changedSections, needsRestart } = reloaded(parts.config, next);
    // Known before anything can say them, also where only a key file has changed; those of before stay secrets.
    secrets = [...new Set([...secrets, ...secretsOf(next)])];
    learn(secrets);
    if (changedSections.length + needsRestart.length === 0) return;
    const before = parts;
    parts = buildParts(wanted, outside, before);
    if (parts.ssh !== before.ssh) before.ssh.retire();
    setLevel(wanted.logging.level);
    log.info({ module: "config", event: "config_reload", changedSections, needsRestart });
    for (const warning of wanted.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
    if (changedSections.includes("reinjection")) logReinjection(log, wanted);
  };
  const checkBoard = createBoardCheck(deps);
  await voidIfRestored(deps);
  opened.add("marks", keepCheckpoint(deps).stop);
  opened.add("intake", keepExpiring(deps).stop);
  opened.add("marks", (await keepLocalDoor(deps)).stop);
  opened.add("intake", keepRetention(deps).stop);
  opened.add("kill switch", keepStopping(deps).stop);
  const inbox = createInbox(store);
  await startWorker(deps, client, checkBoard);
  const fetchGitHubs = () => fetchHookAddresses(config.github.apiUrl);
  const allowList = keepAllowList(() => parts.config.server, { fetchGitHubs, log });
  opened.add("intake", allowList.stop);
  const front = await startFront({
    ...config.server,
    admits: allowList.admits,
    metrics: metrics?.render,
    bodyCapBytes: config.server.maxBodyMb * 1024 * 1024,
    secrets: () => parts.config.github.webhookSecrets,
    receive: config.roles.includes("web") ? inbox.receive : undefined,
    appId: config.github.appId,
    ready: () => readiness(deps, reach.words(), options.setup?.()),
    log: ({ kind, ...event }) =>
      log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: deliveryEvents[kind] }),
    ...(options.extra ? { extra: options.extra } : {}),
  });
  opened.add("intake", front.close);
  opened.add("intake", keepSchedules(deps).stop);
  opened.add("intake", keepAppLook(deps, reach.look).stop);
  if (config.roles.includes("agent"))
    opened.add("intake", keepCatchUp(deps, { ...createMissed(client, config.github), receive: inbox.receive }).stop);
  const { host } = config.server;
  const port = Number(new URL(front.url).port);
  log.info({ module: "front", event: "server_start", host, port, version: own.version, store: store.kind });
  opened.add("last word", () => log.info({ module: "front", event: "server_stop" }));
  return { url: front.url, deps, reload, close: opened.close };
}

function redactLine(redact: Redact, line: string): string | undefined {
  const redacted = redact(line);
  return redacted.ok ? redacted.text : undefined;
}
