import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import ssh2, { type Client } from "ssh2";
import { environment } from "../../src/config/load.ts";
import type { Sshd } from "../harness/sshd.ts";

export const command = "true";

export interface Peers {
  readonly ssh: (host: string, mux: "mux" | "cold") => Promise<void>;
  readonly openMaster: (host: string) => Promise<void>;
  readonly pssh: (hosts: readonly string[]) => Promise<void>;
  readonly clush: (hosts: readonly string[]) => Promise<void>;
  /** Warm where its own ControlPersist keeps the connections. */
  readonly ansible: (hosts: readonly string[], mux: "mux" | "cold") => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where a peer's program is, `undefined` where it is not installed. */
export const programs = {
  ssh: find("ssh"),
  pssh: find("parallel-ssh", "pssh"),
  clush: find("clush"),
  ansible: find("ansible"),
} as const;

function find(...names: readonly string[]): string | undefined {
  const folders = [...(environment().PATH ?? "").split(delimiter), "/usr/bin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** The system's ssh and what starts it, all by one ssh_config, so that they differ in nothing but themselves. */
export function createPeers(sshd: Sshd, hosts: readonly string[]): Peers {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const config = join(folder, "config");
  mkdirSync(join(folder, "m"));
  const settings = [
    "Host behind",
    `  ProxyJump ${hosts[0]}`,
    "Host *",
    "  HostName 127.0.0.1",
    `  Port ${sshd.port}`,
    `  User ${sshd.user}`,
    `  IdentityFile ${sshd.clientKeyFile}`,
    "  IdentitiesOnly yes",
    "  IdentityAgent none",
    `  UserKnownHostsFile ${sshd.knownHostsFile}`,
    "  BatchMode yes",
    "  LogLevel ERROR",
  ];
  writeFileSync(config, `${settings.join("\n")}\n`);
  const master = (host: string): string => join(folder, "m", host);
  const masters: string[] = [];
  const start = async (program: string | undefined, args: readonly string[], env = {}): Promise<void> => {
    if (program === undefined) throw new Error("a peer that is not installed was asked to run");
    await promisify(execFile)(program, args, { env: { ...environment(), ...env } });
  };
  const ssh = (...args: string[]): Promise<void> => start(programs.ssh, ["-F", config, ...args]);
  return {
    ssh: (host, mux) => ssh("-S", mux === "mux" ? master(host) : "none", host, command),
    openMaster: async (host) => {
      await ssh("-o", "ControlPersist=600", "-M", "-S", master(host), host, command);
      masters.push(host);
    },
    pssh: (hosts) =>
      start(programs.pssh, [
        "-p",
        String(hosts.length),
        "-t",
        "60",
        "-x",
        `-F ${config}`,
        "-H",
        hosts.join(" "),
        command,
      ]),
    clush: (hosts) =>
      start(programs.clush, ["-f", String(hosts.length), "-o", `-F ${config}`, "-S", "-w", hosts.join(","), command]),
    ansible: (hosts, mux) => {
      const args = ["all", "-i", `${hosts.join(",")},`, "-m", "raw", "-a", command, "-f", String(hosts.length)];
      const sharing = mux === "mux" ? "-o ControlMaster=auto -o ControlPersist=600" : "-o ControlPath=none";
      const env = { ANSIBLE_HOME: folder, ANSIBLE_SSH_CONTROL_PATH_DIR: join(folder, "a") };
      return start(programs.ansible, args, { ...env, ANSIBLE_SSH_ARGS: `-F ${config} ${sharing}` });
    },
    close: async () => {
      for (const host of masters) await ssh("-O", "exit", "-S", master(host), host).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The way of ssh2's own README: its socket, its defaults, any host accepted. */
export function connectAsDocumented(sshd: Sshd): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on("ready", () => resolve(client)).on("error", reject);
    client.connect({
      host: "127.0.0.1",
      port: sshd.port,
      username: sshd.user,
      privateKey: readFileSync(sshd.clientKeyFile),
    });
  });
}

export function execAsDocumented(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, stream) => {
      if (error) return reject(error);
      stream.on("close", () => resolve()).on("data", () => undefined);
      stream.stderr.on("data", () => undefined);
    });
  });
}
