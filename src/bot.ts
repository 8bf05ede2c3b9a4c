import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import own from "../package.json" with { type: "json" };
import { createModel } from "./agent/model.ts";
import { type Config, environment } from "./config.ts";
import { messageOf, OperatorError } from "./errors.ts";
import { type Client, createClient } from "./github/client.ts";
import { createComments } from "./github/comments.ts";
import { createContextSource } from "./github/context.ts";
import { createFetchConversation } from "./github/conversation.ts";
import { createFetchFacts } from "./github/facts.ts";
import { createReadComments } from "./github/issue-comments.ts";
import { createIssues } from "./github/issues.ts";
import { createMissed } from "./github/missed.ts";
import type { Ink } from "./github/render/ink.ts";
import { keepCatchUp } from "./jobs/catch-up.ts";
import { keepExpiring } from "./jobs/expire.ts";
import { haltSummary, readSwitch } from "./jobs/halt.ts";
import { createHandoff } from "./jobs/handoff.ts";
import { keepStopping } from "./jobs/hold-watch.ts";
import { logReinjection } from "./jobs/injection.ts";
import { createRunning } from "./jobs/running.ts";
import { keepCheckpoint } from "./jobs/witness.ts";
import type { World } from "./jobs/world.ts";
import { createLog, type Logger } from "./log.ts";
import { createEvaluator } from "./policy/evaluate.ts";
import { startFront } from "./server.ts";
import { createSsh } from "./ssh/run.ts";
import { createNotary, type Notary } from "./store/checkpoint.ts";
import { openStore } from "./store/database.ts";
import { createInbox } from "./store/inbox.ts";
import { bare, bareMessage } from "./text/bare.ts";
import { code, fence, plain } from "./text/fence.ts";
import { prose, wordsOf } from "./text/prose.ts";
import { createRedactor, type Redact } from "./text/redact.ts";
import type { ChatMessage } from "./types.ts";
import { startWorker } from "./worker.ts";

export interface Bot {
  /** Where webhooks go. */
  readonly url: string;
  readonly world: World;
  /** Takes nothing new, lets what is under way end, and lets go of everything. */
  readonly close: () => Promise<void>;
}

/**
 * Puts the bot together and starts it: the store, then the doors to GitHub, model and servers, then the worker, and the front
 * last, so that nothing is accepted before it can be served.
 */
export async function startBot(
  config: Config,
  options: {
    /** Serves other paths, e.g. the demo's page. */
    readonly extra?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
    /** Gets each line of the log beside the places that the config names. */
    readonly onLogLine?: (line: string) => void;
  } = {},
): Promise<Bot> {
  const redact = createRedactor({ secrets: secretsOf(config) });
  const { log, close: closeLog } = await createLog({
    ...config.logging,
    redact: (line) => redactLine(redact, line),
    also: options.onLogLine,
  });
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  logReinjection(log, config);
  const store = await openStore(config.store.url, {
    onWarning: (text) => log.warn({ module: "store", event: "store_warning", reason: text }),
  });
  const notary = notaryOf(config);
  const ssh = createSsh({ servers: config.servers, agentSocket: environment().SSH_AUTH_SOCK });
  const client = createClient({
    ...config.github,
    log: log.child({ module: "github", event: "client" }, { level: "warn" }),
  });
  const world: World = {
    config,
    store,
    log,
    ...githubOf(withBareErrors(client, redact), config),
    evaluate: createEvaluator({ ...config.policy, now: Date.now }),
    exec: ssh.exec,
    running: createRunning(),
    handoff: createHandoff(),
    ask: modelOf(config, log, redact),
    redact,
    ink: createInk(redact),
    notary,
    now: () => new Date(),
  };
  const witness = keepCheckpoint(world);
  const expiry = keepExpiring(world);
  const stopping = keepStopping(world);
  const inbox = createInbox(store);
  await startWorker(world, client.probot);
  const front = await startFront({
    ...config.server,
    secrets: config.github.webhookSecrets,
    receive: inbox.receive,
    ready: () => readiness(world),
    log: ({ kind, ...event }) =>
      log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: `delivery_${kind}` }),
    ...(options.extra ? { extra: options.extra } : {}),
  });
  const catchUp = keepCatchUp(world, { ...createMissed(client, config.github), receive: inbox.receive });
  const { host } = config.server;
  const port = Number(new URL(front.url).port);
  log.info({ module: "front", event: "server_start", host, port, version: own.version, store: store.kind });
  return {
    url: front.url,
    world,
    close: async () => {
      await front.close();
      await catchUp.stop();
      await expiry.stop();
      await stopping.stop();
      await witness.stop();
      await store.close();
      await ssh.close();
      log.info({ module: "front", event: "server_stop" });
      await closeLog();
    },
  };
}

