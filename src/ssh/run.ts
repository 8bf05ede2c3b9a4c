import { isOlderThan } from "../base/clock.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import type { Exec, ExecOrder, ExecResult, Reserve } from "../base/run.ts";
import { createReserve, isFoundAgain, type SentOrder } from "../base/runner.ts";
import type { OperatingSystem, Server } from "../base/server.ts";
import { takeOutput } from "./capture.ts";
import { endingOf } from "./ending.ts";
import { type FoundJob, runJob } from "./job/run.ts";
import { defaultLimits, type SshLimits } from "./limits.ts";
import { acquire, createPool, type Means, type NoSession } from "./pool.ts";
import type { OpenSession } from "./session.ts";
import { saysWindows } from "./windows/exit.ts";
import { lineRefusal } from "./windows/wrap.ts";

/**
 * Runs approved commands, each once (SR-24, SR-51, SR-53, RR-06). From `runDirect` bytes pass `session.ts` and leave in `wire.ts`. A
 * command that changes something runs as a job (`job/run.ts`), which survives a lost connection.
 */
export interface Ssh {
  readonly reserve: Reserve;
  /** For commands that need no approval. */
  readonly exec: Exec;
  /** Verifies the host key and finds the OS by fixed housekeeping commands (AR-06, AR-08). Never throws. */
  readonly probe: (server: Server) => Promise<ProbeResult>;
  /** Running commands end as `unknown`, jobs continue on their servers. */
  readonly close: () => Promise<void>;
}

export interface SshOptions {
  readonly servers: ReadonlyMap<string, Server>;
  /** Half head, half tail. */
  readonly maxOutputBytes?: number;
  /** SSH_AUTH_SOCK. */
  readonly agentSocket?: string | undefined;
  readonly limits?: Partial<SshLimits>;
}

export function createSsh(options: SshOptions): Ssh {
  const limits: SshLimits = {
    ...defaultLimits,
    ...options.limits,
    ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
  };
  const pool = createPool({ servers: options.servers, limits, agentSocket: options.agentSocket });
  const closing = new AbortController();
  const means: Means = { pool, limits, closing: closing.signal };
  const carrier = {
    freshMs: limits.freshMs - limits.toWriteMs,
    // An open connection keeps its verified key; `prove` checks its server.
    isCurrent: () => true,
    whyRefused: async (place: OpenSession | NoSession | FoundJob, { server }: ExecOrder) =>
      place.kind === "open" ? (await pool.prove(server, place.connection))?.reason : undefined,
    close: (place: OpenSession | NoSession | FoundJob) => {
      if (place.kind === "open") place.close();
    },
  };
  const reserveDirect = createReserve<OpenSession | NoSession>({
    ...carrier,
    open: openFor.bind(undefined, means),
    start: runDirect.bind(undefined, means),
  });
  const reserveJob = createReserve<OpenSession | NoSession | FoundJob>({
    ...carrier,
    open: async (order, signal) => (isFoundAgain(order) ? { kind: "found" } : openFor(means, order, signal)),
    start: runJob.bind(undefined, means),
  });
  const reserve: Reserve = (order, signal) => (order.mode === "job" ? reserveJob : reserveDirect)(order, signal);
  const exec: Exec = async (order, watch) => {
    const reservation = await reserve(order, watch.signal);
    const sent = reservation.send(Date.now(), watch);
    if (sent !== "stale") return sent;
    reservation.release();
    return exec(order, watch);
  };
  // The inventory's OS wins.
  const probe = async (server: Server): Promise<ProbeResult> => {
    let hostKey = "";
    for (const wrapped of questions) {
      const order = { server: { ...server, tty: false, hardTimeoutMs: probeMaxMs }, wrapped };
      const result = await exec(order, { signal: new AbortController().signal });
      const { ending } = result;
      if (ending.kind === "unreachable") return refuse(ending.reason, ending.remedy ?? "check the server");
      if (ending.kind !== "exited")
        return refuse(`${server.name} did not answer a probe (${ending.kind})`, "check its load");
      hostKey = result.hostKey ?? hostKey;
      const os = result.windows ? "windows" : readOs(Buffer.from(result.capture.head).toString("latin1"));
      if (os !== undefined) return { ok: true, hostKey, os: server.os === "auto" ? os : server.os };
    }
    if (server.os !== "auto") return { ok: true, hostKey, os: server.os };
    return refuse(
      `${server.name} does not say which OS it runs`,
      "write `os: linux` or `os: windows` in the inventory",
    );
  };
  const close = (): Promise<void> => {
    closing.abort();
    return pool.close();
  };
  return { reserve, exec, probe, close };
}

/** Waits at most `waitMs` for the session; once it is open, only `signal` ends it. */
async function openFor(means: Means, order: ExecOrder, signal: AbortSignal): Promise<OpenSession | NoSession> {
  const { server, wrapped: command, hostKeys } = order;
  const tooLong = server.os === "windows" ? lineRefusal(server, command) : undefined;
  if (tooLong) return { kind: "none", result: { kind: "failed", failure: { ...tooLong, transient: false } } };
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), means.limits.waitMs);
  // A terminal would change a job's bytes.
  const tty = order.mode !== "job" && server.tty;
  const either = AbortSignal.any([signal, patience.signal]);
  const place = await acquire(means, server, { command, tty, signal: either, hostKeys });
  clearTimeout(timer);
  const isLate = place.kind === "none" && place.result.kind === "cancelled" && !signal.aborted;
  if (!isLate) return place;
  const failure = {
    reason: `${server.name} was busy and had no session free in time; nothing was run`,
    remedy: "try again, or /cancel what runs there",
    transient: false,
  };
  return { kind: "none", result: { kind: "failed", failure } };
}

/** Sends a command in its open session and follows it to its end. Never throws. */
async function runDirect(
  { limits }: Means,
  place: OpenSession | NoSession,
  { order: { server }, watch, asOf }: SentOrder,
): Promise<ExecResult> {
  const output = takeOutput(limits.maxOutputBytes, server, watch);
  const { hardTimeoutMs } = server;
  const { signal } = watch;
  // Again at the write, because the process may have stood still (F-35).
  const isLate = (): boolean => isOlderThan(limits.freshMs, asOf);
  const result = place.kind === "open" ? await place.send({ hardTimeoutMs, signal, ...output, isLate }) : place.result;
  const hostKey = place.kind === "open" ? place.connection.hostKey : place.hostKey;
  const saysSo = place.kind === "open" ? saysWindows(place.connection.client) : place.windows === true;
  const outputNote = result.kind === "sent" ? result.facts.outputNote : undefined;
  return output.finish({
    ending: endingOf(result, signal),
    ...(outputNote === undefined ? {} : { outputNote }),
    housekeeping: result.kind === "sent" && result.facts.stop !== undefined ? ["stop"] : [],
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(saysSo || server.os === "windows" ? { windows: true } : {}),
  });
}

type ProbeResult = { readonly ok: true; readonly hostKey: string; readonly os: OperatingSystem } | Refusal;

/** For every Unix and Git's shells, and for cmd and PowerShell. */
const questions = ["uname -s", "cmd.exe /c ver"] as const;

/** Undefined if the answer has no OS. Pure. */
export function readOs(answer: string): OperatingSystem | undefined {
  if (/windows|MINGW|MSYS|CYGWIN/i.test(answer)) return "windows";
  return /^\s*(Linux|Darwin|FreeBSD|OpenBSD|NetBSD|SunOS|AIX|GNU)/m.test(answer) ? "linux" : undefined;
}

const probeMaxMs = 15_000;
