import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../base/errors.ts";
import { ensureMachine, machineOf, whereWeAre } from "../base/host/machine.ts";
import type { SchemaFinding } from "../base/problems.ts";
import { risks } from "../base/risk.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Server, Source } from "../base/server.ts";
import { readKubeContext } from "./kubeconfig.ts";
import { serverSchema } from "./schema.ts";
import type { Environment } from "./secrets.ts";
import { toProgramSide } from "./shape.ts";
import type { FileSide } from "./values.ts";

type ServerEntries = FileSide["servers"];
type ServerEntry = ServerEntries[string];
type SourceEntry = FileSide["sources"][string];
type PatchEntry = FileSide["patches"][string];

interface Inventory {
  readonly servers: ReadonlyMap<string, Server>;
  readonly findings: readonly SchemaFinding[];
}

/** Jump hosts that only ssh_config knows. */
type ResolvedServer =
  | { readonly ok: true; readonly server: Server; readonly hops?: readonly Server[] }
  | ({ readonly ok: false } & SchemaFinding);

const refusal = (path: readonly string[], message: string, remedy: string) =>
  ({ ok: false, path, message, remedy }) as const;

/** The file wins over ssh_config, whose jump hosts become servers that no repository can name. Never throws. */
export function buildServers(
  { servers: entries, sources, patches, github }: Pick<FileSide, "servers" | "sources" | "patches" | "github">,
  { env, roles }: { readonly env: Environment; readonly roles: readonly ProcessRole[] },
): Inventory {
  const servers = new Map<string, Server>();
  const hops = new Map<string, Server>();
  const findings: SchemaFinding[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const resolved =
      entry.kind === "kubernetes"
        ? resolveCluster(name, entry, env)
        : entry.kind === "local"
          ? resolveLocal(name, entry, roles)
          : resolveSsh(name, entry, entries);
    if (!resolved?.ok) {
      if (resolved) findings.push(resolved);
      continue;
    }
    servers.set(name, resolved.server);
    for (const hop of resolved.hops ?? []) {
      const other = hops.get(hop.name);
      if (other !== undefined && !isDeepStrictEqual(other, hop)) {
        const message = `two servers' ssh_config mean different jump hosts by ${hop.name}`;
        findings.push({ path: ["servers", name, "ssh_config"], message, remedy: "put that host into `servers`" });
      }
      hops.set(hop.name, hop);
    }
  }
  const others = [
    ...Object.entries(sources).map(([name, entry]) => ({
      section: "sources",
      name,
      resolved: resolveSource(name, entry),
    })),
    ...Object.entries(patches).map(([name, entry]) => ({
      section: "patches",
      name,
      resolved: resolvePatches(name, entry, github.apiUrl),
    })),
  ];
  for (const { section, name, resolved } of others) {
    if (!resolved.ok) findings.push(resolved);
    else if (servers.has(name)) {
      const other = Object.hasOwn(entries, name) ? "servers" : "sources";
      const message = `\`${name}\` is in \`${other}\` too`;
      findings.push({ path: [section, name], message, remedy: "give one of them another name" });
    } else servers.set(name, resolved.server);
  }
  return { servers: new Map([...servers, ...hops]), findings };
}

function serverOf(name: string, entry: ServerEntry, said: (SshHost & { readonly file: string }) | undefined): Server {
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
  return {
    ...own,
    name,
    host: said?.hostName ?? entry.host ?? "",
    port: entry.port ?? said?.port ?? 22,
    user: entry.user ?? said?.user ?? "",
    ...loginOf(entry, said),
    knownHostsFile: entry.knownHostsFile ?? said?.knownHostsFiles ?? join(homedir(), ".ssh/known_hosts"),
    hostKeyAlias: entry.hostKeyAlias ?? said?.hostKeyAlias,
    shell: entry.shell ?? (entry.os === "windows" ? "powershell" : "bash"),
    ...(said === undefined ? {} : { sshConfig: { file: said.file, host: said.name } }),
  };
}

