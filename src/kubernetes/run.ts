import { type ChildProcessByStdio, spawn } from "node:child_process";
import { Agent } from "node:https";
import { performance } from "node:perf_hooks";
import { pipeline as join, type Readable, type Writable } from "node:stream";
import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import { removePrivateFolder } from "../base/private-folder.ts";
import { type Ending, type ExecResult, type Reserve, type Stopper, shielded, stopperIn } from "../base/run.ts";
import { createReserve, followToEnd, type SentOrder, type StartedRun } from "../base/runner.ts";
import type { Server } from "../base/server.ts";
import type { KubectlPlan } from "./parse-kubectl.ts";
import {
  type ClusterPlace,
  findProgram,
  type KubernetesMeans,
  type KubernetesOptions,
  kubernetesLimits,
  pinOf,
  preparePlace,
} from "./place.ts";
import { type ClusterProbe, probeCluster } from "./rights.ts";
import { endingOfPlan, maxErrorCharacters, type ProgramExit } from "./settle.ts";

export interface Kubernetes {
  readonly reserve: Reserve;
  /** Reports kubectl, the bot's identity and rights. Never throws. */
  readonly probe: (server: Server) => Promise<ClusterProbe>;
  /** A running change ends as unknown. */
  readonly close: () => void;
}

const keptMs = 30_000;

/** Makes the runner of clusters. */
export function createKubernetes(options: KubernetesOptions): Kubernetes {
  const limits = { ...kubernetesLimits, ...options.limits };
  const closing = new AbortController();
  const agent = new Agent({ keepAlive: true, timeout: keptMs });
  const means: KubernetesMeans = { ...options, limits, closing: closing.signal, agent, cache: {}, versions: new Map() };
  return {
    reserve: createReserve<ClusterPlace>({
      freshMs: means.freshMs,
      open: async ({ server, hostKeys, wrapped }, signal) => {
        if (server.cluster && hostKeys && !hostKeys.includes(pinOf(server.cluster)))
          return {
            ok: false,
            reason: `the certificate authority of ${server.name} is not the one that was approved`,
            remedy: "propose the command again",
          };
        return preparePlace(means, server, { ...readPlan(wrapped), signal });
      },
      isCurrent: (place, openedAt) => !place.ok || (!isOlderThan(means.freshMs, openedAt) && place.isCurrent()),
      whyRefused: async (place, _, signal) =>
        place.ok || signal.aborted ? undefined : `${place.reason}; ${place.remedy}`,
      start: runPlan.bind(undefined, means),
      close: (place) => {
        if (place.ok) place.leave();
      },
    }),
    probe: (server) => probeCluster(means, server),
    close: () => {
      closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper);
      agent.destroy();
      if (means.cache.folder !== undefined) removePrivateFolder(means.cache.folder);
    },
  };
}

const notStarted = async ({ createCapture }: KubernetesMeans, ending: Ending): Promise<ExecResult> => ({
  ending,
  capture: createCapture().finish(),
  durationMs: 0,
  housekeeping: [],
});

const filterBytes = 1024 ** 3;