const githubOf = (client: Client, config: Config) => ({
  comments: createComments(client),
  issues: createIssues(client),
  facts: createFetchFacts(client),
  conversation: createFetchConversation(client),
  readComments: createReadComments(client),
  context: createContextSource(client, config),
});

/** The operator's key for checkpoints of the audit. Throws where the file is none, before anything is accepted. */
function notaryOf({ audit }: Config): Notary | undefined {
  if (audit.signingKeyFile === undefined) return undefined;
  try {
    return createNotary(readFileSync(audit.signingKeyFile, "utf8"));
  } catch (error) {
    const remedy = `make one: openssl genpkey -algorithm ed25519 -out ${audit.signingKeyFile} && chmod 600 ${audit.signingKeyFile}`;
    throw new OperatorError([{ place: "audit.signing_key_file", message: messageOf(error), remedy }]);
  }
}

/** What people read is written with these (`src/text/`); whatever goes through them leaves its secrets behind (SR-45). */
export function createInk(redact: Redact): Ink {
  return {
    fence: (text, info) => fence(bare(redact, text), info),
    plain: (text) => plain(bare(redact, text)),
    code: (text) => code(bare(redact, text)),
    prose: (markdown) => {
      const written = prose(bare(redact, markdown));
      const words = wordsOf(written);
      const known = bare(redact, words);
      // Marks inside of a secret hide it from the redactor and not from a reader: then the words go without any.
      return known === words ? written : prose(plainLines(known));
    },
  };
}

/** What GitHub says of a failure is kept and logged in many places, and says whatever it likes. */
const withBareErrors = (client: Client, redact: Redact): Client => ({
  ...client,
  as: (installationId, call) =>
    client.as(installationId, call).catch((error: unknown) => {
      if (error instanceof Error) error.message = bare(redact, error.message);
      throw error;
    }),
});

const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");

/** The door to the model; whatever is sent through it leaves its secrets behind (SR-45). */
function modelOf(config: Config, log: Logger, redact: Redact): World["ask"] {
  if (config.model.endpoints.length === 0) return undefined;
  const ask = createModel({
    endpoints: config.model.endpoints.map((endpoint) => ({ ...endpoint, apiKey: endpoint.apiKey ?? "" })),
    deadlineMs: config.model.deadlineMs,
    retry: config.model.retry,
    log: ({ level, ...event }) => log[level]({ module: "model", ...event }),
  });
  const bared = (messages: readonly ChatMessage[]) => messages.map((message) => bareMessage(redact, message));
  return (request, watch) => ask({ ...request, messages: bared(request.messages) }, watch);
}

/** Every value that must not leave, whatever text it turns up in (SR-47). */
const secretsOf = (config: Config): readonly string[] => [
  config.github.privateKey,
  ...config.github.webhookSecrets,
  ...config.model.endpoints.flatMap((endpoint) => endpoint.apiKey ?? []),
  ...passwordOf(config.store.url),
  ...[...config.servers.values()].flatMap(({ keyFile, keyPassphraseFile }) => [
    ...textOf(keyFile),
    ...textOf(keyPassphraseFile),
  ]),
  ...textOf(config.audit.signingKeyFile),
];

const passwordOf = (url: string): readonly string[] =>
  URL.canParse(url) && new URL(url).password !== "" ? [decodeURIComponent(new URL(url).password)] : [];

/** A key that cannot be read is reported when it is used; here it only has no text that could leak. */
function textOf(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  try {
    return [readFileSync(file, "utf8").trim()];
  } catch {
    return [];
  }
}

function redactLine(redact: Redact, line: string): string | undefined {
  const redacted = redact(line);
  return redacted.ok ? redacted.text : undefined;
}

async function readiness(world: World): Promise<{ ok: boolean; checks: Record<string, string> }> {
  try {
    await world.store.writable();
    const halted = haltSummary(await readSwitch(world, world.store.db));
    return { ok: true, checks: { store: "writable", halted } };
  } catch {
    return { ok: false, checks: { store: "cannot be written" } };
  }
}
