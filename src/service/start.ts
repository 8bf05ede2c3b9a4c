import type { IncomingMessage, ServerResponse } from "node:http";
import own from "../../package.json" with { type: "json" };
import { alertSourceOf, parseAlert } from "../alert/sources.ts";
import { createClock } from "../base/clock.ts";
import { openTogether } from "../base/opened.ts";
import { removeLeftFolders } from "../base/private-folder.ts";
import { type Config, polls, repositoryIn, takesWebhooks } from "../config/values.ts";
import { agentTools, answerAloud } from "../features/agents/answer-agent.ts";
import type { Deps } from "../features/context.ts";
import { keepExpiring, keepRetention } from "../features/incident/expire.ts";
import { keepStopping } from "../features/incident/hold-watch.ts";
import { keepCatchUp } from "../features/intake/catch-up.ts";
import { keepCalling } from "../features/oncall/call.ts";
import { keepClock, setStoreRight } from "../features/operator/clock.ts";
import { gaugesOf, keepAppLook, readiness, type Setup } from "../features/operator/readiness.ts";
import { keepLocalDoor } from "../features/operator/socket.ts";
import { answerPage, viewPage } from "../features/passkey/page.ts";
import { type PollPace, usualPace } from "../features/poll/pace.ts";
import { keepPolling } from "../features/poll/poll.ts";
import { createRunRegistry } from "../features/run/run-registry.ts";
import { keepSchedules } from "../features/schedule/run.ts";
import { createMarkdown } from "../features/thread/markdown-escaper.ts";
import { createFactsCache } from "../features/turn/facts-cache.ts";
import { createBoardCheck, keepCheckpoint, voidIfRestored } from "../features/verify/restored.ts";
import { fetchHookAddresses } from "../github/app/hook-addresses.ts";
import { createMissed } from "../github/app/missed.ts";
import { createFetchOwnName } from "../github/app/own-name.ts";
import { listenTo } from "../github/app/reach.ts";
import { createFetchChanges } from "../github/changes.ts";
import { createClient } from "../github/client.ts";
import { createComments } from "../github/comments.ts";
import { createFetchConversation } from "../github/conversation.ts";
import { createFetchFacts } from "../github/facts.ts";
import { createReadComments } from "../github/issue-comments.ts";
import { createIssues } from "../github/issues.ts";
import { createLabels } from "../github/labels.ts";
import { createPollSource } from "../github/poll.ts";
import { createAlertDoor } from "../http/alerts.ts";
import { keepAllowList } from "../http/allow-list.ts";
import { createMcpDoor } from "../http/mcp.ts";
import { createPasskeyDoor } from "../http/passkeys.ts";
import { startFront } from "../http/server.ts";
import { defaultLimits } from "../ssh/limits.ts";
import { openStore } from "../store/database/open.ts";
import { createPinLookup } from "../store/pins.ts";
import { alertArrival } from "../store/queue/arrival.ts";
import { createInbox, type Inbox } from "../store/queue/inbox.ts";
import { createLog } from "../telemetry/log.ts";
import { redactText } from "../text/bare.ts";
import { createLearningRedactor } from "../text/learning.ts";
import { createLiveParts, createWorld, logConfig, secretsOf } from "./parts.ts";
import { startWorker } from "./worker.ts";

const deliveryEvents = {
  accepted: "delivery_accepted",
  refused: "delivery_refused",
  "not-stored": "delivery_not-stored",
  ended: "connections_ended",
} as const;

export interface Bot {
  readonly url: string;
  readonly deps: Deps;
  /**
   * Applies a config at once. Values that need a restart stay, and are logged. Work under way keeps its config. If it throws, nothing has
   * changed.
   */
  readonly reload: (config: Config) => void;
  /** Ends or hands over the work under way. */
  readonly close: () => Promise<void>;
}

interface BotOptions {
  /** Serves other paths, e.g. the demo's. */
  readonly extra?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Gets each line beside the configured places. */
  readonly onLogLine?: (line: string) => void;
  /** The caller follows the files. */
  readonly isConfigCurrent?: () => boolean;
  /** Mistakes that only a person can fix; none by default. */
  readonly setup?: () => Setup;
  readonly pace?: PollPace;
  /** How long the final check before a send holds (F-35); a second by default. */
  readonly freshMs?: number;
  /** By default, kubectl in the usual folders. */
  readonly kubectl?: string;
}

/**
 * The intake closes first, so that nothing new begins while a slow sender or GitHub is awaited. The kill switch and /cancel reach a command
 * until it ended or was handed over.
 */
const stages = ["intake", "kill switch", "marks", "store", "servers", "last word", "log"] as const;

