import { isDeepStrictEqual } from "node:util";
import { memberOf, type OpenPlace } from "../../base/action.ts";
import { type Risk, risks } from "../../base/risk.ts";
import type { PatchPlace, Server } from "../../base/server.ts";
import { parseKubectl } from "../../kubernetes/parse-kubectl.ts";
import { pinOf } from "../../kubernetes/place.ts";
import { readPlan, writePlan } from "../../kubernetes/run.ts";
import { judgePaths } from "../../patches/judge.ts";
import { parsePatch } from "../../patches/parse.ts";
import { writePatchPlan } from "../../patches/plan.ts";
import { sameThings, thingNamed } from "../../runbooks/places.ts";
import { fillPlaces } from "../../runbooks/values.ts";
import { parseOnSource } from "../../sources/parse-query.ts";
import { pinOfSource, writeQuery } from "../../sources/run.ts";
import { pinnedKeys } from "../../ssh/keys/host-keys.ts";
import { windowsRefusal } from "../../ssh/windows/wrap.ts";
import { wrap } from "../../ssh/wrap.ts";
import type { ActionDraft, Target } from "../../store/actions.ts";

/** A server counts as Linux until its system is known. */
export const osOf = (server: Server) => (server.os === "auto" ? "linux" : server.os);

/** Changes must be found again after a crash. Terminals and Windows have no jobs. */
export const runsAsJob = (server: Server, risk: Risk): boolean =>
  server.patches !== undefined ||
  ((risk !== "low" || server.signer === true) &&
    osOf(server) === "linux" &&
    !server.tty &&
    !server.cluster &&
    !server.source);

/** How a server proves itself: its pinned host keys, or its API's certificate authority. */
export function pinsOf(server: Server): ReturnType<typeof pinnedKeys> {
  if (server.source) return { ok: true, fingerprints: [pinOfSource(server.source)] };
  if (server.patches) return { ok: true, fingerprints: [] };
  return server.cluster ? { ok: true, fingerprints: [pinOf(server.cluster)] } : pinnedKeys(server);
}

type OpenPlaces = readonly Pick<OpenPlace, "name">[] | undefined;

/** Why a server cannot take a command; undefined if it can. Open places count as plain words. */
export function whyUnfit(
  server: Server,
  command: string,
  open: OpenPlaces = [],
): { reason: string; remedy: string } | undefined {
  if (server.patches) return whyNoPatch(command, server.patches);
  if (!server.cluster && !server.source)
    return osOf(server) === "windows" ? windowsRefusal(server, command) : undefined;
  const example = exampleOf(server, command, open);
  const parsed = server.source
    ? parseOnSource(example, server.source)
    : parseKubectl(example, server.cluster?.namespaces ?? []);
  return parsed.ok ? undefined : parsed;
}

/** It is prepared by now: its first line names the commit, and each file its bytes before and after. */
function whyNoPatch(command: string, place: PatchPlace): { reason: string; remedy: string } | undefined {
  const parsed = parsePatch(command);
  if (!parsed.ok) return parsed;
  const isBound = parsed.files.every(({ beforeId, afterId }) => beforeId !== undefined && afterId !== undefined);
  if (parsed.commit === undefined || !isBound)
    return { reason: `it was not tried on ${place.repository}`, remedy: "propose it again" };
  return judgePaths(parsed.files, place);
}

/** An example for the parsers, never sent. */
function exampleOf({ cluster, shell }: Server, command: string, open: OpenPlaces = []): string {
  if (open.length === 0) return command;
  const namespace = cluster?.namespaces.find((one) => one !== "*") ?? "x";
  const values = open.map(({ name }) => {
    // A digit is a valid name, number and path.
    const value = isSameThing(name, "namespace") ? namespace : "1";
    return { source: "person", name, value } as const;
  });
  return fillPlaces(command, values, { shells: [shell], isRunbook: true, only: open.map(({ name }) => name) }).command;
}

/** Returns whether names mean the same, such as `ns` and `namespace`. */
const isSameThing = (one: string, other: string): boolean =>
  thingNamed(one) === thingNamed(other) ||
  sameThings.some(({ names }) => names.includes(thingNamed(one)) && names.includes(thingNamed(other)));

/** The bytes to send (empty for an open command). Throws if `whyUnfit` has a reason. */
function bytesFor(
  server: Server,
  command: string,
  { jobId, open = [] }: { readonly jobId: string | null; readonly open?: OpenPlaces },
): Pick<Target, "wrapped" | "cluster" | "source" | "patches"> {
  if (server.patches) {
    const { patches } = server;
    return { wrapped: writePatchPlan({ ...patches, patch: command, jobId: jobId ?? "" }), patches };
  }
  if (open.length > 0 && server.source) {
    const { tokenFile: _, ca: __, ...source } = server.source;
    return { wrapped: "", source };
  }
  if (open.length > 0 && server.cluster) {
    const { namespaces: _, kubeconfigFile: __, ...cluster } = server.cluster;
    return { wrapped: "", cluster };
  }
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

/** All that decides what happens there. */
export const targetOf = (
  server: Server,
  command: string,
  hostKeys: readonly string[],
  { jobId, outputCapBytes, open }: Pick<Target, "jobId" | "outputCapBytes"> & { readonly open?: OpenPlaces },
): Target => ({
  server: server.name,
  host: server.host,
  port: server.port,
  user: server.user,
  os: server.os,
  hostKeys,
  jobId,
  ...bytesFor(server, command, { jobId, open }),
  hardTimeoutMs: server.hardTimeoutMs,
  outputCapBytes,
});

/** Whether a server is still as it was approved. */
export function isAsApproved(server: Server, target: Target, spec: ActionDraft["spec"]): boolean {
  const { risk, open } = spec;
  const { command } = memberOf(spec, target);
  const keys = pinsOf(server);
  if (!keys.ok || whyUnfit(server, command, open) !== undefined || risks.indexOf(risk) > risks.indexOf(server.maxRisk))
    return false;
  if (target.jobId !== null && !runsAsJob(server, risk)) return false;
  if (server.signer === true && target.jobId === null) return false;
  const { step, jobId, outputCapBytes } = target;
  const now = {
    ...targetOf(server, command, keys.fingerprints, { jobId, outputCapBytes, open }),
    ...(step === undefined ? {} : { step }),
  };
  return isDeepStrictEqual(now, target);
}

/** The read that shows whether a change took effect, as a sentence; empty if none. */
export function settledBy(target: Target | undefined): string {
  const read = target?.cluster && target.wrapped !== "" ? readPlan(target.wrapped).settledBy : undefined;
  return read === undefined ? "" : ` \`${read}\` shows whether it changed anything.`;
}
