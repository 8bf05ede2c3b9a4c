import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../demo/free-port.ts";
import { missing } from "../harness/missing.ts";
import { prepareGround } from "../harness/playground.ts";
import { startCommand } from "../harness/start-command.ts";
import { webhookHeaders } from "../harness/webhook.ts";
import { places } from "../store/fresh.ts";
import type { Row } from "./row.ts";

const rounds = 5;
const settleMs = 1_000;
const peerName = "Probot with an App that does nothing, keeps nothing";

/**
 * What a start costs: from the process's beginning to its first acknowledged webhook, and the memory a second later. Ours is
 * `countersign start` with its store there (on a server, or in its own process), a GitHub that it asks for its rights, and
 * nothing compiled before; the peer is bare Probot. In turns; medians.
 */
export async function run(): Promise<Row[]> {
  const here = await places("the cold start on a PostgreSQL server");
  const rows: Row[] = [];
  for (const { kind, create, remove } of here) {
    const ground = await prepareGround({ servers: {}, storeUrl: await create() });
    const { private_key_file: key, webhook_secret_file: hook } = JSON.parse(
      readFileSync(ground.configFile, "utf8"),
    ).github;
    const secret = readFileSync(hook, "utf8").trim();
    const ours = () => cost({ args: [...startCommand.args, "--config", ground.configFile], port: ground.port, secret });
    const peer = async () => {
      const port = await freePort();
      const env = {
        APP_ID: "7",
        PRIVATE_KEY_PATH: key,
        WEBHOOK_SECRET: secret,
        PORT: String(port),
        LOG_LEVEL: "fatal",
      };
      const bare = fileURLToPath(new URL("./bare-probot.ts", import.meta.url));
      return cost({ args: [bare], port, secret, env });
    };
    // The first makes the tables and warms the disk's cache.
    await ours();
    await peer();
    const found: Record<"ours" | "peer", Cost[]> = { ours: [], peer: [] };
    for (let round = 0; round < rounds; round++) {
      found.ours.push(await ours());
      found.peer.push(await peer());
    }
    rows.push(rowOf(`cold start → first webhook acknowledged (${kind})`, "ms", found, ({ ms }) => ms));
    if (found.ours.every(({ mb }) => mb !== undefined))
      rows.push(rowOf(`memory after it, RSS (${kind})`, "MB", found, ({ mb = Number.NaN }) => mb));
    await ground.close();
    await remove();
  }
  return rows;
}

interface Cost {
  readonly ms: number;
  /** Nothing where the system does not tell it. */
  readonly mb: number | undefined;
}

interface Start {
  readonly args: readonly string[];
  readonly port: number;
  readonly secret: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function cost({ args, port, secret, env = {} }: Start): Promise<Cost> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: startCommand.cwd,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: "/usr/bin:/bin", NODE_ENV: "production", ...env },
  });
  const ended = once(child, "exit");
  while (!(await isTaken(port, secret))) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
    await sleep(2);
  }
  const ms = performance.now() - started;
  await sleep(settleMs);
  const mb = residentMb(child.pid);
  child.kill("SIGTERM");
  await ended;
  return { ms, mb };
}

const body = JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 });

/** Whether a signed webhook is acknowledged; nobody listening is a no. */
async function isTaken(port: number, secret: string): Promise<boolean> {
  const headers = webhookHeaders(secret, "ping", body);
  return fetch(`http://127.0.0.1:${port}/api/github/webhooks`, { method: "POST", headers, body }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function residentMb(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) {
    missing("/proc", "the memory of a started bot");
    return undefined;
  }
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}

function rowOf(
  title: string,
  unit: string,
  found: Record<"ours" | "peer", readonly Cost[]>,
  of: (cost: Cost) => number,
): Row {
  const [ours, peer] = [median(found.ours.map(of)), median(found.peer.map(of))];
  return { case: title, unit, ours, peer, peerName, ratio: peer / ours, better: "lower", runs: rounds };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
