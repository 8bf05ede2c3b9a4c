import { readFileSync } from "node:fs";
import type { Refusal } from "../../base/errors.ts";
import { messageOf, type Problem } from "../../base/errors.ts";
import type { CertificateAnswer } from "../../base/run.ts";
import type { Server, Source } from "../../base/server.ts";
import { readKubeContext } from "../../config/kubeconfig.ts";
import { environment } from "../../config/load.ts";
import { type Config, storedOutputBytes } from "../../config/values.ts";
import { pinsOf, targetOf } from "../../features/run/target.ts";
import { judgeRights, type NamespaceRights } from "../../kubernetes/rights.ts";
import { createKubernetes, type Kubernetes } from "../../kubernetes/run.ts";
import { askForCertificate, signerAddressOf } from "../../signer/client.ts";
import { checkCommand } from "../../signer/protocol.ts";
import { findTool, hashOfTool, type ListedTool } from "../../sources/parse-query.ts";
import { createSources, type SourceRunner, withinMs, writeQuery } from "../../sources/run.ts";
import { createCapture } from "../../ssh/capture.ts";
import { createSsh, type Ssh } from "../../ssh/run.ts";
import { type CheckLook, type ConfigLookKind, lookSafely } from "./look.ts";

/** All at once, because a dead server is slow; reports in the config's order. */
export const serversLook: ConfigLookKind = {
  name: "servers",
  roles: ["runner"],
  restsOn: [],
  showsProgress: true,
  look: async function* ({ config }, waiting) {
    const { looks, close } = startServerLooks(config, "whole");
    for (const [index, { item, done }] of looks.entries()) {
      const { name } = item;
      waiting(`server ${name}, ${index + 1} of ${looks.length}`);
      yield* lookSafely(name, async () => [{ name, ...(await done) }]);
    }
    await close();
  },
};

/** A server leaves out lines that it cannot answer. */
const script = [
  "command -v bash >/dev/null 2>&1 && echo shell=yes || echo shell=no",
  'd=/tmp; [ -d /var/tmp ] && d=/var/tmp; df -Pk "$d" 2>/dev/null | awk \'END { print "free=" $4 }\'; [ -w "$d" ] && echo write=yes || echo write=no',
  "sudo -n -l >/dev/null 2>&1 && echo sudo=yes || echo sudo=no",
  "echo time=$(date +%s)",
].join("\n");

const leastFreeKb = 50 * 1024;
const mostSecondsOff = 120;

const serversAtOnce = 8;

type ServerLook = Omit<CheckLook, "name">;

/**
 * Starts eight looks at once, in the config's order. `reach` proves address, host key and login for real, and nothing more. No look throws.
 * The caller closes it.
 */
export function startServerLooks(
  config: Config,
  depth: "reach" | "whole",
): {
  readonly looks: readonly { readonly item: Server; readonly done: Promise<ServerLook> }[];
  readonly close: () => Promise<void>;
} {
  const { servers } = config;
  const ssh = createSsh({ servers, agentSocket: environment().SSH_AUTH_SOCK });
  const kubernetes = clusterRunner();
  const sources = sourceRunner();
  // `patchesLook` looks at repositories.
  const reached = [...servers.values()].filter(({ patches }) => !patches);
  const lookOverSsh = async (server: Server): Promise<ServerLook> => {
    if (server.signer) return lookAtSigned(ssh, server, config, depth === "whole" ? otherLoginsOf(config) : []);
    if (depth === "whole") return lookAtServer(ssh, server);
    const probed = await ssh.probe(server);
    return probed.ok ? { said: probed.hostKey } : unreached(server, probed);
  };
  const looks = inLanes(reached, serversAtOnce, (server) =>
    server.source
      ? lookAtSource(sources, server)
      : server.cluster
        ? lookAtCluster(kubernetes, server)
        : lookOverSsh(server),
  );
  const close = (): Promise<void> => {
    kubernetes.close();
    sources.close();
    return ssh.close();
  };
  return { looks, close };
}

const unreached = ({ name }: Server, { reason, remedy }: Refusal): ServerLook => ({
  said: reason,
  problems: [{ place: `servers.${name}`, message: reason, remedy }],
});

