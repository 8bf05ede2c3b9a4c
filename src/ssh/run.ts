import { isOlderThan } from "../base/clock.ts";
import { reached } from "../base/crash-point.ts";
import {
  type Exec,
  type ExecOrder,
  type ExecResult,
  type ExecWatch,
  type Reservation,
  type Reserve,
  shielded,
} from "../base/run.ts";
import type { Server } from "../base/server.ts";
import { acquire, type Means, type NoPlace, type Place, type Sending } from "./attempt.ts";
import { createCapture } from "./capture.ts";
import { createLiveReader, decodeCapture } from "./decode.ts";
import { endingOf } from "./ending.ts";
import type { SshFailure } from "./failure.ts";
import { runJob, type StartJob } from "./job/run.ts";
import { defaultLimits, type SshLimits } from "./limits.ts";
import { createPool } from "./pool.ts";
import { type Probed, probeServer } from "./probe.ts";
import { lineRefusal } from "./windows/wrap.ts";

export interface Ssh {
  readonly reserve: Reserve;
  /** For what needs no approval: as soon as a session is there it is sent. */
  readonly exec: Exec;
  /** Connects, proves the host key and asks for the OS, by fixed housekeeping commands (AR-06, AR-08). Never throws. */
  readonly probe: (server: Server) => Promise<Probed>;
  /** Ends all connections; commands that run end as `unknown`, and jobs go on on their servers. */
  readonly close: () => Promise<void>;
}

export interface SshOptions {
  readonly servers: ReadonlyMap<string, Server>;
  /** What is kept of an output, head and tail halves. */
  readonly maxOutputBytes?: number;
  /** The socket of the ssh-agent (SSH_AUTH_SOCK), for servers with `agent: true`. */
  readonly agentSocket?: string | undefined;
  /** For tests: shorter times. */
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
  const reserve: Reserve = (order, signal) => reserveOn(means, order, signal);
  const exec: Exec = async (order, watch) => {
    const reservation = await reserve(order, watch.signal);
    const sent = reservation.send(Date.now(), watch);
    if (sent !== "stale") return sent;
    reservation.release();
    return exec(order, watch);
  };
  const close = (): Promise<void> => {
    closing.abort();
    return pool.close();
  };
  return { reserve, exec, probe: (server) => probeServer(exec, server), close };
}

async function reserveOn(means: Means, order: ExecOrder, signal: AbortSignal): Promise<Reservation> {
  const { server } = order;
  const place = await placeFor(means, order, signal);
  const { freshMs, toWriteMs } = means.limits;
  const isStale = (asOf: number): boolean => place !== "found" && isOlderThan(freshMs - toWriteMs, asOf);
  return {
    server,
    prove: async () => {
      if (place === "found" || place.kind === "none") return undefined;
      return (await means.pool.prove(server, place.connection))?.reason;
    },
    send: (asOf, watch) => (isStale(asOf) ? "stale" : execute(means, order, { ...watch, signal }, { place, asOf })),
    release: () => {
      if (place !== "found" && place.kind === "place") place.leave();
    },
  };
}

/** Of a job that an earlier process has sent nothing is to be acquired: it is found. */
async function placeFor(means: Means, order: ExecOrder, signal: AbortSignal): Promise<Place | NoPlace | "found"> {
  if (order.mode === "job" && order.resume !== undefined) return "found";
  const { server, wrapped: command, hostKeys } = order;
  const tooLong = server.os === "windows" ? lineRefusal(server, command) : undefined;
  if (tooLong) return { kind: "none", result: { kind: "failed", failure: { ...tooLong, transient: false } } };
  const patience = AbortSignal.timeout(means.limits.waitMs);
  // A job has no terminal, and one on its session would change the bytes.
  const tty = order.mode !== "job" && server.tty;
  const place = await acquire(means, server, { command, tty, signal: AbortSignal.any([signal, patience]), hostKeys });
  const isLate = place.kind === "none" && place.result.kind === "cancelled" && !signal.aborted;
  return isLate ? { kind: "none", result: { kind: "failed", failure: notInTime(server.name) } } : place;
}

const notInTime = (serverName: string): SshFailure => ({
  reason: `${serverName} was busy and had no session free in time; nothing was run`,
  remedy: "try again, or /cancel what runs there",
  transient: false,
});

async function execute(
  means: Means,
  order: ExecOrder,
  watch: ExecWatch,
  { place, asOf }: { readonly place: Place | NoPlace | "found"; readonly asOf: number },
): Promise<ExecResult> {
  const started = performance.now();
  const capture = createCapture(means.limits.maxOutputBytes);
  const { server } = order;
  const { signal } = watch;
  const onSent = shielded(watch.onSent);
  const read = server.os === "windows" ? createLiveReader() : (chunk: Uint8Array) => chunk;
  const onOutput = shielded((chunk: Uint8Array) => watch.onOutput?.(read(chunk)));
  const onData = (chunk: Uint8Array): void => {
    capture.push(chunk);
    reached("CP12");
    onOutput(chunk);
  };
  const start: StartJob = async (sending: Sending) => {
    if (place === "found") throw new Error("a job that was sent is found again, not started");
    if (place.kind === "none") return place;
    sending.onConnection?.(place.connection);
    // Asked once more at the write itself, since the process may have stood still on the way to it (F-35).
    return place.send({ ...sending, isLate: () => isOlderThan(means.limits.freshMs, asOf) });
  };
  const outcome: Omit<ExecResult, "capture" | "durationMs"> =
    order.mode === "job"
      ? await runJob(means, order, { signal, onSent, onData, onMissed: capture.skip }, start)
      : await runDirect(order, { signal, onSent, onData }, start);
  const whole = capture.finish();
  const shown = outcome.windows ? decodeCapture(whole) : whole;
  return { ...outcome, capture: shown, durationMs: Math.round(performance.now() - started) };
}

async function runDirect(
  { server, wrapped }: Pick<ExecOrder, "server" | "wrapped">,
  { signal, onSent, onData }: Pick<Sending, "signal" | "onSent" | "onData">,
  start: StartJob,
): Promise<Pick<ExecResult, "ending" | "hostKey" | "housekeeping" | "windows" | "outputNote">> {
  const { hardTimeoutMs, tty } = server;
  const { result, hostKey, windows } = await start({ command: wrapped, tty, hardTimeoutMs, signal, onSent, onData });
  const outputNote = result.kind === "sent" ? result.facts.outputNote : undefined;
  return {
    ending: endingOf(result, signal),
    ...(outputNote === undefined ? {} : { outputNote }),
    housekeeping: result.kind === "sent" && result.facts.stop !== undefined ? ["stop"] : [],
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(windows || server.os === "windows" ? { windows: true } : {}),
  };
}
