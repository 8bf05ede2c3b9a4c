import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { places } from "../store/fresh.ts";
import { noPeer, percentile, type Row } from "./row.ts";
import { latencies, throughput } from "./webhook-load.ts";

const rounds = 3;
const throughputMs = 2_000;
const latencyMs = 4_000;
const connections = 48;
const peers = { probot: "Probot, keeps nothing", plain: "node:http + HMAC, keeps nothing" } as const;

/** Webhooks a second and time to the acknowledgement, ours durable on each database; and enqueue → start of a job. */
export async function run(): Promise<Row[]> {
  const here = await places("the webhook benchmark on a PostgreSQL server");
  const probot = await start("probot");
  const plain = await start("plain");
  const rows: Row[] = [];
  try {
    for (const { kind, create } of here) {
      const ours = await start("countersign", await create());
      const contestants = { ours: ours.url, probot: probot.url, plain: plain.url };
      rows.push(...(await compareThroughput(kind, contestants)), ...(await compareLatency(kind, contestants)));
      await ours.stop();
      rows.push(...(await hops(kind, await create())));
    }
  } finally {
    await Promise.all([probot.stop(), plain.stop()]);
    for (const place of here) await place.remove();
  }
  return rows;
}

type Contestants = Readonly<Record<"ours" | keyof typeof peers, string>>;
type Measure = (url: string) => Promise<number>;

/** Takes turns, so that a slow moment of the machine hits everybody; medians. */
async function takeTurns(contestants: Contestants, measure: Measure): Promise<Record<keyof Contestants, number>> {
  const found: Record<keyof Contestants, number[]> = { ours: [], probot: [], plain: [] };
  for (let round = 0; round < rounds; round++) {
    found.ours.push(await measure(contestants.ours));
    found.probot.push(await measure(contestants.probot));
    found.plain.push(await measure(contestants.plain));
  }
  return { ours: median(found.ours), probot: median(found.probot), plain: median(found.plain) };
}

async function compareThroughput(kind: string, contestants: Contestants): Promise<Row[]> {
  const found = await takeTurns(contestants, (url) => throughput(url, connections, throughputMs));
  return rowsOf(`webhooks acknowledged, ours durable (${kind})`, "1/s", "higher", found);
}

async function compareLatency(kind: string, contestants: Contestants): Promise<Row[]> {
  const p99s: Record<string, number[]> = {};
  const p50 = await takeTurns(contestants, async (url) => {
    const times = await latencies(url, 100, latencyMs);
    p99s[url] = [...(p99s[url] ?? []), percentile(times, 0.99)];
    return percentile(times, 0.5);
  });
  const p99Of = (url: string): number => median(p99s[url] ?? []);
  const p99 = { ours: p99Of(contestants.ours), probot: p99Of(contestants.probot), plain: p99Of(contestants.plain) };
  return [
    ...rowsOf(`acknowledgement at 100/s, p50 (${kind})`, "ms", "lower", p50),
    ...rowsOf(`acknowledgement at 100/s, p99 (${kind})`, "ms", "lower", p99),
  ];
}

const rowsOf = (name: string, unit: string, better: Row["better"], found: Record<keyof Contestants, number>): Row[] =>
  (["probot", "plain"] as const).map((peer) => ({
    case: name,
    unit,
    ours: found.ours,
    peer: found[peer],
    peerName: peers[peer],
    ratio: better === "higher" ? found.ours / found[peer] : found[peer] / found.ours,
    better,
    runs: rounds,
  }));

const hopRuns = 200;

/** From the call of the transaction that enqueues a job to the first line of its handler: commit and claim. */
async function hops(kind: string, url: string): Promise<Row[]> {
  const store = await openStore(url);
  const one = await timesOf(store, 1);
  const two = await timesOf(store, 2);
  await store.close();
  const row = (name: string, ours: number): Row => ({
    case: `${name} (${kind})`,
    unit: "ms",
    ours,
    ...noPeer,
    better: "lower",
    runs: hopRuns,
  });
  return [
    row("enqueue → start, p50", percentile(one, 0.5)),
    row("enqueue → start, p99", percentile(one, 0.99)),
    row("enqueue → start → enqueue → start, p50", percentile(two, 0.5)),
    row("enqueue → start → enqueue → start, p99", percentile(two, 0.99)),
  ];
}

async function timesOf(store: Store, hopCount: 1 | 2): Promise<number[]> {
  const first = hopCount === 1 ? "turn" : "delivery";
  const last = hopCount === 1 ? "turn" : "execute";
  let arrived = Promise.withResolvers<void>();
  const onPoison = async (): Promise<void> => {};
  if (hopCount === 2) {
    await store.queue.serve(first, { slots: 8, onPoison }, (job) =>
      store.transaction(async (tx) => {
        await store.queue.enqueue(tx, last, job.key, {});
        await job.settle(tx);
      }),
    );
  }
  await store.queue.serve(last, { slots: 8, onPoison }, async () => arrived.resolve());
  const times: number[] = [];
  for (let n = 0; n < hopRuns; n++) {
    arrived = Promise.withResolvers<void>();
    const started = performance.now();
    await store.transaction((tx) => store.queue.enqueue(tx, first, `issue:1:${n}`, {}));
    await arrived.promise;
    times.push(performance.now() - started);
    await store.queue.idle();
  }
  return times.sort((a, b) => a - b);
}

async function start(contestant: string, ...args: readonly string[]) {
  const program = fileURLToPath(new URL("./webhook-server.ts", import.meta.url));
  const child = spawn(process.execPath, [program, contestant, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  return {
    url: String(url),
    stop: async () => {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

const median = (values: readonly number[]): number => percentile(values, 0.5);
