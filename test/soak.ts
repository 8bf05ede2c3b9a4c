import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStore } from "../src/store/database.ts";
import { startFakeModel } from "./agent/fake-model.ts";
import { startBotProcess } from "./bot-process.ts";
import { createChance, redeliverLost, startCable } from "./cluster.ts";
import { type Played, playIncident, untilServed, wrongInStore, wrongOnHost, wrongOnIssues } from "./played-incident.ts";
import { entryOf, prepareGround, repo } from "./playground.ts";
import { startPostgres } from "./postgres.ts";
import { startFakeHost } from "./ssh/fake-host.ts";

/**
 * `npm run soak -- --minutes 30 --seed 7` (RR-23): one bot in a process of its own, incidents all the time, and a random fault
 * every two seconds. Prints handles and memory each half minute, and at the end how they have grown since the warm-up and what was
 * found wrong; exit 1 where anything was, or where either has grown by more than 5 %.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "7" },
    "every-ms": { type: "string", default: "1500" },
  },
});
const durationMs = Number(values.minutes) * 60_000;
const warmUpMs = Math.max(60_000, durationMs / 4);
const incidentEveryMs = Number(values["every-ms"]);
const faultEveryMs = 2_000;
const lookEveryMs = 30_000;
const mostGrowth = 0.05;

const chance = createChance(Number(values.seed));
const pick = <T>(from: readonly T[]): T => {
  const one = from[Math.floor(chance() * from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
};

const postgres = await startPostgres("a soak, whose database can be cut off");
if (!postgres) throw new Error("PostgreSQL is not installed");
const url = await postgres.createDatabase();
const cable = await startCable(Number(new URL(url).port));
const cabled = new URL(url);
cabled.port = String(cable.port);
const host = await startFakeHost(async (command, { channel }) => {
  await sleep(50 + chance() * 1_500);
  channel.write(`said ${/token-\d+-\w/.exec(command)?.[0] ?? "nothing"}\n`);
  return 0;
});
const model = await startFakeModel();
const ground = await prepareGround({
  servers: { "web-1": entryOf(host) },
  storeUrl: cabled.href,
  configure: (config) => {
    config.model = {
      endpoints: [{ url: model.url, model: "fake", api_key_env: "TEST_MODEL_KEY" }],
      deadline: "10s",
      retry: { max_retries: 1, base_delay_ms: 100 },
      budget: { tokens_per_day: 1_000_000_000 },
    };
    config.agent = { turns_per_person_per_hour: 1_000_000 };
  },
});
const { github } = ground;

/** What can go wrong; each is over by itself. */
const faults: Readonly<Record<string, () => void | Promise<void>>> = {
  "GitHub 5xx": () => github.fault({ times: 5 }, { status: pick([500, 502, 503]) }),
  "GitHub secondary limit": () =>
    github.fault({ method: "POST", path: /comments/, times: 1 }, { status: 403, headers: { "retry-after": "3" } }),
  "answer lost": () => github.fault({ method: "POST", path: /comments/, times: 2 }, { drop: "after" }),
  "request lost": () => github.fault({ times: 3 }, { drop: "before" }),
  "webhook lost": () => github.fault({ event: "issue_comment", times: 2 }, { drop: "before" }),
  "webhook twice": () => github.fault({ event: "issue_comment.created", times: 3 }, { duplicate: 2 }),
  "tokens revoked": () => github.revokeTokens(),
  "SSH reset": () => host.resetAll(),
  "database cut off": async () => {
    cable.cut();
    await sleep(500 + chance() * 2_500);
    cable.mend();
  },
  "model fails": () =>
    model.play(pick([{ status: 529 }, { fault: "reset" }, { fault: "half-body" }, { status: 200, body: "<html>" }])),
  nothing: () => undefined,
};

const bot = await startBotProcess(ground, { env: { TEST_MODEL_KEY: "sk-test-0123456789abcdef" } });
const store = await openStore(url);
const struck = new Map<string, number>();
const played: Played[] = [];
const failed: string[] = [];
let begun = 0;
const started = performance.now();
const isOver = (): boolean => performance.now() - started > durationMs;

