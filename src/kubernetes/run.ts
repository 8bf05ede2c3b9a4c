import { Agent } from "node:https";
import { performance } from "node:perf_hooks";
import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import { removePrivateFolder } from "../base/private-folder.ts";
import {
  type Ending,
  type ExecOrder,
  type ExecResult,
  type ExecWatch,
  type Reservation,
  type Reserve,
  type Stopper,
  shielded,
  stopperIn,
} from "../base/run.ts";
import type { Server } from "../base/server.ts";
import { type KubernetesMeans, type KubernetesOptions, kubernetesLimits, pinOf } from "./means.ts";
import type { KubectlPlan } from "./parse-kubectl.ts";
import { type Running, type Surroundings, startPipeline } from "./pipeline.ts";
import { type ClusterPlace, findProgram, preparePlace } from "./place.ts";
import { type ProbedCluster, probeCluster } from "./probe.ts";
import { endingOfPlan, maxErrorCharacters, type Stop } from "./settle.ts";

export interface Kubernetes {
  readonly reserve: Reserve;
  /** Finds kubectl, its version, who the bot is there and what it may do; never throws. */
  readonly probe: (server: Server) => Promise<ProbedCluster>;
  /** Ends what runs: a change ends as unknown. */
  readonly close: () => void;
}

/** How long a connection to an API server is kept for the next proof. */
const keptMs = 30_000;

/** Makes the runner of clusters. */
export function createKubernetes(options: KubernetesOptions): Kubernetes {
  const limits = { ...kubernetesLimits, ...options.limits };
  const closing = new AbortController();
  const agent = new Agent({ keepAlive: true, timeout: keptMs });
  const means: KubernetesMeans = { ...options, limits, closing: closing.signal, agent, cache: {}, versions: new Map() };
  return {
    reserve: (order, signal) => reserveOn(means, order, signal),
    probe: (server) => probeCluster(means, server),
    close: () => {
      closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper);
      agent.destroy();
      if (means.cache.folder !== undefined) removePrivateFolder(means.cache.folder);
    },
  };
}

async function reserveOn(means: KubernetesMeans, order: ExecOrder, signal: AbortSignal): Promise<Reservation> {
  const { server } = order;
  let place = await placeFor(means, order, signal);
  let provenAt = Date.now();
  let isSent = false;
  let isReleased = false;
  return {
    server,
    prove: async () => {
      if (place.ok && (isOlderThan(means.freshMs, provenAt) || !place.isCurrent())) {
        place.leave();
        place = await placeFor(means, order, signal);
        provenAt = Date.now();
        if (isReleased && place.ok) place.leave();
      }
      return place.ok || signal.aborted ? undefined : `${place.reason}; ${place.remedy}`;
    },
    send: (asOf, watch) => {
      if (isOlderThan(means.freshMs, asOf)) return "stale";
      const own = place;
      if (signal.aborted)
        return notStarted(means, { kind: "cancelled", ...stopperIn(signal), note: "it had not been started" });
      if (!own.ok) return notStarted(means, { kind: "unreachable", reason: own.reason, remedy: own.remedy });
      isSent = true;
      return runPlan(means, { order, place: own, signal }, watch).finally(own.leave);
    },
    release: () => {
      isReleased = true;
      if (!isSent && place.ok) place.leave();
    },
  };
}

/** As `preparePlace`, where the approved pin is the one that is there. */
async function placeFor(
  means: KubernetesMeans,
  { server, hostKeys, wrapped }: ExecOrder,
  signal: AbortSignal,
): Promise<ClusterPlace> {
  if (server.cluster && hostKeys && !hostKeys.includes(pinOf(server.cluster)))
    return {
      ok: false,
      reason: `the certificate authority of ${server.name} is not the one that was approved`,
      remedy: "propose the command again",
    };
  return preparePlace(means, server, { ...readPlan(wrapped), signal });
}

const notStarted = async ({ createCapture }: KubernetesMeans, ending: Ending): Promise<ExecResult> => ({
  ending,
  capture: createCapture().finish(),
  durationMs: 0,
  housekeeping: [],
});

/** All that a filter may have of memory: what it reads, many times over. */
const filterBytes = 1024 ** 3;

interface Going {
  readonly order: ExecOrder;
  readonly place: Extract<ClusterPlace, { ok: true }>;
  readonly signal: AbortSignal;
}

/** A filter runs where the bot does, and some can be told to take all memory that there is; only Linux has a way to say no. */
function boundedFilter([name = "", ...args]: readonly string[]) {
  const [file, prlimit] = [findProgram(name) ?? name, findProgram("prlimit")];
  return prlimit === undefined
    ? { file, args }
    : { file: prlimit, args: [`--as=${filterBytes}`, "--core=0", file, ...args] };
}

/** Starts the plan within this very tick and follows it to its end. Never rejects. */
async function runPlan(
  means: KubernetesMeans,
  { order, place, signal }: Going,
  watch: Omit<ExecWatch, "signal">,
): Promise<ExecResult> {
  const { server, wrapped } = order;
  const { limits, closing } = means;
  const plan = readPlan(wrapped);
  const started = performance.now();
  const capture = means.createCapture();
  let errors = "";
  let hasReported = false;
  let stopped: Stop | undefined;
  const limitMs = plan.waits ? server.hardTimeoutMs : Math.min(limits.requestMs, server.hardTimeoutMs);
  const programs = [
    { file: place.kubectl, args: [...place.flags, `--request-timeout=${Math.ceil(limitMs / 1000)}s`, ...plan.kubectl] },
    ...plan.filters.map(boundedFilter),
  ];
  const surroundings: Surroundings = {
    ...place.surroundings,
    graceMs: limits.graceMs,
    onOutput: (chunk) => {
      capture.push(chunk);
      shielded(watch.onOutput)(chunk);
    },
    onErrors: (chunk) => {
      errors = (errors + Buffer.from(chunk).toString("utf8")).slice(-maxErrorCharacters);
    },
    onReported: () => {
      hasReported = true;
    },
  };
  let running: Running;
  try {
    running = startPipeline(programs, surroundings);
  } catch (thrown) {
    return notStarted(means, { kind: "unreachable", reason: messageOf(thrown) });
  }
  shielded(watch.onSent)();
  const stop = (why: Stop): void => {
    stopped ??= why;
    running.stop();
  };
  const isCancelled = AbortSignal.any([signal, closing]);
  const onAbort = (): void => stop({ kind: "cancelled", ...stopperIn(isCancelled) });
  isCancelled.addEventListener("abort", onAbort, { once: true });
  if (isCancelled.aborted) onAbort();
  const limit = setTimeout(() => stop({ kind: "timed-out", afterMs: server.hardTimeoutMs }), server.hardTimeoutMs);
  const [exit = { code: null, signal: null }, ...others] = await running.done;
  clearTimeout(limit);
  isCancelled.removeEventListener("abort", onAbort);
  return {
    ending: endingOfPlan({ ...plan, exit, filtered: others.at(-1), errors, hasReported, stop: stopped }),
    capture: capture.finish(),
    durationMs: Math.round(performance.now() - started),
    hostKey: place.pin,
    housekeeping: ["auth whoami", ...(stopped === undefined ? [] : ["stop"])],
  };
}

/** The plan as an approval binds it; what `parseKubectl` made, written as JSON. */
export const writePlan = (plan: KubectlPlan): string => JSON.stringify(plan);
/** Reads what `writePlan` wrote. */
export const readPlan = (wrapped: string): KubectlPlan => JSON.parse(wrapped);
