import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/store/database/open.ts";
import { startFakeModel } from "../agent/fake-model.ts";
import { startBotProcess } from "../harness/bot-process.ts";
import { createChance, redeliverLost } from "../harness/cluster.ts";
import { attachHeap } from "../harness/live-heap.ts";
import { endpointsOf, repo } from "../harness/playground.ts";
import { startCabledGround } from "./cabled-ground.ts";
import { judgePlayed, type Played, playIncident, untilRest, watchPosted } from "./played-incident.ts";

export interface SoakPlay {
  readonly minutes: number;
  readonly seed: number;
  /** Between one incident and the next. */
  readonly everyMs: number;
  /** Hears how it goes. */
  readonly tell?: (what: string) => void;
}

export interface Soaked {
  readonly wrong: readonly string[];
  readonly figures: {
    readonly incidents: number;
    /** How often each fault struck. */
    readonly faults: Readonly<Record<string, number>>;
    /** How many commands ended in which way. */
    readonly endings: Readonly<Record<string, number>>;
    /** Grown since the warm-up, as parts of 1; not a number where it was too short to tell. */
    readonly handlesGrown: number;
    readonly heapGrown: number;
    /** What the process holds, and what it takes of the system. */
    readonly heapMb: number;
    readonly memoryMb: number;
  };
}

interface Look {
  readonly atMs: number;
  readonly handles: number;
  readonly heapMb: number;
  readonly memoryMb: number;
}

const faultEveryMs = 2_000;
const lookEveryMs = 30_000;
/** As many at once as a busy team has: a backlog would be growth that is no leak. */
const mostAtOnce = 12;

/**
 * Incidents all the time on one bot in a process of its own, and a random fault every two seconds (RR-23). Returns what was found
 * wrong afterwards, and how handles and memory have grown. Nothing is wrong where PostgreSQL is not installed.
 */
export async function playSoak({
  minutes,
  seed,
  everyMs,
  tell = () => undefined,
}: SoakPlay): Promise<Soaked | undefined> {
  const chance = createChance(seed);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(chance() * from.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  const model = await startFakeModel();
  const place = await startCabledGround({
    why: "a soak, whose database can be cut off",
    servers: ["web-1"],
    takesMs: () => 50 + chance() * 1_500,
    config: {
      model: {
        endpoints: endpointsOf(model),
        deadline: "10s",
        retry: { max_retries: 1, base_delay_ms: 100 },
        budget: { tokens_per_day: 1_000_000_000 },
      },
      agent: { turns_per_person_per_hour: 1_000_000 },
    },
  });
  if (!place) {
    await model.close();
    return undefined;
  }
  const { ground, host, cable } = place;
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

  const env = { TEST_MODEL_KEY: "sk-test-0123456789abcdef", NODE_OPTIONS: "--inspect=127.0.0.1:0" };
  const bot = await startBotProcess(ground, { env });
  const heap = await attachHeap(bot.said());
  const store = await openStore(place.storeUrl);
  const posted = watchPosted(store);
  const struck: Record<string, number> = {};
  const played: Played[] = [];
  const failed: string[] = [];
  const looks: Look[] = [];
  let begun = 0;
  const started = performance.now();
  const durationMs = minutes * 60_000;
  let isOver = false;
  void bot.ended.then((how) => {
    if (!isOver) failed.push(`the bot has ended with ${how}: ${bot.said()}`);
    isOver = true;
  });

  const look = async (): Promise<void> => {
    if (isOver) return;
    const heapMb = await heap.liveMb().catch(() => Number.NaN);
    const status = readFileSync(`/proc/${bot.child.pid}/status`, "utf8");
    const memoryMb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    const handles = readdirSync(`/proc/${bot.child.pid}/fd`).length;
    const atMs = performance.now() - started;
    looks.push({ atMs, handles, heapMb, memoryMb });
    const faultsSoFar = Object.values(struck).reduce((sum, count) => sum + count, 0);
    tell(
      `${(atMs / 60_000).toFixed(1).padStart(5)} min  ${handles} handles  ${heapMb.toFixed(1)} MB of ${memoryMb.toFixed(0)}  ${played.length} of ${begun} incidents over  ${faultsSoFar} faults`,
    );
  };
  const every = async (ms: number, act: () => unknown): Promise<void> => {
    while (!isOver && performance.now() - started < durationMs) {
      await sleep(ms);
      await act();
    }
  };

  const going = new Set<Promise<void>>();
  await Promise.all([
    every(everyMs, () => {
      model.play({ text: "LIKELY: looking." }, { text: "LIKELY: looking on." });
      if (going.size >= mostAtOnce) return;
      const one = playIncident({ ground, posted, repo }, begun++)
        .then((done) => void played.push(done))
        .catch((error) => void failed.push(String(error)))
        .finally(() => going.delete(one));
      going.add(one);
    }),
    every(faultEveryMs, async () => {
      const [name, strike] = pick(Object.entries(faults));
      struck[name] = (struck[name] ?? 0) + 1;
      await strike();
    }),
    every(5_000, () => redeliverLost(ground)),
    every(lookEveryMs, look),
  ]);

  github.clearFaults();
  cable.mend();
  tell("no more faults; waiting for what is open");
  const settling = setInterval(() => void redeliverLost(ground), 5_000);
  // Of a bot that has ended nothing more will come.
  await Promise.race([Promise.all(going), bot.ended]);
  await redeliverLost(ground);
  await sleep(isOver ? 0 : 15_000);
  clearInterval(settling);
  await look();
  heap.close();
  await posted.stop();
  if (!isOver) await untilRest(store);
  isOver = true;
  await bot.signal("SIGKILL");
  await store.close();

  const wrong = [...failed, ...(await judgePlayed(ground, { ...place, played, opened: begun }))];
  await place.close();
  await model.close();
  const warm = looks.filter(({ atMs }) => atMs > Math.max(60_000, durationMs / 4));
  return {
    wrong,
    figures: {
      incidents: begun,
      faults: struck,
      endings: Object.fromEntries(
        Object.entries(
          Object.groupBy(
            played.flatMap((one) => one.endings),
            (ending) => ending,
          ),
        ).map(([ending, all]) => [ending, all?.length ?? 0]),
      ),
      handlesGrown: grown(warm.map(({ handles }) => handles)),
      heapGrown: grown(warm.map(({ heapMb }) => heapMb)),
      heapMb: looks.at(-1)?.heapMb ?? Number.NaN,
      memoryMb: looks.at(-1)?.memoryMb ?? Number.NaN,
    },
  };
}

/** From the first third to the last: a single look says little of a process that collects its garbage when it likes. */
function grown(looks: readonly number[]): number {
  const third = Math.floor(looks.length / 3);
  const median = (part: readonly number[]): number =>
    part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
  return third === 0 ? Number.NaN : median(looks.slice(-third)) / median(looks.slice(0, third)) - 1;
}
