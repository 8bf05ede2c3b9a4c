import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import own from "../../package.json" with { type: "json" };
import { createModel } from "../agent/wire/model.ts";
import { alertSourceOf, parseAlert } from "../alert/sources.ts";
import { teamsOf } from "../approval/place.ts";
import type { ChatMessage } from "../base/agent.ts";
import { createClock } from "../base/clock.ts";
import { openTogether } from "../base/opened.ts";
import { removeLeftFolders } from "../base/private-folder.ts";
import { readKubeContext } from "../config/kubeconfig.ts";
import { environment } from "../config/load.ts";
import { secretsOfOnCall } from "../config/oncall.ts";
import { reloaded } from "../config/reload.ts";
import { type Config, polls, repositoryIn, storedOutputBytes, takesWebhooks } from "../config/values.ts";
import { agentTools, answerAloud } from "../features/agents/answer-agent.ts";
import type { Deps } from "../features/context.ts";
import { keepStopping } from "../features/incident/hold.ts";
import { keepExpiring, keepRetention } from "../features/incident/open-close.ts";
import { keepCatchUp } from "../features/intake/catch-up.ts";
import { keepCalling } from "../features/oncall/call.ts";
import {
  gaugesOf,
  keepAppLook,
  keepClock,
  readiness,
  type Setup,
  setStoreRight,
} from "../features/operator/readiness.ts";
import { keepLocalDoor } from "../features/operator/socket.ts";
import { answerPage, viewPage } from "../features/passkey/passkey.ts";
import { type PollPace, usualPace } from "../features/poll/pace.ts";
import { keepPolling } from "../features/poll/poll.ts";
import { keepFollowing } from "../features/pulls/follow.ts";
import { createFactsCache } from "../features/run/check-dispatch.ts";
import { createRunRegistry } from "../features/run/run-registry.ts";
import { keepSchedules } from "../features/schedule/run.ts";
import { createMarkdown } from "../features/thread/views.ts";
import { createBoardCheck, keepCheckpoint, voidIfRestored } from "../features/verify/restored.ts";
import { createFetchOwnName, fetchHookAddresses } from "../github/app/access.ts";
import { createMissed } from "../github/app/missed.ts";
import { listenTo } from "../github/app/reach.ts";
import { createFetchChanges } from "../github/changes.ts";
import { type Client, createClient } from "../github/client.ts";
import { createComments } from "../github/comments.ts";
import { createContextSource } from "../github/context/source.ts";
import { createFetchConversation, createReadComments } from "../github/conversation.ts";
import { createFetchFacts } from "../github/facts.ts";
import { createIssues, createLabels } from "../github/issues.ts";
import { createPollSource } from "../github/poll.ts";
import { createAlertDoor } from "../http/alerts.ts";
import { createMcpDoor } from "../http/mcp.ts";
import { createPasskeyDoor } from "../http/passkeys.ts";
import { keepAllowList } from "../http/places.ts";
import { startFront } from "../http/server.ts";
import { createKubernetes } from "../kubernetes/run.ts";
import { createCalendar } from "../pager/fetch.ts";
import { createPatchGitHub, createPatchReader, mostAnswerBytes, type PatchGitHub } from "../patches/github.ts";
import { createPatches } from "../patches/run.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { askForCertificate, signerAddressOf } from "../signer/client.ts";
import type { StartRequest } from "../signer/protocol.ts";
import { createSources } from "../sources/run.ts";
import { createCapture } from "../ssh/capture.ts";
import { defaultLimits } from "../ssh/limits.ts";
import { createSsh, type Ssh } from "../ssh/run.ts";
import type { Certify } from "../ssh/signed.ts";
import { readNotary } from "../store/audit/checkpoint.ts";
import { openStore } from "../store/database/open.ts";
import { createPinLookup } from "../store/pins.ts";
import { alertArrival, createInbox, type Inbox } from "../store/queue/arrival.ts";
import { createLog, type Logger } from "../telemetry/log.ts";
import { bareMessage, redactText } from "../text/bare.ts";
import { createLearningRedactor } from "../text/learning.ts";
import type { Redact } from "../text/redact.ts";
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
  /** Answers an incident if no model is configured. */
  readonly prepared?: Deps["prepared"];
  /** How often pull requests are looked at; each minute by default. */
  readonly followMs?: number;
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
    const { redact, redactAgain, learn, secretsSha256 } = createLearningRedactor(secretsOf(config));
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
      usesTeams: () => teamsOf(parts().config.policy).length > 0,
      now: clock.now,
      onDate: clock.hear,
    });
    // Redacts GitHub's errors, which are logged and stored and can hold anything.
    const redacting = (one: Client): Client => ({
      ...one,
      as: (place, call) =>
        one.as(place, call).catch((error: unknown) => {
          if (error instanceof Error) error.message = redactText(redact, error.message);
          throw error;
        }),
    });
    const reach = listenTo(redacting(client));
    const { patchesApp, apiUrl } = config.github;
    // Nothing but this has the second App's tokens.
    const patches = patchesApp?.privateKey
      ? createPatchGitHub(
          redacting(
            createClient({
              ...patchesApp,
              apiUrl,
              log: log.child({ module: "github", event: "client" }, { level: "warn" }),
              idOf: async () => undefined,
              usesTeams: () => false,
              now: clock.now,
              onDate: clock.hear,
              mostBytes: mostAnswerBytes,
            }),
          ),
        )
      : undefined;
    const { client: github } = reach;
    const { kubectl, freshMs } = options;
    const input = { client: github, log, redact, learn, kubectl, freshMs, patches };
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
      patches: patches && createPatchReader(patches),
      prepared: options.prepared,
      running: createRunRegistry(),
      factsCache: createFactsCache(),
      redact,
      markdown: createMarkdown(redactAgain),
      drawnWith: () => hash("sha256", JSON.stringify([own.version, parts().config.fileSha256, secretsSha256()])),
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
    if (isAgent) opened.add("intake", keepFollowing(deps, options.followMs).stop);
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

