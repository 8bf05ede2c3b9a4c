import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmulatedGitHub, startGitHub } from "../emulator/start.ts";
import { OperatorError, type Problem } from "../src/base/errors.ts";
import { patchRights } from "../src/base/github.ts";
import { type OpenParts, openTogether } from "../src/base/opened.ts";
import { makePrivateFolder, removePrivateFolder } from "../src/base/private-folder.ts";
import { environment, parseConfig } from "../src/config/load.ts";
import { type Bot, startBot } from "../src/service/start.ts";
import { type DemoCluster, startDemoCluster, writeKubectl } from "./cluster/start.ts";
import { copyEmptyStore, isEmptyStorePrepared, prepareEmptyStore } from "./empty-store.ts";
import { freePort, isFree, nextFreePort } from "./free-port.ts";
import { changesBefore, createIncidents, type DemoIncident, repositoryFiles } from "./incidents.ts";
import { infraFiles, infraRepo, pricingFile, pricingPath } from "./infra.ts";
import { createPage } from "./page/create-page.ts";
import { demoPeople } from "./page/people.ts";
import { preparedAnswers } from "./prepared-answers.ts";
import { type Sandbox, startSandbox } from "./sandbox/start.ts";

export const demoRepo = "acme/oncall";

/** The team acme/oncall, mona and lee, approves. */
const roles = { mona: "admin", lee: "write", sam: "write", eve: "read" } as const;

export interface Demo {
  readonly github: EmulatedGitHub;
  readonly sandbox: Sandbox;
  readonly bot: Bot;
  readonly incidents: readonly DemoIncident[];
  readonly close: () => Promise<void>;
}

const stages = ["page", "bot", "outside", "folder"] as const;

/**
 * Starts everything at hand: an emulated GitHub, three imagined servers over real SSH, an imagined cluster over its API,
 * the bot itself with a store of its own in a temporary folder, and the page. Nothing leaves this machine, unless OPENAI_API_KEY or OPENAI_BASE_URL is set: then the
 * model is asked.
 * Where a part cannot be started, or the start is aborted, nothing stays behind.
 */
export const startDemo = (options: DemoOptions): Promise<Demo> =>
  openTogether(stages, (opened) => openDemo(options, opened));

interface DemoOptions {
  /** 0 for any free one. Left out: 3000, or the next that is free. */
  readonly port?: number | undefined;
  readonly logFile?: string;
  /** Hears what is being started. */
  readonly onProgress?: (what: string) => void;
  /** Ends the start. */
  readonly signal?: AbortSignal;
}

async function openDemo(
  { port: wanted, logFile, onProgress = () => {}, signal }: DemoOptions,
  opened: OpenParts<(typeof stages)[number]>,
): Promise<Demo> {
  // Found out now, it costs no start of everything else.
  const port = await choosePort(wanted);
  const folder = makePrivateFolder("demo");
  opened.add("folder", () => removePrivateFolder(folder));
  const secret = randomBytes(24).toString("hex");
  const startedAt = new Date();
  const keep = async <T extends { readonly close: () => Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    opened.add("outside", started.close);
    return started;
  };
  onProgress("an emulated GitHub, three servers and a cluster");
  const starting = [
    keep(
      startGitHub({
        app: {
          id: 1,
          slug: "countersign",
          privateKey: "",
          permissions: {
            ...{ issues: "write", metadata: "read", contents: "read", members: "read" },
            ...{ pull_requests: "read", deployments: "read", actions: "read" },
          },
        },
        owner: "acme",
        repos: [
          { name: "oncall", private: true, files: repositoryFiles() },
          { name: "checkout", private: true, files: {} },
          { name: "infra", private: true, files: infraFiles },
        ],
        secondApp: {
          id: 2,
          slug: "countersign-patches",
          privateKey: "",
          permissions: patchRights,
          repos: ["infra"],
        },
        people: demoPeople.map(({ login }) => ({ login, role: roles[login] })),
        teams: { oncall: ["mona", "lee"] },
        webhook: { url: `http://127.0.0.1:${port}/`, secret },
      }),
    ),
    keep(startSandbox(startedAt)),
    keep(startDemoCluster(subfolder(folder, "cluster"))),
  ] as const;
  await Promise.allSettled(starting);
  signal?.throwIfAborted();
  const [github, sandbox, cluster] = await Promise.all(starting);
  github.addActivity("acme/checkout", changesBefore(startedAt));
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const parsed = parseConfig(
    demoConfig({
      port,
      github,
      sandbox,
      cluster,
      appKey: write("app.pem", github.privateKey),
      patchesKey: write("patches.pem", github.secondApp?.privateKey ?? ""),
      secret: write("hook.secret", secret),
      sshKey: write("ssh_key", sandbox.privateKey),
      logFile: logFile ?? join(folder, "countersign.log"),
    }),
    join(folder, "countersign.yml"),
    environment(),
  );
  if (!parsed.ok) throw new OperatorError(parsed.problems);
  const incidents = createIncidents(startedAt);
  const infra = deployFromGit(github, cluster);
  opened.add("page", infra.stop);
  const reset = async (): Promise<void> => {
    cluster.reset();
    await Promise.all([sandbox.reset(), infra.reset()]);
  };
  const page = createPage({ github, incidents, people: demoPeople, repo: demoRepo, patches: infraRepo, reset });
  opened.add("page", page.close);
  await putStore(join(folder, "store"), onProgress);
  signal?.throwIfAborted();
  onProgress("the bot");
  const bot = await startBot(parsed.config, {
    ...{ extra: page, kubectl: writeKubectl(folder), prepared: preparedAnswers },
    followMs: 2_000,
  });
  opened.add("bot", bot.close);
  signal?.throwIfAborted();
  return { github, sandbox, bot, incidents, close: opened.close };
}