/** The bot's other servers, one for each key, which a server with a signer must not take. */
const otherLoginsOf = ({ servers }: Config): readonly Server[] => [
  ...new Map(
    [...servers.values()].flatMap((server) => {
      const { keyFile, agent, agentSocket, signer } = server;
      return signer || (keyFile === undefined && !agent)
        ? []
        : [[JSON.stringify([agent, agentSocket, keyFile]), server] as const];
    }),
  ).values(),
];

/**
 * Proves that a server lets nobody in without a certificate, that the signer answers and knows it by the same entry, and that sshd takes what
 * the signer signs. Never throws.
 */
async function lookAtSigned(
  ssh: Pick<Ssh, "proveShut" | "proveOpen">,
  server: Server,
  config: Config,
  others: readonly Server[],
): Promise<ServerLook> {
  const place = `servers.${server.name}`;
  const shut = await ssh.proveShut(server, others);
  if (!shut.ok) return unreached(server, shut);
  const closed = await ssh.proveOpen(server, (publicKey) => certifyCheck(config, server, publicKey));
  const said = `takes only certificates, host key ${shut.hostKey}`;
  const { reason: message, remedy, unsigned } = closed ?? {};
  return {
    said: message === undefined ? said : `${said}; ${message}`,
    problems: message === undefined ? [] : [{ place: unsigned ? `${place}.signer` : place, message, remedy }],
    warnings: shut.untried.map(({ reason, remedy: untried }) => ({
      place,
      message: `whether it lets in another server's key was not tried: ${reason}`,
      remedy: `${untried}; or try that key by hand, without a certificate`,
    })),
  };
}

async function certifyCheck(config: Config, server: Server, publicKey: string): Promise<CertificateAnswer> {
  const pins = pinsOf(server);
  if (!pins.ok) return pins;
  if (config.signer === undefined) return { ok: false, reason: "the file names no signer" };
  const outputCapBytes = storedOutputBytes(config);
  const target = targetOf(server, checkCommand, pins.fingerprints, { jobId: "0".repeat(16), outputCapBytes });
  const request = { v: 1, ask: "check", server: server.name, target, publicKey } as const;
  return askForCertificate(signerAddressOf(config.signer), request, new AbortController().signal);
}

/** On a Unix also checks shell, disk for jobs, sudo and clock. Never throws. */
async function lookAtServer(ssh: Ssh, server: Server, now = Date.now): Promise<ServerLook> {
  const place = `servers.${server.name}`;
  const probed = await ssh.probe(server);
  if (!probed.ok) return unreached(server, probed);
  const about = server.local
    ? `this machine: host ${server.host}, user ${server.user}, ${probed.hostKey}`
    : `${probed.os}, host key ${probed.hostKey}`;
  // The inventory's `os` wins, so only a probe without it shows a contradiction.
  const itself = await ssh.probe({ ...server, os: "auto" });
  const contradicts: readonly Problem[] =
    !itself.ok || itself.os === probed.os
      ? []
      : [
          {
            place: `${place}.os`,
            message: `says ${probed.os}, and it runs ${itself.os}`,
            remedy: `write os: ${itself.os}`,
          },
        ];
  if (probed.os === "windows") return { said: about, problems: contradicts };
  const asked = await ssh.exec(
    { server: { ...server, tty: false, hardTimeoutMs: 15_000 }, wrapped: script },
    { signal: AbortSignal.timeout(20_000) },
  );
  const facts = readServerFacts(Buffer.from(asked.capture.head).toString("latin1"));
  const found = judgeServer(server, facts, now());
  const said = [about, ...(facts.sudo === "yes" ? ["sudo without a password"] : [])].join(", ");
  return { said, problems: [...contradicts, ...found.problems], warnings: found.warnings };
}

type ServerFacts = Readonly<Partial<Record<"shell" | "free" | "write" | "sudo" | "time", string>>>;

/** Skips lines that are not `name=value`, e.g. a banner. */
export const readServerFacts = (text: string): ServerFacts =>
  Object.fromEntries(
    [...text.matchAll(/^(shell|free|write|sudo|time)=(\S*)$/gm)].map(([, key, value]) => [key, value]),
  );

