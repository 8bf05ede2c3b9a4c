import { createSecretKey } from "node:crypto";
import type { OnReadOpts, Socket } from "node:net";
import type { Client, ClientChannel, ExecOptions } from "ssh2";
import { reached } from "../base/crash-point.ts";

/**
 * Five things ssh2 1.17 does only inside: the moment an exec request is handed to the connection (without it a lost
 * connection could not be told apart from "never started"), signals on a channel whose stdin has ended, how it reads
 * what a server says first, in which form it keeps its keys, and the socket of a connection that it has ended.
 * The version is pinned, and test/ssh/wire.test.ts fails if an update moves them.
 */
interface InnerProtocol {
  exec: (channel: number, command: Buffer | string, wantReply: boolean) => void;
  signal: (channel: number, signal: string) => void;
  /** Reads from a position on and says how far it came; another takes its place after the identification. */
  _parse: (chunk: Buffer, from: number, length: number) => number;
  /** What is kept of an identification that is not whole yet. */
  _buffer: Uint8Array | undefined;
  /** Of the current keys, until the next key exchange. */
  readonly _cipher: Record<string, unknown>;
  readonly _decipher: Record<string, unknown>;
}

interface InnerClient {
  readonly _sock?: Pick<Socket, "destroy">;
  readonly _chanMgr: { readonly _channels: Readonly<Record<number, InnerChannel>> };
}

interface InnerChannel {
  /** Absent while the channel is being opened. */
  readonly outgoing?: { readonly id: number; readonly state: string };
  readonly close: () => void;
}

/** A request that is ready to leave: its channel is open, and nothing has been sent. */
export interface Departure {
  /** Whether its channel is still open. Without that, nothing may be sent: its number may be another channel's by now. */
  readonly isOpen: () => boolean;
  /** Hands the request to the connection, within this very tick. */
  readonly send: () => void;
  /** Closes the channel; the request is never sent. */
  readonly drop: () => void;
}

type ReadyListener = (departure: Departure) => void;

const waiting = new WeakMap<Buffer, ReadyListener>();
const gated = new WeakSet<InnerProtocol>();

export interface WireExec {
  readonly command: string;
  readonly options: ExecOptions;
  /** Called once, when only the request itself is left to be sent. It leaves when, and only if, the departure says so. */
  readonly onReady: ReadyListener;
}

type OnAnswer = (error: Error | undefined, channel: ClientChannel | undefined) => void;

/** What a client does by itself that has no connection: its commands start on this machine. */
export interface WirelessClient {
  /** As `execOnWire`. */
  readonly exec: (order: WireExec, callback: OnAnswer) => void;
  /** The process that leads the group of a channel's command. */
  readonly leaderOf: (channel: ClientChannel) => number | undefined;
}

const wireless = new WeakMap<Client, WirelessClient>();

/** Has a client start its commands by itself. */
export const unwire = (client: Client, own: WirelessClient): void => void wireless.set(client, own);

/** The leading process of a command that runs on this machine; undefined for any other. */
export const leaderHere = (client: Client, channel: ClientChannel): number | undefined =>
  wireless.get(client)?.leaderOf(channel);

/** `client.exec` that stops in front of the request. The callback's error says nothing of whether it was sent. */
export function execOnWire(client: Client, order: WireExec, callback: OnAnswer): void {
  const own = wireless.get(client);
  if (own) {
    own.exec(order, callback);
    return;
  }
  const protocol = innerProtocol(client);
  if (!gated.has(protocol)) addGate(protocol, client as unknown as InnerClient);
  // The buffer is the ticket: ssh2 hands this very object on to the protocol, however many execs are under way.
  const command = Buffer.from(order.command, "utf8");
  waiting.set(command, order.onReady);
  client.exec(command as unknown as string, order.options, callback);
}

function addGate(protocol: InnerProtocol, { _chanMgr: manager }: InnerClient): void {
  const send = protocol.exec.bind(protocol);
  protocol.exec = (channel, command, wantReply) => {
    const own = Object.values(manager._channels).find(({ outgoing }) => outgoing?.id === channel);
    const departure: Departure = {
      isOpen: () => own?.outgoing?.state === "open",
      send: () => {
        send(channel, command, wantReply);
        reached("CP11");
      },
      // By the channel itself, which then knows that it closed: a second close would make sshd hang up on everybody.
      drop: () => own?.close(),
    };
    const onReady = typeof command === "string" ? undefined : waiting.get(command);
    if (onReady) onReady(departure);
    else departure.send();
  };
  gated.add(protocol);
}

