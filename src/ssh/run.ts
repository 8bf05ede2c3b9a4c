import { reached } from "../crash-point.ts";
import type { Capture, Ending, Server } from "../types.ts";
import { type Means, sendOnce } from "./attempt.ts";
import { createCapture } from "./capture.ts";
import { createLiveReader, decodeCapture } from "./decode.ts";
import { endingOf } from "./ending.ts";
import { runJob } from "./job.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { createPool } from "./pool.ts";
import { type Probed, probeServer } from "./probe.ts";
import type { SessionOrder } from "./session.ts";
import { lineRefusal } from "./windows-wrap.ts";

export type ExecOrder = {
  readonly runId: string;
  readonly server: Server;
  /** The exact bytes from `wrap()` in the same mode; they are sent as they are (SR-53). */
  readonly wrapped: string;
  /** When it was last known that it may be sent; now, where nothing is said. */
  readonly asOf?: Date | undefined;
} & HowToRun;

/**
 * A job runs apart from its session, once for its id, and is found again after any loss of the connection. `resume`: an
 * earlier process sent it, at that time by our clock. It is followed from its first byte, and nothing is sent that could
 * start it; where it never began it is made sure that it never will.
 */
export type HowToRun =
  | { readonly mode?: "direct" }
  | { readonly mode: "job"; readonly jobId: string; readonly resume?: { readonly sentAt: Date } };

export interface ExecWatch {
  /** Aborted = cancel: TERM, grace, KILL to the process group. Its reason, a string, says who. */
  readonly signal: AbortSignal;
  /** Called as output arrives; an exception in it never hurts the run. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** The exec request has been handed to the connection: from now on a loss is `unknown`. Not called on `resume`. */
  readonly onSent?: () => void;
}

export interface ExecResult {
  readonly ending: Ending;
  readonly capture: Capture;
  readonly durationMs: number;
  /** Fingerprint of the key the server proved, `SHA256:…`; absent where no connection came to be. */
  readonly hostKey?: string;
  /** The server says, or the inventory, that it runs Windows; then `capture` holds UTF-8, whatever was sent. */
  readonly windows?: boolean;
  /** What of the output is not in `capture`, and why: a sentence for people. */
  readonly outputNote?: string;
  /** The fixed scripts that ran beside the command, in order, for the audit (AR-08): `stop`, `job follow` … */
  readonly housekeeping: readonly string[];
}

/** Runs one command once. Never throws: how it ended is data. */
export type Exec = (order: ExecOrder, watch: ExecWatch) => Promise<ExecResult>;

export interface Ssh {
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
  const closing = new AbortController();
  const exec: Exec = (order, watch) => execute({ pool, limits, closing: closing.signal }, order, watch);
  const close = (): Promise<void> => {
    closing.abort();
    return pool.close();
  };
  return { exec, probe: (server) => probeServer(exec, server), close };
}

async function execute(means: Means, order: ExecOrder, watch: ExecWatch): Promise<ExecResult> {
  const started = performance.now();
  const capture = createCapture(means.limits.maxOutputBytes);
  const { server, wrapped } = order;
  // Of one that an earlier process has sent nothing is decided here any more.
  const isResumed = order.mode === "job" && order.resume !== undefined;
  const sendBy = isResumed ? undefined : (order.asOf?.getTime() ?? Date.now()) + means.limits.sendMs;
  const late = new AbortController();
  const patience = sendBy === undefined ? undefined : setTimeout(() => late.abort(), Math.max(0, sendBy - Date.now()));
  const signal = AbortSignal.any([watch.signal, late.signal]);
  const sent = shielded(watch.onSent);
  const onSent = (): void => {
    clearTimeout(patience);
    sent();
  };
  const read = order.server.os === "windows" ? createLiveReader() : (chunk: Uint8Array) => chunk;
  const onOutput = shielded((chunk: Uint8Array) => watch.onOutput?.(read(chunk)));
  const onData = (chunk: Uint8Array): void => {
    capture.push(chunk);
    reached("CP12");
    onOutput(chunk);
  };
  const outcome: Omit<ExecResult, "capture" | "durationMs"> =
    order.mode === "job"
      ? await runJob(means, order, { signal, sendBy, onSent, onData, onMissed: capture.skip })
      : await runDirect(means, { server, wrapped }, { signal, sendBy, onSent, onData });
  clearTimeout(patience);
  const whole = capture.finish();
  const shown = outcome.windows ? decodeCapture(whole) : whole;
  const isLate = outcome.ending.kind === "cancelled" && !watch.signal.aborted;
  const ending = isLate ? notInTime(server.name) : outcome.ending;
  return { ...outcome, ending, capture: shown, durationMs: Math.round(performance.now() - started) };
}

const notInTime = (serverName: string): Ending => ({
  kind: "unreachable",
  reason: `it could not be sent in time, since ${serverName} was busy or the bot stood still; nothing was run`,
  remedy: "try again, or /cancel what runs there",
});

async function runDirect(
  means: Means,
  { server, wrapped }: Pick<ExecOrder, "server" | "wrapped">,
  { signal, sendBy, onSent, onData }: Pick<SessionOrder, "signal" | "sendBy" | "onSent" | "onData">,
): Promise<Pick<ExecResult, "ending" | "hostKey" | "housekeeping" | "windows" | "outputNote">> {
  const tooLong = server.os === "windows" ? lineRefusal(server, wrapped) : undefined;
  if (tooLong) {
    const { reason, remedy } = tooLong;
    return { ending: { kind: "unreachable", reason, remedy }, housekeeping: [] };
  }
  const { result, hostKey, windows } = await sendOnce(means, server, {
    command: wrapped,
    tty: server.tty,
    hardTimeoutMs: server.hardTimeoutMs,
    signal,
    sendBy,
    onSent,
    onData,
  });
  const outputNote = result.kind === "sent" ? result.facts.outputNote : undefined;
  return {
    ending: endingOf(result, signal),
    ...(outputNote === undefined ? {} : { outputNote }),
    housekeeping: result.kind === "sent" && result.facts.stop !== undefined ? ["stop"] : [],
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(windows || server.os === "windows" ? { windows: true } : {}),
  };
}

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