export function judgeServer(server: Server, facts: ServerFacts, nowMs: number) {
  const place = `servers.${server.name}`;
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  if (facts.shell === "no" && server.shell === "bash")
    problems.push({
      place: `${place}.shell`,
      message: "there is no bash",
      remedy: "install it: commands are classified as bash",
    });
  if (facts.write === "no")
    problems.push({
      place,
      message: "/var/tmp cannot be written: commands that change something cannot be followed",
      remedy: "chmod 1777 /var/tmp",
    });
  const freeKb = Number(facts.free || Number.NaN);
  if (freeKb < leastFreeKb)
    problems.push({
      place,
      message: `only ${Math.round(freeKb / 1024)} MB are free for the output of commands`,
      remedy: "make room where /var/tmp lies",
    });
  const offBy = Math.round(Number(facts.time || Number.NaN) - nowMs / 1000);
  if (Math.abs(offBy) > mostSecondsOff)
    warnings.push({
      place,
      message: `its clock is ${Math.abs(offBy)} s ${offBy > 0 ? "ahead" : "behind"}: times in its logs mislead`,
      remedy: "switch time synchronization on (timedatectl set-ntp true)",
    });
  if (facts.sudo === "yes" && server.maxRisk !== "high")
    warnings.push({
      place: `${place}.max_risk`,
      message: `the account has sudo without a password, more than ${server.maxRisk} risk needs`,
      remedy: "narrow its sudoers entry to what may run here",
    });
  return { problems, warnings };
}

/** Sends only kubectl's read-only requests. */
export const clusterRunner = (): Kubernetes =>
  createKubernetes({
    readContext: (cluster) => readKubeContext(cluster, environment()),
    createCapture: () => createCapture(1024),
    freshMs: 0,
  });

