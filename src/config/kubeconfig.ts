/** The one context of a kubeconfig that a server is: what is bound of it, and a kubeconfig that has nothing else. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { Cluster, ClusterConnection } from "../base/server.ts";
import { parseYaml } from "../base/yaml.ts";
import type { Environment } from "./secrets.ts";

export type KubeContext =
  | {
      readonly ok: true;
      readonly apiServer: string;
      /** Of the CA that the API server's certificate must have, in hex. */
      readonly caSha256: string;
      /** A kubeconfig with this context alone. */
      readonly kubeconfig: string;
      readonly connection: ClusterConnection;
      /** What must leave with no output: token and key. */
      readonly secrets: readonly string[];
    }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

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

/** The ways to log in that start no program; anything else that a user has is left out. */
const logins = {
  texts: ["token", "client-certificate-data", "client-key-data"],
  files: ["tokenFile", "client-certificate", "client-key"],
};
const programs = ["exec", "auth-provider"];

const folderInPod = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Reads a server's context, or why it cannot be used. Reads files; never throws. */
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

interface Parts {
  readonly context: string;
  /** Paths are relative to it. */
  readonly folder: string;
  readonly cluster: z.output<typeof clusterSchema>;
  readonly user: z.output<typeof userSchema>;
}

function build({ context, folder, cluster, user }: Parts): KubeContext {
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
  const ca = caOf(cluster, folder);
  if (ca === undefined)
    return refuse(
      `${context} names no certificate authority`,
      "write certificate-authority-data: it is what is pinned",
    );
  const pick = (keys: readonly string[]) =>
    keys.flatMap((key): [string, string][] => {
      const value = user[key];
      return typeof value === "string" && value !== "" ? [[key, value]] : [];
    });
  const login = Object.fromEntries([
    ...pick(logins.texts),
    ...pick(logins.files).map(([key, path]) => [key, resolve(folder, path)] as const),
  ]);
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
  const proof = readLogin(login);
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

function caOf(cluster: Parts["cluster"], folder: string): Buffer | undefined {
  const { "certificate-authority-data": data, "certificate-authority": file } = cluster;
  if (data !== undefined) return Buffer.from(data, "base64");
  return file === undefined ? undefined : readFileSync(resolve(folder, file));
}

/** As kubectl prefers them. A file that cannot be read is reported by kubectl when it is used. */
function readLogin(login: Readonly<Record<string, string>>): Pick<ClusterConnection, "token" | "cert" | "key"> {
  const inFile = (name: string): string | undefined => {
    const file = login[name];
    try {
      return file === undefined ? undefined : readFileSync(file, "utf8").trim();
    } catch {
      return undefined;
    }
  };
  const pem = (name: string): string | undefined => {
    const data = login[`${name}-data`];
    return data === undefined ? inFile(name) : Buffer.from(data, "base64").toString("utf8").trim();
  };
  const found = { token: inFile("tokenFile") ?? login.token, cert: pem("client-certificate"), key: pem("client-key") };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ""));
}
