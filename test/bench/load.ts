import { setTimeout as sleep } from "node:timers/promises";
import type { Traffic } from "../../emulator/start.ts";
import { startPostgres } from "../harness/postgres.ts";
import { memoryOf, startWorld, type World } from "../harness/world.ts";
import { noPeer, percentile, type Row } from "./row.ts";
import { cpuOf } from "./story.ts";

/** Of one burst, to see how many a second come to their card: from processes that have just started, and from such as have served so many each. */
const burst = 120;
/** F-40: so many within a minute. */
const flood = 1_000;
const floodMs = 60_000;

/**
 * How much the bot bears: incidents a second from webhook to card with several processes on one PostgreSQL, the acknowledgement
 * while a thousand incidents come in a minute, and memory. The offline responder answers; `github.writes_per_minute` is raised,
 * since one installation stands for all; the emulated GitHub shares the machine.
 */
export async function run(): Promise<Row[]> {
  const postgres = await startPostgres("the load benchmark");
  if (!postgres) return [];
  try {
    const rows: Row[] = [];
    for (const processes of [1, 2, 4]) rows.push(...(await onCluster(await postgres.createDatabase(), processes)));
    return rows;
  } finally {
    await postgres.stop();
  }
}

const row = (title: string, unit: string, ours: number, better: Row["better"], runs: number): Row => ({
  case: title,
  unit,
  ours,
  ...noPeer,
  better,
  runs,
});

async function onCluster(storeUrl: string, processes: number): Promise<Row[]> {
  const world = await startWorld({
    storeUrl,
    processes: Array.from({ length: processes }, () => ({})),
    logLevel: "info",
  });
  const words = `${processes} ${processes === 1 ? "process" : "processes"}`;
  const cards = countCards(world);
  try {
    await world.start();
    let opened = 0;
    const open = async (count: number): Promise<{ readonly perSecond: number; readonly cpuMs: number }> => {
      const [started, cpu] = [performance.now(), cpuOfAll(world)];
      await openMany(world, count, 0);
      opened += count;
      await cards.until(opened);
      const perSecond = (count * 1_000) / (performance.now() - started);
      await world.github.settled();
      return { perSecond, cpuMs: (cpuOfAll(world) - cpu) / count };
    };
    await open(5);
    const cold = await open(burst);
    await open(burst * processes);
    const warm = await open(burst);
    const rows = [
      row(`incidents, webhook → card, ${words}, just started`, "1/s", cold.perSecond, "higher", burst),
      row(`incidents, webhook → card, ${words}`, "1/s", warm.perSecond, "higher", burst),
      row(`the bot's CPU an incident, ${words}`, "ms", warm.cpuMs, "lower", burst),
    ];
    if (processes === 2) return rows;
    const before = world.github.deliveries().length;
    await openMany(world, flood, floodMs);
    const acks = world.github
      .deliveries()
      .slice(before)
      .filter(({ event, status }) => event === "issues" && status === 202)
      .map(({ ms }) => ms);
    return [
      ...rows,
      row(
        `ack p99 while ${flood} incidents come in a minute, ${words}`,
        "ms",
        percentile(acks, 0.99),
        "lower",
        acks.length,
      ),
      row(`memory of a process after it, ${words}`, "MB", mostMemoryMb(world), "lower", 1),
    ];
  } finally {
    cards.stop();
    await world.close();
  }
}

async function openMany(world: World, count: number, withinMs: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await sleep((n * withinMs) / count);
      await world.open();
    }),
  );
}

/** The card is an incident's second comment. */
function countCards({ github }: World) {
  const posted = new Map<string, number>();
  const stop = github.onTraffic((traffic: Traffic) => {
    if (traffic.kind !== "request" || traffic.operationId !== "issues/create-comment" || traffic.status !== 201) return;
    posted.set(traffic.path, (posted.get(traffic.path) ?? 0) + 1);
  });
  return {
    stop,
    until: async (count: number): Promise<void> => {
      const end = performance.now() + 300_000;
      while ([...posted.values()].filter((comments) => comments >= 2).length < count) {
        if (performance.now() > end) throw new Error(`waited 300 s for ${count} cards`);
        await sleep(5);
      }
    },
  };
}

const cpuOfAll = ({ members }: World): number => members.reduce((sum, { bot }) => sum + cpuOf(bot?.child.pid ?? 0), 0);

/** Of the process that has the most; nothing but Linux tells it. */
function mostMemoryMb({ members }: World): number {
  return Math.max(...members.map(({ bot }) => (bot ? memoryOf(bot).nowMb : Number.NaN)));
}
