import type { ClientChannel } from "ssh2";
import { reached } from "../base/crash-point.ts";
import type { WaitingLine } from "../base/line.ts";
import { stopperIn } from "../base/run.ts";
import type { Server } from "../base/server.ts";
import { whyUnknown } from "../base/unknown.ts";
import type { SshConnection } from "./dial.ts";
import type { EndingFacts, Exit, SshFailure, StopCause } from "./failure.ts";
import type { SshLimits } from "./limits.ts";
import { stopCommand, within } from "./stop.ts";
import { detectWaiting, type WaitingPrompt } from "./waiting.ts";
import { readWindowsExit, saysWindows } from "./windows/decode.ts";
import { type Departure, execOnWire, letGoOf } from "./wire.ts";

export interface SharedConnection extends SshConnection {
  /** In order of start. */
  readonly running: Set<symbol>;
  readonly stops: WaitingLine;
}

export interface SessionPlace {
  readonly connection: SharedConnection;
  readonly server: Server;
  readonly command: string;
  readonly tty: boolean;
  readonly limits: SshLimits;
  /** Aborted before the send: nothing will be sent. */
  readonly signal: AbortSignal;
  /** Called once, when an open session is over. */
  readonly leave: () => void;
}

export interface SessionSending {
  readonly hardTimeoutMs: number;
  /** The command survives its session. */
  readonly detached?: boolean;
  /** Aborted: end the command; the reason says who. */
  readonly signal: AbortSignal;
  /** Called at the write: true if the final check is too old. */
  readonly isLate?: () => boolean;
  readonly onSent: () => void;
  /** Must copy what it keeps, because the memory is reused. */
  readonly onData: (chunk: Buffer) => void;
  /** If absent, both streams are one. */
  readonly onStderr?: (chunk: Buffer) => void;
}

type SessionOrder = SessionPlace & SessionSending;

/** Certainly not sent. */
export type UnsentReason =
  | { readonly kind: "failed"; readonly failure: SshFailure }
  | { readonly kind: "cancelled" }
  /** The server opens no further session on this connection (MaxSessions). */
  | { readonly kind: "no-session" };

export type SessionResult = { readonly kind: "sent"; readonly facts: EndingFacts } | UnsentReason;

export interface OpenSession {
  readonly kind: "open";
  readonly connection: SharedConnection;
  /** Sends the command within this tick and follows it to its end. Never rejects. */
  readonly send: (sending: SessionSending) => Promise<SessionResult>;
  /** Closes a session whose command was not sent. */
  readonly close: () => void;
}

/**
 * Opens a session until only the request is left to send, so nothing waits between the final check and the command (SR-24). Never rejects.
 */
export function openSession(place: SessionPlace): Promise<OpenSession | UnsentReason> {
  const { connection, server, limits } = place;
  const opened = Promise.withResolvers<OpenSession | UnsentReason>();
  let departure: Departure | undefined;
  let unsent: UnsentReason | undefined;
  let onReply: OnReply | undefined;
  let isLeft = false;
  const leave = (): void => {
    if (!isLeft) place.leave();
    isLeft = true;
  };

  const abandon = (value: UnsentReason): UnsentReason => {
    if (unsent !== undefined || onReply !== undefined) return value;
    unsent = value;
    clearTimeout(timer);
    place.signal.removeEventListener("abort", onAbort);
    departure?.drop();
    opened.resolve(value);
    return value;
  };
  const onAbort = (): void => void abandon({ kind: "cancelled" });
  const timer = setTimeout(() => abandon(notOpened(server, "it does not answer")), limits.openMs);
  place.signal.addEventListener("abort", onAbort, { once: true });
  // If it was aborted earlier, no event comes.
  if (place.signal.aborted) onAbort();

  const send = async (sending: SessionSending): Promise<SessionResult> => {
    reached("CP10");
    try {
      if (unsent !== undefined || departure === undefined) return unsent ?? { kind: "cancelled" };
      // Timers stand still with a process or machine that sleeps.
      if (sending.isLate?.()) {
        const why =
          server.signer === true
            ? "too long after the last look at GitHub: its signer, its login or the bot was slow"
            : "the bot stood still";
        return abandon(notOpened(server, why));
      }
      if (sending.signal.aborted) return abandon({ kind: "cancelled" });
      if (!departure.isOpen()) return abandon(notOpened(server, "its session was closed"));
      place.signal.removeEventListener("abort", onAbort);
      const sent = expectReply({ ...place, ...sending });
      onReply = sent.onReply;
      sending.onSent();
      departure.send();
      return await sent.result;
    } finally {
      leave();
    }
  };
  const close = (): void => {
    if (onReply !== undefined) return;
    abandon({ kind: "cancelled" });
    leave();
  };

  const onReady = (ready: Departure): void => {
    departure = ready;
    if (unsent !== undefined) {
      ready.drop();
      return;
    }
    clearTimeout(timer);
    opened.resolve({ kind: "open", connection, send, close });
  };
  const onAnswer: OnReply = (error, channel) => {
    if (onReply !== undefined) {
      onReply(error, channel);
      return;
    }
    const lost = connection.closedBecause();
    const isRefused = lost === undefined && error !== undefined && "reason" in error;
    const why = departure === undefined ? "it grants no terminal" : "its session was closed";
    abandon(isRefused ? { kind: "no-session" } : notOpened(server, lost ?? why));
  };
  const options = place.tty ? { pty: { rows: 50, cols: 200, term: "dumb" } } : {};
  try {
    execOnWire(connection.client, { command: place.command, options, onReady }, onAnswer);
  } catch {
    abandon(notOpened(server, connection.closedBecause() ?? "it is closed")); // thrown only when not connected
  }
  return opened.promise;
}

