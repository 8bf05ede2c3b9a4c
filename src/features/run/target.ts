import { isDeepStrictEqual } from "node:util";
import { memberOf } from "../../base/action.ts";
import { type Risk, risks } from "../../base/risk.ts";
import type { Server } from "../../base/server.ts";
import { pinOf } from "../../kubernetes/means.ts";
import { parseKubectl } from "../../kubernetes/parse-kubectl.ts";
import { readPlan, writePlan } from "../../kubernetes/run.ts";
import { pinOfSource, writeQuery } from "../../sources/run.ts";
import { parseOnSource } from "../../sources/tool-call.ts";
import { pinnedKeys } from "../../ssh/keys/host-keys.ts";
import { windowsRefusal } from "../../ssh/windows/wrap.ts";
import { wrap } from "../../ssh/wrap.ts";
import type { ActionDraft } from "../../store/actions.ts";
import type { Target } from "../../store/database/action-tables.ts";
import type { Deps } from "../context.ts";

/** Until it is known better a server is taken for a Linux one. */
export const osOf = (server: Server) => (server.os === "auto" ? "linux" : server.os);

/** What changes something must be found again after a crash; a terminal, and Windows, know no jobs. */
export const runsAsJob = (server: Server, risk: Risk): boolean =>
  risk !== "low" && osOf(server) === "linux" && !server.tty && !server.cluster && !server.source;

/** How a server proves that it is the one: its pinned host keys, or the certificate authority of its API. */
export function pinsOf(server: Server): ReturnType<typeof pinnedKeys> {
  if (server.source) return { ok: true, fingerprints: [pinOfSource(server.source)] };
  return server.cluster ? { ok: true, fingerprints: [pinOf(server.cluster)] } : pinnedKeys(server);
}

/** Why a server cannot take a command at all, and what to do; undefined where it can. */
export function whyUnfit(server: Server, command: string): { reason: string; remedy: string } | undefined {
  if (!server.cluster && !server.source)
    return osOf(server) === "windows" ? windowsRefusal(server, command) : undefined;
  const parsed = server.source
    ? parseOnSource(command, server.source)
    : parseKubectl(command, server.cluster?.namespaces ?? []);
  return parsed.ok ? undefined : parsed;
}

/** What is sent, and of a cluster or source which one it is. Throws where `whyUnfit` has a reason. */
function bytesFor(
  server: Server,
  command: string,
  jobId: string | null,
): Pick<Target, "wrapped" | "cluster" | "source"> {
  if (server.source) {
    const { tokenFile: _, ca: __, ...source } = server.source;
    const parsed = parseOnSource(command, server.source);
    if (!parsed.ok) throw new Error(parsed.reason);
    return { wrapped: writeQuery(parsed.plan), source };
  }
  if (!server.cluster)
    return {
      wrapped: wrap(server, command, osOf(server), jobId === null ? { mode: "direct" } : { mode: "job", jobId }),
    };
  const { namespaces, kubeconfigFile: _, ...cluster } = server.cluster;
  const parsed = parseKubectl(command, namespaces);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { namespace } = parsed.plan;
  return {
    wrapped: writePlan(parsed.plan),
    cluster: { ...cluster, ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** A server as an action binds it: whatever decides what happens there. */
export const targetOf = (
  server: Server,
  command: string,
  hostKeys: readonly string[],
  { jobId, outputCapBytes }: Pick<Target, "jobId" | "outputCapBytes">,
): Target => ({
  server: server.name,
  host: server.host,
  port: server.port,
  user: server.user,
  os: server.os,
  hostKeys,
  jobId,
  ...bytesFor(server, command, jobId),
  hardTimeoutMs: server.hardTimeoutMs,
  outputCapBytes,
});

/** Whether a server is today what an approval was given for. */
export function isAsApproved(server: Server, target: Target, spec: ActionDraft["spec"]): boolean {
  const { risk } = spec;
  const { command } = memberOf(spec, target);
  const keys = pinsOf(server);
  if (!keys.ok || whyUnfit(server, command) !== undefined || risks.indexOf(risk) > risks.indexOf(server.maxRisk))
    return false;
  if (target.jobId !== null && !runsAsJob(server, risk)) return false;
  const { step } = target;
  const now = { ...targetOf(server, command, keys.fingerprints, target), ...(step === undefined ? {} : { step }) };
  return isDeepStrictEqual(now, target);
}

/** The server of a target, where it can still be reached as it was then: what runs there is followed whatever else has changed. */
export function sameServer(deps: Deps, target: Target): Server | undefined {
  const server = deps.config.servers.get(target.server);
  const keys = server && pinsOf(server);
  const same =
    keys?.ok === true &&
    server?.host === target.host &&
    server.port === target.port &&
    server.user === target.user &&
    isDeepStrictEqual(keys.fingerprints, target.hostKeys);
  return same ? server : undefined;
}

/** The read that shows whether a change took effect whose end is not known, as a sentence; empty where there is none. */
export function settledBy(target: Target | undefined): string {
  const read = target?.cluster ? readPlan(target.wrapped).settledBy : undefined;
  return read === undefined ? "" : ` \`${read}\` shows whether it changed anything.`;
}
