import type { IncomingMessage, ServerResponse } from "node:http";
import own from "../package.json" with { type: "json" };
import { keepAllowList } from "./allow-list.ts";
import { createClock } from "./clock.ts";
import { type Config, repositoryIn } from "./config.ts";
import { reloaded } from "./config-reload.ts";
import { type Client, createClient } from "./github/client.ts";
import { createComments } from "./github/comments.ts";
import { createFetchConversation } from "./github/conversation.ts";
import { createFetchFacts } from "./github/facts.ts";
import { fetchHookAddresses } from "./github/hook-addresses.ts";
import { createReadComments } from "./github/issue-comments.ts";
import { createIssues } from "./github/issues.ts";
import { createLabels } from "./github/labels.ts";
import { createMissed } from "./github/missed.ts";
import { createFetchOwnName } from "./github/own-name.ts";
import { listenTo } from "./github/reach.ts";
import type { Ink } from "./github/render/ink.ts";
import { keepAppLook } from "./jobs/app-look.ts";
import { keepCatchUp } from "./jobs/catch-up.ts";
import { keepExpiring } from "./jobs/expire.ts";
import { gaugesOf } from "./jobs/gauges.ts";
import { createHandoff } from "./jobs/handoff.ts";
import { keepStopping } from "./jobs/hold-watch.ts";
import { logReinjection } from "./jobs/injection.ts";
import { keepLocalDoor } from "./jobs/local-door.ts";
import { readiness } from "./jobs/readiness.ts";
import { createBoardCheck, voidIfRestored } from "./jobs/restored.ts";
import { keepRetention } from "./jobs/retention.ts";
import { createRunning } from "./jobs/running.ts";
import { keepSchedules } from "./jobs/schedule.ts";
import { keepCheckpoint } from "./jobs/witness.ts";
import type { World } from "./jobs/world.ts";
import { createLog } from "./log.ts";
import { buildParts, type Parts, secretsOf, withBareErrors } from "./parts.ts";
import { startFront } from "./server.ts";
import { openStore } from "./store/database.ts";
import { createInbox } from "./store/inbox.ts";
import { findPin } from "./store/pins.ts";
import { bare } from "./text/bare.ts";
import { brief, code, fence, plain } from "./text/fence.ts";
import { createLearningRedactor } from "./text/learning.ts";
import { memoized } from "./text/memo.ts";
import { prose, wordsOf } from "./text/prose.ts";
import type { Redact } from "./text/redact.ts";
import { startWorker } from "./worker.ts";