type OnReply = (error: Error | undefined, channel: ClientChannel | undefined) => void;

function expectReply(order: SessionOrder): {
  readonly onReply: OnReply;
  readonly result: Promise<SessionResult>;
} {
  const { connection, server, limits, signal } = order;
  const token = Symbol();
  const result = Promise.withResolvers<SessionResult>();
  const settle = (value: SessionResult | Promise<SessionResult>): void => {
    clearTimeout(patience);
    signal.removeEventListener("abort", onEnd);
    result.resolve(value);
  };
  const lose = (how: string): void => {
    connection.running.delete(token);
    settle({ kind: "sent", facts: { lost: whyUnknown("start-not-confirmed", { server: server.name, how }) } });
  };
  const waitFor = (ms: number) => setTimeout(lose, ms, "did not answer");
  // A detached command can be looked for again, so the wait is short.
  let patience = waitFor(order.detached ? limits.openMs : order.hardTimeoutMs);
  const onEnd = (): void => {
    clearTimeout(patience);
    patience = waitFor(limits.openMs);
  };
  signal.addEventListener("abort", onEnd, { once: true });
  connection.running.add(token);
  const onReply: OnReply = (_error, channel) => {
    const lost = connection.closedBecause();
    if (channel === undefined)
      lose(lost === undefined ? "refused the request or closed its session" : `was lost (${lost})`);
    // In this tick, because ssh2 may emit output, exit and close in it.
    else settle(follow(order, channel, token).then((facts) => ({ kind: "sent", facts })));
  };
  return { onReply, result: result.promise };
}

const notOpened = ({ name }: Server, why: string): UnsentReason => ({
  kind: "failed",
  failure: {
    reason: `the session on ${name} ended before the command was sent (${why}); nothing was run`,
    remedy: "try again",
    transient: false,
  },
});

/** Without it a pager's prompt mixes with the next line, because the dumb terminal cannot erase. */
const eraseLine = Buffer.from("\r\x1b[K");

/** A surviving child may hold the channel open. */
const closeMs = 1_000;

