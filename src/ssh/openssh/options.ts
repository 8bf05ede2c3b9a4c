import { join } from "node:path";
import type { Server } from "../../base/server.ts";
import { knownHostsFiles } from "../keys/host-keys.ts";
import type { SystemLogin } from "../keys/identity.ts";
import type { SshLimits } from "../limits.ts";

export interface MasterOrder {
  readonly server: Server;
  readonly login: SystemLogin;
  readonly limits: SshLimits;
  /** A private folder; holds `master`, and `known_hosts` where the inventory pins a key. */
  readonly folder: string;
  /** The shell command whose stdin and stdout are the way to the server, where there is a jump host. */
  readonly proxyCommand: string | undefined;
}

/** How long a master stays once nobody is connected to it; the bot's death ends it too. */
const lingerS = 5;

/**
 * The arguments with which the system's ssh opens a connection for us and nothing else (SR-51, SR-52). What stands on
 * the command line wins over a config file, and without `ssh_config` none is read. Pure.
 */
export function masterArguments(order: MasterOrder): readonly string[] {
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
      : { IdentityFile: quoted(login.file), IdentitiesOnly: "yes", IdentityAgent: "none" }),
  };
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : ["-o", `${name}=${value}`],
  );
  const { file, host } = server.sshConfig ?? { file: "none", host: server.host };
  return ["-F", file, "-N", "-M", "-S", escaped(join(folder, "master")), ...flags, "--", host];
}

/** The name of the one line in our own known_hosts, where `host_key` pins the key whatever the address. */
const pinnedName = "pinned";

/** The text of that file. */
export const pinnedLine = (hostKey: string): string =>
  `${pinnedName} ${hostKey.trim().split(/\s+/).slice(0, 2).join(" ")}\n`;

/** ssh reads `%` in its options as the start of a word of its own. */
const escaped = (path: string): string => path.replaceAll("%", "%%");
const quoted = (path: string): string => `"${escaped(path)}"`;

/**
 * A command that pipes between ssh and a socket: ssh asks for a program, and no other that every machine has can do it.
 * ssh gives it to the account's shell.
 */
export function pipeCommand(socketPath: string): string {
  const program = 'const s=require("node:net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)';
  return escaped([process.execPath, "-e", program, socketPath].map(shellWord).join(" "));
}

const shellWord = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