/** Parts that are built again for each new config (SR-45, SR-47). */

type BotParts = Pick<Deps, "config" | "context" | "evaluate" | "ask" | "notary" | "calendar"> & {
  readonly ssh: Pick<Ssh, "reserve" | "close"> & {
    /** Closes the connections when their commands have ended. */
    readonly retire: () => void;
  };
};

interface PartsInput {
  readonly client: Client;
  readonly log: Logger;
  readonly redact: Redact;
  readonly kubectl?: string | undefined;
  /** How long the final check before a send holds. */
  readonly freshMs?: number | undefined;
  readonly learn: (secrets: readonly string[]) => void;
  readonly patches?: PatchGitHub | undefined;
}

/** Throws an `OperatorError` for an unusable config. */
function createLiveParts(
  config: Config,
  input: PartsInput,
  setLevel: (level: string) => void,
): { readonly parts: () => BotParts; readonly reload: (next: Config) => void } {
  let parts = buildParts(config, input);
  const reload = (next: Config): void => {
    const { config: wanted, changedSections, needsRestart } = reloaded(parts.config, next);
    // Before any text can hold them, even if only a key file has changed.
    input.learn(secretsOf(next));
    // What rests on the file itself, as an opening lease does, ends with any edit of it.
    const isSameFile = wanted.fileSha256 === parts.config.fileSha256;
    if (isSameFile && changedSections.length + needsRestart.length === 0) return;
    const before = parts;
    parts = buildParts(wanted, input, before);
    if (parts.ssh !== before.ssh) before.ssh.retire();
    setLevel(wanted.logging.level);
    input.log.info({ module: "config", event: "config_reload", changedSections, needsRestart });
    logConfig(input.log, wanted, changedSections.includes("reinjection"));
  };
  return { parts: () => parts, reload };
}

/** Logs the config's warnings, and how often it repeats the prompt. */
function logConfig(log: Logger, config: Config, hasReinjection = true): void {
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  if (hasReinjection) log.info({ module: "systemPrompt", event: "reinjection_in_force", ...config.reinjection });
}

/** Parts of unchanged sections keep what they learned and opened. If it throws, nothing has changed. */
function buildParts(config: Config, input: PartsInput, before?: BotParts): BotParts {
  const { client, log, redact } = input;
  const keepOr = <K extends keyof BotParts>(
    part: K,
    sections: readonly (keyof Config)[],
    build: () => BotParts[K],
  ): BotParts[K] =>
    before && sections.every((section) => isDeepStrictEqual(before.config[section], config[section]))
      ? before[part]
      : build();
  return {
    config,
    evaluate: keepOr("evaluate", ["policy", "servers"], () =>
      createEvaluator({ ...config.policy, inventory: inventoryOf(config.servers.values()), now: Date.now }),
    ),
    // An unusable key stops the start before anything is accepted.
    notary: keepOr("notary", ["audit"], () => {
      const { signingKeyFile } = config.audit;
      return signingKeyFile === undefined || !signs(config) ? undefined : readNotary(signingKeyFile);
    }),
    context: keepOr("context", ["context", "features", "incident"], () => createContextSource(client, config)),
    calendar: keepOr(
      "calendar",
      ["oncall"],
      () =>
        config.oncall.calendar &&
        createCalendar(config.oncall.calendar, (error) =>
          log.warn({ module: "oncall", event: "calendar_unreadable", err: error }),
        ),
    ),
    ask: keepOr("ask", ["model"], () => {
      if (config.model.endpoints.length === 0 || !config.roles.includes("agent")) return undefined;
      const ask = createModel({
        endpoints: config.model.endpoints.map((endpoint) => ({ ...endpoint, apiKey: endpoint.apiKey ?? "" })),
        deadlineMs: config.model.deadlineMs,
        atOnce: config.model.atOnce,
        retry: config.model.retry,
        log: ({ level, ...event }) => log[level]({ module: "model", ...event }),
      });
      // No secret reaches the model.
      const bare = (messages: readonly ChatMessage[]) => messages.map((message) => bareMessage(redact, message));
      return (request, watch) => ask({ ...request, messages: bare(request.messages) }, watch);
    }),
    ssh: keepOr("ssh", ["servers", "signer"], () => connectionsTo(config, input)),
  };
}

