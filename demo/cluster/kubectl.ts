/**
 * Stands in for kubectl in the demo, so that a visitor needs none: `get`, `logs` and `rollout` of deployments, against any API server, printed
 * as kubectl prints them (a test compares). It is given its words as the bot puts them together: `--flag=value`, then what they are about.
 */

import { readFileSync } from "node:fs";
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}
interface Workload {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: Template;
  };
  readonly status: { readonly availableReplicas?: number };
}
interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
}

const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: text,
    context: text,
    "cache-dir": text,
    "request-timeout": text,
    namespace: text,
    selector: text,
    output: text,
    tail: text,
    timeout: text,
    client: { type: "boolean" },
  },
});

/** Ends it as kubectl would. */
function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

interface Asking {
  readonly method?: string;
  readonly accept?: string;
  readonly patch?: unknown;
}

/** The cluster and the login of a kubeconfig of one context. */
function readKubeconfig() {
  const { clusters, users } = JSON.parse(readFileSync(values.kubeconfig ?? "", "utf8"));
  return { cluster: clusters[0].cluster, user: users[0].user };
}

function ask(path: string, { method = "GET", accept = "application/json", patch }: Asking = {}): Promise<string> {
  const { cluster, user } = readKubeconfig();
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  const headers = { accept, authorization: `Bearer ${user.token}`, "content-type": "application/json-patch+json" };
  return new Promise((resolve) => {
    const sent = request(`${cluster.server}${path}`, { method, headers, ca }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      response.on("end", () => {
        if (response.statusCode === 200) return resolve(body);
        const { reason, message } = JSON.parse(body);
        fail(`Error from server (${reason}): ${message}`);
      });
    });
    sent.on("error", ({ message }) => fail(`Unable to connect to the server: ${message}`));
    sent.end(patch === undefined ? undefined : JSON.stringify(patch));
  });
}

const askFor = async <T>(path: string, asking?: Asking): Promise<T> => JSON.parse(await ask(path, asking));

const place = `namespaces/${values.namespace}`;
const kinds: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["po pod pods", `/api/v1/${place}/pods`],
    ["deploy deployment deployments", `/apis/apps/v1/${place}/deployments`],
    ["rs replicaset replicasets", `/apis/apps/v1/${place}/replicasets`],
    ["ev event events", `/api/v1/${place}/events`],
  ].flatMap(([names = "", path = ""]) => names.split(" ").map((name) => [name, path])),
);

/** `deploy/cart` or `deploy cart`. */
function objectOf(words: readonly string[]): { readonly path: string; readonly name: string | undefined } {
  const [kind = "", name] = words.flatMap((word) => word.split("/"));
  const path = kinds[kind];
  if (path === undefined) return fail(`error: the demo's kubectl does not know the kind "${kind}"`);
  return { path, name };
}

const deploymentOf = (words: readonly string[]): Promise<Workload> => {
  const { path, name } = objectOf(words);
  if (!path.endsWith("/deployments") || name === undefined)
    return fail("error: the demo's kubectl rolls out deployments");
  return askFor(`${path}/${name}`);
};