/** The file's key or agent wins; then ssh_config's agent, the first existing key, the usual agent. */
function loginOf(
  { keyFile, agent }: ServerEntry,
  said: SshHost | undefined,
): Pick<Server, "keyFile" | "agent" | "agentSocket"> {
  if (keyFile !== undefined || agent || said === undefined) return { keyFile, agent };
  if (said.identityAgent !== undefined && said.identityAgent !== "none")
    return { agent: true, agentSocket: said.identityAgent };
  const found = said.identityFiles.find((file) => existsSync(file));
  return found === undefined ? { agent: said.identityAgent === undefined } : { keyFile: found, agent: false };
}

const withText = (description: string, text: string): string => (description === "" ? text : `${description}. ${text}`);

function resolveSsh(name: string, entry: ServerEntry, entries: ServerEntries): ResolvedServer {
  const { sshConfig: file, host = "", backend, jump } = entry;
  if (file === undefined) return { ok: true, server: serverOf(name, entry, undefined) };
  const path = ["servers", name, "ssh_config"];
  const said = askWithoutProxy(file, host, backend);
  if (!said.ok) return { ...said, path };
  const server = serverOf(name, entry, { ...said, file });
  if (server.keyFile === undefined && !server.agent)
    return refusal(
      path,
      `\`${name}\` has no way to log in: none of its identity files exists, and it wants no agent`,
      "write `key_file` or `agent: true`",
    );
  if (jump !== undefined) return { ok: true, server };
  const way = findJumps({ file, entry, entries }, said.jumps);
  return way.ok ? { ok: true, server: { ...server, jump: way.last }, hops: way.hops } : { ...way, path };
}

/** Only ssh itself runs a ProxyCommand. */
function askWithoutProxy(file: string, destination: string, backend: Server["backend"]) {
  const said = askSsh(file, destination, { mayRun: backend === "openssh" });
  if (!said.ok || said.proxyCommand === undefined || backend === "openssh") return said;
  const message = `${file} has a ProxyCommand for ${destination}, which is not run here`;
  return { ok: false, message, remedy: backendRemedy } as const;
}

type JumpRoute =
  | { readonly ok: true; readonly hops: readonly Server[]; readonly last: string | undefined }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** Ends a ProxyJump that leads back to itself. */
const maxDepth = 8;

/**
 * Each server goes through the one before. As with ssh, the first may be in the inventory or have its own ProxyJump. A hop's name is its
 * whole route, so equal routes share a connection.
 */
function findJumps(
  route: { readonly file: string; readonly entry: ServerEntry; readonly entries: ServerEntries },
  jumps: readonly string[],
  depth = 0,
): JumpRoute {
  const { file, entry, entries } = route;
  if (depth === maxDepth) {
    const message = `the ProxyJumps of ${entry.host} have no end`;
    return { ok: false, message, remedy: `look for a circle in ${file}` };
  }
  const hops: Server[] = [];
  let last: string | undefined;
  for (const jump of jumps) {
    if (last === undefined && Object.hasOwn(entries, jump)) {
      last = jump;
      continue;
    }
    const said = askWithoutProxy(file, jump, entry.backend);
    if (!said.ok) return said;
    if (last === undefined && said.jumps.length > 0) {
      const before = findJumps(route, said.jumps, depth + 1);
      if (!before.ok) return before;
      hops.push(...before.hops);
      last = before.last;
    }
    const name: string = last === undefined ? jump : `${last},${jump}`;
    // Only the backend is the server's, so that two servers can share the hop.
    const written = serverSchema.parse({ host: said.name, backend: entry.backend, description: "jump host" });
    const hop = serverOf(name, toProgramSide(serverSchema, written, file), { ...said, file });
    hops.push({ ...hop, jump: last });
    last = name;
  }
  return { ok: true, hops, last };
}