/** The features read the parts at each use, so a new config takes effect at once. */
const createWorld = (
  parts: () => BotParts,
  fixed: Omit<Deps, "config" | "context" | "evaluate" | "ask" | "notary" | "calendar" | "reserve">,
): Deps => ({
  ...fixed,
  reserve: (order, signal) => parts().ssh.reserve(order, signal),
  get config() {
    return parts().config;
  },
  get context() {
    return parts().context;
  },
  get evaluate() {
    return parts().evaluate;
  },
  get ask() {
    return parts().ask;
  },
  get calendar() {
    return parts().calendar;
  },
  get notary() {
    return parts().notary;
  },
});

/** Connections to the servers, clusters, sources and patched repositories of one inventory. */
export function connectionsTo(
  config: Config,
  {
    learn,
    kubectl,
    freshMs = defaultLimits.freshMs,
    patches: github,
  }: Pick<PartsInput, "learn" | "kubectl" | "freshMs" | "patches">,
): BotParts["ssh"] {
  const createOutput = () => createCapture(storedOutputBytes(config));
  const kubernetes = createKubernetes({
    readContext: (cluster) => {
      const read = readKubeContext(cluster, environment());
      // The redactor must know a changed token before an output can hold it.
      if (read.ok) learn(read.secrets);
      return read;
    },
    createCapture: createOutput,
    freshMs,
    kubectl,
  });
  const sources = createSources({
    readToken: (tokenFile) => {
      const token = readFileSync(tokenFile, "utf8").trim();
      learn([token]);
      return token;
    },
    createCapture: createOutput,
    freshMs,
  });
  const patches = createPatches({ github, createCapture: createOutput, freshMs });
  const ssh = createSsh({
    servers: config.servers,
    agentSocket: environment().SSH_AUTH_SOCK,
    maxOutputBytes: storedOutputBytes(config),
    certify: certifierFor(config),
    limits: { freshMs },
  });
  let running = 0;
  let isRetired = false;
  const close = (): Promise<void> => {
    kubernetes.close();
    sources.close();
    patches.close();
    return ssh.close();
  };
  const closeWhenFree = (): void => {
    if (isRetired && running === 0) void close();
  };
  return {
    close,
    retire: () => {
      isRetired = true;
      closeWhenFree();
    },
    reserve: async (order, signal) => {
      running++;
      const { server } = order;
      const runner = server.source ? sources : server.patches ? patches : server.cluster ? kubernetes : ssh;
      const reservation = await runner.reserve(order, signal);
      void reservation.over.then(() => {
        running--;
        closeWhenFree();
      });
      return reservation;
    },
  };
}

/** What the ssh box asks, in the signer's form. */
function certifierFor({ signer, roles }: Config): Certify | undefined {
  if (signer === undefined || !roles.includes("runner")) return undefined;
  const address = signerAddressOf(signer);
  return (asked, publicKey, signal) => {
    const { server, bytes } = asked;
    const common = { v: 1, server, bytes, publicKey } as const;
    if (asked.ask === "job") return askForCertificate(address, { ...common, ask: "job", job: asked.job }, signal);
    const request = { ...common, ask: "start", ...asked.countersigned } as const;
    // The store gave spec and assertions; the signer reads them by its schema.
    return askForCertificate(address, request as unknown as StartRequest, signal);
  };
}

/** Boards carry the checkpoints. A process that only takes webhooks draws none. */
const signs = ({ roles }: Config): boolean => roles.includes("agent") || roles.includes("runner");

/** Values that must not leave the bot in any text. */
export const secretsOf = (config: Config): readonly string[] => [
  config.github.privateKey,
  ...(config.github.patchesApp ? [config.github.patchesApp.privateKey] : []),
  ...config.github.webhookSecrets,
  ...Object.values(config.alerts.sources).flatMap(({ secrets, answer }) => [
    ...secrets,
    ...(answer ? [answer.secret] : []),
  ]),
  ...config.model.endpoints.flatMap((endpoint) => endpoint.apiKey ?? []),
  ...secretsOfOnCall(config.oncall),
  ...config.storePasswords,
  ...(config.roles.includes("runner") ? [...config.servers.values()] : []).flatMap(
    ({ keyFile, keyPassphraseFile, cluster, source }) => {
      const read = cluster && readKubeContext(cluster, environment());
      return [
        ...textIn(keyFile),
        ...textIn(source?.tokenFile),
        ...textIn(keyPassphraseFile),
        ...(read?.ok ? read.secrets : []),
      ];
    },
  ),
  ...(signs(config) ? textIn(config.audit.signingKeyFile) : []),
  ...(config.roles.includes("runner") ? textIn(config.signer?.keyFile) : []),
];

/** An unreadable key cannot leak; its use reports it. */
function textIn(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  try {
    return [readFileSync(file, "utf8").trim()];
  } catch {
    return [];
  }
}
