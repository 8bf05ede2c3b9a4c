import { spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { type Agent, request } from "node:https";
import { join } from "node:path";
import { messageOf, type Refusal, refuse } from "../base/errors.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import { parseJson } from "../base/json.ts";
import { makePrivateFolder, needsTemporaryFolder, removePrivateFolder } from "../base/private-folder.ts";
import type { Capture } from "../base/run.ts";
import type { Cluster, ClusterConnection, KubeContext, Server } from "../base/server.ts";
import { firstNotOfNamespace, type KubectlPlan } from "./parse-kubectl.ts";

export type ClusterPlace =
  | {
      readonly ok: true;
      readonly kubectl: string;
      readonly version: string;
      readonly identity: string;
      readonly pin: string;
      /** The cluster and identity, which no command may name. */
      readonly flags: readonly string[];
      readonly surroundings: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
      /** False once the kubeconfig or its credentials differ from what was proven. */
      readonly isCurrent: () => boolean;
      readonly leave: () => void;
    }
  | Refusal;

/** Older versions have no `auth whoami`. */
export const leastMinor = 28;

const programFolders = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin"];

/** Finds a program in the usual folders, not in the bot's PATH. */
export const findProgram = (name: string): string | undefined =>
  programFolders.map((folder) => join(folder, name)).find((file) => existsSync(file));

/**
 * Makes a private kubeconfig of one context, and proves that it is the pinned cluster and that we have the pinned identity there. Never
 * throws; the caller leaves the place.
 */
export async function preparePlace(
  means: KubernetesMeans,
  server: Server,
  { signal, unproven = [], filters = [] }: { readonly signal: AbortSignal } & Partial<KubectlPlan>,
): Promise<ClusterPlace> {
  const { name, cluster } = server;
  if (!cluster) return refuse(`${name} is no cluster`, "write `kind: kubernetes`");
  const kubectl = means.kubectl ?? findProgram("kubectl");
  if (kubectl === undefined)
    return refuse(
      "there is no kubectl",
      `install kubectl 1.${leastMinor} or newer in one of ${programFolders.join(", ")}`,
    );
  const absent = filters.find(([name = ""]) => findProgram(name) === undefined)?.[0];
  if (absent !== undefined)
    return refuse(`there is no \`${absent}\` where the bot runs`, "install it there, or leave that part out");
  const read = readPinned(means, server);
  if (!read.ok) return read;
  let folder: string | undefined;
  const leave = (): void => (folder === undefined ? undefined : removePrivateFolder(folder));
  const giveUp = (refusal: Refusal): Refusal => {
    leave();
    return refusal;
  };
  try {
    folder = makePrivateFolder("kubectl");
    const home = join(folder, "home");
    mkdirSync(home);
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, read.kubeconfig, { mode: 0o600, flag: "wx" });
    // With an empty PATH kubectl finds no plugin and no other kubectl.
    const surroundings = { cwd: home, env: { HOME: home, PATH: home, LC_ALL: "C.UTF-8" } };
    const as = cluster.as === undefined ? [] : [`--as=${cluster.as}`];
    means.cache.folder ??= makePrivateFolder("discovery");
    // kubectl tells caches apart by address, which several clusters behind a proxy may share.
    const cache = `--cache-dir=${join(means.cache.folder, cluster.caSha256)}`;
    const flags = [`--kubeconfig=${kubeconfig}`, `--context=${cluster.context}`, cache, ...as];
    const ask: Ask = (words) => askKubectl(kubectl, words, { ...surroundings, signal, means });
    const [version, whoami] = await Promise.all([
      askVersion(means, kubectl, ask),
      read.connection.isProxied
        ? ask([...flags, `--request-timeout=${timeoutOf(means)}`, "auth", "whoami", "--output=json"])
        : askWhoWeAre({ ...read, as: cluster.as, agent: means.agent, signal: patienceOf(means, signal) }),
    ]);
    if (!version.ok) return giveUp(version);
    if (!whoami.ok)
      return giveUp(
        refuse(`${name} does not say who the bot is there: ${whoami.why}`, "check the API server and the token"),
      );
    const identity = (parseJson(whoami.text) as KubectlJson | undefined)?.status?.userInfo?.username;
    if (identity !== server.user)
      return giveUp(
        refuse(
          `the bot is ${identity ?? "nobody"} on ${name}, not ${server.user}`,
          `if that is meant, write \`identity: "${identity ?? ""}"\`; if not, correct the kubeconfig`,
        ),
      );
    const listed = unproven.length > 0 ? await ask([...flags, "api-resources", "--no-headers"]) : undefined;
    // kubectl fails if one of many groups does not answer.
    const alien = listed?.ok ? firstNotOfNamespace(unproven, listed.text) : unproven[0];
    if (alien !== undefined) {
      const why =
        listed?.ok === false
          ? listed.why
          : "the API server knows no custom resource of that name that belongs to a namespace";
      return giveUp(
        refuse(
          `\`${alien}\` is not changed here: ${why}`,
          "change it by hand, or through a server with SSH that has kubectl",
        ),
      );
    }
    return {
      ok: true,
      kubectl,
      version: version.version,
      identity,
      pin: pinOf(cluster),
      flags,
      surroundings,
      isCurrent: () => {
        const now = readPinned(means, server);
        return now.ok && now.kubeconfig === read.kubeconfig;
      },
      leave,
    };
  } catch (thrown) {
    leave();
    return refuse(`kubectl cannot be prepared for ${name}: ${messageOf(thrown)}`, needsTemporaryFolder());
  }
}

