import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { messageOf } from "../../base/errors.ts";
import { withPipes } from "../../base/host/with-pipes.ts";
import { makePrivateFolder, needsTemporaryFolder, removePrivateFolder } from "../../base/private-folder.ts";
import type { Server } from "../../base/server.ts";
import type { Dialled } from "../dial.ts";
import { networkFailure, refuse } from "../failure.ts";
import type { SystemLogin } from "../keys/identity.ts";
import type { SshLimits } from "../limits.ts";
import { readSshLog } from "./failure.ts";
import { createMuxClient, terminateRequest } from "./mux.ts";
import { masterArguments, pinnedLine, pipeCommand } from "./options.ts";

export interface OpensshOrder {
  readonly server: Server;
  readonly login: SystemLogin;
  readonly limits: SshLimits;
  /** The way to the server, where it has a jump host. */
  readonly tunnel: Duplex | undefined;
}

/**
 * Opens one connection by the system's ssh, which knows certificates, FIDO keys and newer key exchanges, and lends it
 * to us as a client (backend `openssh`). ssh proves the host key and logs in; where it fails nothing was run. Never
 * throws.
 */
export async function connectOpenssh(order: OpensshOrder): Promise<Dialled> {
  let folder: string | undefined;
  const leave = (): void => {
    order.tunnel?.destroy();
    if (folder !== undefined) removePrivateFolder(folder);
  };
  try {
    folder = makePrivateFolder("ssh");
    return await connectIn(folder, order, leave);
  } catch (thrown) {
    leave();
    const reason = `ssh cannot be prepared for ${order.server.name}: ${messageOf(thrown)}`;
    return { ...refuse(reason, needsTemporaryFolder()), transient: false };
  }
}

/** Throws what the file system throws. */
async function connectIn(folder: string, order: OpensshOrder, leave: () => void): Promise<Dialled> {
  const { server, limits, tunnel } = order;
  if (server.hostKey !== undefined) writeFileSync(join(folder, "known_hosts"), pinnedLine(server.hostKey));
  const proxyCommand = tunnel === undefined ? undefined : await offerWay(tunnel, join(folder, "way"));
  const args = masterArguments({ ...order, folder, proxyCommand });
  const { exit, log } = await runSsh(args, limits.connectMs + limits.handshakeMs);
  const told = readSshLog(server, log);
  const dialled: Dialled =
    exit === 0
      ? await borrow(order, join(folder, "master"), told.hostKey ?? "")
      : { ok: false, ...(exit === "not-there" ? noSsh(server.name) : told.failure) };
  if (dialled.ok) dialled.connection.client.once("close", () => endMaster(join(folder, "master"), leave));
  else if (exit === 0) endMaster(join(folder, "master"), leave);
  else leave();
  return dialled;
}

const noSsh = (serverName: string) => ({
  ...refuse(
    `${serverName} wants the backend openssh, and there is no program ssh here`,
    "install OpenSSH's client, or write `backend: ssh2`",
  ),
  transient: false,
});

/** Enough for ssh's own words; a server may send a banner of any length. */
const maxLogCharacters = 65_536;

/**
 * Runs ssh until it has logged in (0: its master stays behind, on its own) or has given up. Its environment is bare:
 * nothing of ours is for a server or for a program named in an ssh_config.
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

/** Makes a client of the master's connection. */
function borrow({ server, limits }: OpensshOrder, master: string, hostKey: string): Promise<Dialled> {
  const socket = net.connect(master);
  let closedBecause: string | undefined;
  // Before ssh2's own listeners, which would call it a lost handshake.
  for (const sign of ["error", "end", "close"])
    socket.once(sign, () => {
      closedBecause ??= "its ssh ended";
    });
  const client = createMuxClient(socket, limits.handshakeMs);
  return new Promise((resolve) => {
    client.on("error", () => {
      socket.destroy(); // 'close' follows and tells
    });
    client.once("close", () => resolve({ ok: false, ...networkFailure(server, "ECONNRESET") }));
    client.once("ready", () =>
      resolve({ ok: true, connection: { client, hostKey, provedAt: Date.now(), closedBecause: () => closedBecause } }),
    );
  });
}

/** Asks a master to end its connection; one that is gone already is what we want. */
function endMaster(master: string, then: () => void): void {
  const socket = net.connect(master, () => socket.write(terminateRequest()));
  socket.resume();
  socket.setTimeout(1_000, () => socket.destroy());
  socket.on("error", () => undefined); // it is gone
  socket.once("close", then);
}

/** Lets one program of this account into the tunnel, over a socket in our private folder. Rejects if the socket cannot be made. */
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
    server.listen(path, () => resolve(pipeCommand(path)));
  });
}
