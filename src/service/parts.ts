/** What is made of the config, and made anew when the config is (CFG-1). */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createModel } from "../agent/wire/model.ts";
import type { ChatMessage } from "../base/agent.ts";
import type { Cluster } from "../base/server.ts";
import { readKubeContext } from "../config/kubeconfig.ts";
import { type Config, environment, secretsOfOnCall } from "../config/load.ts";
import type { Deps } from "../features/context.ts";
import { createFetchOwnName } from "../github/app/own-name.ts";
import { createFetchChanges } from "../github/changes.ts";
import type { Client } from "../github/client.ts";
import { createComments } from "../github/comments.ts";
import { createContextSource } from "../github/context/source.ts";
import { createFetchConversation } from "../github/conversation.ts";
import { createFetchFacts } from "../github/facts.ts";
import { createReadComments } from "../github/issue-comments.ts";
import { createIssues } from "../github/issues.ts";
import { createLabels } from "../github/labels.ts";
import { createCalendar } from "../pager/fetch.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import type { Ssh } from "../ssh/run.ts";
import { type Notary, readNotary } from "../store/audit/checkpoint.ts";
import type { Logger } from "../telemetry/log.ts";
import { bareMessage, redactText } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";
import { connectionsTo } from "./connections.ts";

/** The doors that are the operator's to change while the bot runs. */
export type Parts = Pick<Deps, "config" | "context" | "evaluate" | "ask" | "notary" | "calendar"> & {
  readonly ssh: Pick<Ssh, "reserve" | "close"> & {
    /** Ends the connections once the commands have ended that are on them. */
    readonly retire: () => void;
  };
};

/** What they are made with, which stays. */
export interface Outside {
  readonly client: Client;
  readonly log: Logger;
  readonly redact: Redact;
  readonly kubectl?: string | undefined;
  /** Gives the redactor more secrets. */
  readonly learn: (secrets: readonly string[]) => void;
}

/**
 * Makes them; those whose sections are as `before` are kept, with what they have learnt and opened. Throws an `OperatorError` for
 * a config that cannot be used, and has changed nothing then.
 */
export function buildParts(config: Config, outside: Outside, before?: Parts): Parts {
  const { client, log, redact } = outside;
  const keepOr = <K extends keyof Parts>(
    part: K,
    sections: readonly (keyof Config)[],
    make: () => Parts[K],
  ): Parts[K] =>
    before && sections.every((section) => isDeepStrictEqual(before.config[section], config[section]))
      ? before[part]
      : make();
  const evaluate = keepOr("evaluate", ["policy", "servers"], () =>
    createEvaluator({ ...config.policy, inventory: inventoryOf(config.servers.values()), now: Date.now }),
  );
  const notary = keepOr("notary", ["audit"], () => notaryOf(config));
  return {
    config,
    evaluate,
    notary,
    context: keepOr("context", ["context", "features", "incident"], () => createContextSource(client, config)),
    calendar: keepOr("calendar", ["oncall"], () => calendarOf(config, log)),
    ask: keepOr("ask", ["model"], () => modelOf(config, log, redact)),
    ssh: keepOr("ssh", ["servers"], () => connectionsTo(config, outside)),
  };
}

/** What is made of the config is asked for each time, so that a new one holds at once. */
export const createWorld = (
  parts: () => Parts,
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

const calendarOf = ({ oncall }: Config, log: Logger): Deps["calendar"] =>
  oncall.calendar &&
  createCalendar(oncall.calendar, (error) => log.warn({ module: "oncall", event: "calendar_unreadable", err: error }));

/** Boards, which bear the checkpoints, are drawn by those who serve incidents; whoever only takes webhooks needs no key for it. */
const signs = ({ roles }: Config): boolean => roles.includes("agent") || roles.includes("runner");

/** The operator's key for checkpoints of the audit. Throws where the file is none, before anything is accepted. */
const notaryOf = (config: Config): Notary | undefined => {
  const { signingKeyFile } = config.audit;
  return signingKeyFile === undefined || !signs(config) ? undefined : readNotary(signingKeyFile);
};

/** The door to the model; whatever is sent through it leaves its secrets behind (SR-45). */
function modelOf(config: Config, log: Logger, redact: Redact): Deps["ask"] {
  if (config.model.endpoints.length === 0 || !config.roles.includes("agent")) return undefined;
  const ask = createModel({
    endpoints: config.model.endpoints.map((endpoint) => ({ ...endpoint, apiKey: endpoint.apiKey ?? "" })),
    deadlineMs: config.model.deadlineMs,
    retry: config.model.retry,
    log: ({ level, ...event }) => log[level]({ module: "model", ...event }),
  });
  const bared = (messages: readonly ChatMessage[]) => messages.map((message) => bareMessage(redact, message));
  return (request, watch) => ask({ ...request, messages: bared(request.messages) }, watch);
}

/** The doors to GitHub. */
export const githubOf = (client: Client, config: Config, now: Deps["now"]) => ({
  comments: createComments(client),
  issues: createIssues(client, { ...config.github, now }),
  labels: createLabels(client),
  facts: createFetchFacts(client),
  changes: createFetchChanges(client, config.github),
  conversation: createFetchConversation(client),
  readComments: createReadComments(client),
  ownName: createFetchOwnName(client),
});

/** What GitHub says of a failure is kept and logged in many places, and says whatever it likes. */
export const withBareErrors = (client: Client, redact: Redact): Client => ({
  ...client,
  as: (place, call) =>
    client.as(place, call).catch((error: unknown) => {
      if (error instanceof Error) error.message = redactText(redact, error.message);
      throw error;
    }),
});

/** Every value that must not leave, whatever text it turns up in (SR-47). */
export const secretsOf = (config: Config): readonly string[] => [
  config.github.privateKey,
  ...config.github.webhookSecrets,
  ...Object.values(config.alerts.sources).flatMap(({ secrets }) => secrets),
  ...config.model.endpoints.flatMap((endpoint) => endpoint.apiKey ?? []),
  ...secretsOfOnCall(config.oncall),
  ...config.storePasswords,
  ...(config.roles.includes("runner") ? [...config.servers.values()] : []).flatMap(
    ({ keyFile, keyPassphraseFile, cluster, source }) => [
      ...textOf(keyFile),
      ...textOf(source?.tokenFile),
      ...textOf(keyPassphraseFile),
      ...(cluster ? credentialsOf(cluster) : []),
    ],
  ),
  ...(signs(config) ? textOf(config.audit.signingKeyFile) : []),
];

const credentialsOf = (cluster: Cluster): readonly string[] => {
  const read = readKubeContext(cluster, environment());
  return read.ok ? read.secrets : [];
};

/** A key that cannot be read is reported when it is used; here it only has no text that could leak. */
function textOf(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  try {
    return [readFileSync(file, "utf8").trim()];
  } catch {
    return [];
  }
}
