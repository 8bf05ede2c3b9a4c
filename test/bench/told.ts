import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "../harness/playground.ts";
import { startWireTap } from "../injection/wire-tap.ts";
import { noPeer, percentile, type Row } from "./row.ts";

const periodMs = 10 * 60_000;
/** What has not been told by then counts as told then. */
const afterwardsMs = 4 * 60_000;

/** What happens to one installation within ten minutes. */
interface Play {
  readonly approvals: number;
  /** One incident each, or all in one. */
  readonly incidents: "many" | "one";
  /** So many incidents open within a minute, halfway. */
  readonly storm?: number;
  /** So many slash commands of somebody with read access, on an incident of their own. */
  readonly readers?: number;
}

const plays: Readonly<Record<string, Play>> = {
  "3 approvals": { approvals: 3, incidents: "many" },
  "10 approvals": { approvals: 10, incidents: "many" },
  "24 approvals": { approvals: 24, incidents: "many" },
  "24 approvals in one incident": { approvals: 24, incidents: "one" },
  "10 approvals, a storm of 65 alerts": { approvals: 10, incidents: "many", storm: 65 },
  "10 approvals, 300 slash commands of a reader": { approvals: 10, incidents: "many", readers: 300 },
  "24 approvals, storm and reader": { approvals: 24, incidents: "many", storm: 65, readers: 300 },
};

/**
 * RR-08: from a command's end to its result on GitHub at the default limits, in ten minutes of real time; the plays run side by side.
 * `npm run bench -- told` takes about eleven minutes.
 */
export async function run(): Promise<Row[]> {
  const rows = await Promise.all(
    Object.entries(plays).map(async ([name, play], index) => {
      // The bots start one after the other, since they share the machine.
      await sleep(index * 4_000);
      const { told, writes } = await playTold(play);
      console.error(
        `${name}: ${told.length} of ${play.approvals} ran, told after ${told.map((ms) => Math.round(ms)).join(", ")} ms; writes: ${writes}`,
      );
      return [0.5, 0.95].map(
        (part): Row => ({
          case: `exit → result, ${name} in ten minutes, p${part * 100} (goal: p95 2,000 ms)`,
          unit: "ms",
          ours: percentile(told, part),
          ...noPeer,
          better: "lower",
          runs: told.length,
        }),
      );
    }),
  );
  return rows.flat();
}

async function playTold(play: Play) {
  const ended = new Map<string, number>();
  const seen = new Map<string, number>();
  /** The number under which each command stands on its card. */
  const cards = new Map<string, string>();
  const tap = await startWireTap();
  const bot = await startPlayground({
    play: async (command, { channel }) => {
      const token = /token-\d+/.exec(command)?.[0];
      if (token === undefined) return 0;
      channel.write(`${token}\n`);
      ended.set(token, performance.now());
      return 0;
    },
    logLevel: "warn",
    configure: (config) => {
      const github = config.github as { api_url: string; writes_per_minute?: number };
      tap.lead(github.api_url);
      github.api_url = tap.url;
      // What is measured is the default limit.
      delete github.writes_per_minute;
    },
  });
  const until = performance.now() + periodMs + afterwardsMs;
  const counts = new Map<string, number>();
  let read = 0;
  const stop = bot.github.onTraffic((traffic) => {
    if (traffic.kind !== "request" || traffic.by !== "installation" || traffic.status >= 300) return;
    const { operationId = "" } = traffic;
    if (/comment|reaction|label|minimi|pin/i.test(operationId) && traffic.method !== "GET")
      counts.set(operationId, (counts.get(operationId) ?? 0) + 1);
    for (const { method, path, body } of tap.passed.slice(read)) {
      if (method === "GET" || !path.includes("comments")) continue;
      // A line of output, which the run card alone shows; the command stands behind `echo`.
      for (const [, token = ""] of body.matchAll(/\\n(token-\d+)\\n/g))
        if (ended.has(token) && !seen.has(token)) seen.set(token, performance.now());
      const [, proposed] = /echo (token-\d+)\\n/.exec(body) ?? [];
      const [, number] = /countersign-record \{\\"action\\":(\d+)/.exec(body) ?? [];
      if (proposed !== undefined && number !== undefined) cards.set(proposed, number);
    }
    read = tap.passed.length;
  });
  const own = await bot.open();
  const approve = async (n: number): Promise<void> => {
    await sleep((n * periodMs) / play.approvals);
    const thread = play.incidents === "one" ? own : await bot.open();
    await thread.say("sam", `/run web-1\n\`\`\`sh\necho token-${n}\n\`\`\``);
    while (!cards.has(`token-${n}`) && performance.now() < until) await sleep(20);
    if (!cards.has(`token-${n}`)) return;
    await sleep(1_000);
    await thread.say("lee", `/approve ${cards.get(`token-${n}`)}`);
  };
  const storm = async (): Promise<void> => {
    await sleep(periodMs / 2);
    await Promise.all(
      Array.from({ length: play.storm ?? 0 }, async (_, n) => {
        await sleep((n * 60_000) / (play.storm ?? 1));
        await bot.open();
      }),
    );
  };
  const readAlong = async (): Promise<void> => {
    const thread = play.readers === undefined ? own : await bot.open();
    for (let n = 0; n < (play.readers ?? 0); n++) {
      await thread.say("rita", ["/status", "/approve 1", "/help", "/run web-1 ls", "/oncall"][n % 5] ?? "");
      await sleep(periodMs / (play.readers ?? 1));
    }
  };
  const approvals = Array.from({ length: play.approvals }, (_, n) => approve(n));
  await Promise.all([...approvals, storm(), readAlong()]);
  while (seen.size < cards.size && performance.now() < until) await sleep(1_000);
  stop();
  await bot.close();
  await tap.close();
  return {
    told: [...ended].map(([token, at]) => (seen.get(token) ?? until) - at),
    writes: [...counts].map(([kind, count]) => `${count} ${kind}`).join(", "),
  };
}