interface Look {
  readonly atMs: number;
  readonly handles: number;
  readonly memoryMb: number;
}
const looks: Look[] = [];

function look(): Look {
  if (bot.child.exitCode !== null) throw new Error(`the bot has ended: ${bot.said()}`);
  const status = readFileSync(`/proc/${bot.child.pid}/status`, "utf8");
  const memoryMb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
  const seen = {
    atMs: performance.now() - started,
    handles: readdirSync(`/proc/${bot.child.pid}/fd`).length,
    memoryMb,
  };
  looks.push(seen);
  const minutes = (seen.atMs / 60_000).toFixed(1).padStart(5);
  const faultsSoFar = [...struck.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${minutes} min  ${seen.handles} handles  ${memoryMb.toFixed(0)} MB  ${played.length} of ${begun} incidents over  ${faultsSoFar} faults`,
  );
  return seen;
}

async function every(ms: number, act: () => unknown): Promise<void> {
  while (!isOver()) {
    await sleep(ms);
    await act();
  }
}

const going = new Set<Promise<void>>();
/** As many at once as a busy team has: a backlog would be growth that is no leak. */
const mostAtOnce = 12;
await Promise.all([
  every(incidentEveryMs, () => {
    model.play({ text: "LIKELY: looking." }, { text: "LIKELY: looking on." });
    if (going.size >= mostAtOnce) return;
    const one = playIncident({ ground, store, repo }, begun++)
      .then((done) => void played.push(done))
      .catch((error) => void failed.push(String(error)))
      .finally(() => going.delete(one));
    going.add(one);
  }),
  every(faultEveryMs, async () => {
    const [name, strike] = pick(Object.entries(faults));
    struck.set(name, (struck.get(name) ?? 0) + 1);
    await strike();
  }),
  every(5_000, () => redeliverLost(ground)),
  every(lookEveryMs, look),
]);

github.clearFaults();
cable.mend();
console.log("no more faults; waiting for what is open");
const settling = setInterval(() => void redeliverLost(ground), 5_000);
await Promise.all(going);
await redeliverLost(ground);
await sleep(15_000);
clearInterval(settling);
const end = look();
await untilServed(store);
const isAlive = bot.child.exitCode === null;
await bot.signal("SIGKILL");

const after = looks.filter(({ atMs }) => atMs > warmUpMs);
/** The first and the last third: a single look says little of a process that collects its garbage when it likes. */
const third = Math.max(1, Math.floor(after.length / 3));
const grown = (of: (one: Look) => number): number => {
  const median = (part: readonly Look[]): number =>
    part.map(of).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
  return median(after.slice(-third)) / median(after.slice(0, third)) - 1;
};
const [handles, memory] = [grown((one) => one.handles), grown((one) => one.memoryMb)];
await store.close();
const wrong = [
  ...failed,
  ...(isAlive ? [] : ["the bot has ended"]),
  ...(await wrongOnHost(played, host)),
  ...(await wrongOnIssues(played)),
  ...(await wrongInStore(url, github.deliveries(), begun)),
  ...(handles > mostGrowth ? ["handles have grown"] : []),
  ...(memory > mostGrowth ? ["memory has grown"] : []),
];
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const endings = Object.entries(
  Object.groupBy(
    played.flatMap((one) => one.endings),
    (ending) => ending,
  ),
);
console.log(
  `seed ${values.seed}, ${begun} incidents, faults: ${[...struck].map(([name, count]) => `${name} ${count}`).join(", ")}`,
);
console.log(`commands: ${endings.map(([ending, all]) => `${all?.length ?? 0} ${ending}`).join(", ")}`);
console.log(
  `since the warm-up: handles ${percent(handles)}, memory ${percent(memory)} (now ${end.memoryMb.toFixed(0)} MB)`,
);
for (const line of wrong) console.error(`✗ ${line}`);
console.log(wrong.length === 0 ? "nothing lost, nothing twice, all in order" : `${wrong.length} things are wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
