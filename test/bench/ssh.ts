import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import ssh2, { type Client } from "ssh2";
import { createSsh, type Ssh } from "../../src/ssh/run.ts";
import type { Server } from "../../src/types.ts";
import { missing } from "../missing.ts";
import { inventory, server } from "../ssh/inventory-entry.ts";
import { type Sshd, startSshd } from "../sshd.ts";
import type { Row } from "./row.ts";

const command = "true";
const serversAtOnce = 32;

/** One `true` on a real sshd on loopback, warm and cold, and 32 at once, beside plain ssh2 and the system's ssh. */
export async function run(): Promise<Row[]> {
  const sshd = await startSshd(["MaxStartups 200"]);
  if ("missing" in sshd) {
    missing("sshd", `the ssh benchmark was left out: ${sshd.missing}`);
    return [];
  }
  try {
    return [...(await warm(sshd)), ...(await cold(sshd)), ...(await parallel(sshd))];
  } finally {
    await sshd.close();
  }
}

interface Contest {
  readonly case: string;
  readonly runs: number;
  readonly ours: () => Promise<void>;
  readonly peers: readonly { readonly name: string; readonly once: (() => Promise<void>) | undefined }[];
}

/** Takes turns, so that a slow moment of the machine hits everybody. */
async function compete(contest: Contest): Promise<Row[]> {
  const times = new Map<() => Promise<void>, number[]>();
  const runners = [contest.ours, ...contest.peers.flatMap(({ once }) => (once ? [once] : []))];
  for (const once of runners) await once();
  for (let i = 0; i < contest.runs; i++) {
    for (const once of runners) {
      const started = performance.now();
      await once();
      times.set(once, [...(times.get(once) ?? []), performance.now() - started]);
    }
  }
  const medianOf = (once: () => Promise<void>): number => median(times.get(once) ?? []);
  const ours = medianOf(contest.ours);
  return contest.peers.map(({ name, once }) => {
    const peer = once ? medianOf(once) : null;
    const peerName = once ? name : `${name} (missing: not installed)`;
    const ratio = peer === null ? null : round(peer / ours);
    return {
      case: contest.case,
      unit: "ms",
      ours: round(ours),
      peer: peer && round(peer),
      peerName,
      ratio,
      better: "lower",
      runs: contest.runs,
    };
  });
}

async function warm(sshd: Sshd): Promise<Row[]> {
  const entry = entryOf(sshd);
  const ssh = createSsh({ servers: inventory(entry) });
  const documented = await connectAsDocumented(sshd);
  const master = openMaster(sshd, "one");
  const rows = await compete({
    case: "`true` on an open connection",
    runs: 40,
    ours: () => runOurs(ssh, entry),
    peers: [
      { name: "ssh2 as documented", once: () => execAsDocumented(documented) },
      { name: "ssh ControlMaster", once: master === undefined ? undefined : () => runSystemSsh(sshd, master) },
    ],
  });
  documented.end();
  if (master) closeMaster(sshd, master);
  await ssh.close();
  return rows;
}

async function cold(sshd: Sshd): Promise<Row[]> {
  const entry = entryOf(sshd);
  return compete({
    case: "`true` on a new connection",
    runs: 12,
    ours: async () => {
      const ssh = createSsh({ servers: inventory(entry) });
      await runOurs(ssh, entry);
      await ssh.close();
    },
    peers: [
      {
        name: "ssh2 as documented",
        once: async () => {
          const client = await connectAsDocumented(sshd);
          await execAsDocumented(client);
          const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
          client.end();
          await closed;
        },
      },
      { name: "ssh", once: systemSsh ? () => runSystemSsh(sshd, "none") : undefined },
    ],
  });
}

async function parallel(sshd: Sshd): Promise<Row[]> {
  const entries = Array.from({ length: serversAtOnce }, (_, i) => entryOf(sshd, `web-${i}`));
  const ssh = createSsh({ servers: inventory(...entries) });
  const documented: Client[] = [];
  for (const _ of entries) documented.push(await connectAsDocumented(sshd));
  const masters = entries.flatMap(({ name }) => openMaster(sshd, name) ?? []);
  const rows = await compete({
    case: `\`true\` on ${serversAtOnce} open connections at once`,
    runs: 8,
    ours: async () => void (await Promise.all(entries.map((entry) => runOurs(ssh, entry)))),
    peers: [
      { name: "ssh2 as documented", once: async () => void (await Promise.all(documented.map(execAsDocumented))) },
      {
        name: "ssh ControlMaster",
        once: systemSsh
          ? async () => void (await Promise.all(masters.map((master) => runSystemSsh(sshd, master))))
          : undefined,
      },
    ],
  });
  for (const client of documented) client.end();
  for (const master of masters) closeMaster(sshd, master);
  await ssh.close();
  return rows;
}

const entryOf = (sshd: Sshd, name = "web-1"): Server =>
  server({ name, port: sshd.port, user: sshd.user, keyFile: sshd.clientKeyFile, knownHostsFile: sshd.knownHostsFile });

async function runOurs(ssh: Ssh, entry: Server): Promise<void> {
  const { ending } = await ssh.exec(
    { runId: "bench", server: entry, wrapped: command },
    { signal: new AbortController().signal },
  );
  if (ending.kind !== "exited") throw new Error(`the benchmark's command ended as ${JSON.stringify(ending)}`);
}

/** The way of ssh2's own README: its socket, its defaults, any host accepted. */
function connectAsDocumented(sshd: Sshd): Promise<Client> {
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

function execAsDocumented(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, stream) => {
      if (error) return reject(error);
      stream.on("close", () => resolve()).on("data", () => undefined);
      stream.stderr.on("data", () => undefined);
    });
  });
}

const systemSsh = existsSync("/usr/bin/ssh");

function sshArguments(sshd: Sshd, master: string): string[] {
  const options = [
    `UserKnownHostsFile=${sshd.knownHostsFile}`,
    `ControlPath=${master}`,
    "BatchMode=yes",
    "LogLevel=ERROR",
  ];
  const flags = options.flatMap((option) => ["-o", option]);
  return ["-F", "none", "-i", sshd.clientKeyFile, "-p", String(sshd.port), ...flags, `${sshd.user}@127.0.0.1`];
}

function openMaster(sshd: Sshd, name: string): string | undefined {
  if (!systemSsh) return undefined;
  const master = join(dirname(sshd.logFile), `master-${name}`);
  execFileSync("ssh", ["-MNf", ...sshArguments(sshd, master)], { stdio: "ignore" });
  return master;
}

const closeMaster = (sshd: Sshd, master: string): void =>
  void execFileSync("ssh", ["-O", "exit", ...sshArguments(sshd, master)], { stdio: "ignore" });

const runSystemSsh = async (sshd: Sshd, master: string): Promise<void> =>
  void (await promisify(execFile)("ssh", [...sshArguments(sshd, master), command]));

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2;
}

const round = (value: number): number => Math.round(value * 100) / 100;
