import type { Client } from "ssh2";
import type { Server } from "../../src/base/server.ts";
import { createSsh, type Ssh } from "../../src/ssh/run.ts";
import { missing } from "../harness/missing.ts";
import { type Sshd, startSshd } from "../harness/sshd.ts";
import { inventory, server } from "../ssh/inventory-entry.ts";
import { compete } from "./compete.ts";
import type { Row } from "./row.ts";
import { command, connectAsDocumented, createPeers, execAsDocumented, type Peers, programs } from "./ssh-peers.ts";

/** One sshd under as many names stands for as many servers. */
const hosts = Array.from({ length: 32 }, (_, i) => `web-${i + 1}`);

/** What all contests share. */
interface Ground {
  readonly sshd: Sshd;
  readonly peers: Peers;
}

/**
 * One `true` on a real sshd on loopback: warm, cold, through a jump host, and on 32 servers at once, beside plain ssh2,
 * the system's ssh and what starts it.
 */
export async function run(): Promise<Row[]> {
  const sshd = await startSshd(["MaxStartups 200"]);
  if ("missing" in sshd) {
    missing("sshd", `the ssh benchmark was left out: ${sshd.missing}`);
    return [];
  }
  const peers = createPeers(sshd, hosts);
  const ground = { sshd, peers };
  try {
    const rows: Row[] = [];
    for (const contest of [warm, cold, jumpWarm, jumpCold, manyWarm, manyCold]) rows.push(...(await contest(ground)));
    return rows;
  } finally {
    await peers.close();
    await sshd.close();
  }
}

async function warm(ground: Ground): Promise<Row[]> {
  const { sshd, peers } = ground;
  const entry = entryOf(ground);
  const lent: Server = { ...entry, name: "lent", backend: "openssh" };
  const ssh = createSsh({ servers: inventory(entry, lent) });
  const documented = await connectAsDocumented(sshd);
  if (programs.ssh) await peers.openMaster(entry.name);
  const rows = await compete({
    case: "`true` on an open connection",
    runs: 40,
    ours: () => runOurs(ssh, entry),
    peers: [
      { name: "ssh2 as documented", once: () => execAsDocumented(documented) },
      { name: "ssh ControlMaster", once: programs.ssh && (() => peers.ssh(entry.name, "mux")) },
      { name: "our backend openssh", once: programs.ssh && (() => runOurs(ssh, lent)) },
    ],
  });
  documented.end();
  await ssh.close();
  return rows;
}

async function cold(ground: Ground): Promise<Row[]> {
  const { sshd, peers } = ground;
  const entry = entryOf(ground);
  return compete({
    case: "`true` on a new connection",
    runs: 12,
    ours: () => runOursOnce([entry], [entry]),
    peers: [
      { name: "ssh2 as documented", once: () => connectRunAndLeave(sshd) },
      { name: "ssh", once: programs.ssh && (() => peers.ssh(entry.name, "cold")) },
    ],
  });
}

const behindJump = (ground: Ground): readonly Server[] => [
  entryOf(ground, { name: "bastion" }),
  entryOf(ground, { name: "behind", jump: "bastion" }),
];

async function jumpWarm(ground: Ground): Promise<Row[]> {
  const { peers } = ground;
  const entries = behindJump(ground);
  const ssh = createSsh({ servers: inventory(...entries) });
  if (programs.ssh) await peers.openMaster("behind");
  const rows = await compete({
    case: "`true` through a jump host, open connections",
    runs: 40,
    ours: () => runAll(ssh, entries.slice(1)),
    peers: [{ name: "ssh ControlMaster", once: programs.ssh && (() => peers.ssh("behind", "mux")) }],
  });
  await ssh.close();
  return rows;
}

async function jumpCold(ground: Ground): Promise<Row[]> {
  const entries = behindJump(ground);
  return compete({
    case: "`true` through a jump host, new connections",
    runs: 10,
    ours: () => runOursOnce(entries, entries.slice(1)),
    peers: [{ name: "ssh ProxyJump", once: programs.ssh && (() => ground.peers.ssh("behind", "cold")) }],
  });
}

async function manyWarm(ground: Ground): Promise<Row[]> {
  const { sshd, peers } = ground;
  const entries = hosts.map((host) => entryOf(ground, { name: host }));
  const ssh = createSsh({ servers: inventory(...entries) });
  const documented: Client[] = [];
  for (const _ of entries) documented.push(await connectAsDocumented(sshd));
  if (programs.ssh) await Promise.all(hosts.slice(1).map(peers.openMaster));
  const rows = await compete({
    case: `\`true\` on ${hosts.length} open connections at once`,
    runs: 5,
    ours: () => runAll(ssh, entries),
    peers: [
      { name: "ssh2 as documented", once: async () => void (await Promise.all(documented.map(execAsDocumented))) },
      { name: "ssh ControlMaster", once: programs.ssh && (() => each((host) => peers.ssh(host, "mux"))) },
      { name: "ansible", once: programs.ansible && (() => peers.ansible(hosts, "mux")) },
    ],
  });
  for (const client of documented) client.end();
  await ssh.close();
  return rows;
}

async function manyCold(ground: Ground): Promise<Row[]> {
  const { peers } = ground;
  const entries = hosts.map((host) => entryOf(ground, { name: host }));
  return compete({
    case: `\`true\` on ${hosts.length} new connections at once`,
    runs: 3,
    ours: () => runOursOnce(entries, entries),
    peers: [
      { name: "ssh", once: programs.ssh && (() => each((host) => peers.ssh(host, "cold"))) },
      { name: "pssh", once: programs.pssh && (() => peers.pssh(hosts)) },
      { name: "clush", once: programs.clush && (() => peers.clush(hosts)) },
      { name: "ansible", once: programs.ansible && (() => peers.ansible(hosts, "cold")) },
    ],
  });
}

const entryOf = ({ sshd }: Ground, given: Partial<Server> = {}): Server =>
  server({
    port: sshd.port,
    user: sshd.user,
    keyFile: sshd.clientKeyFile,
    knownHostsFile: sshd.knownHostsFile,
    ...given,
  });

const each = async (once: (host: string) => Promise<void>): Promise<void> => void (await Promise.all(hosts.map(once)));

const runAll = async (ssh: Ssh, entries: readonly Server[]): Promise<void> =>
  void (await Promise.all(entries.map((entry) => runOurs(ssh, entry))));

/** From nothing to the command's end, and gone again. */
async function runOursOnce(all: readonly Server[], targets: readonly Server[]): Promise<void> {
  const ssh = createSsh({ servers: inventory(...all) });
  await runAll(ssh, targets);
  await ssh.close();
}

async function runOurs(ssh: Ssh, entry: Server): Promise<void> {
  const { ending } = await ssh.exec({ server: entry, wrapped: command }, { signal: new AbortController().signal });
  if (ending.kind !== "exited") throw new Error(`the benchmark's command ended as ${JSON.stringify(ending)}`);
}

async function connectRunAndLeave(sshd: Sshd): Promise<void> {
  const client = await connectAsDocumented(sshd);
  await execAsDocumented(client);
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  await closed;
}
