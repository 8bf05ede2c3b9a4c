import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../demo/free-port.ts";
import { createThread, openIssue, type Thread } from "../../demo/thread.ts";
import { type EmulatedGitHub, startGitHub } from "../../emulator/start.ts";
import { patchRights } from "../../src/base/github.ts";
import { followConfig } from "../../src/cli/start.ts";
import { environment, loadConfig } from "../../src/config/load.ts";
import type { PollPace } from "../../src/features/poll/pace.ts";
import { type Bot, startBot } from "../../src/service/start.ts";
import { type FakeHost, type Play, startFakeHost } from "../ssh/fake-host.ts";
import { copyEmptyStore } from "../store/fresh.ts";
import { appKey } from "./quiet-github.ts";
import { storeScratch } from "./store-scratch.ts";
import { useStarted } from "./use-started.ts";

export const repo = "acme/web";

/** A server for the config, as the YAML side writes it. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** The entry of a fake host, as an operator would write it. */
export const entryOf = (host: FakeHost): ServerEntry => ({
  host: "127.0.0.1",
  port: host.entry.port,
  user: host.entry.user,
  os: "linux",
  key_file: host.clientKeyFile,
  host_key: host.hostKey,
});

export interface LogLine {
  readonly module?: string;
  readonly event?: string;
  readonly [field: string]: unknown;
}

export interface Playground extends Pick<Ground, "github" | "host" | "open" | "close"> {
  readonly bot: Bot;
  /** What the bot has logged, in order. */
  readonly log: readonly LogLine[];
  /** Resolves when the bot has nothing left to do and GitHub has delivered everything. */
  readonly quiet: () => Promise<void>;
  /** `meanwhile`: what happens while it is down. */
  readonly restart: (meanwhile?: () => void | Promise<void>) => Promise<void>;
  /** Ends the bot alone: its store can be opened by others then. */
  readonly stop: () => Promise<void>;
}

export interface PlaygroundOptions {
  /** How long the final check before a send holds (F-35); a second, as for people, unless said otherwise. */
  readonly freshMs?: number;
  /** The names of its one machine, with what their entries say beside where it is; `web-1` alone if there are no `servers`. */
  readonly machine?: Readonly<Record<string, object>>;
  /** How a command goes there: well, and it says nothing, unless said otherwise. */
  readonly play?: Play;
  /** Servers that are no machine of its own. */
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  readonly storeUrl?: string;
  /** `debug` unless told: what tests read in the log costs time, so a benchmark has the level that an operator has. */
  readonly logLevel?: string;
  /** Changes the operator's file before it is read. */
  readonly configure?: (config: Record<string, unknown>) => void;
  /** What the operator's file says beside what it says anyway: its mappings are laid over those, all else replaces them. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly private?: boolean;
  /** Follows the operator's file, as `countersign start` does. */
  readonly follow?: boolean;
  /** Further repositories of the owner, with the same files, servers and people. */
  readonly moreRepos?: readonly string[];
  readonly modelKey?: string;
  /** How the bot hears of GitHub; by webhooks, unless the environment says otherwise. */
  readonly listen?: Listen;
  /** How often GitHub is asked; as fast as the machine allows, unless said otherwise. */
  readonly pace?: Partial<PollPace> | undefined;
  /** Beside mona, lee, sam, rita and eve. */
  readonly people?: Parameters<typeof startGitHub>[0]["people"];
  /** The files of `acme/infra`, which takes patches to `k8s/**` from a second App under the name `infra`. */
  readonly infra?: Readonly<Record<string, string>>;
  /** Beside oncall, which are mona and lee. */
  readonly teams?: Readonly<Record<string, readonly string[]>>;
}

export type Listen = "webhook" | "poll" | "both";

/** The one switch: `COUNTERSIGN_TEST_LISTEN=poll` has any whole bot of the tests ask GitHub instead of being called. */
const listenBy = ({ listen }: Pick<PlaygroundOptions, "listen">): Listen => {
  const told = environment().COUNTERSIGN_TEST_LISTEN;
  return listen ?? (told === "poll" || told === "both" ? told : "webhook");
};

/** Endpoints of the operator's file that lead to a fake model. */
export const endpointsOf = ({ url }: { readonly url: string }, more: object = {}) => [
  { url, model: "fake", api_key_env: "TEST_MODEL_KEY", ...more },
];

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const laidOver = (under: unknown, over: unknown): unknown =>
  isMapping(under) && isMapping(over)
    ? {
        ...under,
        ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, laidOver(under[key], value)])),
      }
    : over;