/** Starts the plan within this tick. Never rejects. */
async function runPlan(
  means: KubernetesMeans,
  place: ClusterPlace,
  { order: { server, wrapped }, watch }: SentOrder,
): Promise<ExecResult> {
  const { limits, closing } = means;
  if (watch.signal.aborted)
    return notStarted(means, { kind: "cancelled", ...stopperIn(watch.signal), note: "it had not been started" });
  if (!place.ok) return notStarted(means, { kind: "unreachable", reason: place.reason, remedy: place.remedy });
  const plan = readPlan(wrapped);
  const started = performance.now();
  const capture = means.createCapture();
  let errors = "";
  let hasReported = false;
  const limitMs = plan.waits ? server.hardTimeoutMs : Math.min(limits.requestMs, server.hardTimeoutMs);
  // A filter could take all memory of the bot's machine; only Linux can limit that.
  const prlimit = findProgram("prlimit");
  const programs = [
    { file: place.kubectl, args: [...place.flags, `--request-timeout=${Math.ceil(limitMs / 1000)}s`, ...plan.kubectl] },
    ...plan.filters.map(([name = "", ...args]) => {
      const file = findProgram(name) ?? name;
      return prlimit === undefined
        ? { file, args }
        : { file: prlimit, args: [`--as=${filterBytes}`, "--core=0", file, ...args] };
    }),
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
  let running: StartedRun<readonly ProgramExit[]>;
  try {
    running = startPipeline(programs, surroundings);
  } catch (thrown) {
    return notStarted(means, { kind: "unreachable", reason: messageOf(thrown) });
  }
  shielded(watch.onSent)();
  const signal = AbortSignal.any([watch.signal, closing]);
  const { answer, stopped } = await followToEnd(running, { signal, hardTimeoutMs: server.hardTimeoutMs });
  const [exit = { code: null, signal: null }, ...others] = answer;
  return {
    ending: endingOfPlan({ ...plan, exit, filtered: others.at(-1), errors, hasReported, stop: stopped }),
    capture: capture.finish(),
    durationMs: Math.round(performance.now() - started),
    hostKey: place.pin,
    housekeeping: ["auth whoami", ...(stopped === undefined ? [] : ["stop"])],
  };
}

/** Writes a plan as an approval binds it. */
export const writePlan = (plan: KubectlPlan): string => JSON.stringify(plan);
/** Reads what `writePlan` wrote. */
export const readPlan = (wrapped: string): KubectlPlan => JSON.parse(wrapped);

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

interface Surroundings {
  readonly cwd: string;
  /** Nothing comes from the bot's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly graceMs: number;
  /** The last program's output and all programs' errors. */
  readonly onOutput: (chunk: Uint8Array) => void;
  /** The first program's errors. */
  readonly onErrors: (chunk: Uint8Array) => void;
  /** The first program wrote output. */
  readonly onReported: () => void;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Starts programs joined by pipes, without a shell, within this tick. Throws if one cannot start; then the first never did. */
export function startPipeline(
  programs: readonly Program[],
  { cwd, env, graceMs, onOutput, onErrors, onReported }: Surroundings,
): StartedRun<readonly ProgramExit[]> {
  const children: Child[] = [];
  try {
    // The first, which has the effect, starts only if all others have.
    for (const [index, program] of [...programs.entries()].toReversed())
      children.unshift(start(program, { cwd, env, isFirst: index === 0 }));
  } catch (thrown) {
    for (const child of children) child.kill("SIGKILL");
    throw thrown;
  }
  let kill: NodeJS.Timeout | undefined;
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const { pid, exitCode, signalCode } of children) {
      if (pid === undefined || exitCode !== null || signalCode !== null) continue;
      try {
        process.kill(-pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const ends = children.map((child, index) => {
    const next = children[index + 1];
    // A filter that has read enough closes its pipe, which is no fault.
    if (next?.stdin) join(child.stdout, next.stdin, () => child.stdout.destroy());
    else child.stdout.on("data", onOutput);
    child.stderr.on("data", onOutput);
    if (index === 0) {
      child.stderr.on("data", onErrors);
      child.stdout.once("data", onReported);
    }
    return ended(child);
  });
  return {
    done: Promise.all(ends).finally(() => clearTimeout(kill)),
    stop: () => {
      signalAll("SIGTERM");
      kill ??= setTimeout(() => signalAll("SIGKILL"), graceMs);
    },
  };
}

function start(
  { file, args }: Program,
  { cwd, env, isFirst }: Pick<Surroundings, "cwd" | "env"> & { isFirst: boolean },
): Child {
  // The overloads accept only fixed tuples.
  const stdio = [isFirst ? "ignore" : "pipe", "pipe", "pipe"] as ["pipe", "pipe", "pipe"];
  const child = withPipes(spawn(file, args, { cwd, env, stdio, detached: true }));
  if (child.pid !== undefined) return child;
  // Its error event comes later and would be thrown.
  child.once("error", () => {});
  throw new Error(`${file} cannot be started: it is gone, or there is no room for another process`);
}

const ended = (child: Child): Promise<ProgramExit> =>
  new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
