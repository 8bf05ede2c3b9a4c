import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../demo/free-port.ts";
import type { ServerEntry } from "./playground.ts";

const program = "/usr/sbin/sshd";

export interface Sshd {
  readonly port: number;
  /** Public host key, `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  readonly clientKeyFile: string;
  readonly knownHostsFile: string;
  readonly user: string;
  /** As it stands in the operator's file. */
  readonly entry: ServerEntry;
  /** sshd's own log, at level VERBOSE. */
  readonly logFile: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a real OpenSSH server on a free loopback port as the current user, with its own keys in a temporary folder.
 * `extra` lines win over ours. Says what is missing where it cannot.
 */
export async function startSshd(extra: readonly string[] = []): Promise<Sshd | { readonly missing: string }> {
  if (!existsSync(program)) return { missing: `${program} is not installed (apt install openssh-server)` };
  const folder = mkdtempSync(join(tmpdir(), "countersign-sshd-"));
  const at = (name: string): string => join(folder, name);
  for (const key of ["host", "client"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", at(key)]);
  }
  mkdirSync(at("home"));
  const port = await freePort();
  const hostKey = readFileSync(at("host.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(at("authorized_keys"), readFileSync(at("client.pub")), { mode: 0o600 });
  writeFileSync(at("known_hosts"), `[127.0.0.1]:${port} ${hostKey}\n`);
  writeFileSync(at("config"), [...extra, ...config(at, port), ""].join("\n"));

  // sshd started by root wants its privilege separation folder, which a container may not have made.
  if (userInfo().uid === 0) execFileSync("mkdir", ["-p", "/run/sshd"]);
  // The shell ends sshd when its stdin closes, so none is left behind where a test run is killed.
  const watch = '"$0" -D -f "$1" -E "$2" & cat >/dev/null; kill $!; wait $!';
  const child = spawn("sh", ["-c", watch, program, at("config"), at("log")], { stdio: ["pipe", "ignore", "ignore"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  if (!(await answers(port))) {
    const log = existsSync(at("log")) ? readFileSync(at("log"), "utf8").trim() : "no log";
    await close();
    return { missing: `sshd did not start: ${log}` };
  }
  const user = userInfo().username;
  return {
    port,
    hostKey,
    clientKeyFile: at("client"),
    knownHostsFile: at("known_hosts"),
    user,
    entry: {
      host: "127.0.0.1",
      port,
      user,
      os: "linux",
      key_file: at("client"),
      known_hosts_file: at("known_hosts"),
    },
    logFile: at("log"),
    close,
  };
}

const config = (at: (name: string) => string, port: number): string[] => [
  `Port ${port}`,
  "ListenAddress 127.0.0.1",
  `HostKey ${at("host")}`,
  `AuthorizedKeysFile ${at("authorized_keys")}`,
  `PidFile ${at("pid")}`,
  "LogLevel VERBOSE",
  "StrictModes no",
  "UsePAM no",
  "PermitRootLogin yes",
  "PasswordAuthentication no",
  "KbdInteractiveAuthentication no",
  "MaxStartups 100:30:200",
  "LoginGraceTime 30",
  // bash reads ~/.bashrc when sshd starts it: the account's own files have no place in a test.
  `SetEnv HOME=${at("home")}`,
];

async function answers(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const up = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (up) return true;
    await sleep(50);
  }
  return false;
}
