/** The inventory: each server of the file with what its ssh_config adds, resolved once and bound by value. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Server } from "../base/server.ts";
import { resolveCluster } from "./cluster.ts";
import { resolveLocal } from "./local.ts";
import type { Environment } from "./secrets.ts";
import { serverSchema } from "./server-schema.ts";
import { toProgramSide } from "./shape.ts";
import { resolveSource } from "./sources.ts";
import { askSsh, backendRemedy, type SshHost } from "./ssh.ts";
import type { FileSide } from "./values.ts";

type Entries = FileSide["servers"];
type Entry = Entries[string];
type Problem = { readonly ok: false; readonly message: string; readonly remedy: string };

interface Inventory {
  readonly servers: ReadonlyMap<string, Server>;
  readonly findings: readonly SchemaFinding[];
}

/**
 * Makes the inventory. What the file says of a server wins over its ssh_config; jump hosts that only an ssh_config knows
 * become servers that no repository can name. Never throws.
 */
export function buildServers(
  { servers: entries, sources }: Pick<FileSide, "servers" | "sources">,
  { env, roles }: { readonly env: Environment; readonly roles: readonly ProcessRole[] },
): Inventory {
  const servers = new Map<string, Server>();
  const hops = new Map<string, Server>();
  const findings: SchemaFinding[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.kind === "kubernetes") {
      const cluster = resolveCluster(entry, env);
      if (cluster?.ok) servers.set(name, { ...serverOf(name, entry, undefined), ...cluster.server });
      else if (cluster) findings.push({ path: ["servers", name], message: cluster.message, remedy: cluster.remedy });
      continue;
    }
    if (entry.kind === "local") {
      const local = resolveLocal(name, entry, roles);
      if (local.ok) servers.set(name, { ...serverOf(name, entry, undefined), ...local.server });
      else findings.push({ path: ["servers", name, local.key], message: local.message, remedy: local.remedy });
      continue;
    }
    const resolved = resolve(name, entry, entries);
    if (!resolved.ok) {
      findings.push({ path: ["servers", name, "ssh_config"], message: resolved.message, remedy: resolved.remedy });
      continue;
    }
    servers.set(name, resolved.server);
    for (const hop of resolved.hops) {
      const other = hops.get(hop.name);
      if (other !== undefined && !isDeepStrictEqual(other, hop)) {
        const message = `two servers' ssh_config mean different jump hosts by ${hop.name}`;
        findings.push({ path: ["servers", name, "ssh_config"], message, remedy: "put that host into `servers`" });
      }
      hops.set(hop.name, hop);
    }
  }
  for (const [name, entry] of Object.entries(sources)) {
    const resolved = resolveSource(name, entry);
    if (!resolved.ok) findings.push(resolved);
    else if (servers.has(name)) findings.push(namedTwice(name));
    else servers.set(name, { ...serverOf(name, plainEntry, undefined), groups: entry.groups, ...resolved.server });
  }
  return { servers: new Map([...servers, ...hops]), findings };
}

type Resolved = { readonly ok: true; readonly server: Server; readonly hops: readonly Server[] } | Problem;

function resolve(name: string, entry: Entry, entries: Entries): Resolved {
  const file = entry.sshConfig;
  if (file === undefined) return { ok: true, server: serverOf(name, entry, undefined), hops: [] };
  const said = ask(file, entry.host ?? "", entry.backend);
  if (!said.ok) return said;
  const server = serverOf(name, entry, { ...said, file });
  if (server.keyFile === undefined && !server.agent) {
    const message = `\`${name}\` has no way to log in: none of its identity files exists, and it wants no agent`;
    return { ok: false, message, remedy: "write `key_file` or `agent: true`" };
  }
  if (entry.jump !== undefined) return { ok: true, server, hops: [] };
  const way = findWay({ file, entry, entries }, said.jumps);
  return way.ok ? { ok: true, server: { ...server, jump: way.last }, hops: way.hops } : way;
}