/** The keys that stand more than once in an object of this JSON text. */
export function keysTwice(json: string): readonly string[] {
  const twice: string[] = [];
  const open: (Set<string> | undefined)[] = [];
  for (const [token, key] of json.matchAll(/"(?:[^"\\]|\\.)*"(?=(\s*:)?)|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (key !== undefined) {
      if (open.at(-1)?.has(token)) twice.push(token);
      open.at(-1)?.add(token);
    }
  }
  return twice;
}

/** Nobody waits for GitHub's limits here. */
const fastest: PollPace = {
  openMs: 100,
  idleMs: 150,
  webhooksFirstMs: 2_500,
  mostPerMinute: 60_000,
  mostCountedPerHour: 1_000_000,
};

/** A runbook whose Verify section runs on any Linux and needs no privilege. */
const skill = (): string =>
  [
    "---",
    "name: spool-full",
    'description: "The mail spool of a server is full. Use when SpoolAlmostFull fires or mail is deferred because the spool is full."',
    "metadata:",
    '  alerts: "SpoolAlmostFull"',
    '  runbook: "https://runbooks.acme.example/spool-full"',
    "---",
    "",
    "# Spool full",
    "",
    "## Verify",
    "",
    "```sh",
    "echo spool is at 97 percent",
    "# expect: 97 percent",
    "uname -s",
    "```",
    "",
    "## Act (each needs an approval)",
    "",
    "```sh",
    "systemctl restart spooler",
    "```",
    "",
  ].join("\n");

export const incident = {
  title: "SpoolAlmostFull on web-1",
  body: "The spool of web-1 is at 97 %. Mail is deferred since 14:02Z.",
  labels: ["incident"],
  by: "mona",
};

/** An emulated GitHub, a machine, and the operator's file of a bot that works for them; the bot itself is not started. */
export interface Ground {
  readonly github: EmulatedGitHub;
  readonly host: FakeHost;
  readonly configFile: string;
  /** The port where the bot is to listen. */
  readonly port: number;
  /** Opens an incident, as mona unless said otherwise, and returns its thread. */
  readonly open: (
    issue?: Partial<Parameters<typeof openIssue>[2]> & { readonly repo?: string },
  ) => Promise<Thread & { number: number }>;
  readonly close: () => Promise<void>;
}