/** Checks each new pull request of the repository of the cluster, and rolls out what is merged there. */
function deployFromGit(github: EmulatedGitHub, cluster: DemoCluster) {
  const asMona = github.as("mona");
  const file = `/repos/${infraRepo}/contents/${pricingPath}`;
  const read = async () => {
    const { sha, content } = (await asMona("GET", file)).body as { readonly sha: string; readonly content: string };
    return { sha, text: Buffer.from(content, "base64").toString("utf8") };
  };
  const checked = new Set<string>();
  const check = async (): Promise<void> => {
    const { body } = await asMona("GET", `/repos/${infraRepo}/pulls`);
    for (const { head } of body as readonly { readonly head: { readonly sha: string } }[]) {
      if (checked.has(head.sha)) continue;
      checked.add(head.sha);
      github.addActivity(infraRepo, { checks: [{ commit: head.sha, name: "manifests", conclusion: "success" }] });
    }
  };
  const stop = github.onTraffic((traffic) => {
    if (traffic.kind !== "request" || traffic.status >= 300 || traffic.status === 0) return;
    const { method, path } = traffic;
    if (method === "POST" && path === `/repos/${infraRepo}/pulls`) void check();
    if (method === "PUT" && path.startsWith(`/repos/${infraRepo}/pulls/`) && path.endsWith("/merge"))
      void read().then(({ text }) => cluster.takePricing(text));
  });
  const reset = async (): Promise<void> => {
    const { sha, text } = await read();
    if (text === pricingFile) return;
    const content = Buffer.from(pricingFile).toString("base64");
    await asMona("PUT", file, { message: "Break pricing again", content, sha });
  };
  return { stop, reset };
}

function subfolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/** Puts an empty store there; where none can be prepared, the bot makes one as at any first start. */
async function putStore(folder: string, onProgress: (what: string) => void): Promise<void> {
  onProgress(isEmptyStorePrepared() ? "an empty store" : "an empty store, which the next start finds made");
  try {
    await prepareEmptyStore();
    await copyEmptyStore(folder);
  } catch {
    // A folder that cannot be written to, or a file that was cut off.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The port of the page where none is named. */
export const usualPort = 3000;

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted === undefined) return nextFreePort(usualPort);
  if (wanted === 0) return freePort();
  if (await isFree(wanted)) return wanted;
  const remedy = `add \`--port ${await nextFreePort(wanted)}\`, which is free`;
  throw new OperatorError({ place: "--port", message: `127.0.0.1:${wanted} is taken by another program`, remedy });
}

const noAddress = (url: string): Problem => ({
  place: "OPENAI_BASE_URL",
  message: `"${url}" is not an http(s) address`,
  remedy: "write it in full, for example http://127.0.0.1:11434/v1",
});

/** The model that the environment names, as other programs that ask one read it; none where it names none. Throws if its address is none. */
function modelOf({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model }: ReturnType<typeof environment>) {
  if (!key && !url) return {};
  if (url && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw new OperatorError([noAddress(url)]);
  const endpoint = { url: url || "https://api.openai.com/v1", model: model || "gpt-5" };
  return { endpoints: [{ ...endpoint, ...(key && { api_key_env: "OPENAI_API_KEY" }) }] };
}

/** The operator's file of the demo: what a real one says, on this machine. */
function demoConfig(input: {
  readonly port: number;
  readonly github: EmulatedGitHub;
  readonly sandbox: Sandbox;
  readonly cluster: DemoCluster;
  readonly appKey: string;
  readonly patchesKey: string;
  readonly secret: string;
  readonly sshKey: string;
  readonly logFile: string;
}): string {
  const { github, sandbox, cluster } = input;
  const config = {
    github: {
      app_id: github.appId,
      private_key_file: input.appKey,
      patches_app: { app_id: github.secondApp?.appId, private_key_file: input.patchesKey },
      webhook_secret_file: input.secret,
      api_url: github.url,
      // The emulated GitHub takes any number.
      writes_per_minute: 100_000,
      repositories: [{ name: demoRepo, servers: [...sandbox.servers.map(({ name }) => name), "prod-eu", "infra"] }],
    },
    server: { host: "127.0.0.1", port: input.port },
    store: { url: "file:./store" },
    model: modelOf(environment()),
    servers: Object.fromEntries([
      ...sandbox.servers.map(({ name, ...server }) => [
        name,
        { ...server, os: "linux", key_file: input.sshKey, host_key: sandbox.hostKey },
      ]),
      ["prod-eu", cluster.entry],
    ]),
    patches: { infra: { repository: infraRepo, paths: ["k8s/**"], description: "what runs on prod-eu" } },
    context: { services: { "checkout-api": ["acme/checkout"], "checkout-worker": ["acme/checkout"] } },
    policy: {
      approvers: { teams: [demoRepo] },
      lease: {
        allowed: true,
        max_time: "15m",
        max_commands: 20,
        servers: sandbox.servers.map(({ name }) => name),
        // The database's incident begins with what its runbook looks at, and no comment.
        opening: { servers: ["db-1"], max_time: "15m", max_commands: 12 },
      },
    },
    logging: { stdout: false, file: input.logFile },
  };
  // JSON is YAML.
  return JSON.stringify(config, null, 2);
}