/** Follows a started command, or ends it at the signal or hard limit. Listens before it returns. Never rejects. */
function follow(order: SessionOrder, channel: ClientChannel, token: symbol): Promise<EndingFacts> {
  const { connection, server, limits, signal, hardTimeoutMs } = order;
  const { client, running, stops } = connection;
  const isWindows = server.os === "windows" || saysWindows(client);
  const facts = Promise.withResolvers<EndingFacts>();
  let exit: Exit | undefined;
  let [closed, stopping] = [false, false];
  /** A background child may hold the output after the exit. */
  let drain: NodeJS.Timeout | undefined;

  const settle = (stop?: EndingFacts["stop"]): void => {
    if (stopping && stop === undefined) return; // the stop settles it with its report
    clearTimeout(hardLimit);
    clearTimeout(drain);
    terminal.close();
    signal.removeEventListener("abort", onAbort);
    running.delete(token);
    if (!closed) {
      // What still comes is read, so that nothing stalls.
      channel.removeListener("data", onData);
      channel.stderr.removeListener("data", onData);
      channel.resume();
      channel.stderr.resume();
      channel.close();
    }
    const why = connection.closedBecause();
    const how =
      why === undefined ? `${server.name} closed the session` : `the connection to ${server.name} was lost (${why})`;
    const lost = exit !== undefined || !closed ? undefined : whyUnknown("end-not-seen", { how });
    facts.resolve({ exit, stop, lost, outputNote: terminal.note() });
  };
  // 'close' of a channel waits for the end of its stdout only.
  const closes = [channel, channel.stderr].map((stream) => new Promise((done) => stream.once("close", done)));
  const ended = Promise.all(closes).then(() => {
    closed = true;
    settle();
  });

  const stop = async (cause: StopCause): Promise<void> => {
    if (stopping || closed) return;
    // Only a background child is left.
    if (order.detached || exit !== undefined) return settle();
    stopping = true;
    const position = () => ({ index: [...running].indexOf(token), count: running.size });
    const report = await stopCommand({ client, channel, position, stops, ended, limits }, isWindows);
    if (report.kind !== "unverified") await within(closeMs, ended);
    settle({ cause, report });
  };
  const onAbort = (): void => void stop({ kind: "cancelled", ...stopperIn(signal) });
  const hardLimit = setTimeout(() => void stop({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const terminal = watchTerminal(order.tty, channel, {
    quietMs: limits.quietMs,
    // It shows the job's wrapper, which asks nothing.
    onQuestion: (asks) => void (order.detached ? undefined : stop({ kind: "waiting-for-input", asks })),
    onPaged: () => order.onData(eraseLine),
  });

  const onData = (chunk: Buffer): void => {
    order.onData(chunk);
    terminal.show(chunk);
    letGoOf(client, chunk);
    if (!closed) drain?.refresh();
  };
  channel.on("data", onData);
  channel.stderr.on("data", order.onStderr ?? onData);
  channel.on("error", () => undefined); // 'close' follows and decides
  channel.on("exit", (code: number | null, signalName?: string) => {
    // The server's text, which reaches our comments.
    const signal = /^(?:SIG)?[A-Z0-9]{1,10}$/.test(signalName ?? "") ? `${signalName}` : "unnamed";
    const told = code === null ? { signal } : { code };
    exit = isWindows ? readWindowsExit(told) : told;
    running.delete(token);
    clearTimeout(drain);
    drain = setTimeout(settle, limits.drainMs);
  });
  // Nothing can hang on a closed stdin. A terminal's stays open, to leave pagers.
  if (!order.tty) channel.end();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return facts.promise;
}

/** RETURN while it only warns, `q` after the last page. */
function keyFor({ asks }: Pick<WaitingPrompt, "asks">): "\r" | " " | "q" {
  if (/\((?:END|EOF)\)|^HELP /.test(asks)) return "q";
  return /press return/i.test(asks) ? "\r" : " ";
}

interface TerminalWatch {
  readonly show: (chunk: Uint8Array) => void;
  readonly close: () => void;
  /** For people: the part a pager did not show. */
  readonly note: () => string | undefined;
}

/** A file may have no end, and each page takes `quietMs`. */
const maxPages = 20;

/** Quiet periods before a question counts: more without a terminal, because there few programs ask and many report their work. */
const patience = { terminal: 3, none: 10 } as const;

/** Enough for any last line, and cheap to copy. */
const recentBytes = 4096;

/**
 * Examines the last line once the output rests. Pages through a terminal's pager, so that its data is the output, then types `q`; types
 * nothing else. Reports a question, or a pager that no key reaches.
 */
function watchTerminal(
  tty: boolean,
  channel: ClientChannel,
  watch: {
    readonly quietMs: number;
    readonly onQuestion: (asks: string) => void;
    /** The line's prompt, now answered, is no output. */
    readonly onPaged: () => void;
  },
): TerminalWatch {
  const quietTimes = patience[tty ? "terminal" : "none"];
  let recent = Buffer.alloc(0);
  let quiet = 0;
  let pages = 0;
  let note: string | undefined;
  let isDeaf = false;
  let isWarned = false;
  let timer: NodeJS.Timeout | undefined;
  const page = (key: ReturnType<typeof keyFor>): void => {
    pages += 1;
    isWarned = key === "\r";
    const isLeft = isDeaf || pages > maxPages;
    if (isLeft && key !== "q") note = `The pager was left after page ${pages}. Without it the command shows the rest.`;
    watch.onPaged();
    channel.write(isLeft ? "q" : key);
    if (isLeft || key === "q") return;
    // A key without effect is none that the pager knows.
    isDeaf = true;
    timer?.refresh();
  };
  const rest = (): void => {
    const waiting = detectWaiting(recent.toString("utf8"), isWarned);
    if (waiting === undefined) return;
    if (waiting.kind === "pager" && tty) page(keyFor(waiting));
    else if (++quiet >= quietTimes) watch.onQuestion(waiting.asks);
    else timer?.refresh();
  };
  return {
    show: (chunk) => {
      const last = chunk.subarray(-recentBytes);
      recent = Buffer.concat(last.length < recentBytes ? [recent.subarray(last.length - recentBytes), last] : [last]);
      quiet = 0;
      isDeaf = false;
      timer = timer?.refresh() ?? setTimeout(rest, watch.quietMs);
    },
    close: () => clearTimeout(timer),
    note: () => note,
  };
}