/** Checks kubectl's version, API server, identity and rights, for real. Never throws. */
export async function lookAtCluster(kubernetes: Kubernetes, server: Server): Promise<Omit<CheckLook, "name">> {
  const probed = await kubernetes.probe(server);
  const place = `servers.${server.name}`;
  if (!probed.ok) return { said: probed.reason, problems: [{ place, message: probed.reason, remedy: probed.remedy }] };
  const found = probed.rights.map((rights) => judgeNamespace(server, rights));
  const about = `${server.cluster?.apiServer}, as ${probed.identity}, kubectl ${probed.version}`;
  return {
    said: [about, ...found.map(({ said }) => said)].join("; "),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

const manifest = "docs/deploy/rbac.yaml";

/** Warns of too few or too many rights. Pure. */
function judgeNamespace(
  { name, maxRisk, cluster }: Server,
  rights: NamespaceRights,
): { readonly said: string; readonly warnings: readonly Problem[] } {
  const { namespace } = rights;
  const place = `servers.${name}.namespaces`;
  const warn = (message: string, remedy: string): Problem => ({ place, message: `${namespace}: ${message}`, remedy });
  if (!rights.ok)
    return {
      said: `${namespace}: rights not known`,
      warnings: [
        warn(
          `the API server does not say what the bot may do: ${rights.why}`,
          `compare by hand: kubectl --context ${cluster?.context} auth can-i --list -n ${namespace}`,
        ),
      ],
    };
  const { lacking, mayChange, beyond } = judgeRights(rights.rules);
  const unused = maxRisk === "low" && mayChange;
  const warnings = [
    rights.isWhole &&
      lacking.reads.length > 0 &&
      warn(
        `the identity lacks rights for ${listed(lacking.reads)}`,
        `bind the Role countersign-reads of ${manifest} to it in ${namespace}`,
      ),
    rights.isWhole &&
      mayChange &&
      lacking.changes.length > 0 &&
      warn(
        `of the changes it lacks rights for ${listed(lacking.changes)}`,
        `if they are to run, bind the Role countersign-changes of ${manifest}; what it lacks ends as Forbidden`,
      ),
    unused && warn("it may change objects, and max_risk is low", "take the Role countersign-changes from it"),
    beyond.others.length > 0 &&
      warn(
        `it may do more than any command here needs: ${listed(beyond.others)}`,
        `bind only the Roles of ${manifest}`,
      ),
  ].filter((one) => one !== false);
  const also = beyond.reads.length > 0 ? [`also ${listed(beyond.reads)}`] : [];
  const whole = rights.isWhole ? [] : ["and what another authorizer allows, which it does not list"];
  return {
    said: [`${namespace}: ${mayChange ? "reads and changes" : "reads"}`, ...also, ...whole].join(", "),
    warnings,
  };
}

const listed = (items: readonly string[]): string => {
  const most = 8;
  const rest = items.length - most;
  return [...items.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
};

const readToken = (tokenFile: string): string => readFileSync(tokenFile, "utf8").trim();

export const sourceRunner = (): SourceRunner =>
  createSources({ readToken, createCapture: () => createCapture(4096), freshMs: Number.POSITIVE_INFINITY });

const unanswered = (server: Server, message: string): Omit<CheckLook, "name"> => ({
  said: message,
  problems: [{ place: `sources.${server.name}`, message, remedy: "check `url`, `ca_file` and `token_file`" }],
});

/** Sends a real query; compares an MCP server's tools with the operator's list. Never throws. */
export async function lookAtSource(sources: SourceRunner, server: Server): Promise<Omit<CheckLook, "name">> {
  if (server.source?.kind === "mcp") {
    const source = server.source;
    const { readTools } = await import("../../sources/mcp.ts");
    try {
      const token = source.tokenFile === undefined ? undefined : readToken(source.tokenFile);
      const signal = new AbortController().signal;
      return compared(server.name, source, await readTools(source, { token, signal, withinMs: withinMs(server) }));
    } catch (thrown) {
      return unanswered(server, `${server.name} does not answer as an MCP server: ${messageOf(thrown)}`);
    }
  }
  const wrapped = writeQuery({
    call: "query",
    query: "vector(1)",
    ...(server.source?.kind === "loki" && { limit: 1 }),
  });
  const reservation = await sources.reserve({ server, wrapped }, new AbortController().signal);
  const result = await reservation.send(Date.now(), {});
  const ending = result === "stale" ? undefined : result.ending;
  if (ending?.kind === "exited" && ending.code === 0) return { said: `${server.source?.url} answers queries` };
  const printed = result === "stale" ? "" : Buffer.from(result.capture.head).toString("utf8").trim();
  return unanswered(
    server,
    ending?.kind === "unreachable" ? ending.reason : printed || `it did not answer (${ending?.kind})`,
  );
}

function compared(name: string, { tools: listed = {} }: Source, tools: readonly ListedTool[]): Omit<CheckLook, "name"> {
  const found = Object.entries(listed).map(([call, sha256]) => ({ call, ...findTool(tools, { call, sha256 }) }));
  const same = found.flatMap(({ call, ok }) => (ok ? [call] : []));
  const problems = found.flatMap((one): Problem[] => {
    if (one.ok) return [];
    const now = tools.find((tool) => tool.name === one.call);
    const remedy = now ? `read what it is now: ${shown(now)}` : "take it out of `tools`";
    return [{ place: `sources.${name}.tools.${one.call}`, message: `${name} ${one.reason}`, remedy }];
  });
  const others = tools.filter((tool) => !Object.hasOwn(listed, tool.name));
  const rows = others.map((tool) => `\n  not listed: ${shown(tool)}`);
  return { said: `as listed: ${same.join(", ") || "none"}${rows.join("")}`, problems };
}

/** Untrusted: one line, everything but plain ASCII escaped. */
const shown = (tool: ListedTool): string => {
  const { name, description, inputSchema, annotations } = tool;
  const json = JSON.stringify({ name, description, inputSchema, annotations });
  const plain = json.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `sha256: ${hashOfTool(tool)} ${plain}`;
};

/** At most `lanes` at once. Returns promises in order, so that the first can be awaited before the last ends. */
export function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): readonly { readonly item: T; readonly done: Promise<R> }[] {
  const slots = items.map((item) => ({ item, ...Promise.withResolvers<R>() }));
  const queue = slots.values();
  const lane = async (): Promise<void> => {
    for (const { item, promise, resolve } of queue) {
      resolve(work(item));
      // The caller gets the failure; the lane goes on.
      await promise.catch(() => {});
    }
  };
  for (let i = 0; i < lanes; i++) void lane();
  return slots.map(({ item, promise: done }) => ({ item, done }));
}
