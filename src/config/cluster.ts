/** An entry of `servers` with `kind: kubernetes`: what it must have, and what is bound of its kubeconfig. */

import { existsSync } from "node:fs";
import type { SchemaFinding } from "../base/problems.ts";
import type { Cluster, Server } from "../base/server.ts";
import { readKubeContext } from "./kubeconfig.ts";
import type { ParsedFile } from "./schema.ts";
import { type Environment, openToOthers } from "./secrets.ts";
import { resolvePath } from "./shape.ts";
import type { FileSide } from "./values.ts";

type Written = ParsedFile["servers"][string];
type Entry = FileSide["servers"][string];

/** What a context of a cluster lacks in the file, and how its keys contradict each other. */
export function checkCluster(name: string, server: Written, file: string): readonly SchemaFinding[] {
  const path = ["servers", name];
  const missing = (key: string, remedy: string): SchemaFinding => ({
    path: [...path, key],
    message: `\`servers.${name}.${key}\` is missing`,
    remedy,
  });
  const { kubeconfig_file: kubeconfig } = server;
  const kubeconfigPath = [...path, "kubeconfig_file"];
  return [
    ...(kubeconfig === undefined && !server.in_cluster
      ? [missing("kubeconfig_file", "write the path of a kubeconfig, or `in_cluster: true` for a bot in a pod")]
      : []),
    ...(kubeconfig !== undefined && server.in_cluster
      ? [{ path: kubeconfigPath, message: "is there beside `in_cluster: true`", remedy: "leave one of them out" }]
      : []),
    ...(kubeconfig !== undefined && existsSync(resolvePath(kubeconfig, file))
      ? openToOthers(resolvePath(kubeconfig, file), kubeconfigPath)
      : []),
    ...(server.context === undefined && !server.in_cluster
      ? [missing("context", "write the name of a context in the kubeconfig")]
      : []),
    ...(server.namespaces.length === 0 ? [missing("namespaces", "list those that commands may name, or `*`")] : []),
    ...((server.api_server === undefined) !== (server.ca_sha256 === undefined)
      ? [missing(server.api_server === undefined ? "api_server" : "ca_sha256", "write both of them, or neither")]
      : []),
    ...(server.identity === undefined
      ? [missing("identity", "write who the bot is there: `kubectl auth whoami` says it")]
      : []),
  ];
}

type Resolved =
  | { readonly ok: true; readonly server: Pick<Server, "host" | "port" | "user" | "cluster" | "os" | "description"> }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** What stands in place of address and login. Reads the kubeconfig where nothing is pinned. Undefined where a key is missing, which `checkKind` reports. */
export function resolveCluster(entry: Entry, env: Environment): Resolved | undefined {
  const { kubeconfigFile, inCluster, namespaces, as, identity, description } = entry;
  const context = entry.context ?? (inCluster ? "in-cluster" : undefined);
  if (context === undefined || identity === undefined || namespaces.length === 0) return undefined;
  if ((kubeconfigFile === undefined) !== inCluster) return undefined;
  const { apiServer: pinnedServer, caSha256: pinnedCa } = entry;
  const read =
    pinnedServer !== undefined && pinnedCa !== undefined
      ? ({ ok: true, apiServer: pinnedServer, caSha256: pinnedCa } as const)
      : readKubeContext({ context, kubeconfigFile }, env);
  if (!read.ok) return read;
  const { apiServer, caSha256 } = read;
  const cluster: Cluster = {
    context,
    namespaces,
    ...(kubeconfigFile === undefined ? {} : { kubeconfigFile }),
    ...(as === undefined ? {} : { as }),
    apiServer,
    caSha256,
  };
  const { hostname, port } = new URL(apiServer);
  const told = `Kubernetes, namespaces ${namespaces.join(", ")}: only kubectl runs here, with pipes to grep, head, tail, sort, uniq, wc, cut, jq`;
  return {
    ok: true,
    server: {
      host: hostname,
      port: Number(port || 443),
      user: identity,
      cluster,
      os: "linux",
      description: description === "" ? told : `${description}. ${told}`,
    },
  };
}
