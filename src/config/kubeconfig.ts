import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { Cluster, KubeContext } from "../base/server.ts";
import { parseYaml } from "../base/yaml.ts";
import type { Environment } from "./secrets.ts";

const refuse = (message: string, remedy: string): KubeContext => ({ ok: false, message, remedy });

const text = z.string().min(1);
const named = <T extends z.ZodType>(key: string, inner: T) =>
  z
    .array(z.looseObject({ name: text, [key]: inner }))
    .nullish()
    .transform((list) => list ?? []);
const clusterSchema = z.looseObject({
  server: text,
  "certificate-authority": text.optional(),
  "certificate-authority-data": text.optional(),
  "insecure-skip-tls-verify": z.boolean().optional(),
});
const userSchema = z.looseObject({});
const fileSchema = z.looseObject({
  clusters: named("cluster", clusterSchema),
  users: named("user", userSchema),
  contexts: named("context", z.looseObject({ cluster: text, user: text })),
});

/** They start no program; others are left out. */
const logins = ["token", "client-certificate-data", "client-key-data"];
const loginFiles = [
  ["client-certificate", "client-certificate-data"],
  ["client-key", "client-key-data"],
  ["tokenFile", "token"],
] as const;
const programs = ["exec", "auth-provider"];

const folderInPod = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Reads a server's context. Never throws. */
export function readKubeContext(cluster: Pick<Cluster, "context" | "kubeconfigFile">, env: Environment): KubeContext {
  try {
    return cluster.kubeconfigFile === undefined
      ? readInPod(cluster.context, env)
      : readFile(cluster.kubeconfigFile, cluster.context);
  } catch (error) {
    const file = cluster.kubeconfigFile ?? folderInPod;
    return refuse(`${file} cannot be used: ${messageOf(error)}`, "correct the file, or the path");
  }
}

function readInPod(context: string, env: Environment): KubeContext {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port)
    return refuse(
      "`in_cluster: true` outside of a cluster: KUBERNETES_SERVICE_HOST is not set",
      "run the bot in a pod",
    );
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const cluster = { server, "certificate-authority": `${folderInPod}/ca.crt` };
  return build({ context, folder: folderInPod, cluster, user: { tokenFile: `${folderInPod}/token` } });
}

function readFile(file: string, context: string): KubeContext {
  const yaml = parseYaml(readFileSync(file, "utf8"), file);
  if (!yaml.ok) return refuse(`${file} is no YAML`, "write the path of a kubeconfig");
  const parsed = fileSchema.safeParse(yaml.value);
  if (!parsed.success) return refuse(`${file} is no kubeconfig`, "write the path of a kubeconfig");
  const { contexts, clusters, users } = parsed.data;
  const found = contexts.find(({ name }) => name === context)?.context;
  if (!found) {
    const names = contexts.map(({ name }) => name).join(", ");
    return refuse(`${file} has no context \`${context}\``, `write one of: ${names || "none is there"}`);
  }
  const { cluster: clusterName, user: userName } = found as { cluster: string; user: string };
  const cluster = clusters.find(({ name }) => name === clusterName)?.cluster;
  const user = users.find(({ name }) => name === userName)?.user;
  if (!cluster || !user)
    return refuse(`the context \`${context}\` in ${file} lacks its cluster or user`, "correct the file");
  return build({ context, folder: dirname(file), cluster: clusterSchema.parse(cluster), user: userSchema.parse(user) });
}

interface ContextParts {
  readonly context: string;
  readonly folder: string;
  readonly cluster: z.output<typeof clusterSchema>;
  readonly user: z.output<typeof userSchema>;
}

function build({ context, folder, cluster, user }: ContextParts): KubeContext {
  if (!URL.canParse(cluster.server) || new URL(cluster.server).protocol !== "https:")
    return refuse(`the API server ${cluster.server} has no https:// address`, "use one that proves who it is");
  if (cluster["insecure-skip-tls-verify"])
    return refuse(`${context} has insecure-skip-tls-verify`, "write certificate-authority-data in its place");
  const program = programs.find((key) => user[key] !== undefined);
  if (program !== undefined)
    return refuse(
      `the user of ${context} logs in by \`${program}\`, which runs a program`,
      "make a service account for the bot and write its token or tokenFile",
    );
  const { "certificate-authority-data": data, "certificate-authority": caFile } = cluster;
  const ca = data === undefined ? caFile && readFileSync(resolve(folder, caFile)) : Buffer.from(data, "base64");
  if (!ca)
    return refuse(
      `${context} names no certificate authority`,
      "write certificate-authority-data: it is what is pinned",
    );
  const login = loginOf(user, folder);
  const { "tls-server-name": tlsName, "proxy-url": proxy } = cluster;
  const own = {
    server: cluster.server,
    "certificate-authority-data": ca.toString("base64"),
    ...(typeof tlsName === "string" ? { "tls-server-name": tlsName } : {}),
    ...(typeof proxy === "string" ? { "proxy-url": proxy } : {}),
  };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": context,
    clusters: [{ name: context, cluster: own }],
    users: [{ name: context, user: login }],
    contexts: [{ name: context, context: { cluster: context, user: context } }],
  };
  const pem = (key: string): string | undefined => {
    const data = login[key];
    return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8").trim();
  };
  const found = { token: login.token, cert: pem("client-certificate-data"), key: pem("client-key-data") };
  const proof = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ""));
  return {
    ok: true,
    apiServer: cluster.server,
    caSha256: createHash("sha256").update(ca).digest("hex"),
    kubeconfig: JSON.stringify(kubeconfig),
    connection: {
      ca: ca.toString("utf8"),
      ...(typeof tlsName === "string" ? { servername: tlsName } : {}),
      isProxied: typeof proxy === "string",
      ...proof,
    },
    secrets: [...new Set([login.token, login["client-key-data"], proof.token, proof.key])].filter(
      (secret) => secret !== undefined,
    ),
  };
}

/** With the files' contents, so that what is proven is what is used. Throws if one is unreadable. */
function loginOf(user: Readonly<Record<string, unknown>>, folder: string): Readonly<Record<string, string>> {
  const textIn = (key: string): string | undefined => {
    const value = user[key];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const held = loginFiles.flatMap(([key, inline]): [string, string][] => {
    const file = textIn(key);
    // As in kubectl, only a token's file wins over the text.
    if (file === undefined || (inline !== "token" && textIn(inline) !== undefined)) return [];
    const bytes = readFileSync(resolve(folder, file));
    return [[inline, inline === "token" ? bytes.toString("utf8").trim() : bytes.toString("base64")]];
  });
  const written = logins.flatMap((key): [string, string][] => {
    const value = textIn(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries([...written, ...held]);
}
