import { setTimeout as sleep } from "node:timers/promises";
import type { Capture, Ending, Server } from "../types.ts";
import { type CaptureSink, createCapture } from "./capture.ts";
import { decideEnding } from "./ending.ts";
import type { Failure } from "./failure.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { createPool, type Pool } from "./pool.ts";
import { type Probed, probeServer } from "./probe.ts";
import { runSession, type SessionResult } from "./session.ts";

export interface ExecOrder {
  readonly runId: string;
  readonly server: Server;
  /** The exact bytes from `wrap()`; they are sent as they are (SR-53). */
  readonly wrapped: string;
}

export interface ExecWatch {
  /** Aborted = cancel: TERM, grace, KILL to the process group. Its reason, a string, says who. */
  readonly signal: AbortSignal;
  /** Called as output arrives; an exception in it never hurts the run. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** The exec request has been handed to the connection: from now on a loss is `unknown`. */
  readonly onSent?: () => void;
}

export interface ExecResult {
  readonly ending: Ending;
  readonly capture: Capture;
  readonly durationMs: number;
  /** Fingerprint of the key the server proved, `SHA256:…`; absent where no connection came to be. */
  readonly hostKey?: string;
}

/** Runs one command once. Never throws: how it ended is data. */
export type Exec = (order: ExecOrder, watch: ExecWatch) => Promise<ExecResult>;

export interface Ssh {
  readonly exec: Exec;
  /** Connects, proves the host key and asks for the OS, by fixed housekeeping commands (AR-06, AR-08). Never throws. */
  readonly probe: (server: Server) => Promise<Probed>;
  /** Ends all connections; commands that run end as `unknown`. */
  readonly close: () => Promise<void>;
}

export interface SshOptions {
  readonly servers: ReadonlyMap<string, Server>;
  /** What is kept of an output, head and tail halves. */
  readonly maxOutputBytes?: number;
  readonly idleMs?: number;
  /** The socket of the ssh-agent (SSH_AUTH_SOCK), for servers with `agent: true`. */
  readonly agentSocket?: string | undefined;
  /** For tests: shorter times. */
  readonly limits?: Partial<Limits>;
}

export function createSsh(options: SshOptions): Ssh {
  const limits: Limits = {
    ...defaultLimits,
    ...options.limits,
    ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
  };
  const pool = createPool({ servers: options.servers, limits, agentSocket: options.agentSocket });
  const exec: Exec = (order, watch) => execute({ pool, limits }, order, watch);
  return { exec, probe: (server) => probeServer(exec, server), close: pool.close };
}

interface Means {
  readonly pool: Pool;
  readonly limits: Limits;
}

async function execute(means: Means, order: ExecOrder, watch: ExecWatch): Promise<ExecResult> {
  const started = performance.now();
  const capture = createCapture(means.limits.maxOutputBytes);
  const attempt = await attemptUntilSent(means, order, watch, capture);
  return {
    ending: endingOf(attempt.result, watch.signal),
    capture: capture.finish(),
    durationMs: performance.now() - started,
    ...(attempt.hostKey === undefined ? {} : { hostKey: attempt.hostKey }),
  };
}

type Attempt = { readonly result: SessionResult; readonly hostKey?: string };

/** Tries again only where the server refused a session because others are open or have only just closed: then nothing was sent. */
async function attemptUntilSent(
  { pool, limits }: Means,
  order: ExecOrder,
  watch: ExecWatch,
  capture: CaptureSink,
): Promise<Attempt> {
  let refusals = 0;
  for (;;) {
    const leased = await pool.lease(order.server, watch.signal);
    if (leased.kind !== "lease") return { result: leased };
    const { connection, release, narrow } = leased.lease;
    const result = await runSession({
      connection,
      serverName: order.server.name,
      command: order.wrapped,
      tty: order.server.tty,
      hardTimeoutMs: order.server.hardTimeoutMs,
      limits,
      signal: watch.signal,
      onSent: shielded(watch.onSent),
      onData: (chunk) => {
        capture.push(chunk);
        shielded(watch.onOutput)(chunk);
      },
    });
    const refused = result.kind === "no-session";
    const waitsForOthers = refused && narrow();
    release();
    // A server frees a session a moment after we have seen it close. Nothing was sent, so asking again is safe.
    const mayFreeOne = !waitsForOthers && refused && refusals++ < maxRefusals;
    if (!waitsForOthers && !mayFreeOne) return { result, hostKey: connection.hostKey };
    await sleep(50 * 2 ** Math.min(refusals, 4));
  }
}

/** How often a refused session is asked for again where nobody else of ours holds one: about a second in all. */
const maxRefusals = 3;

/** Our callers' callbacks run inside ssh2's, where an exception would end the connection and every command on it. */
function shielded<A extends unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch {
      // By contract theirs to report: the run goes on.
    }
  };
}

function endingOf(result: SessionResult, signal: AbortSignal): Ending {
  switch (result.kind) {
    case "sent":
      return decideEnding(result.facts);
    case "cancelled":
      return { kind: "cancelled", by: String(signal.reason), note: "it had not been started" };
    case "failed":
      return unreachable(result.failure);
    case "no-session":
      return {
        kind: "unreachable",
        reason: "the server opens no session on our connection",
        remedy: "raise MaxSessions in its sshd_config, and check that the account may run commands",
      };
  }
}

const unreachable = ({ reason, remedy }: Failure): Ending => ({ kind: "unreachable", reason, remedy });