/** Reads the kubeconfig if nothing is pinned. The schema reports missing keys. */
function resolveCluster(name: string, entry: ServerEntry, env: Environment): ResolvedServer | undefined {
  const { kubeconfigFile, inCluster, namespaces, as, identity, description } = entry;
  const context = entry.context ?? (inCluster ? "in-cluster" : undefined);
  if (context === undefined || identity === undefined || namespaces.length === 0) return undefined;
  if ((kubeconfigFile === undefined) !== inCluster) return undefined;
  const { apiServer: pinnedServer, caSha256: pinnedCa } = entry;
  const read =
    pinnedServer !== undefined && pinnedCa !== undefined
      ? ({ ok: true, apiServer: pinnedServer, caSha256: pinnedCa } as const)
      : readKubeContext({ context, kubeconfigFile }, env);
  if (!read.ok) return refusal(["servers", name], read.message, read.remedy);
  const { apiServer, caSha256 } = read;
  const { hostname, port } = new URL(apiServer);
  return {
    ok: true,
    server: {
      ...serverOf(name, entry, undefined),
      host: hostname,
      port: Number(port || 443),
      user: identity,
      cluster: {
        context,
        namespaces,
        ...(kubeconfigFile === undefined ? {} : { kubeconfigFile }),
        ...(as === undefined ? {} : { as }),
        apiServer,
        caSha256,
      },
      os: "linux",
      description: withText(
        description,
        `Kubernetes, namespaces ${namespaces.join(", ")}: only kubectl runs here, with pipes to grep, head, tail, sort, uniq, wc, cut, jq`,
      ),
    },
  };
}

/** A runner creates a missing jobs folder; other processes read its name there or in the file. */
function resolveLocal(name: string, entry: ServerEntry, roles: readonly ProcessRole[]): ResolvedServer {
  const refuse = (key: string, message: string, remedy: string) => refusal(["servers", name, key], message, remedy);
  const isRunner = roles.includes("runner");
  if (process.platform === "win32")
    return refuse("kind", "`local` needs a Unix: there are no jobs on Windows", "use SSH");
  if (isRunner && roles.length > 1 && !entry.allow)
    return refuse(
      "allow",
      `what runs on \`${name}\` could read the bot's keys and database: bot and runner are one process here`,
      "start a runner of its own (`--role runner`) on that machine, or write `allow: true`",
    );
  const here = whereWeAre();
  const jobsFolder = entry.jobsFolder ?? join(here.home, ".countersign-jobs");
  let { machine } = entry;
  let why = "";
  try {
    machine ??= isRunner ? ensureMachine(jobsFolder) : machineOf(jobsFolder);
  } catch (thrown) {
    why = ` (${messageOf(thrown)})`;
  }
  if (machine === undefined)
    return refuse(
      "machine",
      `the folder of jobs ${jobsFolder} has no name that can be read${why}`,
      isRunner
        ? "write a `jobs_folder` that this account can write to and that outlives a restart"
        : "write `machine`, `host` and `user`: `countersign check --role runner` on that machine says them",
    );
  return {
    ok: true,
    server: {
      ...serverOf(name, entry, undefined),
      host: (entry.host ?? here.host).toLowerCase(),
      port: 0,
      user: entry.user ?? here.user,
      os: "linux",
      description: withText(entry.description, "The machine of the runner itself"),
      local: { jobsFolder, machine },
    },
  };
}

