/** Which keys of an entry of `servers` are of which kind. */

import type { SchemaFinding } from "../base/problems.ts";
import { checkCluster } from "./cluster.ts";
import type { ParsedFile } from "./schema.ts";

type Written = ParsedFile["servers"][string];
type Kind = Written["kind"];

const login = "host user";
const keysOf: Readonly<Record<Kind, string>> = {
  ssh: `${login} port ssh_config key_file key_passphrase_file agent known_hosts_file host_key_alias host_key jump tty shell`,
  kubernetes: "kubeconfig_file in_cluster context namespaces as identity api_server ca_sha256",
  local: `${login} allow jobs_folder machine`,
};
const kinds = Object.keys(keysOf) as readonly Kind[];
const has = (kind: Kind, key: string): boolean => keysOf[kind].split(" ").includes(key);

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** Finds the keys that mean nothing for an entry's kind, and those that it lacks. */
export function checkKind(name: string, server: Written, file: string): readonly SchemaFinding[] {
  const alien = Object.entries(server).flatMap(([key, value]): SchemaFinding[] => {
    const owners = kinds.filter((kind) => has(kind, key));
    const isWindows = key === "os" && value === "windows" && server.kind !== "ssh";
    const isAlien = owners.length > 0 && !owners.includes(server.kind) && isGiven(value);
    if (!isWindows && !isAlien) return [];
    const remedy = server.kind === "ssh" ? `leave it out, or write \`kind: ${owners[0]}\`` : "leave it out";
    return [{ path: ["servers", name, key], message: `\`${key}\` means nothing for \`${name}\``, remedy }];
  });
  return server.kind === "kubernetes" ? [...alien, ...checkCluster(name, server, file)] : alien;
}
