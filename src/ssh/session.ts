import type { ClientChannel } from "ssh2";
import { reached } from "../base/crash-point.ts";
import type { SshConnection } from "./dial.ts";
import type { EndingFacts } from "./ending.ts";
import type { SshFailure } from "./failure.ts";
import { follow } from "./follow.ts";
import type { SshLimits } from "./limits.ts";
import type { WaitingLine } from "./line.ts";
import { type Departure, execOnWire } from "./wire.ts";

/** A connection several commands share. */
export interface SharedConnection extends SshConnection {
  /** The commands that run on it, in order of start. */
  readonly running: Set<symbol>;
  readonly stops: WaitingLine;
}

/** A session to be opened for one command. */
export interface SessionPlace {
  readonly connection: SharedConnection;
  readonly serverName: string;
  readonly command: string;
  readonly tty: boolean;
  readonly limits: SshLimits;
  /** Aborted while nothing was sent = nothing will be. */
  readonly signal: AbortSignal;
}

/** How the command of an open session is sent and followed. */
export interface SessionSending {
  readonly hardTimeoutMs: number;
  /** The inventory says that the server runs Windows. */
  readonly windows?: boolean;
  /** What it runs goes on without it: ending the session does not end it. */
  readonly detached?: boolean;
  /** Aborted = end the command; its reason says who. */
  readonly signal: AbortSignal;
  /** Asked at the write itself: whether what it rests on is too old by then, so that the request does not go out any more. */
  readonly isLate?: () => boolean;
  readonly onSent: () => void;
  /** Copies what it keeps: the chunk's memory is let go of after it. */
  readonly onData: (chunk: Buffer) => void;
  /** Where it is left out both streams are one. */
  readonly onStderr?: (chunk: Buffer) => void;
}

export type SessionOrder = SessionPlace & SessionSending;

/** Certainly not sent. */
export type Unsent =
  | { readonly kind: "failed"; readonly failure: SshFailure }
  | { readonly kind: "cancelled" }
  /** The server opens no further session on this connection (MaxSessions). */
  | { readonly kind: "no-session" };

export type SessionResult = { readonly kind: "sent"; readonly facts: EndingFacts } | Unsent;

/** A session in which only the request itself is left to be sent. */
export interface OpenSession {
  readonly kind: "open";
  /** Sends the command within this very tick and follows it to its end. Never rejects. */
  readonly send: (sending: SessionSending) => Promise<SessionResult>;
  /** Lets it be; nothing happens where the command was sent. */
  readonly close: () => void;
}

/** Sends one command over an open connection and follows it to its end. Never rejects. */
export async function runSession(order: SessionOrder): Promise<SessionResult> {
  const session = await openSession(order);
  return session.kind === "open" ? session.send(order) : session;
}

/**
 * Opens a session up to the point where only the command's request is left to be sent, so that nothing has to be waited for between
 * the last look at an approval and its command (SR-24). Never rejects.
 */
