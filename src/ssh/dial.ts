import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import net from "node:net";
import { PassThrough, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import ssh2, {
  type Client,
  type ClientChannel,
  type ConnectConfig,
  type ParsedKey,
  type PublicKeyAuthMethod,
} from "ssh2";
import { backoffMs } from "../base/clock.ts";
import { reached } from "../base/crash-point.ts";
import { messageOf, type Refusal, refuse } from "../base/errors.ts";
import { machineOf, whereWeAre } from "../base/host/machine.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import type { LocalMachine, Server } from "../base/server.ts";
import { networkFailure, otherProtocol, plainReason, type SshFailure } from "./failure.ts";
import { nameProblem } from "./inventory.ts";
import {
  fingerprint,
  type HostKeys,
  hostKeyAlgorithms,
  judgeHostKey,
  loadHostKeys,
  machinePin,
} from "./keys/host-keys.ts";
import { type Identity, loadIdentity, loadSystemLogin, type SystemLogin } from "./keys/identity.ts";
import type { SshLimits } from "./limits.ts";
import { connectOpenssh } from "./openssh.ts";
import { keepIdentification, quicken, readInPlace, unwire } from "./wire.ts";

export interface SshConnection {
  readonly client: Client;
  /** Fingerprint of the proven key. */
  readonly hostKey: string;
  /** In ms since the epoch. */
  readonly provedAt: number;
  /** Undefined while it is open. */
  readonly closedBecause: () => string | undefined;
}

export type DialResult = { readonly ok: true; readonly connection: SshConnection } | ({ ok: false } & SshFailure);

export interface DialOrder {
  readonly server: Server;
  /** The jump host's connection. */
  readonly through: Client | undefined;
  readonly agentSocket: string | undefined;
  /** For a server with a signer; else its own key or agent. */
  readonly login?: SystemLogin | undefined;
  readonly limits: SshLimits;
  /** Limits concurrent handshakes. */
  readonly inTurn: <T>(handshake: () => Promise<T>) => Promise<T>;
}

/** Opens and verifies one connection (SR-51, SR-52, RR-13). Retries only before the server has shown its host key. Never throws. */
export async function dial(order: DialOrder): Promise<DialResult> {
  const { server } = order;
  const names = nameProblem(server);
  if (names) return { ...names, transient: false };
  if (server.local) return connectHere(server, server.local);
  const keys = loadHostKeys(server);
  if (!keys.ok) return { ...keys, transient: false };
  const connect = prepare(order, keys);
  if (!connect.ok) return { ...connect, transient: false };

  for (let attempt = 1; ; attempt++) {
    const dialled = await order.inTurn(connect.once);
    if (dialled.ok || !dialled.transient || attempt === order.limits.dialAttempts) return dialled;
    await sleep(backoffMs(attempt - 1, { baseMs: order.limits.retryBaseMs / 2, spread: 2 }));
  }
}

/**
 * Makes a client whose commands start here, if this is the inventory's machine and account. A shell runs each command line in its own
 * process group, as under sshd. The client has only the members in use. Never throws.
 */
function connectHere(server: Server, local: LocalMachine): DialResult {
  const elsewhere = whyElsewhere(server, local);
  if (elsewhere) return { ...elsewhere, transient: false, identity: true };
  const { user, path } = server;
  const { home } = whereWeAre();
  // The bot's own environment holds secrets.
  const environment = {
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/sh",
    PATH: path,
    COUNTERSIGN_DIR: local.jobsFolder,
  };
  const leaders = new WeakMap<ClientChannel, number>();
  const open = new Set<ClientChannel>();
  let closed = false;
  const begin = (command: string): ClientChannel => {
    const { channel, pid } = startChannel(command, { environment, folder: home });
    open.add(channel);
    channel.once("close", () => open.delete(channel));
    if (pid !== undefined) leaders.set(channel, pid);
    return channel;
  };
  const end = (): void => {
    if (closed) return;
    closed = true;
    for (const channel of open) channel.close();
    client.emit("close");
  };
  const exec = (command: string, callback: (error: undefined, channel: ClientChannel) => void): void => {
    if (closed) throw new Error("Not connected");
    callback(undefined, begin(command));
  };
  const client = Object.assign(new EventEmitter(), { exec, end, destroy: end }) as unknown as Client;
  unwire(client, {
    exec: ({ command, onReady }, callback) => {
      if (closed) throw new Error("Not connected");
      const send = (): void => {
        callback(undefined, begin(command));
        reached("CP11");
      };
      onReady({ isOpen: () => !closed && whyElsewhere(server, local) === undefined, send, drop: () => undefined });
    },
    leaderOf: (channel) => leaders.get(channel),
  });

  return {
    ok: true,
    connection: {
      client,
      hostKey: machinePin(local),
      provedAt: Date.now(),
      closedBecause: () => (closed ? "the bot closed it" : undefined),
    },
  };
}

function whyElsewhere({ name, host, user }: Server, { jobsFolder, machine }: LocalMachine): Refusal | undefined {
  const here = whereWeAre();
  if (here.host !== host || here.user !== user)
    return refuse(
      `this runner is ${here.user} on ${here.host}, and ${name} is ${user} on ${host}; nothing was run`,
      "start the runner there, or correct `host` and `user`",
    );
  const found = machineOf(jobsFolder);
  if (found === machine) return undefined;
  return refuse(
    `the jobs of ${name} in ${jobsFolder} are ${found === undefined ? "gone" : `those of ${found}`}, not of ${machine}; nothing was run`,
    "restart the bot, or correct `jobs_folder` and `machine`; what was approved before must be proposed again",
  );
}

/** A shell's code for a program that cannot start. */
const notStarted = 126;

/** A channel reports its own failed start. Never throws. */
function startChannel(
  command: string,
  { environment, folder }: { readonly environment: Readonly<Record<string, string>>; readonly folder: string },
): { readonly channel: ClientChannel; readonly pid: number | undefined } {
  const output = new PassThrough();
  const stderr = new PassThrough();
  const finish = output.end.bind(output);
  let child: ChildProcess | undefined;
  const close = (): void => {
    for (const stream of [child?.stdout, child?.stderr, output, stderr]) stream?.destroy();
  };
  const channel = Object.assign(output, { stderr, close, end: () => output }) as unknown as ClientChannel;
  const ended = (): void => {
    finish();
    stderr.end();
  };
  const refuse = (error: unknown): void => {
    output.write(`${messageOf(error)}\n`);
    output.emit("exit", notStarted);
    ended();
  };
  // bash replaces itself with the command, which then leads the group, as `timeout` needs.
  const shells = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
  const shell = shells.find((file) => existsSync(file)) ?? "/bin/sh";
  try {
    const started = withPipes(
      spawn(shell, ["-c", command], {
        cwd: folder,
        env: environment,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    child = started;
    started.stdout.pipe(output, { end: false });
    started.stderr.pipe(stderr, { end: false });
    started.once("exit", (code, signal) => output.emit("exit", code, signal ?? undefined));
    // After the exit, in any order of the streams' ends.
    started.once("close", ended);
    started.once("error", (error) => {
      if (started.pid === undefined) refuse(error);
    });
  } catch (thrown) {
    // Thrown if the command is too long; reported once the caller listens.
    queueMicrotask(() => refuse(thrown));
  }
  return { channel, pid: child?.pid };
}

function prepare(order: DialOrder, keys: HostKeys): { ok: true; once: () => Promise<DialResult> } | Refusal {
  const { server, through, agentSocket } = order;
  if (server.backend === "openssh") {
    if (process.platform === "win32") {
      const reason = `${server.name} wants the backend openssh, and Windows' own ssh cannot share a connection`;
      return refuse(reason, "write `backend: ssh2`, or run the bot on Linux");
    }
    if (server.signer && order.login === undefined)
      return refuse(`${server.name} takes only certificates of its signer`, "approve a command there");
    const login = order.login ?? loadSystemLogin(server, agentSocket);
    if (!login.ok) return login;
    const once = async (): Promise<DialResult> => {
      const way = through === undefined ? undefined : await openTunnel(order, through);
      return way?.ok === false ? way : connectOpenssh({ ...order, login, tunnel: way?.socket });
    };
    return { ok: true, once };
  }
  const identity = loadIdentity(server, agentSocket);
  if (!identity.ok) return identity;
  const once = async (): Promise<DialResult> => {
    const opened = through === undefined ? await openSocket(order) : await openTunnel(order, through);
    return opened.ok ? handshake(order, opened.socket, keys, identity) : opened;
  };
  return { ok: true, once };
}

type SocketResult = { readonly ok: true; readonly socket: net.Socket } | ({ readonly ok: false } & SshFailure);

function openSocket({ server, limits }: DialOrder): Promise<SocketResult> {
  return new Promise((resolve) => {
    // ssh2 never sets TCP_NODELAY itself, which costs 40 ms per round trip.
    const socket: net.Socket = net.connect({
      host: server.host,
      port: server.port,
      noDelay: true,
      keepAlive: true,
      onread: readInPlace(() => socket),
    });
    const fail = (code: string | undefined): void => {
      socket.destroy();
      resolve({ ok: false, ...networkFailure(server, code) });
    };
    const timer = setTimeout(fail, limits.connectMs, "ETIMEDOUT");
    socket.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(error.code);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve({ ok: true, socket });
    });
  });
}

function openTunnel({ server, limits }: DialOrder, through: Client): Promise<SocketResult> {
  return new Promise((resolve) => {
    const fail = (says: string): void =>
      resolve({
        ok: false,
        reason: `${server.name} cannot be reached through its jump host ${server.jump}: ${says}`,
        remedy: `check that ${server.jump} allows forwarding (AllowTcpForwarding) and reaches ${server.name}`,
        transient: false,
      });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      fail("no answer");
    }, limits.connectMs);
    try {
      through.forwardOut("127.0.0.1", 0, server.host, server.port, (error, channel) => {
        clearTimeout(timer);
        if (error) fail(plainReason(error.message));
        else if (isLate) channel.close();
        else resolve({ ok: true, socket: channel as unknown as net.Socket });
      });
    } catch (thrown) {
      clearTimeout(timer);
      fail(plainReason(messageOf(thrown)));
    }
  });
}

