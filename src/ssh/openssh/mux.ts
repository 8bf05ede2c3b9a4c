import type { Socket } from "node:net";
import ssh2, { type Client } from "ssh2";

/**
 * The sessions of a connection that the system's ssh made. OpenSSH's master lends its connection over a socket
 * (PROTOCOL.mux, "proxy"): each frame there is an SSH packet that needs no encryption. ssh2 speaks these packets, so
 * a client gets this framing in place of its own handshake; what runs on it is then the same for both backends.
 * Parts of ssh2 1.17 are private: the version is pinned, and test/ssh/openssh/connect.long.test.ts fails where an update moves them.
 */
interface InnerProtocol {
  start: () => void;
  parse: (chunk: Buffer) => void;
  _cipher: {
    readonly outSeqno: number;
    readonly allocPacket: (payloadBytes: number) => Buffer;
    readonly encrypt: (packet: Buffer) => void;
    readonly free: () => void;
  };
  _authenticated: boolean;
  readonly _onPayload: (payload: Buffer) => void;
  readonly _handlers: { readonly USERAUTH_SUCCESS: (protocol: InnerProtocol) => void };
}

const message = { hello: 1, terminate: 0x1000_0005, proxy: 0x1000_000f, proxyGranted: 0x8000_000f } as const;
const muxVersion = 4;
/** OpenSSH's own limit for a packet. */
const maxFrameBytes = 256 * 1024;

/** What to write to a master so that it ends its connection. */
export const terminateRequest = (): Buffer => Buffer.concat([hello(), frame(message.terminate, 0)]);

/**
 * Makes a client of a socket to a master. 'ready' comes when the master has agreed; a master that does not is an
 * 'error', and its end is 'close', as with any connection.
 */
export function createMuxClient(socket: Socket, readyTimeoutMs: number): Client {
  const client = new ssh2.Client();
  // The master watches the connection itself, and refuses global requests such as ssh2's keepalive.
  client.connect({ sock: socket, username: "", readyTimeout: readyTimeoutMs, keepaliveInterval: 0 });
  const protocol = (client as unknown as { readonly _protocol: InnerProtocol })._protocol;

  protocol._cipher = {
    outSeqno: 0,
    allocPacket: (payloadBytes) => {
      const packet = Buffer.allocUnsafe(5 + payloadBytes);
      packet.writeUInt32BE(1 + payloadBytes, 0);
      packet[4] = 0; // no padding
      return packet;
    },
    encrypt: (packet) => void socket.write(packet),
    free: () => undefined,
  };
  protocol.start = () => void socket.write(Buffer.concat([hello(), frame(message.proxy, 0)]));

  let receive = (body: Buffer): void => {
    const type = body.readUInt32BE(0);
    if (type === message.hello && body.readUInt32BE(4) === muxVersion) return;
    if (type !== message.proxyGranted) throw new Error("ssh does not lend its connection");
    receive = (packet) => protocol._onPayload(packet.subarray(1));
    protocol._authenticated = true;
    protocol._handlers.USERAUTH_SUCCESS(protocol);
  };
  let rest: Buffer = Buffer.alloc(0);
  protocol.parse = (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0);
      if (length < 2 || length > maxFrameBytes) throw new Error("ssh sent a frame that is none");
      if (rest.length < 4 + length) return;
      const body = rest.subarray(4, 4 + length);
      rest = rest.subarray(4 + length);
      receive(body);
    }
  };
  return client;
}

const hello = (): Buffer => frame(message.hello, muxVersion);

function frame(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  bytes.writeUInt32BE(4 * numbers.length, 0);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 + 4 * index);
  return bytes;
}
