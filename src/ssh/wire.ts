import { createSecretKey } from "node:crypto";
import type { OnReadOpts, Socket } from "node:net";
import type { Client, ClientChannel, ExecOptions } from "ssh2";
import { reached } from "../base/crash-point.ts";

/**
 * Private parts of ssh2 1.17: the moment a request is handed over (else a lost connection and "never started" look alike), signals after
 * stdin's end, the server's identification, the form of keys, and the socket of an ended connection. The version is pinned, and
 * test/ssh/wire.test.ts fails if an update moves them.
 */
interface InnerProtocol {
  exec: (channel: number, command: Buffer | string, wantReply: boolean) => void;
  signal: (channel: number, signal: string) => void;
  /** Returns how far it came; replaced after the identification. */
  _parse: (chunk: Buffer, from: number, length: number) => number;
  _buffer: Uint8Array | undefined;
  /** Replaced at the next key exchange. */
  readonly _cipher: Record<string, unknown>;
  readonly _decipher: Record<string, unknown>;
}

interface InnerClient {
  readonly _sock?: Pick<Socket, "destroy">;
  readonly _chanMgr: { readonly _channels: Readonly<Record<number, InnerChannel>> };
}

interface InnerChannel {
  /** Absent while it is being opened. */
  readonly outgoing?: { readonly id: number; readonly state: string };
  readonly close: () => void;
}

/** An unsent request on an open channel. */
export interface Departure {
  /** Must hold for `send`, because a closed channel's number may be another's by now. */
  readonly isOpen: () => boolean;
  /** Within this tick. */
  readonly send: () => void;
  /** The request is never sent. */
  readonly drop: () => void;
}

type ReadyListener = (departure: Departure) => void;

const waiting = new WeakMap<Buffer, ReadyListener>();
const gated = new WeakSet<InnerProtocol>();

export interface WireExec {
  readonly command: string;
  readonly options: ExecOptions;
  /** Called once; only the departure sends the request. */
  readonly onReady: ReadyListener;
}

type OnAnswer = (error: Error | undefined, channel: ClientChannel | undefined) => void;

/** Its commands start on this machine, without a connection. */
export interface WirelessClient {
  readonly exec: (order: WireExec, callback: OnAnswer) => void;
  /** The pid that leads the command's process group. */
  readonly leaderOf: (channel: ClientChannel) => number | undefined;
}

const wireless = new WeakMap<Client, WirelessClient>();

/** Makes a client start its commands itself. */
export const unwire = (client: Client, own: WirelessClient): void => void wireless.set(client, own);

/** The leading pid of a command on this machine; undefined for others. */
export const leaderHere = (client: Client, channel: ClientChannel): number | undefined =>
  wireless.get(client)?.leaderOf(channel);

/** `client.exec` that stops before the request. The callback's error does not say if it was sent. */
export function execOnWire(client: Client, order: WireExec, callback: OnAnswer): void {
  const own = wireless.get(client);
  if (own) {
    own.exec(order, callback);
    return;
  }
  const protocol = innerProtocol(client);
  if (!gated.has(protocol)) {
    const inner = client as unknown as InnerClient;
    const send = protocol.exec.bind(protocol);
    protocol.exec = (channel, command, wantReply) => {
      const own = Object.values(inner._chanMgr._channels).find(({ outgoing }) => outgoing?.id === channel);
      const departure: Departure = {
        isOpen: () => own?.outgoing?.state === "open",
        send: () => {
          send(channel, command, wantReply);
          reached("CP11");
        },
        // Closes the channel object too: a second close makes sshd end the whole connection.
        drop: () => own?.close(),
      };
      const onReady = typeof command === "string" ? undefined : waiting.get(command);
      if (onReady) onReady(departure);
      else departure.send();
    };
    gated.add(protocol);
  }
  // ssh2 passes on this very buffer, which identifies the request.
  const command = Buffer.from(order.command, "utf8");
  waiting.set(command, order.onReady);
  client.exec(command as unknown as string, order.options, callback);
}

/** ssh2 reads the whole identification again with each piece of it. */
const maxGreeting = 65_536;
const maxFirstWords = 4_096;

/**
 * Keeps all pieces of a slow identification, because ssh2 loses the middle ones, which ends as an invalid signature (F-28). Call it once,
 * after `connect` and before any data. Returns a function for the server's first words.
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

/** Their packets are decrypted into separate memory. */
const decrypted = new WeakSet<Client>();
/** ssh2 copies their data at once. */
const copied = new WeakSet<object>();

/**
 * Makes the keys Node's own objects: for keys in bytes Node 24 catches two exceptions per packet, which take longer than decryption. Call
 * it before the first key exchange.
 */
export function quicken(client: Client, socket: object): void {
  decrypted.add(client);
  client.on("handshake", () => {
    const { _cipher, _decipher } = innerProtocol(client);
    for (const keeper of [_cipher, _decipher])
      for (const [name, key] of Object.entries(keeper))
        if (name.includes("Key") && Buffer.isBuffer(key)) keeper[name] = createSecretKey(key);
    // Other ciphers, and ssh2's addon, keep a view of an incomplete packet.
    if (_decipher.constructor.name === "AESGCMDecipherNative") copied.add(socket);
    else copied.delete(socket);
  });
}

/** Several packets; untouched pages cost no memory. */
const readBytes = 128 * 1024;

/**
 * Makes a socket read into one buffer: with a new one per read V8 scans its whole memory every 64 MB. A reader that may keep the data gets
 * a copy.
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

/** Frees a chunk if it owns its memory. Chunks of OpenSSH's master share one read. */
export function letGoOf(client: Client, chunk: Uint8Array): void {
  if (decrypted.has(client)) letGo(chunk);
}

/** Frees a cipher's buffer without V8, unless it may be shared: Node gives out at most half of a shared one. */
export function letGo({ buffer, length }: Uint8Array): void {
  if (length > buffer.byteLength / 2 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Destroys the socket, because ssh2 leaves an ended connection to its server, which may have vanished. */
export const cutOff = (client: Client): void => void (client as unknown as InnerClient)._sock?.destroy();

/** Signals a command; ssh2's public method does nothing after stdin's end. */
export function signalOnWire(client: Client, channel: ClientChannel, signal: "TERM" | "KILL"): void {
  const leader = leaderHere(client, channel);
  if (leader !== undefined)
    try {
      process.kill(-leader, `SIG${signal}`);
    } catch {
      // It has ended; its channel reports that.
    }
  const { outgoing } = channel as unknown as InnerChannel;
  if (outgoing !== undefined && outgoing.state !== "closed") innerProtocol(client).signal(outgoing.id, signal);
}

const innerProtocol = (client: Client): InnerProtocol => (client as unknown as { _protocol: InnerProtocol })._protocol;
