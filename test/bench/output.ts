import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { missing } from "../harness/missing.ts";
import { type Sshd, startSshd } from "../harness/sshd.ts";
import { type BotProcess, memoryOf, startWorld } from "../harness/world.ts";
import { realisticLog } from "./redact-log.ts";
import type { Row } from "./row.ts";
import { connectAsDocumented } from "./ssh-peers.ts";

const megabyte = 1024 * 1024;
const outputBytes = 1024 * megabyte;
const fileBytes = 64 * megabyte;
const manyBytes = 20 * megabyte;
/** How often a server may be named in it at once: `execution` and lanes are per incident, so one incident each. */
const many = 8;

/** What the server prints; the bot keeps 16 MiB of it. */
const kinds = {
  "one line, again and again": () => "all is well\n",
  "a log": () => realisticLog([], 10_000_000),
} as const;

/**
 * 1 GB of output through the whole path of the bot, /run to the result on the issue (ssh → capture → clean → redact → store →
 * card), beside `ssh host cmd | wc -c` and a bare ssh2 client in the same run, and by how much the bot's memory grows; then 8 × 20 MB at once. The bot is
 * a process of its own, as an operator starts it.
 */
export async function run(): Promise<Row[]> {
  const sshd = await startSshd(["MaxStartups 200"]);
  if ("missing" in sshd) {
    missing("sshd", `the output benchmark was left out: ${sshd.missing}`);
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const bot = await startBot(sshd);
  try {
    const file = join(folder, "many");
    writeFileSync(file, filled(kinds["a log"](), manyBytes));
    await bot.ran(["true"]); // the connection is there
    // What a process takes at its first output, whatever its size, it keeps.
    const first = await bot.ran([`cat ${file}`]);
    const rows = [
      growth(`${manyBytes / megabyte} MB, the first output of a process: growth of its memory`, first.grownMb),
    ];
    for (const [kind, text] of Object.entries(kinds)) {
      const part = join(folder, kind.replaceAll(/\W+/g, "-"));
      writeFileSync(part, filled(text(), fileBytes));
      const script = `cat ${Array(outputBytes / fileBytes)
        .fill(part)
        .join(" ")}`;
      const ours = await bot.ran([script]);
      const bySsh = await countedBySsh(sshd, script);
      const bySsh2 = await countedBySsh2(sshd, script);
      rows.push(
        speed(kind, ours.ms, bySsh, "ssh | wc -c, which keeps nothing"),
        speed(kind, ours.ms, bySsh2, "ssh2 as documented, which keeps nothing"),
        growth(`1 GB, ${kind}: growth of the bot's memory`, ours.grownMb),
      );
    }
    const { grownMb } = await bot.ran(Array(many).fill(`cat ${file}`));
    rows.push(growth(`${many} × ${manyBytes / megabyte} MB of a log at once: growth of the bot's memory`, grownMb));
    return rows;
  } finally {
    await bot.close();
    await sshd.close();
    rmSync(folder, { recursive: true });
  }
}

function speed(kind: string, oursMs: number, peerMs: number | undefined, peerName: string): Row {
  const rate = (ms: number): number => outputBytes / megabyte / (ms / 1000);
  return {
    case: `1 GB, ${kind}: /run to the result`,
    unit: "MB/s",
    ours: rate(oursMs),
    peer: peerMs === undefined ? null : rate(peerMs),
    peerName: peerMs === undefined ? `${peerName} (missing)` : peerName,
    ratio: peerMs === undefined ? null : peerMs / oursMs,
    better: "higher",
    runs: 1,
  };
}

const growth = (title: string, mb: number): Row => ({
  case: title,
  unit: "MB",
  ours: mb,
  peer: null,
  peerName: Number.isNaN(mb) ? "not known on this system" : "none",
  ratio: null,
  better: "lower",
  runs: 1,
});

function filled(text: string, bytes: number): Buffer {
  return Buffer.alloc(bytes, text);
}

interface BenchBot {
  /** Each script is an incident of its own, all run at once; until the last result is on its issue. */
  readonly ran: (scripts: readonly string[]) => Promise<{ readonly ms: number; readonly grownMb: number }>;
  readonly close: () => Promise<void>;
}

async function startBot(sshd: Sshd): Promise<BenchBot> {
  const names = Array.from({ length: many }, (_, index) => `web-${index + 1}`);
  const servers = Object.fromEntries(names.map((name) => [name, sshd.entry]));
  const world = await startWorld({ servers });
  const bot = await world.start();
  return {
    ran: async (scripts) => {
      const threads = await Promise.all(
        scripts.map(async () => {
          const thread = await world.open();
          await thread.waitFor((body) => body.includes("```sh"), "the card");
          return thread;
        }),
      );
      const before = await settledMemory(bot);
      const started = performance.now();
      await Promise.all(
        threads.map(async (thread, index) => {
          // Whoever may approve it approves it by that. A log that tells of trouble is marked so.
          await thread.say("mona", `/run ${names[index]}\n\`\`\`sh\n${scripts[index]}\n\`\`\``);
          await thread.waitFor((body) => /^\*\*\d+\*\* (✅|⚠️ .* exit 0)/.test(body), "the result");
        }),
      );
      const ms = performance.now() - started;
      return { ms, grownMb: memoryOf(bot).peakMb - before };
    },
    close: world.close,
  };
}

const quietMs = 10_000;

/** What it has when it has had nothing to do for a while, the least that was seen; the peak begins anew from here. */
async function settledMemory(bot: BotProcess): Promise<number> {
  let least = memoryOf(bot).nowMb;
  for (const until = performance.now() + quietMs; performance.now() < until; await sleep(200))
    least = Math.min(least, memoryOf(bot).nowMb);
  if (!Number.isNaN(least)) writeFileSync(`/proc/${bot.child.pid}/clear_refs`, "5");
  return least;
}

/** Milliseconds of a client that counts what ssh2 gives it, by its own choice of ciphers, in this process, on a new connection. */
async function countedBySsh2(sshd: Sshd, script: string): Promise<number | undefined> {
  const started = performance.now();
  const client = await connectAsDocumented(sshd);
  let counted = 0;
  await new Promise<void>((resolve, reject) => {
    client.exec(script, (error, channel) => {
      if (error) return reject(error);
      channel
        .on("close", () => resolve())
        .on("data", (chunk: Buffer) => {
          counted += chunk.length;
        });
    });
  });
  client.end();
  return counted === outputBytes ? performance.now() - started : undefined;
}

/** Milliseconds of `ssh host cmd | wc -c` on a new connection; nothing where there is no ssh. */
async function countedBySsh(sshd: Sshd, script: string): Promise<number | undefined> {
  const options = [
    ...["-F", "none", "-p", String(sshd.port), "-i", sshd.clientKeyFile, "-o", "IdentityAgent=none"],
    ...["-o", `UserKnownHostsFile=${sshd.knownHostsFile}`, "-o", "BatchMode=yes", "-o", "LogLevel=ERROR"],
  ];
  const started = performance.now();
  const pipe = 'ssh "$@" | wc -c';
  const child = spawn("sh", ["-c", pipe, "sh", ...options, `${sshd.user}@127.0.0.1`, script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let counted = "";
  child.stdout.on("data", (chunk: Buffer) => {
    counted += chunk.toString();
  });
  await once(child, "close");
  return Number(counted) === outputBytes ? performance.now() - started : undefined;
}