/** Every process that draws or runs a query needs the CA, which is no secret. */
function resolveSource(name: string, entry: SourceEntry): ResolvedServer {
  const { kind, tokenFile, caFile, tenant, description, maxSeries, maxBytes, maxRangeMs } = entry;
  const refuse = (key: string, message: string, remedy: string) => refusal(["sources", name, key], message, remedy);
  const address = new URL(entry.url);
  const isPlain = address.protocol === "http:";
  const isMcp = kind === "mcp";
  if (address.search !== "" || address.hash !== "")
    return refuse(
      "url",
      `\`${name}\` has more in its address than host, port and path`,
      "write a token in `token_file`",
    );
  if (isPlain && (tokenFile !== undefined || caFile !== undefined))
    return refuse(
      "url",
      `\`${name}\` would send its token without TLS`,
      "write an https address, or leave token and CA out",
    );
  if (!isMcp && Object.keys(entry.tools).length > 0)
    return refuse("tools", `\`${name}\` has no tools to list`, "leave them out, or write `kind: mcp`");
  if (isMcp && tenant !== undefined)
    return refuse(
      "tenant",
      `\`${name}\` is asked for no tenant`,
      "leave it out: only Prometheus and Loki have tenants",
    );
  let ca: string | undefined;
  if (caFile !== undefined) {
    const refuseFile = (why: string) => refuse("ca_file", why, "name the PEM file of the certificate authority");
    try {
      ca = readFileSync(caFile, "utf8");
    } catch (thrown) {
      return refuseFile(`cannot be read: ${messageOf(thrown)}`);
    }
    if (!ca.includes("-----BEGIN CERTIFICATE-----")) return refuseFile(`${caFile} holds no certificate`);
  }
  const { text, ...commands } = commandsOf(entry);
  return {
    ok: true,
    server: {
      ...serverOf(name, plainEntry, undefined),
      groups: entry.groups,
      host: address.hostname,
      port: Number(address.port || (isPlain ? 80 : 443)),
      os: "linux",
      description: withText(description, text),
      maxRisk: risks.findLast((risk) => Object.values(commands.levels).includes(risk)) ?? "low",
      hardTimeoutMs: entry.timeoutMs,
      source: {
        kind,
        // A server may redirect `/mcp` to `/mcp/` or back.
        url: isMcp ? entry.url : entry.url.replace(/\/+$/, ""),
        ...(tokenFile === undefined ? {} : { tokenFile }),
        ...(ca === undefined ? {} : { ca }),
        ...(tenant === undefined ? {} : { tenant }),
        maxRangeMs,
        maxSeries,
        maxBytes,
        ...commands,
      },
    },
  };
}

/** Patches change nothing by themselves: a person merges them. */
function resolvePatches(name: string, entry: PatchEntry, apiUrl: string): ResolvedServer {
  const { repository, paths, base, groups, description } = entry;
  const api = new URL(apiUrl);
  return {
    ok: true,
    server: {
      ...serverOf(name, plainEntry, undefined),
      groups,
      host: api.hostname,
      port: Number(api.port || (api.protocol === "http:" ? 80 : 443)),
      os: "linux",
      description: withText(
        description,
        `Patches to ${repository}, branch ${base}, files ${paths.join(", ")}: only a unified diff runs here, as a draft pull request`,
      ),
      maxRisk: "medium",
      hardTimeoutMs: patchTimeoutMs,
      patches: { repository, paths, base },
    },
  };
}

/** Longer than all that a patch sends may take. */
const patchTimeoutMs = 2 * 60_000;

const plainEntry = toProgramSide(serverSchema, serverSchema.parse({ host: "source" }), "");

const products = { prometheus: "Prometheus, PromQL", loki: "Loki, LogQL" } as const;

function commandsOf({ kind, tools }: SourceEntry): Pick<Source, "levels" | "tools"> & { readonly text: string } {
  if (kind !== "mcp") {
    const text = `${products[kind]}: only \`query 'EXPR'\` and \`query_range 'EXPR' --since 1h\` run here`;
    return { text, levels: { query: "low", query_range: "low" } };
  }
  const all = Object.entries(tools);
  const calls = all.map(([name, { level, example }]) => `\`${`${name} ${example}`.trim()}\` (${level})`);
  return {
    text: `MCP server: only \`TOOL {"name": "value"}\` with one of its tools runs here: ${calls.join(", ") || "none yet"}`,
    levels: Object.fromEntries(all.map(([name, { level }]) => [name, level])),
    tools: Object.fromEntries(all.map(([name, { sha256 }]) => [name, sha256])),
  };
}

/** From `ssh -G`, because only ssh reads an ssh_config as ssh does. */

interface SshHost {
  readonly name: string;
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  /** In ssh's order; need not exist. */
  readonly identityFiles: readonly string[];
  /** A socket, `none`, or undefined for SSH_AUTH_SOCK. */
  readonly identityAgent: string | undefined;
  readonly knownHostsFiles: readonly string[];
  readonly hostKeyAlias: string | undefined;
  /** Nearest first, each `[user@]host[:port]`. */
  readonly jumps: readonly string[];
  readonly proxyCommand: string | undefined;
}

type SshAnswer =
  | ({ readonly ok: true } & SshHost)
  | { readonly ok: false; readonly message: string; readonly remedy: string };