function handshake(order: DialOrder, socket: net.Socket, keys: HostKeys, identity: Identity): Promise<DialResult> {
  const { server, limits } = order;
  const client = new ssh2.Client();
  let proved: string | undefined;
  let refused: SshFailure | undefined;
  let closedBecause: string | undefined;
  let firstWords = (): string => "";
  const soFar = () => ({ proved: proved !== undefined, firstWords: firstWords() });

  return new Promise((resolve) => {
    const end = (failure: SshFailure): void => {
      closedBecause ??= failure.reason;
      socket.destroy(); // at the first error, because a bad server can cause tens of thousands
      resolve({ ok: false, ...(refused ?? failure) });
    };
    client.on("error", (error: SshError) => {
      const failure = handshakeFailure(server, error, soFar());
      closedBecause ??=
        error.level === "client-timeout"
          ? "it stopped answering"
          : plainReason(error.code?.toString() ?? error.message);
      end(failure);
    });
    client.once("end", () => {
      closedBecause ??= "the server closed it";
    });
    client.once("close", () => {
      closedBecause ??= "the server closed it";
      end(handshakeFailure(server, undefined, soFar()));
    });
    client.once("ready", () =>
      resolve({
        ok: true,
        connection: { client, hostKey: proved ?? "", provedAt: Date.now(), closedBecause: () => closedBecause },
      }),
    );
    // The parsed key, because each decryption with a passphrase is slow.
    const byKey = (key: ParsedKey): PublicKeyAuthMethod => ({ type: "publickey", username: server.user, key });
    const config: ConnectConfig = {
      username: server.user,
      ...(identity.kind === "key"
        ? { authHandler: [byKey(identity.privateKey)] }
        : { agent: identity.socket, authHandler: ["agent"] }),
      algorithms: {
        serverHostKey: hostKeyAlgorithms(keys),
        cipher: [
          "aes128-gcm@openssh.com",
          "aes256-gcm@openssh.com",
          "chacha20-poly1305@openssh.com",
          "aes128-ctr",
          "aes192-ctr",
          "aes256-ctr",
        ],
        compress: ["none"],
      },
      sock: socket as Readable,
      readyTimeout: limits.handshakeMs,
      keepaliveInterval: limits.keepaliveMs,
      keepaliveCountMax: limits.keepaliveCount,
      hostVerifier: (shown: Buffer) => {
        const verdict = judgeHostKey(server, keys, shown);
        if (verdict.ok) proved = fingerprint(shown);
        else refused = { ...verdict, transient: false, identity: true };
        return verdict.ok;
      },
    };
    try {
      client.connect(config);
      firstWords = keepIdentification(client);
      quicken(client, socket);
    } catch (thrown) {
      end({
        reason: `${server.name}: ${plainReason(messageOf(thrown))}`,
        remedy: "check its key and names",
        transient: false,
      });
    }
  });
}