async function get(words: readonly string[]): Promise<string> {
  const { path, name } = objectOf(words);
  const query = values.selector === undefined ? "" : `?labelSelector=${encodeURIComponent(values.selector)}`;
  const way = name === undefined ? `${path}${query}` : `${path}/${name}`;
  if (values.output !== undefined && values.output !== "json")
    return fail(`error: the demo's kubectl does not know -o ${values.output}`);
  if (values.output === "json") return `${JSON.stringify(await askFor(way), null, 4)}\n`;
  const table = await askFor<Table>(way, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" });
  if (table.rows.length === 0) {
    process.stderr.write(`No resources found in ${values.namespace} namespace.\n`);
    return "";
  }
  const head = table.columnDefinitions.map((column) => column.name.toUpperCase());
  const lines = [head, ...table.rows.map(({ cells }) => cells.map(String))];
  const widths = head.map((_, at) => Math.max(6, ...lines.map((cells) => (cells[at] ?? "").length + 3)));
  return lines
    .map(
      (cells) =>
        `${cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("")}\n`,
    )
    .join("");
}

async function logs(words: readonly string[]): Promise<string> {
  const tail = values.tail === undefined ? "" : `?tailLines=${values.tail}`;
  const [first = ""] = words;
  if (!first.includes("/")) return ask(`${kinds.pods}/${first}/log${tail}`);
  const { spec } = await deploymentOf(words);
  const { items } = await askFor<{ items: Workload[] }>(`${kinds.pods}?labelSelector=${selectorOf(spec)}`);
  const [pod] = items;
  if (!pod) return fail("error: timed out waiting for the condition");
  if (items.length > 1) process.stderr.write(`Found ${items.length} pods, using pod/${pod.metadata.name}\n`);
  return ask(`${kinds.pods}/${pod.metadata.name}/log${tail}`);
}

const selectorOf = ({ selector }: Workload["spec"]): string =>
  encodeURIComponent(
    Object.entries(selector.matchLabels)
      .map((pair) => pair.join("="))
      .join(","),
  );

const revisionOf = ({ metadata }: Workload): number =>
  Number(metadata.annotations?.["deployment.kubernetes.io/revision"]);

/** The ReplicaSets of a deployment, oldest first. */
async function releasesOf({ spec }: Workload): Promise<readonly Workload[]> {
  const { items } = await askFor<{ items: Workload[] }>(`${kinds.rs}?labelSelector=${selectorOf(spec)}`);
  return items.toSorted((a, b) => revisionOf(a) - revisionOf(b));
}

async function history(deployment: Workload): Promise<string> {
  const lines = (await releasesOf(deployment)).map((set) => `${String(revisionOf(set)).padEnd(10)}<none>\n`);
  return `deployment.apps/${deployment.metadata.name} \nREVISION  CHANGE-CAUSE\n${lines.join("")}\n`;
}

async function undo(deployment: Workload): Promise<string> {
  const { name } = deployment.metadata;
  const before = (await releasesOf(deployment)).at(-2);
  if (!before) return fail(`error: no rollout history found for deployment "${name}"`);
  const { metadata, ...rest } = before.spec.template;
  const { "pod-template-hash": _, ...labels } = metadata.labels;
  const value = { ...rest, metadata: { ...metadata, labels } };
  const patch = [{ op: "replace", path: "/spec/template", value }];
  await ask(`${kinds.deploy}/${name}`, { method: "PATCH", patch });
  return `deployment.apps/${name} rolled back\n`;
}

async function status(words: readonly string[]): Promise<string> {
  const until = Date.now() + 1_000 * Number.parseInt(values.timeout ?? "600", 10);
  for (let shown = ""; ; await sleep(200)) {
    const { metadata, spec, status: now } = await deploymentOf(words);
    const available = now.availableReplicas ?? 0;
    if (available >= spec.replicas) return `deployment "${metadata.name}" successfully rolled out\n`;
    const line = `Waiting for deployment "${metadata.name}" rollout to finish: ${available} of ${spec.replicas} updated replicas are available...\n`;
    if (line !== shown) process.stdout.write(line);
    shown = line;
    if (Date.now() > until) return fail("error: timed out waiting for the condition");
  }
}

async function answer(): Promise<string> {
  const [verb, second, ...rest] = positionals;
  const words = positionals.slice(1);
  if (verb === "version") return `${JSON.stringify({ clientVersion: { minor: "32", gitVersion: "v1.32.0-demo" } })}\n`;
  if (verb === "get") return get(words);
  if (verb === "logs") return logs(words);
  if (verb === "rollout" && second === "status") return status(rest);
  if (verb === "rollout" && second === "history") return history(await deploymentOf(rest));
  if (verb === "rollout" && second === "undo") return undo(await deploymentOf(rest));
  return fail(
    `error: the demo's kubectl does not know "${positionals.slice(0, 2).join(" ")}"; it has get, logs and rollout`,
  );
}

process.stdout.write(await answer());