const timeoutMs = 5_000;
const refuse = (message: string, remedy: string): SshAnswer => ({ ok: false, message, remedy });

/**
 * `destination` is a name in the file or `[user@]host[:port]`. Refuses `Match exec`, because reading runs its program, unless ssh will run
 * it anyway (`mayRun`). Never throws.
 */
function askSsh(file: string, destination: string, options: { readonly mayRun: boolean }): SshAnswer {
  const target = /^(?:([a-zA-Z0-9._-]+)@)?([a-zA-Z0-9._][a-zA-Z0-9._-]*)(?::(\d+))?$/.exec(destination);
  if (target === null)
    return refuse(`\`${destination}\` is not a plain name of a host`, "name the host as ssh_config has it");
  const problem = options.mayRun ? undefined : findMatchExec(file);
  if (problem !== undefined) return problem;
  const [, user, host = "", port] = target;
  const flags = [...(user === undefined ? [] : ["-l", user]), ...(port === undefined ? [] : ["-p", port])];
  const env = { PATH: "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin" };
  const asked = spawnSync("ssh", ["-G", "-F", file, ...flags, "--", host], {
    encoding: "utf8",
    timeout: timeoutMs,
    env,
  });
  if (asked.error !== undefined || asked.status !== 0) {
    const says = asked.stderr?.trim().split("\n")[0] || asked.error?.message || "it gave no reason";
    return refuse(
      `ssh -G cannot read ${file} for ${host}: ${says}`,
      "correct the file; `ssh -G -F FILE HOST` shows it",
    );
  }
  return { ok: true, name: host, ...readOptions(asked.stdout) };
}

/** Parses the output of `ssh -G`. */
export function readOptions(printed: string): Omit<SshHost, "name"> {
  const lines = printed.split("\n").map((line) => /^(\S+) (.*)$/.exec(line)?.slice(1) ?? []);
  const all = (keyword: string): string[] => lines.flatMap(([name, value = ""]) => (name === keyword ? [value] : []));
  const one = (keyword: string): string | undefined => all(keyword).find((value) => value !== "none");
  const hostName = one("hostname") ?? "";
  const user = one("user") ?? "";
  const words: Readonly<Record<string, string>> = { "%d": homedir(), "%h": hostName, "%r": user, "%%": "%" };
  const path = (text: string): string =>
    text.replace(/^~(?=\/)/, homedir()).replace(/%[dhr%]/g, (word) => words[word] ?? word);
  const agent = all("identityagent")[0];
  return {
    hostName,
    user,
    port: Number(one("port") ?? 22),
    identityFiles: all("identityfile").map(path),
    identityAgent: agent === undefined || agent === "SSH_AUTH_SOCK" ? undefined : path(agent),
    knownHostsFiles: (one("userknownhostsfile") ?? "").split(" ").filter(Boolean).map(path),
    hostKeyAlias: one("hostkeyalias"),
    jumps: (one("proxyjump") ?? "").split(",").filter(Boolean),
    proxyCommand: one("proxycommand"),
  };
}

/** As in ssh. */
const maxIncludes = 16;

function findMatchExec(file: string, depth = 0): SshAnswer | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return refuse(`${file} cannot be read`, "create it, or correct the path");
  }
  for (const line of text.split("\n")) {
    const [keyword = "", ...values] = line.trim().split(/[\s=]+/);
    if (/^match$/i.test(keyword) && values.some((word) => /^["!]*exec\b/i.test(word))) {
      return refuse(`${file} has \`Match exec\`, which runs a program to find out what it says`, backendRemedy);
    }
    if (!/^include$/i.test(keyword) || depth === maxIncludes) continue;
    for (const pattern of values.map((value) => value.replaceAll('"', ""))) {
      const full = isAbsolute(pattern)
        ? pattern
        : pattern.replace(/^(?:~\/)?/, `${pattern.startsWith("~/") ? homedir() : join(homedir(), ".ssh")}/`);
      for (const found of globSync(full)) {
        const problem = findMatchExec(found, depth + 1);
        if (problem !== undefined) return problem;
      }
    }
  }
  return undefined;
}

const backendRemedy = "write `backend: openssh` for this server, which leaves the connection to the system's ssh";
