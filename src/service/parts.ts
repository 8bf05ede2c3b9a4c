/** Parts that are built again for each new config (CFG-1, SR-45, SR-47). */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createModel } from "../agent/wire/model.ts";
import type { ChatMessage } from "../base/agent.ts";
import { readKubeContext } from "../config/kubeconfig.ts";
import { environment } from "../config/load.ts";
import { secretsOfOnCall } from "../config/oncall.ts";
import { reloaded } from "../config/reload.ts";
import { type Config, storedOutputBytes } from "../config/values.ts";
import type { Deps } from "../features/context.ts";
import { logReinjection } from "../features/turn/prompt.ts";
import type { Client } from "../github/client.ts";
import { createContextSource } from "../github/context/source.ts";
import { createKubernetes } from "../kubernetes/run.ts";
import { createCalendar } from "../pager/fetch.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { createSources } from "../sources/run.ts";
import { createCapture } from "../ssh/capture.ts";
import { defaultLimits } from "../ssh/limits.ts";
import { createSsh, type Ssh } from "../ssh/run.ts";
import { readNotary } from "../store/audit/checkpoint.ts";
import type { Logger } from "../telemetry/log.ts";
import { bareMessage } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";

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
  /** How long the final check before a send holds (F-35). */
  readonly freshMs?: number | undefined;
  readonly learn: (secrets: readonly string[]) => void;
}

/** Throws an `OperatorError` for an unusable config. */
export function createLiveParts(
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
export function logConfig(log: Logger, config: Config, hasReinjection = true): void {
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  if (hasReinjection) logReinjection(log, config);
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
    ssh: keepOr("ssh", ["servers"], () => connectionsTo(config, input)),
  };
}

/** The features read the parts at each use, so a new config takes effect at once. */
export const createWorld = (
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

/** Connections to the servers, clusters and sources of one inventory. */
export function connectionsTo(
  config: Config,
  { learn, kubectl, freshMs = defaultLimits.freshMs }: Pick<PartsInput, "learn" | "kubectl" | "freshMs">,
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
  const ssh = createSsh({
    servers: config.servers,
    agentSocket: environment().SSH_AUTH_SOCK,
    maxOutputBytes: storedOutputBytes(config),
    limits: { freshMs },
  });
  let running = 0;
  let isRetired = false;
  const close = (): Promise<void> => {
    kubernetes.close();
    sources.close();
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
      const { cluster, source } = order.server;
      const reservation = await (source ? sources : cluster ? kubernetes : ssh).reserve(order, signal);
      void reservation.over.then(() => {
        running--;
        closeWhenFree();
      });
      return reservation;
    },
  };
}

/** Boards carry the checkpoints. A process that only takes webhooks draws none. */
const signs = ({ roles }: Config): boolean => roles.includes("agent") || roles.includes("runner");

/** Values that must not leave the bot in any text. */
export const secretsOf = (config: Config): readonly string[] => [
  config.github.privateKey,
  ...config.github.webhookSecrets,
  ...Object.values(config.alerts.sources).flatMap(({ secrets }) => secrets),
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