/** The front starts last, so that nothing is accepted before it can be served. If a part fails, all is closed again (CFG-1, RR-14). */
export const startBot = (config: Config, options: BotOptions = {}): Promise<Bot> =>
  openTogether(stages, async (opened) => {
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
      redact: (line) => {
        const redacted = redact(line);
        return redacted.ok ? redacted.text : undefined;
      },
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
      idOf: async (repo, fresh) => repositoryIn(parts().config, repo)?.id ?? pinnedId(repo, fresh),
      usesTeams: () => parts().config.policy.approvers.teams.length > 0,
      now: clock.now,
      onDate: clock.hear,
    });
    // Redacts GitHub's errors, which are logged and stored and can hold anything.
    const reach = listenTo({
      ...client,
      as: (place, call) =>
        client.as(place, call).catch((error: unknown) => {
          if (error instanceof Error) error.message = redactText(redact, error.message);
          throw error;
        }),
    });
    const { client: github } = reach;
    const input = { client: github, log, redact, learn, kubectl: options.kubectl, freshMs: options.freshMs };
    const { parts, reload } = createLiveParts(config, input, logging.setLevel);
    opened.add("servers", () => parts().ssh.close());
    const deps = createWorld(parts, {
      store,
      log,
      comments: createComments(github),
      issues: createIssues(github, { ...config.github, now: clock.now }),
      labels: createLabels(github),
      facts: createFetchFacts(github),
      changes: createFetchChanges(github, config.github),
      conversation: createFetchConversation(github),
      readComments: createReadComments(github),
      ownName: createFetchOwnName(github),
      running: createRunRegistry(),
      factsCache: createFactsCache(),
      redact,
      markdown: createMarkdown(redactAgain),
      now: clock.now,
      isConfigCurrent: options.isConfigCurrent ?? (() => true),
      freshMs: options.freshMs ?? defaultLimits.freshMs,
    });

    const watched = { ...deps, clock };
    await setStoreRight(watched);
    opened.add("intake", keepClock(watched).stop);
    const checkBoard = createBoardCheck(deps);
    await voidIfRestored(deps);
    opened.add("marks", keepCheckpoint(deps).stop);
    opened.add("intake", keepExpiring(deps).stop);
    const isAgent = config.roles.includes("agent");
    if (isAgent) opened.add("intake", keepCalling(deps).stop);
    opened.add("marks", (await keepLocalDoor(deps)).stop);
    opened.add("intake", keepRetention(watched).stop);
    opened.add("kill switch", keepStopping(deps).stop);
    await startWorker(deps, client, checkBoard);

    const { receive } = createInbox(store);
    const isWeb = config.roles.includes("web");
    const allowList = keepAllowList(() => deps.config.server, {
      fetchGitHubs: () => fetchHookAddresses(config.github.apiUrl),
      log,
    });
    opened.add("intake", allowList.stop);
    const doors = isWeb ? openDoors(deps, receive) : [];
    const front = await startFront({
      ...config.server,
      admits: allowList.admits,
      trustedProxies: () => deps.config.server.trustedProxies,
      metrics: metrics?.render,
      bodyCapBytes: config.server.maxBodyMb * 1024 * 1024,
      secrets: () => deps.config.github.webhookSecrets,
      receive: isWeb && takesWebhooks(config) ? receive : undefined,
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
    const { url } = front;
    opened.add("intake", front.close);
    opened.add("intake", keepSchedules(deps).stop);
    opened.add("intake", keepAppLook(deps, reach.look).stop);

    if (isAgent) {
      const missed = createMissed(github, { ...config.github, now: deps.now });
      // If GitHub never calls the bot, no call failed.
      const failedSince = takesWebhooks(config) ? missed.failedSince : async () => ({ attempts: [], isWhole: true });
      opened.add("intake", keepCatchUp(deps, { ...missed, failedSince, receive }).stop);
      if (polls(config)) {
        const polling = {
          deps,
          createSource: () => createPollSource(github),
          receive,
          alsoWebhooks: takesWebhooks(config),
          pace: options.pace ?? usualPace,
        };
        opened.add("intake", keepPolling(polling).stop);
      }
    }
    const { host } = config.server;
    const port = Number(new URL(url).port);
    log.info({ module: "front", event: "server_start", host, port, version: own.version, store: store.kind });
    opened.add("last word", () => log.info({ module: "front", event: "server_stop" }));
    return { url, deps, reload, close: opened.close };
  });

const alertEvents = {
  accepted: "alert_accepted",
  refused: "alert_refused",
  "not-stored": "alert_not-stored",
} as const;

type Door = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Opens the doors for alerts, agents and passkeys. Each follows the config in force. */
function openDoors(deps: Deps, receive: Inbox["receive"]): readonly Door[] {
  const sourceOf = (name: string) => {
    const { sources } = deps.config.alerts;
    return Object.hasOwn(sources, name) ? sources[name] : undefined;
  };
  return [
    createAlertDoor({
      source: (name) => {
        const source = sourceOf(name);
        return source && { ...source, signature: alertSourceOf(source.kind).signature };
      },
      read: (name, text) => {
        const parsed = parseAlert(sourceOf(name)?.kind ?? "json", text);
        return parsed.kind === "alert" ? { kind: "arrival", arrival: alertArrival(name, parsed.alert) } : parsed;
      },
      receive,
      now: deps.now,
      log: ({ kind, ...event }) =>
        deps.log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: alertEvents[kind] }),
    }),
    createMcpDoor({
      agents: () => deps.config.policy.proposers.mcp,
      tools: (agent) => ({
        tools: agentTools,
        call: (tool, input) => answerAloud(deps, { ask: "agent", agent, tool, input }),
      }),
      log: (event) => deps.log.warn({ module: "front", ...event, event: "mcp_refused" }),
      now: deps.now,
    }),
    createPasskeyDoor({
      isOn: () => deps.config.server.publicUrl !== undefined,
      view: (id) => viewPage(deps, id),
      take: (id, body) => answerPage(deps, id, body),
      log: ({ ok, ...event }) =>
        deps.log[ok ? "info" : "warn"]({ module: "front", ...event, event: ok ? "passkey_taken" : "passkey_refused" }),
    }),
  ];
}
