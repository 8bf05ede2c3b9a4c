import type { ClientChannel } from "ssh2";
import { stopperIn } from "../base/run.ts";
import type { EndingFacts, Exit, StopCause } from "./ending.ts";
import type { SessionOrder } from "./session.ts";
import { type StopReport, stopCommand, within } from "./stop.ts";
import { watchTerminal } from "./terminal.ts";
import { readWindowsExit, saysWindows } from "./windows/exit.ts";
import { stopOnWindows } from "./windows/stop.ts";
import { letGoOf } from "./wire.ts";

/** As a terminal that can would do it: on others the next line of data is written over a pager's prompt and mixed with it. */
const eraseLine = Buffer.from("\r\x1b[K");

/** After a verified end the server closes the channel at once; a surviving child may keep it open for ever. */
const closeMs = 1_000;

/**
 * Follows a command that has started to its end: reads both streams, ends it when the signal or the hard limit says
 * so. Sets its listeners before it returns. Never rejects.
 */
export function follow(order: SessionOrder, channel: ClientChannel, token: symbol): Promise<EndingFacts> {
  const { connection, limits, signal, hardTimeoutMs } = order;
  const facts = Promise.withResolvers<EndingFacts>();
  let exit: Exit | undefined;
  let [closed, stopping] = [false, false];
  /** From the command's own exit on, since the last output: a background child may hold it open for long. */
  let drain: NodeJS.Timeout | undefined;

  const settle = (stop?: EndingFacts["stop"]): void => {
    if (stopping && stop === undefined) return; // what comes of the stop is told with the end
    clearTimeout(hardLimit);
    clearTimeout(drain);
    terminal.close();
    signal.removeEventListener("abort", onAbort);
    connection.running.delete(token);
    if (!closed) leave(channel, onData);
    facts.resolve({ exit, stop, lost: whyLost(order, { exit, closed }), outputNote: terminal.note() });
  };
  const ended = closeOf(channel).then(() => {
    closed = true;
    settle();
  });

  const stop = async (cause: StopCause): Promise<void> => {
    if (stopping || closed) return;
    // After its exit only a background child is left, which writes on.
    if (order.detached || exit !== undefined) return settle();
    stopping = true;
    settle({ cause, report: await end(order, channel, { token, ended }) });
  };
  const onAbort = (): void => void stop({ kind: "cancelled", ...stopperIn(signal) });
  const hardLimit = setTimeout(() => void stop({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const terminal = watchTerminal(order.tty, channel, {
    quietMs: limits.quietMs,
    // A job has nobody to ask, and what is read here is its wrapper.
    onQuestion: (asks) => void (order.detached ? undefined : stop({ kind: "waiting-for-input", asks })),
    onPaged: () => order.onData(eraseLine),
  });

  const onData = (chunk: Buffer): void => {
    order.onData(chunk);
    terminal.show(chunk);
    letGoOf(connection.client, chunk);
    if (!closed) drain?.refresh();
  };
  channel.on("data", onData);
  channel.stderr.on("data", order.onStderr ?? onData);
  channel.on("error", () => undefined); // 'close' follows and decides
  channel.on("exit", (code: number | null, signalName?: string) => {
    exit = exitOf(order, code === null ? { signal: knownSignal(signalName) } : { code });
    connection.running.delete(token);
    clearTimeout(drain);
    drain = setTimeout(settle, limits.drainMs);
  });
  // Nothing can hang on stdin: it ends at once. A terminal stays open, to leave pagers.
  if (!order.tty) channel.end();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return facts.promise;
}

/** Ends the command on the server, and waits a moment for the channel to close where it is gone for sure. */
async function end(
  order: SessionOrder,
  channel: ClientChannel,
  { token, ended }: { readonly token: symbol; readonly ended: Promise<void> },
): Promise<StopReport> {
  const { client, running, stops } = order.connection;
  const position = () => ({ index: [...running].indexOf(token), count: running.size });
  const stop = isWindows(order) ? stopOnWindows : stopCommand;
  const report = await stop({ client, channel, position, stops, ended, limits: order.limits });
  if (report.kind !== "unverified") await within(closeMs, ended);
  return report;
}

const isWindows = ({ windows, connection }: SessionOrder): boolean =>
  windows === true || saysWindows(connection.client);

const exitOf = (order: SessionOrder, told: Exit): Exit => (isWindows(order) ? readWindowsExit(told) : told);

/** 'close' waits for the end of stdout only; stderr has its own. */
const closeOf = (channel: ClientChannel): Promise<unknown> =>
  Promise.all([channel, channel.stderr].map((stream) => new Promise((done) => stream.once("close", done))));

function whyLost(
  { connection, serverName }: SessionOrder,
  { exit, closed }: { readonly exit: Exit | undefined; readonly closed: boolean },
): string | undefined {
  if (exit !== undefined || !closed) return undefined;
  const why = connection.closedBecause();
  const how =
    why === undefined ? `${serverName} closed the session` : `the connection to ${serverName} was lost (${why})`;
  return `${how} before the command's end was told`;
}

/** Closes our side of a channel the server keeps open, and reads what still comes so that nothing stalls. */
function leave(channel: ClientChannel, onData: (chunk: Buffer) => void): void {
  channel.removeListener("data", onData);
  channel.stderr.removeListener("data", onData);
  channel.resume();
  channel.stderr.resume();
  channel.close();
}

/** The name is the server's word and ends up in our own comments: only what looks like a signal is one. */
const knownSignal = (name: string | undefined): string =>
  name !== undefined && /^(?:SIG)?[A-Z0-9]{1,10}$/.test(name) ? name : "unnamed";
