import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import net, { type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import ssh2, { type Client } from "ssh2";
import { messageOf, refuse } from "../base/errors.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import { makePrivateFolder, needsTemporaryFolder, removePrivateFolder } from "../base/private-folder.ts";
import type { Server } from "../base/server.ts";
import type { DialResult } from "./dial.ts";
import { type DialTarget, networkFailure, otherProtocol, type SshFailure } from "./failure.ts";
import { knownHostsFiles } from "./keys/host-keys.ts";
import type { SystemLogin } from "./keys/identity.ts";
import type { SshLimits } from "./limits.ts";
import { quote } from "./wrap.ts";

interface OpensshOrder {
  readonly server: Server;
  readonly login: SystemLogin;
  readonly limits: SshLimits;
  readonly tunnel: Duplex | undefined;
}

/**
 * Opens a connection with the system's ssh, which knows certificates, FIDO keys and newer key exchanges (backend `openssh`). ssh verifies
 * the host key and logs in; if that fails, nothing was run. Never throws.
 */
export async function connectOpenssh(order: OpensshOrder): Promise<DialResult> {
  const { server, limits, tunnel } = order;
  let folder: string | undefined;
  const leave = (): void => {
    tunnel?.destroy();
    if (folder !== undefined) removePrivateFolder(folder);
  };
  try {
    folder = makePrivateFolder("ssh");
    if (server.hostKey !== undefined) {
      const key = server.hostKey.trim().split(/\s+/).slice(0, 2).join(" ");
      writeFileSync(join(folder, "known_hosts"), `${pinnedName} ${key}\n`);
    }
    if (order.login.kind === "certificate") {
      writeFileSync(join(folder, "key"), order.login.privateKey, { mode: 0o600 });
      if (order.login.certificate !== undefined)
        writeFileSync(join(folder, "certificate"), `${order.login.certificate}\n`);
    }
    const proxyCommand = tunnel === undefined ? undefined : await offerWay(tunnel, join(folder, "way"));
    const args = masterArguments({ ...order, folder, proxyCommand });
    const { exit, log } = await runSsh(args, limits.connectMs + limits.handshakeMs);
    const { hostKey = "", failure } = readSshLog(server, log);
    const master = join(folder, "master");
    const noSsh = refuse(
      `${server.name} wants the backend openssh, and there is no program ssh here`,
      "install OpenSSH's client, or write `backend: ssh2`",
    );
    const dialled: DialResult =
      exit === 0
        ? await borrow(order, master, hostKey)
        : exit === "not-there"
          ? { ...noSsh, transient: false }
          : { ok: false, ...failure };
    if (dialled.ok) dialled.connection.client.once("close", () => endMaster(master, leave));
    else if (exit === 0) endMaster(master, leave);
    else leave();
    return dialled;
  } catch (thrown) {
    leave();
    const reason = `ssh cannot be prepared for ${server.name}: ${messageOf(thrown)}`;
    return { ...refuse(reason, needsTemporaryFolder()), transient: false };
  }
}

/** A server's banner may have any length. */
const maxLogCharacters = 65_536;

/**
 * Resolves when ssh has logged in (0: its master stays) or failed. The environment is bare, because an ssh_config may pass it to a server
 * or a program.
 */
function runSsh(
  args: readonly string[],
  timeoutMs: number,
): Promise<{ exit: number | null | "not-there"; log: string }> {
  return new Promise<{ exit: number | null | "not-there"; log: string }>((resolve) => {
    const path = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin";
    const child = withPipes(
      spawn("ssh", args, { stdio: ["ignore", "ignore", "pipe"], env: { PATH: path }, timeout: timeoutMs }),
    );
    let log = "";
    child.stderr.setEncoding("latin1").on("data", (text: string) => {
      if (log.length < maxLogCharacters) log += text;
    });
    child.once("error", () => resolve({ exit: "not-there", log }));
    child.once("close", (code, signal) =>
      resolve({ exit: code, log: signal === null ? log : `${log}\nConnection timed out` }),
    );
  }).catch((thrown: unknown) => ({ exit: null, log: messageOf(thrown) }));
}

function borrow({ server, limits }: OpensshOrder, master: string, hostKey: string): Promise<DialResult> {
  const socket = net.connect(master);
  let closedBecause: string | undefined;
  // Before ssh2's own listeners, which report a lost handshake.
  for (const sign of ["error", "end", "close"])
    socket.once(sign, () => {
      closedBecause ??= "its ssh ended";
    });
  const client = createMuxClient(socket, limits.handshakeMs);
  return new Promise((resolve) => {
    client.on("error", () => {
      socket.destroy(); // 'close' follows and decides
    });
    client.once("close", () => resolve({ ok: false, ...networkFailure(server, "ECONNRESET") }));
    client.once("ready", () =>
      resolve({ ok: true, connection: { client, hostKey, provedAt: Date.now(), closedBecause: () => closedBecause } }),
    );
  });
}

function endMaster(master: string, then: () => void): void {
  const socket = net.connect(master, () => socket.write(Buffer.concat([hello(), frame(message.terminate, 0)])));
  socket.resume();
  socket.setTimeout(1_000, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.once("close", then);
}

/**
 * Lets one local program into the tunnel. Returns its command line, which ssh gives to the account's shell: Node, the only program sure to
 * be there.
 */
function offerWay(tunnel: Duplex, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => {
      server.close();
      socket.on("error", () => tunnel.destroy());
      tunnel.on("error", () => socket.destroy());
      tunnel.once("close", () => socket.destroy());
      socket.pipe(tunnel).pipe(socket);
    });
    server.once("error", reject);
    tunnel.once("close", () => server.close());
    const program = 'const s=require("node:net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)';
    const command = [process.execPath, "-e", program, path].map(quote).join(" ");
    server.listen(path, () => resolve(escaped(command)));
  });
}

