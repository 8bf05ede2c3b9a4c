import type { ClientChannel } from "ssh2";
import { type EndingFacts, type Exit, type StopCause, stopperIn } from "./ending.ts";
import type { SessionOrder } from "./session.ts";
import { type StopReport, stopCommand, within } from "./stop.ts";
import { watchTerminal } from "./terminal.ts";
import { readWindowsExit, saysWindows } from "./windows/exit.ts";
import { stopOnWindows } from "./windows/stop.ts";

/** As a terminal that can would do it: on others the next line of data is written over a pager's prompt and mixed with it. */
const eraseLine = Buffer.from("\r\x1b[K");

/** After a verified end the server closes the channel at once; a surviving child may keep it open for ever. */
const closeMs = 1_000;

/**
 * Follows a command that has started to its end: reads both streams, ends it when the signal or the hard limit says
 * so. Sets its listeners before it returns. Never rejects.
 */
export function follow(order: SessionOrder, channel: ClientChannel, token: symbol): Promise<EndingFacts> {
  const { connection, serverName, limits, signal, hardTimeoutMs } = order;
  const windows = order.windows === true || saysWindows(connection.client);
  const ended = Promise.withResolvers<void>();
  const facts = Promise.withResolvers<EndingFacts>();
  let exit: Exit | undefined;
  let closed = false;
  let stopping = false;
  let drain: NodeJS.Timeout | undefined;

  const lostBecause = (): string | undefined => {
    if (exit !== undefined || !closed) return undefined;
    const why = connection.closedBecause();
    const how =
      why === undefined ? `${serverName} closed the session` : `the connection to ${serverName} was lost (${why})`;
    return `${how} before the command's end was told`;
  };
  const settle = (stop?: EndingFacts["stop"]): void => {
    clearTimeout(hardLimit);
    clearTimeout(drain);
    terminal.close();
    signal.removeEventListener("abort", onAbort);
    connection.running.delete(token);
    channel.removeListener("data", onData);
    channel.stderr.removeListener("data", onData);
    if (!closed) leave(channel);
    facts.resolve({ exit, stop, lost: lostBecause(), outputNote: terminal.note() });
  };

  const stop = async (cause: StopCause): Promise<void> => {
    if (stopping || closed) return;
    if (order.detached) return settle();
    if (exit !== undefined) return settle(); // only a background child is left, which writes on
    stopping = true;
    const report: StopReport = await (windows ? stopOnWindows : stopCommand)({
      client: connection.client,
      channel,
      position: () => ({ index: [...connection.running].indexOf(token), count: connection.running.size }),
      stops: connection.stops,
      ended: ended.promise,
      limits,
    });
    if (report.kind !== "unverified") await within(closeMs, ended.promise);
    settle({ cause, report });
  };
  const onAbort = (): void => void stop({ kind: "cancelled", ...stopperIn(signal) });
  const hardLimit = setTimeout(() => void stop({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const terminal = watchTerminal(order.tty, channel, {
    quietMs: limits.quietMs,
    // A job has nobody to ask, and what is read here is its wrapper.
    onQuestion: (asks) => void (order.detached ? undefined : stop({ kind: "waiting-for-input", asks })),
    onPaged: () => order.onData(eraseLine),
  });

  /** A background child may hold the output open long after the command's own exit. */
  const armDrain = (): void => {
    clearTimeout(drain);
    drain = setTimeout(() => {
      if (!stopping) settle();
    }, limits.drainMs);
  };
  const onData = (chunk: Buffer): void => {
    order.onData(chunk);
    terminal.show(chunk);
    if (exit !== undefined && !closed) armDrain();
  };
  channel.on("data", onData);
  channel.stderr.on("data", order.onStderr ?? onData);
  channel.on("error", () => undefined); // 'close' follows and decides
  channel.on("exit", (code: number | null, signalName?: string) => {
    const told = code === null ? { signal: knownSignal(signalName) } : { code };
    exit = windows ? readWindowsExit(told) : told;
    connection.running.delete(token);
    armDrain();
  });
  // 'close' waits for the end of stdout only; stderr has its own.
  const streams = [channel, channel.stderr].map((stream) => new Promise((done) => stream.once("close", done)));
  void Promise.all(streams).then(() => {
    closed = true;
    ended.resolve();
    if (!stopping) settle();
  });
  // Nothing can hang on stdin: it ends at once. A terminal stays open, to leave pagers.
  if (!order.tty) channel.end();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return facts.promise;
}

/** Closes our side of a channel the server keeps open, and reads what still comes so that nothing stalls. */
function leave(channel: ClientChannel): void {
  channel.resume();
  channel.stderr.resume();
  channel.close();
}

/** The name is the server's word and ends up in our own comments: only what looks like a signal is one. */
const knownSignal = (name: string | undefined): string =>
  name !== undefined && /^(?:SIG)?[A-Z0-9]{1,10}$/.test(name) ? name : "unnamed";
