import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net, { type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ssh2, { type Connection, type ServerChannel, type Session } from "ssh2";
import { isJobLine, withJobs } from "../../demo/sandbox/jobs.ts";
import type { Server } from "../../src/base/server.ts";
import { server } from "./inventory-entry.ts";
import { ed25519Pair } from "./keys.ts";
import { passOn } from "./switchboard.ts";

/** Plays one command. What it returns is the exit told; "silence" tells none and leaves the channel open. */
export type Play = (command: string, host: PlayedChannel) => Promise<number | { signal: string } | "silence">;

/** Says the same whatever it is sent, and exits. */
export const saying =
  (text: string | Buffer, code = 0): Play =>
  async (_command, { channel }) => {
    channel.write(text);
    return code;
  };

/** The commands of people: without those with which a start asks each server for its system. */
export const commandsOf = ({ seen }: Pick<FakeHost, "seen">): readonly string[] =>
  seen.commands.filter((command) => !["uname -s", "cmd.exe /c ver"].includes(command));

interface PlayedChannel {
  readonly channel: ServerChannel;
  /** Ends the TCP connection without a word. */
  readonly reset: () => void;
  /** Reads and answers nothing more, as a host behind a dead link. */
  readonly goDark: () => void;
  /** Resolves when the client closes the channel or sends a signal. */
  readonly over: Promise<string>;
}

interface Seen {
  connections: number;
  authentications: number;
  readonly commands: string[];
  /** The most sessions, and handshakes, that were open at once. */
  most: number;
  mostHandshakes: number;
  readonly requests: string[];
}

export interface FakeHost {
  /** The inventory entry that reaches it. */
  readonly entry: Server;
  readonly hostKey: string;
  readonly knownHostsFile: string;
  readonly clientKeyFile: string;
  /** What was counted on the server's side. */
  readonly seen: Seen;
  /** Ends every connection, as a reboot would. */
  readonly resetAll: () => void;
  /** Closes every session in which nothing was asked for yet. */
  readonly closeSessions: () => void;
  /** Every connection goes dark, as behind a link that fails. */
  readonly goDark: () => void;
  /** How many connections stand now. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

export interface Faults {
  readonly maxSessions?: number;
  /** Ends the TCP connection at this point. */
  readonly resetAt?: "session" | "exec";
  /** Takes the session or command and never answers. */
  readonly muteAt?: "session" | "exec";
  /** Ends the first session that is to end a job in the midst of its answer. */
  readonly cutsFirstKill?: boolean;
  readonly acceptsKey?: boolean;
  /** Loses the first connections before a word is said. */
  readonly dropFirst?: number;
  /** Forwards connections, as a jump host does. */
  readonly forwards?: boolean;
  /** How long it takes for that. */
  readonly forwardsAfterMs?: number;
  /** The software it says it is. */
  readonly ident?: string;
}

/** An SSH server in this process, with faults on request. */
export async function startFakeHost(play: Play, faults: Faults = {}): Promise<FakeHost> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-fake-"));
  const hostKeys = ed25519Pair();
  const clientKeys = ed25519Pair();
  const seen: Seen = { connections: 0, authentications: 0, commands: [], most: 0, mostHandshakes: 0, requests: [] };
  let handshakes = 0;
  const sockets = new Set<Socket>();
  const unused = new Map<Session, () => void>();

  const onConnection = (client: Connection): void => {
    const socket = socketOf(client);
    seen.connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => sockets.delete(socket));
    seen.mostHandshakes = Math.max(seen.mostHandshakes, ++handshakes);
    client.once("ready", () => handshakes--);
    client.on("error", () => undefined);
    if (seen.connections <= (faults.dropFirst ?? 0)) socket.destroy();
    let open = 0;
    client.on("authentication", (attempt) => {
      seen.authentications++;
      if (attempt.method === "publickey" && faults.acceptsKey !== false) attempt.accept();
      else attempt.reject(["publickey"]);
    });
    client.on("tcpip", (accept, _reject, { destIP, destPort }) => {
      seen.requests.push("tcpip");
      const forward = (): void => {
        const channel = accept();
        channel.once("close", () => seen.requests.push("tcpip closed"));
        if (faults.forwards) passOn(channel, net.connect(destPort, destIP));
        else channel.end();
      };
      if (faults.forwardsAfterMs === undefined) forward();
      else setTimeout(forward, faults.forwardsAfterMs);
    });
    client.on("session", (accept, reject) => {
      if (faults.resetAt === "session") return reset(client);
      if (faults.muteAt === "session") return;
      if (open >= (faults.maxSessions ?? 10)) return reject();
      open++;
      seen.most = Math.max(seen.most, open);
      const session = accept();
      session.on("close", () => open--);
      unused.set(session, () => closeChannel(client, session));
      session.on("pty", (ok) => {
        seen.requests.push("pty");
        ok?.();
      });
      onSession(client, session);
    });
  };
  const onSession = (client: Connection, session: Session): void => {
    const over = Promise.withResolvers<string>();
    session.on("signal", (_ok, _no, { name }) => over.resolve(name));
    session.on("close", () => over.resolve("close"));
    session.on("exec", (accept, _reject, { command }) => {
      seen.commands.push(command);
      unused.delete(session);
      if (faults.resetAt === "exec") return reset(client);
      if (faults.muteAt === "exec") return;
      void answer(accept(), command, {
        reset: () => reset(client),
        goDark: () => socketOf(client).pause(),
        over: over.promise,
      });
    });
  };
  const answer = async (
    channel: ServerChannel,
    command: string,
    host: Omit<PlayedChannel, "channel">,
  ): Promise<void> => {
    channel.on("error", () => undefined);
    channel.resume();
    if (isJobLine(command)) return answerJob(channel, command, host);
    const told = await play(command, { ...host, channel });
    if (told === "silence") return;
    if (typeof told === "number") channel.exit(told);
    else channel.exit(told.signal);
    channel.end();
  };

  /** Of the session that starts a job: `reset` and `goDark` are its connection's. */
  let starting: Omit<PlayedChannel, "channel" | "over"> = { reset: () => undefined, goDark: () => undefined };
  const jobs = withJobs(async (command, { stdout, stderr, signal }) => {
    const over = new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("TERM")));
    const channel = { write: toBytes(stdout), stderr: { write: toBytes(stderr) } } as unknown as ServerChannel;
    const told = await play(command, { ...starting, channel, over });
    // An exit that is never told: the job goes on for ever, or until it is ended.
    if (told === "silence") await over;
    return typeof told === "number" ? told : 255;
  });
  let hasCut = false;
  const answerJob = async (
    channel: ServerChannel,
    command: string,
    host: Omit<PlayedChannel, "channel">,
  ): Promise<void> => {
    const [, killed] = /' kill (\w+) \d+$/.exec(command) ?? [];
    if (faults.cutsFirstKill && killed !== undefined && !hasCut) {
      hasCut = true;
      channel.write(`@countersign:${killed} do`);
      channel.end();
      return;
    }
    const left = new AbortController();
    void host.over.then(() => left.abort());
    starting = host;
    const write = (bytes: Uint8Array): void => void (channel.writable && channel.write(bytes));
    channel.exit(await jobs(command, { stdin: "", stdout: write, stderr: write, signal: left.signal }, []));
    channel.end();
  };

  const listener = new ssh2.Server({ hostKeys: [hostKeys.private], ident: faults.ident ?? "fake" }, onConnection);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;

  const clientKeyFile = join(folder, "client");
  writeFileSync(clientKeyFile, clientKeys.private);
  chmodSync(clientKeyFile, 0o600);
  const hostKey = hostKeys.public.split(" ").slice(0, 2).join(" ");
  const knownHostsFile = join(folder, "known_hosts");
  writeFileSync(knownHostsFile, `[127.0.0.1]:${port} ${hostKey}\n`);

  const resetAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    entry: server({ port, keyFile: clientKeyFile, knownHostsFile }),
    hostKey,
    knownHostsFile,
    clientKeyFile,
    seen,
    resetAll,
    closeSessions: () => {
      for (const close of unused.values()) close();
      unused.clear();
    },
    goDark: () => {
      for (const socket of sockets) socket.pause();
    },
    open: () => sockets.size,
    close: async () => {
      resetAll();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const toBytes = (write: (bytes: Uint8Array) => void) => (text: string | Uint8Array) => write(Buffer.from(text));

const socketOf = (client: Connection): Socket => (client as unknown as { _sock: Socket })._sock;
/** By ssh2's own means, which offers a server no other. */
function closeChannel(client: Connection, session: Session): void {
  const { _protocol } = client as unknown as { _protocol: { channelClose: (id: number) => void } };
  _protocol.channelClose((session as unknown as { _chanInfo: { outgoing: { id: number } } })._chanInfo.outgoing.id);
}
const reset = (client: Connection): void => void socketOf(client).destroy();
