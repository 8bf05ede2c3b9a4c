import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { ExecOrder } from "../../src/base/run.ts";
import { createSsh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import { createChance } from "../harness/chance.ts";
import { type Sshd, startSshd } from "../harness/sshd.ts";
import { type Rule, reset, resetAtBytesFrom, startFaultProxy, swallow } from "./fault-proxy.ts";
import { inventory, server } from "./inventory-entry.ts";
import { newJobId } from "./job-host.ts";

/**
 * Plays 36 commands to one sshd, half of them as jobs, while it and its sessions are killed, handshakes stall and connections are reset;
 * prints a JSON line of how each ended and how often it ran. In a process of its own: one that hangs ends no test. `<folder> <seed>`
 */

const commands = 36;
const [folder = "", seed = ""] = process.argv.slice(2);
/** The same storm for the same seed, as far as the machine lets it. */
const { next: chance, below: upTo } = createChance(Number(seed));

const home = join(folder, "home");
mkdirSync(home, { recursive: true });
const settings = [`SetEnv HOME=${home} COUNTERSIGN_DIR=${join(folder, "jobs")}`];
// Newer ones lock out for a while whoever makes sessions die; older ones do not know the word.
const lenient = await startSshd(["PerSourcePenalties no", ...settings]);
const started = "missing" in lenient ? await startSshd(settings) : lenient;
if ("missing" in started) throw new Error(started.missing);
const sshd: Sshd = started;
const files = dirname(sshd.logFile);
const proxy = await startFaultProxy(sshd.port);
const entry = server({
  port: proxy.port,
  user: sshd.user,
  keyFile: sshd.clientKeyFile,
  hostKey: sshd.hostKey,
});
const ssh = createSsh({
  servers: inventory(entry),
  limits: {
    connectMs: 2_000,
    handshakeMs: 3_000,
    openMs: 3_000,
    keepaliveMs: 150,
    keepaliveCount: 3,
    retryBaseMs: 50,
    attachAttempts: 40,
    attachBaseMs: 50,
    attachMostMs: 500,
    idleMs: 2_000,
  },
});

let isOver = false;

// A machine under load: much is due at each turn of the loop.
const load = setInterval(() => {
  const until = performance.now() + 20;
  while (performance.now() < until);
}, 60);

/** Its listener is the one whose number it wrote; a new one is a child of this process and ends with it. */
const listener = (): number => Number(readFileSync(join(files, "pid"), "utf8"));
const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
};
const sessions = (): readonly number[] => {
  try {
    return execFileSync("pgrep", ["-P", `${listener()}`], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
};
const open = () => proxy.links.filter(({ near }) => !near.destroyed);

const strikes: readonly (() => Promise<void>)[] = [
  async () => sessions().forEach(kill),
  async () => {
    const [one] = sessions();
    if (one !== undefined) kill(one);
  },
  async () => {
    const before = listener();
    sessions().forEach(kill);
    kill(before);
    await sleep(upTo(300));
    spawn("/usr/sbin/sshd", ["-D", "-f", join(files, "config"), "-E", sshd.logFile], { stdio: "ignore" });
    for (let looks = 0; looks < 100 && (!existsSync(join(files, "pid")) || listener() === before); looks++)
      await sleep(20);
  },
  async () => open().forEach(reset),
  async () => {
    const rule: Rule = resetAtBytesFrom(chance() < 0.5 ? "client" : "server");
    for (const link of open()) link.rule = rule;
  },
];
/** Be it a handshake or what runs behind it. */
const stall = async (): Promise<void> => {
  for (const link of open()) link.rule = swallow;
};

/** Commands that begin in the turns of the loop behind a strike: an end may be half told by then. */
const waiting: (() => void)[] = [];

async function storm(): Promise<void> {
  for (let struck = 0; !isOver && struck < 30; struck++) {
    await sleep(300 + upTo(700));
    await (chance() < 0.3 ? stall : strikes[upTo(strikes.length)])?.();
    for (const begin of waiting.splice(0, 3)) {
      begin();
      await turnOfTheLoop();
    }
  }
}

const results = Array.from({ length: commands }, async (_, index) => {
  if (index < commands / 2) await sleep(upTo(6_000));
  else await new Promise<void>((begin) => waiting.push(begin));
  const mark = join(folder, `ran-${index}`);
  const command = `echo x >>${mark}; sleep 0.${1 + upTo(5)}; echo done; exit 7`;
  const isJob = index % 2 === 0;
  const jobId = newJobId();
  const order: ExecOrder = isJob
    ? { server: entry, wrapped: wrap(entry, command, "linux", { mode: "job", jobId }), mode: "job", jobId }
    : { server: entry, wrapped: wrap(entry, command, "linux") };
  const { ending } = await ssh.exec(order, { signal: new AbortController().signal });
  return { index, ending, isJob, mark };
});
const storming = storm();
const ended = await Promise.all(results);
isOver = true;
clearInterval(load);
await storming;
// What lost its session may still be on its way to its mark.
await sleep(1_000);
const told = ended.map(({ mark, ...one }) => ({
  ...one,
  ran: existsSync(mark) ? readFileSync(mark, "utf8").length / 2 : 0,
}));
console.log(JSON.stringify({ told, connections: proxy.links.length }));
kill(listener());
await sshd.close();
process.exit(0);