function ask(file: string, destination: string, backend: Server["backend"]) {
  const said = askSsh(file, destination, { mayRun: backend === "openssh" });
  if (!said.ok || said.proxyCommand === undefined || backend === "openssh") return said;
  const message = `${file} has a ProxyCommand for ${destination}, which is not run here`;
  return { ok: false, message, remedy: backendRemedy } as const;
}

interface Context {
  readonly file: string;
  readonly entry: Entry;
  readonly entries: Entries;
}

type Way = { readonly ok: true; readonly hops: readonly Server[]; readonly last: string | undefined } | Problem;

/** As many hops as nobody has; a ProxyJump that comes back to itself ends here. */
const maxDepth = 8;

/**
 * A ProxyJump as servers, each going through the one before. The first may be a server of the inventory or have a
 * ProxyJump of its own, as with ssh. A hop is named by the whole way to it, so that the same way is the same connection.
 */
function findWay(context: Context, jumps: readonly string[], depth = 0): Way {
  const { file, entry, entries } = context;
  if (depth === maxDepth) {
    return {
      ok: false,
      message: `the ProxyJumps of ${entry.host} have no end`,
      remedy: `look for a circle in ${file}`,
    };
  }
  const hops: Server[] = [];
  let last: string | undefined;
  for (const jump of jumps) {
    if (last === undefined && Object.hasOwn(entries, jump)) {
      last = jump;
      continue;
    }
    const said = ask(file, jump, entry.backend);
    if (!said.ok) return said;
    if (last === undefined && said.jumps.length > 0) {
      const before = findWay(context, said.jumps, depth + 1);
      if (!before.ok) return before;
      hops.push(...before.hops);
      last = before.last;
    }
    const name: string = last === undefined ? jump : `${last},${jump}`;
    hops.push({ ...serverOf(name, hopEntry(said.name, entry, file), { ...said, file }), jump: last });
    last = name;
  }
  return { ok: true, hops, last };
}

const namedTwice = (name: string): SchemaFinding => ({
  path: ["sources", name],
  message: `\`${name}\` is in \`servers\` too`,
  remedy: "give one of them another name",
});

/** A server of which nothing is said. */
const plainEntry = toProgramSide(serverSchema, serverSchema.parse({ host: "source" }), "");

/** A hop has nothing of the server behind it but the backend, so that two servers mean the same one by its name. */
const hopEntry = (host: string, { backend }: Entry, file: string): Entry =>
  toProgramSide(serverSchema, serverSchema.parse({ host, backend, description: "jump host" }), file);

function serverOf(name: string, entry: Entry, said: (SshHost & { readonly file: string }) | undefined): Server {
  const {
    sshConfig: _,
    kind,
    kubeconfigFile,
    inCluster,
    context,
    namespaces,
    as,
    identity,
    apiServer,
    caSha256,
    allow,
    jobsFolder,
    machine,
    ...own
  } = entry;
  const user = entry.user ?? said?.user;
  return {
    ...own,
    name,
    host: said?.hostName ?? entry.host ?? "",
    port: entry.port ?? said?.port ?? 22,
    user: user ?? "",
    ...loginOf(entry, said),
    knownHostsFile: entry.knownHostsFile ?? said?.knownHostsFiles ?? join(homedir(), ".ssh/known_hosts"),
    hostKeyAlias: entry.hostKeyAlias ?? said?.hostKeyAlias,
    shell: entry.shell ?? (entry.os === "windows" ? "powershell" : "bash"),
    ...(said === undefined ? {} : { sshConfig: { file: said.file, host: said.name } }),
  };
}

/** A key or agent in the file wins; else an agent that ssh_config names, the first key that exists, the usual agent. */
function loginOf(entry: Entry, said: SshHost | undefined): Pick<Server, "keyFile" | "agent" | "agentSocket"> {
  const { keyFile, agent } = entry;
  if (keyFile !== undefined || agent || said === undefined) return { keyFile, agent };
  if (said.identityAgent !== undefined && said.identityAgent !== "none") {
    return { agent: true, agentSocket: said.identityAgent };
  }
  const found = said.identityFiles.find((file) => existsSync(file));
  if (found !== undefined) return { keyFile: found, agent: false };
  return { agent: said.identityAgent === undefined };
}