interface MasterOrder extends Omit<OpensshOrder, "tunnel"> {
  /** Private; holds `master`, `known_hosts` if the inventory pins a key, and a certificate's key. */
  readonly folder: string;
  /** Leads to the server through the jump host. */
  readonly proxyCommand: string | undefined;
}

/** How long a master outlives its client, for example a dead bot. */
const lingerS = 5;

/**
 * Makes ssh open a connection and do nothing else (SR-51, SR-52). The command line wins over config files, and without `ssh_config` none is
 * read. Pure.
 */
function masterArguments(order: MasterOrder): readonly string[] {
  const { server, login, limits, folder, proxyCommand } = order;
  const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
  const knownHosts = server.hostKey === undefined ? knownHostsFiles(server) : [join(folder, "known_hosts")];
  const options: Readonly<Record<string, string | number | undefined>> = {
    HostName: server.host,
    Port: server.port,
    User: server.user,
    ControlPersist: lingerS,
    LogLevel: "DEBUG1",
    BatchMode: "yes",
    StrictHostKeyChecking: "yes",
    UserKnownHostsFile: knownHosts.map(quoted).join(" "),
    GlobalKnownHostsFile: "/dev/null",
    KnownHostsCommand: "none",
    HostKeyAlias: server.hostKey === undefined ? server.hostKeyAlias : pinnedName,
    NoHostAuthenticationForLocalhost: "no",
    VerifyHostKeyDNS: "no",
    CheckHostIP: "no",
    UpdateHostKeys: "no",
    PreferredAuthentications: "publickey",
    PasswordAuthentication: "no",
    KbdInteractiveAuthentication: "no",
    HostbasedAuthentication: "no",
    ForwardAgent: "no",
    ForwardX11: "no",
    ClearAllForwardings: "yes",
    Tunnel: "no",
    PermitLocalCommand: "no",
    RequestTTY: "no",
    RemoteCommand: "none",
    ConnectTimeout: seconds(limits.connectMs),
    ConnectionAttempts: 1,
    ServerAliveInterval: seconds(limits.keepaliveMs),
    ServerAliveCountMax: limits.keepaliveCount,
    ProxyCommand: proxyCommand,
    ...(login.kind === "agent"
      ? { IdentityAgent: quoted(login.socket) }
      : {
          IdentityFile: quoted(login.kind === "certificate" ? join(folder, "key") : login.file),
          CertificateFile:
            login.kind === "certificate" && login.certificate !== undefined
              ? quoted(join(folder, "certificate"))
              : undefined,
          IdentitiesOnly: "yes",
          IdentityAgent: "none",
        }),
  };
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : ["-o", `${name}=${value}`],
  );
  const { file, host } = server.sshConfig ?? { file: "none", host: server.host };
  return ["-F", file, "-N", "-M", "-S", escaped(join(folder, "master")), ...flags, "--", host];
}

/** `host_key` pins the key for any address. */
const pinnedName = "pinned";

/** ssh expands `%` in its options. */
const escaped = (path: string): string => path.replaceAll("%", "%%");
const quoted = (path: string): string => `"${escaped(path)}"`;

/** Read from ssh's log at DEBUG1. */
interface SshLog {
  /** Proven, or shown and refused. */
  readonly hostKey: string | undefined;
  readonly failure: SshFailure;
}

const loginRefused = /Permission denied|Too many authentication failures|No more authentication methods/;

interface Sign {
  readonly says: RegExp;
  readonly means: (server: DialTarget, hostKey: string) => Omit<SshFailure, "transient">;
  readonly identity?: boolean;
}