type Ask = (words: readonly string[]) => Promise<KubectlAnswer>;

async function askVersion({ versions }: KubernetesMeans, kubectl: string, ask: Ask) {
  const file = `${kubectl} ${statSync(kubectl, { throwIfNoEntry: false })?.mtimeMs}`;
  const known = versions.get(file);
  if (known !== undefined) return { ok: true, version: known } as const;
  const version = await ask(["version", "--client", "--output=json"]);
  const answer = version.ok ? (parseJson(version.text) as KubectlJson | undefined) : undefined;
  const { gitVersion = "unknown", minor = "" } = answer?.clientVersion ?? {};
  if (Number.parseInt(minor, 10) >= leastMinor) {
    versions.set(file, gitVersion);
    return { ok: true, version: gitVersion } as const;
  }
  const why = version.ok ? `is version ${gitVersion}` : `does not run: ${version.why}`;
  return refuse(`${kubectl} ${why}`, `install kubectl 1.${leastMinor} or newer`);
}

type PinnedContext = Extract<KubeContext, { ok: true }>;

function readPinned({ readContext }: KubernetesMeans, { name, cluster }: Server): PinnedContext | Refusal {
  if (!cluster) return refuse(`${name} is no cluster`, "write `kind: kubernetes`");
  const read = readContext(cluster);
  if (!read.ok) return refuse(read.message, read.remedy);
  if (read.apiServer === cluster.apiServer && read.caSha256 === cluster.caSha256) return read;
  return refuse(
    `the kubeconfig of ${name} names another cluster than the bot's config was read with: ${read.apiServer}, ${pinOf(read)}`,
    "if that is meant, restart the bot or change its config; if not, correct the kubeconfig",
  );
}

interface KubectlJson {
  readonly clientVersion?: { readonly minor?: string; readonly gitVersion?: string };
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

const patienceOf = ({ limits }: KubernetesMeans, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limits.requestMs)]);

/** The limit of an answer as kubectl's `--request-timeout`. */
export const timeoutOf = ({ limits }: KubernetesMeans): string =>
  `${Math.ceil(Math.min(limits.requestMs, 10_000) / 1000)}s`;

const maxAskedAnswer = 1024 * 1024;

type KubectlAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Asks kubectl a question of the bot's own. Never rejects. */
export function askKubectl(
  kubectl: string,
  words: readonly string[],
  {
    cwd,
    env,
    signal,
    means,
  }: { cwd: string; env: Readonly<Record<string, string>>; signal: AbortSignal; means: KubernetesMeans },
): Promise<KubectlAnswer> {
  return new Promise<KubectlAnswer>((resolve) => {
    const patience = patienceOf(means, signal);
    const child = withPipes(
      spawn(kubectl, words, {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        signal: patience,
        killSignal: "SIGKILL",
      }),
    );
    let text = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.length <= maxAskedAnswer) return;
      // The rest could say the opposite.
      resolve({ ok: false, why: "its answer is too long" });
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk) => {
      if (errors.length < maxAskedAnswer) errors += chunk;
    });
    child.once("error", (error) =>
      resolve({ ok: false, why: patience.aborted ? "it does not answer" : error.message }),
    );
    child.once("close", (code) => {
      const [last = "it gave no reason"] = errors.trim().split("\n").slice(-1);
      resolve(code === 0 ? { ok: true, text } : { ok: false, why: last.slice(0, 300) });
    });
  }).catch((error: unknown) => ({ ok: false, why: messageOf(error) }));
}

