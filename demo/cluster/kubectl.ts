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
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

/** Ends it as kubectl would; what never reached the API server begins with "error: unknown" or "error: invalid". */
function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const text = { type: "string" } as const;
const options = {
  kubeconfig: text,
  context: text,
  "cache-dir": text,
  "request-timeout": text,
  namespace: text,
  selector: text,
  output: text,
  tail: text,
  timeout: text,
  "dry-run": text,
  client: { type: "boolean" },
} as const;
const { values, positionals } = readWords();

function readWords() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    const [reason = ""] = error instanceof Error ? error.message.split(". ", 1) : [];
    return fail(`error: invalid words for the demo's kubectl: ${reason}`);
  }
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
  if (path === undefined) return fail(`error: the server doesn't have a resource type "${kind}"`);
  return { path, name };
}

const deploymentOf = (words: readonly string[]): Promise<Workload> => {
  const { path, name } = objectOf(words);
  if (!path.endsWith("/deployments") || name === undefined)
    return fail("error: invalid words for the demo's kubectl: it rolls out deployments, by name");
  return askFor(`${path}/${name}`);
};

/** `items[*].status.phase`: `[*]` and `[0]` of lists, names of fields. */
function fieldsAt(objects: readonly unknown[], field: string): readonly unknown[] {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== "");
  return steps.reduce<readonly unknown[]>(
    (here, step) =>
      here.flatMap((one) => {
        if (typeof one !== "object" || one === null) return [];
        if (step === "*") return Object.values(one);
        return Object.hasOwn(one, step) ? [Reflect.get(one, step)] : [];
      }),
    objects,
  );
}

async function get(words: readonly string[]): Promise<string> {
  const { path, name } = objectOf(words);
  const query = values.selector === undefined ? "" : `?labelSelector=${encodeURIComponent(values.selector)}`;
  const way = name === undefined ? `${path}${query}` : `${path}/${name}`;
  const [, field] = /^jsonpath=\{\.([^{}]+)\}$/.exec(values.output ?? "") ?? [];
  if (field !== undefined)
    return fieldsAt([await askFor(way)], field)
      .map(String)
      .join(" ");
  if (values.output !== undefined && values.output !== "json")
    return fail(`error: unknown output format "${values.output}" for the demo's kubectl`);
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

/** As `describe` prints a pod template without volumes. */
function describeTemplate({ metadata, spec }: Template): string {
  const labels = Object.entries(metadata.labels).map((pair) => pair.join("="));
  const containers = spec.containers.map(({ name, image }) => {
    const none = ["Port", "Host Port", "Environment", "Mounts"].map((field) => `    ${field}:\t<none>\n`);
    return `   ${name}:\n    Image:\t${image}\n${none.join("")}`;
  });
  const none = ["Volumes", "Node-Selectors", "Tolerations"].map((field) => `  ${field}:\t<none>\n`);
  return `Pod Template:\n  Labels:\t${labels.join("\n\t")}\n  Containers:\n${containers.join("")}${none.join("")}`;
}

async function undo(deployment: Workload): Promise<string> {
  const { name } = deployment.metadata;
  const dryRun = values["dry-run"] ?? "none";
  if (!["none", "server", "client"].includes(dryRun))
    return fail(`error: Invalid dry-run value (${dryRun}). Must be "none", "server", or "client".`);
  const before = (await releasesOf(deployment)).at(-2);
  if (!before) return fail(`error: no rollout history found for deployment "${name}"`);
  if (dryRun === "client") return `deployment.apps/${name} ${describeTemplate(before.spec.template)} (dry run)\n`;
  const { metadata, ...rest } = before.spec.template;
  const { "pod-template-hash": _, ...labels } = metadata.labels;
  const value = { ...rest, metadata: { ...metadata, labels } };
  const patch = [{ op: "replace", path: "/spec/template", value }];
  await ask(`${kinds.deploy}/${name}${dryRun === "server" ? "?dryRun=All" : ""}`, { method: "PATCH", patch });
  return `deployment.apps/${name} rolled back${dryRun === "server" ? " (server dry run)" : ""}\n`;
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
  if (values["dry-run"] !== undefined && second !== "undo") return fail("error: unknown flag: --dry-run");
  if (verb === "version") return `${JSON.stringify({ clientVersion: { minor: "32", gitVersion: "v1.32.0-demo" } })}\n`;
  if (verb === "get") return get(words);
  if (verb === "logs") return logs(words);
  if (verb === "rollout" && second === "status") return status(rest);
  if (verb === "rollout" && second === "history") return history(await deploymentOf(rest));
  if (verb === "rollout" && second === "undo") return undo(await deploymentOf(rest));
  return fail(
    `error: unknown command "${positionals.slice(0, 2).join(" ")}" for the demo's kubectl; it has get, logs and rollout`,
  );
}

process.stdout.write(await answer());