type SshError = Error & { readonly level?: string; readonly code?: string | number };

function handshakeFailure(
  server: Server,
  error: SshError | undefined,
  { proved, firstWords }: { readonly proved: boolean; readonly firstWords: string },
): SshFailure {
  const other = proved ? undefined : otherProtocol(server, firstWords);
  if (other) return other;
  if (error === undefined || error.level === "client-socket") {
    const code = typeof error?.code === "string" ? error.code : "ECONNRESET";
    return { ...networkFailure(server, code), transient: !proved };
  }
  const says = plainReason(error.message);
  switch (error.level) {
    case "client-authentication":
      return {
        reason: `${server.name} refused our login: it does not accept this key for the account in the inventory`,
        remedy: "add the public key to that account's authorized_keys, or correct `user` or `key_file`",
        transient: false,
        identity: true,
      };
    case "agent":
      return {
        reason: `the ssh-agent failed for ${server.name}`,
        remedy: "check SSH_AUTH_SOCK and ssh-add -l",
        transient: false,
      };
    case "client-timeout":
      return {
        reason: `${server.name} took the connection but did not finish the handshake in time`,
        remedy: "check the load of its sshd, and that the port is really SSH",
        transient: false,
      };
    case "protocol":
      return { ...networkFailure(server, "ECONNRESET"), transient: !proved };
    default:
      return {
        reason: `the handshake with ${server.name} failed: ${says}`,
        remedy: proved
          ? "see the log of its sshd"
          : "check that the port is SSH; where its algorithms are newer than ssh2, write `backend: openssh`",
        transient: false,
      };
  }
}
