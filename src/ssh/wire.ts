import type { Client, ClientChannel, ExecOptions } from "ssh2";
import { reached } from "../crash-point.ts";

/**
 * Three things ssh2 1.17 does only inside: the moment an exec request is handed to the connection (without it a lost
 * connection could not be told apart from "never started"), signals on a channel whose stdin has ended, and how it reads
 * what a server says first.
 * The version is pinned, and test/ssh/wire.test.ts fails where an update moves them.
 */
interface InnerProtocol {
  exec: (channel: number, command: Buffer | string, wantReply: boolean) => void;
  signal: (channel: number, signal: string) => void;
  /** Reads from a position on and says how far it came; another takes its place after the identification. */
  _parse: (chunk: Buffer, from: number, length: number) => number;
  /** What is kept of an identification that is not whole yet. */
  _buffer: Uint8Array | undefined;
}

interface InnerClient {
  readonly _chanMgr: { readonly _channels: Readonly<Record<number, InnerChannel>> };
}

interface InnerChannel {
  /** Absent while the channel is being opened. */
  readonly outgoing?: { readonly id: number; readonly state: string };
  readonly close: () => void;
}

type Gate = () => boolean;

const gates = new WeakMap<Buffer, Gate>();
const gated = new WeakSet<InnerProtocol>();

export interface WireExec {
  readonly command: string;
  readonly options: ExecOptions;
  /** Asked once, just before the request goes out. False: the request is not sent and the channel is closed. */
  readonly maySend: Gate;
}

/** `client.exec` with a gate in front of the request. The callback's error says nothing of whether it was sent. */
export function execOnWire(
  client: Client,
  order: WireExec,
  callback: (error: Error | undefined, channel: ClientChannel | undefined) => void,
): void {
  const protocol = innerProtocol(client);
  if (!gated.has(protocol)) addGate(protocol, client as unknown as InnerClient);
  // The buffer is the ticket: ssh2 hands this very object on to the protocol, however many execs are under way.
  const command = Buffer.from(order.command, "utf8");
  gates.set(command, order.maySend);
  client.exec(command as unknown as string, order.options, callback);
}

function addGate(protocol: InnerProtocol, { _chanMgr: manager }: InnerClient): void {
  const send = protocol.exec.bind(protocol);
  protocol.exec = (channel, command, wantReply) => {
    const maySend = typeof command === "string" ? undefined : gates.get(command);
    if (maySend?.() !== false) {
      send(channel, command, wantReply);
      return reached("CP11");
    }
    // By the channel itself, which then knows that it closed: a second close would make sshd hang up on everybody.
    Object.values(manager._channels)
      .find(({ outgoing }) => outgoing?.id === channel)
      ?.close();
  };
  gated.add(protocol);
}

/** The most a server may say before its identification is whole: it is read anew with each piece. */
const maxGreeting = 65_536;

/**
 * Keeps all pieces of a slow server's identification. ssh2 keeps the first and forgets those between it and the last,
 * which ends as a signature that does not hold (F-28). To be called once, after `connect` and before anything is read.
 */
export function keepIdentification(client: Client): void {
  const protocol = innerProtocol(client);
  const read = protocol._parse;
  const readAll: InnerProtocol["_parse"] = (chunk, from, length) => {
    const before = protocol._buffer;
    const reached = read.call(protocol, chunk, from, length);
    if (protocol._parse !== readAll || before === undefined) return reached;
    if (before.length + length > maxGreeting) throw new Error("the greeting is too long");
    protocol._buffer = Buffer.concat([before, chunk.subarray(from, length)]);
    return reached;
  };
  protocol._parse = readAll;
}

/** Sends a signal to a running command; the public method does nothing once stdin has ended. */
export function signalOnWire(client: Client, channel: ClientChannel, signal: "TERM" | "KILL"): void {
  const { outgoing } = channel as unknown as InnerChannel;
  if (outgoing !== undefined && outgoing.state !== "closed") innerProtocol(client).signal(outgoing.id, signal);
}

const innerProtocol = (client: Client): InnerProtocol => (client as unknown as { _protocol: InnerProtocol })._protocol;