const network = (code: string) => (server: DialTarget) => networkFailure(server, code);

/** ssh reports failures only as text. The first match counts. */
const signs: readonly Sign[] = [
  {
    says: /REVOKED HOST KEY|is revoked/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host key of ${name} is revoked: it shows ${hostKey}; nothing was sent`,
      remedy: "give the server a new host key and pin that one",
    }),
  },
  {
    says: /Certificate invalid|[Cc]ertificate (?:has expired|is not yet valid)|not a valid (?:host )?certificate/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host certificate of ${name} is not valid (${hostKey}); nothing was sent`,
      remedy:
        "look at its principals and dates: ssh-keygen -L -f /etc/ssh/ssh_host_*-cert.pub; `host_key_alias` names the principal",
    }),
  },
  {
    says: /HOST IDENTIFICATION HAS CHANGED|Host key verification failed|host key is known for/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host key of ${name} is not one we know: it shows ${hostKey}; nothing was sent`,
      remedy:
        "if the change is meant, compare it on the server's console (ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub) and " +
        "replace it in the known_hosts file; if not, somebody may be in between",
    }),
  },
  {
    says: /signing failed|agent refused operation|device not found|incorrect passphrase supplied/,
    means: ({ name }) => ({
      reason: `the key for ${name} could not sign the login`,
      remedy:
        "a FIDO key must be plugged in and need no touch (no-touch-required); an agent must hold the key unlocked",
    }),
  },
  {
    says: loginRefused,
    identity: true,
    means: ({ name, signer }) =>
      signer
        ? {
            reason: `${name} refused the signer's certificate`,
            remedy: `set it up as \`countersign signer setup ${name}\` prints it, and compare the clocks and \`signing.source_addresses\``,
          }
        : {
            reason: `${name} refused our login: it does not accept this key for the account in the inventory`,
            remedy: "add the public key or its authority to that account, or correct `user` or `key_file`",
          },
  },
  {
    says: /Unable to negotiate|no matching/,
    means: ({ name }) => ({
      reason: `${name} and our ssh have no algorithm in common`,
      remedy: "update its sshd, or allow its algorithms in an ssh_config named by `ssh_config`",
    }),
  },
  {
    says: /[Bb]ad configuration option|terminating, \d+ bad configuration|Can't open user config/,
    means: ({ name }) => ({
      reason: `ssh does not take the options for ${name}`,
      remedy: "check the file named by `ssh_config`, and that OpenSSH is 8.7 or newer: ssh -V",
    }),
  },
  { says: /Name or service not known|nodename nor servname|Could not resolve/, means: network("ENOTFOUND") },
  { says: /Connection refused/, means: network("ECONNREFUSED") },
  { says: /No route to host/, means: network("EHOSTUNREACH") },
  { says: /Network is unreachable/, means: network("ENETUNREACH") },
  { says: /timed out/, means: network("ETIMEDOUT") },
];

function readSshLog(server: DialTarget, log: string): SshLog {
  const hostKey = /^debug1: Server host (?:key|certificate): \S+ (SHA256:[A-Za-z0-9+/]+)/m.exec(log)?.[1];
  const sign = signs.find(({ says }) => says.test(log));
  // ssh logs the lines before the identification; of other protocols the first.
  const banner = /^debug1: kex_exchange_identification: banner line 0: (.*)/m.exec(log)?.[1] ?? "";
  const other = hostKey === undefined && !/^debug1: Remote protocol version/m.test(log);
  const failure =
    (other ? otherProtocol(server, banner) : undefined) ??
    (sign?.means ?? network("ECONNRESET"))(server, hostKey ?? "a key that was not told");
  const transient = hostKey === undefined && "transient" in failure && failure.transient === true;
  const isRefused = sign?.says === loginRefused && hostKey !== undefined;
  const { reason, remedy } = failure;
  return {
    hostKey,
    failure: { reason, remedy, transient, identity: sign?.identity ?? false, ...(isRefused && { refusedBy: hostKey }) },
  };
}

/**
 * OpenSSH's master lends its connection over a socket (PROTOCOL.mux, "proxy"): each frame is an unencrypted SSH packet. ssh2 gets this
 * framing instead of its handshake. Parts of ssh2 1.17 are private: the version is pinned, and test/ssh/openssh/connect.long.test.ts fails
 * if an update moves them.
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
/** OpenSSH's own limit. */
const maxFrameBytes = 256 * 1024;

/** Emits 'ready' when the master agrees, 'error' if it does not, 'close' at its end. */
function createMuxClient(socket: Socket, readyTimeoutMs: number): Client {
  const client = new ssh2.Client();
  // The master watches the connection itself and refuses global requests such as ssh2's keepalive.
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