/** The most a server may say before its identification is whole: it is read again with each piece. */
const maxGreeting = 65_536;
/** Enough to tell SSH from other protocols. */
const maxFirstWords = 4_096;

/**
 * Keeps all pieces of a slow server's identification. ssh2 keeps the first and forgets those between it and the last,
 * which ends as a signature that does not hold (F-28). To be called once, after `connect` and before anything is read.
 * Returns a function that returns the server's first words.
 */
export function keepIdentification(client: Client): () => string {
  const protocol = innerProtocol(client);
  const read = protocol._parse;
  let firstWords = "";
  const readAll: InnerProtocol["_parse"] = (chunk, from, length) => {
    if (firstWords.length < maxFirstWords)
      firstWords += chunk.subarray(from, from + Math.min(length, maxFirstWords)).toString("latin1");
    const before = protocol._buffer;
    const reached = read.call(protocol, chunk, from, length);
    if (protocol._parse !== readAll || before === undefined) return reached;
    if (before.length + length > maxGreeting) throw new Error("the greeting is too long");
    protocol._buffer = Buffer.concat([before, chunk.subarray(from, length)]);
    return reached;
  };
  protocol._parse = readAll;
  return () => firstWords;
}

/** Connections whose packets ssh2 decrypts into separate memory. */
const decrypted = new WeakSet<Client>();
/** Sockets whose data ssh2 copies as soon as it reads it. */
const copied = new WeakSet<object>();

/**
 * Makes ready for long outputs what ssh2 does with each packet. Its keys become Node's own objects: of bytes Node 24 finds out by two
 * exceptions that they are none, which takes longer than to decrypt the packet. To be called before the first keys are exchanged.
 */
export function quicken(client: Client, socket: object): void {
  decrypted.add(client);
  client.on("handshake", () => {
    const { _cipher, _decipher } = innerProtocol(client);
    for (const keeper of [_cipher, _decipher])
      for (const [name, key] of Object.entries(keeper))
        if (name.includes("Key") && Buffer.isBuffer(key)) keeper[name] = createSecretKey(key);
    // Of a packet under the others, or in ssh2's addon, a view is kept until the rest of it has come.
    if (_decipher.constructor.name === "AESGCMDecipherNative") copied.add(socket);
    else copied.delete(socket);
  });
}

/** Several packets, so that few come in two halves. Of pages that no read reaches no memory is taken. */
const readBytes = 128 * 1024;

/**
 * Has a socket read into one buffer over and over: with a new one for each read, V8 looks through all of its memory every 64 MB.
 * A reader that may keep the data gets a copy.
 */
export const readInPlace = (socketOf: () => Socket): OnReadOpts => ({
  buffer: Buffer.allocUnsafeSlow(readBytes),
  callback: (count, buffer) => {
    const socket = socketOf();
    const read = buffer.subarray(0, count);
    const goesThrough = socket.readableFlowing === true && socket.readableLength === 0;
    if (!goesThrough || !copied.has(socket)) return socket.push(Buffer.from(read));
    socket.emit("data", read);
    return true;
  },
});

/** Frees a chunk of output if its memory is its own. Chunks of OpenSSH's master share one read with the next. */
export function letGoOf(client: Client, chunk: Uint8Array): void {
  if (decrypted.has(client)) letGo(chunk);
}

/**
 * Frees the memory of a buffer that a cipher made and that is not read any more, without waiting for V8. A buffer that may be shared
 * stays: Node never gives out more than half of one.
 */
export function letGo({ buffer, length }: Uint8Array): void {
  if (length > buffer.byteLength / 2 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Cuts a connection off: ssh2 leaves one that it has ended to its server, which may have vanished. */
export const cutOff = (client: Client): void => void (client as unknown as InnerClient)._sock?.destroy();

/** Sends a signal to a running command; the public method does nothing once stdin has ended. */
export function signalOnWire(client: Client, channel: ClientChannel, signal: "TERM" | "KILL"): void {
  const leader = leaderHere(client, channel);
  if (leader !== undefined) signalGroup(leader, signal);
  const { outgoing } = channel as unknown as InnerChannel;
  if (outgoing !== undefined && outgoing.state !== "closed") innerProtocol(client).signal(outgoing.id, signal);
}

function signalGroup(leader: number, signal: "TERM" | "KILL"): void {
  try {
    process.kill(-leader, `SIG${signal}`);
  } catch {
    // It has ended; its channel reports that.
  }
}

const innerProtocol = (client: Client): InnerProtocol => (client as unknown as { _protocol: InnerProtocol })._protocol;
