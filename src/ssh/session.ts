import type { ClientChannel } from "ssh2";
import { reached } from "../crash-point.ts";
import type { Connection } from "./dial.ts";
import type { Facts } from "./ending.ts";
import type { Failure } from "./failure.ts";
import { follow } from "./follow.ts";
import type { Limits } from "./limits.ts";
import type { Line } from "./line.ts";
import { execOnWire } from "./wire.ts";

/** A connection several commands share. */
export interface SharedConnection extends Connection {
  /** The commands that run on it, in order of start. */
  readonly running: Set<symbol>;
  readonly stops: Line;
}

export interface SessionOrder {
  readonly connection: SharedConnection;
  readonly serverName: string;
  readonly command: string;
  readonly tty: boolean;
  readonly hardTimeoutMs: number;
  /** The inventory says that the server runs Windows. */
  readonly windows?: boolean;
  /** What it runs goes on without it: ending the session does not end it. */
  readonly detached?: boolean;
  readonly limits: Limits;
  /** Aborted = end the command; its reason says who. */
  readonly signal: AbortSignal;
  /** After that, in ms of the wall clock, the request does not go out any more. */
  readonly sendBy?: number | undefined;
  readonly onSent: () => void;
  readonly onData: (chunk: Buffer) => void;
  /** Where it is left out both streams are one. */
  readonly onStderr?: (chunk: Buffer) => void;
}

export type SessionResult =
  | { readonly kind: "sent"; readonly facts: Facts }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "cancelled" }
  /** The server opens no further session on this connection (MaxSessions). */
  | { readonly kind: "no-session" };

/**
 * Sends one command over an open connection and follows it to its end. All but "sent" mean that the request was
 * certainly not sent. Never rejects.
 */
export function runSession(order: SessionOrder): Promise<SessionResult> {
  const { connection, serverName, limits, signal } = order;
  const token = Symbol();
  const result = Promise.withResolvers<SessionResult>();
  let state: "opening" | "abandoned" | "sent" = "opening";

  const settle = (value: SessionResult | Promise<SessionResult>): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    result.resolve(value);
  };
  /** Before the request is out it can be taken back, surely: the gate will not let it pass. */
  const abandon = (value: SessionResult): void => {
    if (state !== "opening") return;
    state = "abandoned";
    settle(value);
  };
  const loseSent = (how: string): void => {
    connection.running.delete(token);
    settle({ kind: "sent", facts: { lost: `${serverName} ${how} before it confirmed the command` } });
  };
  const onAbort = (): void => {
    if (state === "opening") abandon({ kind: "cancelled" });
    else timer = restart(timer, loseSent, limits.openMs);
  };
  let timer = setTimeout(() => abandon(notOpened(serverName, "it does not answer")), limits.openMs);
  signal.addEventListener("abort", onAbort, { once: true });

  // Between the lease and here it may have been aborted already, and then no event comes.
  if (signal.aborted) onAbort();

  const maySend = (): boolean => {
    reached("CP10");
    // Timers stand still with the process or its machine, which may have slept for hours.
    if (order.sendBy !== undefined && Date.now() > order.sendBy) abandon({ kind: "cancelled" });
    if (state === "abandoned") return false;
    state = "sent";
    // What goes on without us can be asked for again: no need to wait as long as for the command itself.
    timer = restart(timer, loseSent, order.detached ? limits.openMs : order.hardTimeoutMs);
    connection.running.add(token);
    order.onSent();
    return true;
  };
  const onReply = (error: Error | undefined, channel: ClientChannel | undefined): void => {
    const lost = connection.closedBecause();
    if (channel !== undefined) {
      // Here and now: ssh2 may tell output, exit and close within this very tick.
      settle(follow(order, channel, token).then((facts) => ({ kind: "sent", facts })));
    } else if (state === "sent") {
      loseSent(lost === undefined ? "refused the request or closed its session" : `was lost (${lost})`);
    } else if (lost === undefined && error !== undefined && "reason" in error) {
      abandon({ kind: "no-session" });
    } else abandon(notOpened(serverName, lost ?? "it grants no terminal"));
  };
  const options = order.tty ? { pty: { rows: 50, cols: 200, term: "dumb" } } : {};
  try {
    execOnWire(connection.client, { command: order.command, options, maySend }, onReply);
  } catch {
    abandon(notOpened(serverName, connection.closedBecause() ?? "it is closed")); // thrown only when not connected
  }
  return result.promise;
}

function restart(timer: NodeJS.Timeout, lose: (how: string) => void, ms: number): NodeJS.Timeout {
  clearTimeout(timer);
  return setTimeout(lose, ms, "did not answer");
}

const notOpened = (serverName: string, why: string): SessionResult => ({
  kind: "failed",
  failure: {
    reason: `the connection to ${serverName} was lost before the command was sent (${why}); nothing was run`,
    remedy: "try again",
    transient: false,
  },
});