interface WhoamiQuestion {
  readonly apiServer: string;
  readonly connection: ClusterConnection;
  readonly as: string | undefined;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

type WhoamiAnswer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly why: string;
      /** The server lacks this version; `v1` needs Kubernetes 1.28. */
      readonly isAbsent: boolean;
    };

const versions = ["v1", "v1beta1", "v1alpha1"] as const;

/**
 * Asks the API server who we are. Without kubectl, whose start costs as much as the command. The certificate must come from the pinned
 * authority. Never rejects.
 */
export async function askWhoWeAre(question: WhoamiQuestion): Promise<WhoamiAnswer> {
  let answered: WhoamiAnswer = { ok: false, why: "it was not asked", isAbsent: true };
  for (const version of versions) {
    answered = await post(question, version);
    if (answered.ok || !answered.isAbsent) return answered;
  }
  return answered;
}

const maxAnswer = 1024 * 1024;

function post(question: WhoamiQuestion, version: (typeof versions)[number]): Promise<WhoamiAnswer> {
  const { apiServer, as, agent, signal, connection } = question;
  const { token, isProxied: _, ...tls } = connection;
  const apiVersion = `authentication.k8s.io/${version}`;
  const body = JSON.stringify({ kind: "SelfSubjectReview", apiVersion });
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(as === undefined ? {} : { "impersonate-user": as }),
  };
  return new Promise<WhoamiAnswer>((resolve) => {
    const fail = (why: string, isAbsent = false): void => resolve({ ok: false, why, isAbsent });
    const failed = ({ message }: Error): void => fail(signal.aborted ? "it does not answer" : message);
    const url = `${apiServer.replace(/\/$/, "")}/apis/${apiVersion}/selfsubjectreviews`;
    // NODE_TLS_REJECT_UNAUTHORIZED must not give the token away.
    const options = { ...tls, rejectUnauthorized: true, method: "POST", headers, agent, signal };
    const asked = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswer) response.destroy(new Error("its answer is too long"));
      });
      response.once("error", failed);
      response.once("end", () => {
        const { statusCode = 0, statusMessage = "" } = response;
        if (statusCode === 201 || statusCode === 200) resolve({ ok: true, text });
        else fail(`${statusCode} ${statusMessage}`, statusCode === 404);
      });
    });
    asked.once("error", (error) => {
      // The server had closed the kept connection; the question changes nothing.
      if (asked.reusedSocket && !signal.aborted) resolve(post(question, version));
      else failed(error);
    });
    // Without this neither response nor error comes.
    asked.on("upgrade", (_, socket) => {
      socket.destroy();
      fail("it is no HTTP answer");
    });
    asked.end(body);
  }).catch((error: unknown) => ({ ok: false, why: messageOf(error), isAbsent: false }));
}

export interface KubernetesOptions {
  readonly readContext: (cluster: Cluster) => KubeContext;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** Maximum age of the last check when a command is sent, and of the proof of the identity when that check begins. */
  readonly freshMs: number;
  readonly kubectl?: string | undefined;
  readonly limits?: Partial<KubernetesLimits>;
}

export interface KubernetesLimits {
  /** For one answer to a command that does not wait. */
  readonly requestMs: number;
  readonly graceMs: number;
}

export const kubernetesLimits: KubernetesLimits = { requestMs: 60_000, graceMs: 5_000 };

/** Identifies a cluster, as host keys do for SSH. */
export const pinOf = ({ caSha256 }: Pick<Cluster, "caSha256">): string => `CA SHA256:${caSha256}`;

export interface KubernetesMeans extends KubernetesOptions {
  readonly limits: KubernetesLimits;
  readonly closing: AbortSignal;
  readonly agent: Agent;
  /** For kubectl's discovery, which without a cache costs as much as the command. */
  readonly cache: { folder?: string };
  /** By path and modification time. */
  readonly versions: Map<string, string>;
}