export interface Bot {
  /** Where webhooks go. */
  readonly url: string;
  readonly world: World;
  /**
   * Puts a new config in force at once and logs its changed sections (CFG-1); what only a restart can change stays and is named.
   * Throws where it cannot be used, and then nothing has changed. What is under way goes on with what it began with.
   */
  readonly reload: (config: Config) => void;
  /** Takes nothing new, lets what is under way end or hands it over, and lets go of everything (RR-14). */
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
  let secrets = secretsOf(config);
  const { redact, learn } = createLearningRedactor(secrets);
  const metrics = config.server.metrics
    ? (await import("./metrics.ts")).createMetrics({ version: own.version, read: () => gaugesOf(world) })
    : undefined;
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
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  logReinjection(log, config);
  const store = await openStore(config.store.url, {
    onWarning: (text) => log.warn({ module: "store", event: "store_warning", reason: text }),
  });
  const clock = createClock();
  const client = createClient({
    ...config.github,
    log: log.child({ module: "github", event: "client" }, { level: "warn" }),
    idOf: async (repo) => repositoryIn(parts.config, repo)?.id ?? (await findPin(store.db, repo))?.repoId,
    usesTeams: () => parts.config.policy.approvers.teams.length > 0,
    onDate: clock.hear,
  });
  const reach = listenTo(withBareErrors(client, redact));
  const outside = { client: reach.client, log, redact };
  let parts = buildParts(config, outside);
  const world = createWorld(() => parts, {
    store,
    log,
    ...githubOf(outside.client, config),
    running: createRunning(),
    handoff: createHandoff(),
    redact,
    ink: createInk(redact),
    now: clock.now,
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
  const checkBoard = createBoardCheck(world);
  await voidIfRestored(world);
  const witness = keepCheckpoint(world);
  const expiry = keepExpiring(world);
  const door = await keepLocalDoor(world);
  const retention = keepRetention(world);
  const stopping = keepStopping(world);
  const inbox = createInbox(store);
  await startWorker(world, client, checkBoard);
  const fetchGitHubs = () => fetchHookAddresses(config.github.apiUrl);
  const allowList = keepAllowList(() => parts.config.server, { fetchGitHubs, log });
  const front = await startFront({
    ...config.server,
    admits: allowList.admits,
    metrics: metrics?.render,
    bodyCapBytes: config.server.maxBodyMb * 1024 * 1024,
    secrets: () => parts.config.github.webhookSecrets,
    receive: config.roles.includes("web") ? inbox.receive : undefined,
    appId: config.github.appId,
    ready: () => readiness(world, reach.words()),
    log: ({ kind, ...event }) =>
      log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: `delivery_${kind}` }),
    ...(options.extra ? { extra: options.extra } : {}),
  });
  const schedules = keepSchedules(world);
  const appLook = keepAppLook(world, reach.look);
  const catchUp = config.roles.includes("agent")
    ? keepCatchUp(world, { ...createMissed(client, config.github), receive: inbox.receive })
    : undefined;
  const { host } = config.server;
  const port = Number(new URL(front.url).port);
  log.info({ module: "front", event: "server_start", host, port, version: own.version, store: store.kind });
  return {
    url: front.url,
    world,
    reload,
    close: async () => {
      // At once and together: while a slow sender or GitHub is waited for, nothing new is begun.
      appLook.stop();
      await Promise.all([
        front.close(),
        allowList.stop(),
        catchUp?.stop(),
        schedules.stop(),
        expiry.stop(),
        retention.stop(),
        store.queue.stop(),
      ]);
      // The kill switch and /cancel reach what runs until it has ended or was handed over.
      await stopping.stop();
      await Promise.all([witness.stop(), door.stop()]);
      await store.close();
      await parts.ssh.close();
      metrics?.close();
      log.info({ module: "front", event: "server_stop" });
      await closeLog();
    },
  };
}

/** What is made of the config is asked for each time, so that a new one holds at once. */
const createWorld = (
  parts: () => Parts,
  fixed: Omit<World, "config" | "context" | "evaluate" | "ask" | "notary" | "exec">,
): World => ({
  ...fixed,
  exec: (order, watch) => parts().ssh.exec(order, watch),
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
  get notary() {
    return parts().notary;
  },
});

const githubOf = (client: Client, config: Config) => ({
  comments: createComments(client),
  issues: createIssues(client, config.github),
  labels: createLabels(client),
  facts: createFetchFacts(client),
  conversation: createFetchConversation(client),
  readComments: createReadComments(client),
  ownName: createFetchOwnName(client),
});

/** What people read is written with these (`src/text/`); whatever goes through them leaves its secrets behind (SR-45). */
export function createInk(redact: Redact): Ink {
  const write = memoized((text) => {
    const written = prose(text);
    return { written, words: wordsOf(written) };
  });
  return {
    fence: (text, info) => fence(bare(redact, text), info),
    plain: (text) => plain(bare(redact, text)),
    code: (text) => code(bare(redact, text)),
    brief: (text) => brief(bare(redact, text)),
    prose: (markdown) => {
      // What is known as a secret may change, so that is looked for each time; how a text is written does not.
      const { written, words } = write(bare(redact, markdown));
      const known = bare(redact, words);
      // Marks inside of a secret hide it from the redactor and not from a reader: then the words go without any.
      return known === words ? written : prose(plainLines(known));
    },
  };
}

const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");

function redactLine(redact: Redact, line: string): string | undefined {
  const redacted = redact(line);
  return redacted.ok ? redacted.text : undefined;
}