export function openSession(place: SessionPlace): Promise<OpenSession | Unsent> {
  const { connection, serverName, limits } = place;
  const opened = Promise.withResolvers<OpenSession | Unsent>();
  let departure: Departure | undefined;
  /** Set as soon as it is certain that nothing was sent and nothing will be. */
  let unsent: Unsent | undefined;
  let onReply: Reply | undefined;

  const abandon = (value: Unsent): Unsent => {
    if (unsent !== undefined || onReply !== undefined) return value;
    unsent = value;
    clearTimeout(timer);
    place.signal.removeEventListener("abort", onAbort);
    departure?.drop();
    opened.resolve(value);
    return value;
  };
  const onAbort = (): void => void abandon({ kind: "cancelled" });
  const timer = setTimeout(() => abandon(notOpened(serverName, "it does not answer")), limits.openMs);
  place.signal.addEventListener("abort", onAbort, { once: true });
  // Between the lease and here it may have been aborted already, and then no event comes.
  if (place.signal.aborted) onAbort();

  const send = async (sending: SessionSending): Promise<SessionResult> => {
    reached("CP10");
    if (unsent !== undefined || departure === undefined) return unsent ?? { kind: "cancelled" };
    const refusal = whyNotNow(serverName, departure, sending);
    if (refusal !== undefined) return abandon(refusal);
    place.signal.removeEventListener("abort", onAbort);
    const sent = expectReply(place, sending);
    onReply = sent.onReply;
    sending.onSent();
    departure.send();
    return sent.result;
  };

  const onReady = (ready: Departure): void => {
    departure = ready;
    if (unsent !== undefined) {
      ready.drop();
      return;
    }
    clearTimeout(timer);
    opened.resolve({ kind: "open", send, close: () => void abandon({ kind: "cancelled" }) });
  };
  const onAnswer: Reply = (error, channel) => {
    if (onReply !== undefined) {
      onReply(error, channel);
      return;
    }
    abandon(whyUnsent(place, error, departure === undefined ? "it grants no terminal" : "its session was closed"));
  };
  const options = place.tty ? { pty: { rows: 50, cols: 200, term: "dumb" } } : {};
  try {
    execOnWire(connection.client, { command: place.command, options, onReady }, onAnswer);
  } catch {
    abandon(notOpened(serverName, connection.closedBecause() ?? "it is closed")); // thrown only when not connected
  }
  return opened.promise;
}

function whyUnsent({ connection, serverName }: SessionPlace, error: Error | undefined, why: string): Unsent {
  const lost = connection.closedBecause();
  const isRefused = lost === undefined && error !== undefined && "reason" in error;
  return isRefused ? { kind: "no-session" } : notOpened(serverName, lost ?? why);
}

/** The last look, in the tick in which the bytes go: why they do not; undefined where they may. */
function whyNotNow(serverName: string, departure: Departure, { isLate, signal }: SessionSending): Unsent | undefined {
  // Timers stand still with the process or its machine, which may have slept for hours.
  if (isLate?.()) return notOpened(serverName, "the bot stood still");
  if (signal.aborted) return { kind: "cancelled" };
  return departure.isOpen() ? undefined : notOpened(serverName, "its session was closed");
}

type Reply = (error: Error | undefined, channel: ClientChannel | undefined) => void;

/** Waits for the server's answer to a request that goes out now, and follows the command from there on. */
function expectReply(
  place: SessionPlace,
  sending: SessionSending,
): { readonly onReply: Reply; readonly result: Promise<SessionResult> } {
  const { connection, serverName, limits } = place;
  const { signal } = sending;
  const token = Symbol();
  const result = Promise.withResolvers<SessionResult>();
  const settle = (value: SessionResult | Promise<SessionResult>): void => {
    clearTimeout(patience);
    signal.removeEventListener("abort", onEnd);
    result.resolve(value);
  };
  const lose = (how: string): void => {
    connection.running.delete(token);
    settle({ kind: "sent", facts: { lost: `${serverName} ${how} before it confirmed the command` } });
  };
  const waitFor = (ms: number) => setTimeout(lose, ms, "did not answer");
  // What goes on without us can be asked for again: no need to wait as long as for the command itself.
  let patience = waitFor(sending.detached ? limits.openMs : sending.hardTimeoutMs);
  const onEnd = (): void => {
    clearTimeout(patience);
    patience = waitFor(limits.openMs);
  };
  signal.addEventListener("abort", onEnd, { once: true });
  connection.running.add(token);
  const onReply: Reply = (_error, channel) => {
    const lost = connection.closedBecause();
    if (channel === undefined)
      lose(lost === undefined ? "refused the request or closed its session" : `was lost (${lost})`);
    // Here and now: ssh2 may tell output, exit and close within this very tick.
    else settle(follow({ ...place, ...sending }, channel, token).then((facts) => ({ kind: "sent", facts })));
  };
  return { onReply, result: result.promise };
}

const notOpened = (serverName: string, why: string): Unsent => ({
  kind: "failed",
  failure: {
    reason: `the session on ${serverName} ended before the command was sent (${why}); nothing was run`,
    remedy: "try again",
    transient: false,
  },
});