/** mona and lee approve, sam has write access, rita reads, eve has no access. */
export async function prepareGround(options: PlaygroundOptions = {}): Promise<Ground> {
  const { machine = options.servers ? {} : { "web-1": {} }, play = async () => 0 } = options;
  const host = await startFakeHost(play);
  const own = Object.entries(machine).map(([name, entry]) => [name, { ...entryOf(host), ...entry }] as const);
  const servers = { ...Object.fromEntries(own), ...options.servers };
  const folder = storeScratch("countersign-test-");
  const port = await freePort();
  const secret = randomBytes(24).toString("hex");
  const mode = listenBy(options);
  const github = await startGitHub({
    app: {
      id: 7,
      slug: "countersign",
      privateKey: appKey,
      permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
    },
    owner: "acme",
    repos: ["web", ...(options.moreRepos ?? [])]
      .map((name) => ({
        name,
        private: options.private ?? true,
        files: options.files ?? {
          "AGENTS.md": "# Web\n\nAsk before you restart.\n",
          ".github/countersign/rules.md": "Be brief.\n",
          ".github/skills/spool-full/SKILL.md": skill(),
        },
      }))
      .concat(options.infra ? [{ name: "infra", private: true, files: options.infra }] : []),
    ...(options.infra && {
      secondApp: { id: 8, slug: "countersign-patches", privateKey: appKey, permissions: patchRights, repos: ["infra"] },
    }),
    people: [
      { login: "mona", role: "admin" },
      { login: "lee", role: "write" },
      { login: "sam", role: "write" },
      { login: "rita", role: "read" },
      { login: "eve", role: "none" },
      ...(options.people ?? []),
    ],
    teams: { oncall: ["mona", "lee"], ...options.teams },
    webhook: { url: `http://127.0.0.1:${port}/`, secret, active: mode !== "poll" },
  });
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const operator: Record<string, unknown> = {
    github: {
      app_id: github.appId,
      private_key_file: write("app.pem", github.privateKey),
      ...(github.secondApp && {
        patches_app: {
          app_id: github.secondApp.appId,
          private_key_file: write("patches.pem", github.secondApp.privateKey),
        },
      }),
      ...(mode === "webhook" ? {} : { mode }),
      ...(mode === "poll" ? {} : { webhook_secret_file: write("hook.secret", secret) }),
      api_url: github.url,
      writes_per_minute: 100_000,
      repositories: [repo, ...(options.moreRepos ?? []).map((name) => `acme/${name}`)].map((name) => ({
        name,
        servers: Object.keys({
          ...servers,
          ...Object(options.config?.servers),
          ...Object(options.config?.sources),
          ...(options.infra && { infra: {} }),
        }),
        allow_public: options.private === false,
      })),
    },
    ...(options.infra && { patches: { infra: { repository: "acme/infra", paths: ["k8s/**"] } } }),
    server: { host: "127.0.0.1", port },
    store: { url: options.storeUrl ?? "file:./store" },
    servers,
    policy: { approvers: { teams: ["acme/oncall"] } },
    logging: { level: options.logLevel ?? "debug", stdout: false },
  };
  options.configure?.(operator);
  if (options.storeUrl === undefined) await copyEmptyStore(join(folder, "store"));
  return {
    github,
    host,
    port,
    open: async ({ repo: name = repo, ...issue } = {}) => {
      const number = await openIssue(github, name, { ...incident, ...issue });
      return { ...createThread(github, name, number), number };
    },
    configFile: write("countersign.yml", JSON.stringify(laidOver(operator, options.config ?? {}))),
    close: async () => {
      await github.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/**
 * A whole bot on real parts: an emulated GitHub that checks every request against GitHub's own description, a real store, real
 * SSH to the servers given.
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const ground = await prepareGround(options);
  const { github } = ground;
  const { modelKey = "sk-test-0123456789abcdef" } = options;
  const config = loadConfig({ file: ground.configFile, env: { TEST_MODEL_KEY: modelKey } });
  const log: LogLine[] = [];
  const twice: string[] = [];
  const onLogLine = (line: string): void => {
    log.push(JSON.parse(line));
    if (keysTwice(line).length > 0) twice.push(line);
  };
  let watch: ReturnType<typeof followConfig> | undefined;
  const start = async (): Promise<Bot> => {
    const started = await startBot(config, {
      onLogLine,
      isConfigCurrent: () => watch?.isCurrent() ?? true,
      pace: { ...fastest, ...options.pace },
      ...(options.freshMs === undefined ? {} : { freshMs: options.freshMs }),
    });
    if (options.follow) watch = followConfig(started, ground.configFile);
    return started;
  };
  let bot = await start();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    watch?.stop();
    stopped ??= bot.close();
    return stopped;
  };
  return {
    github,
    host: ground.host,
    open: ground.open,
    get bot() {
      return bot;
    },
    log,
    quiet: async () => {
      // Work makes webhooks and webhooks make work, so both must be still at once.
      for (let still = 0; still < 2; still++) {
        await github.settled();
        if (config.github.mode !== "webhook") await readToTheEnd(github, config.repositories.length);
        await bot.deps.store.queue.idle();
      }
    },
    restart: async (meanwhile) => {
      await stop();
      await meanwhile?.();
      bot = await start();
      stopped = undefined;
    },
    stop,
    close: async () => {
      await stop();
      await ground.close();
      // Some of its readers take the first of two, others the last.
      if (twice.length > 0) throw new Error(`a key stands twice in ${twice.length} lines of the log: ${twice[0]}`);
    },
  };
}

/** A playground for the tests of a suite, which is closed behind them. */
export const usePlayground = (options: () => PlaygroundOptions = () => ({})): Playground =>
  useStarted(() => startPlayground(options()));

/** Resolves when the bot has looked at each repository twice and there was nothing new. */
async function readToTheEnd(github: EmulatedGitHub, repositories: number): Promise<void> {
  const done = Promise.withResolvers<void>();
  const looks = new Map<string, number>();
  const deaf = github.onTraffic((traffic) => {
    if (traffic.kind !== "request" || traffic.by !== "installation") return;
    const [, name] = /^\/repos\/([^/]+\/[^/]+)\/issues/.exec(traffic.path) ?? [];
    if (name === undefined || traffic.method !== "GET") return;
    if (traffic.status !== 304) looks.set(name, 0);
    else if (traffic.operationId === "issues/list-for-repo") looks.set(name, (looks.get(name) ?? 0) + 1);
    const still = [...looks.values()].filter((count) => count > 2);
    if (still.length === repositories) done.resolve();
  });
  await done.promise;
  deaf();
}

/** The deliveries that the bot has taken, without those that only told what it has done itself: these it must have kept. */
export const keptOf = (github: Pick<Ground["github"], "deliveries">): readonly string[] => [
  ...new Set(
    github.deliveries().flatMap(({ guid, status, answer }) => (status === 202 && answer !== "echo" ? [guid] : [])),
  ),
];
