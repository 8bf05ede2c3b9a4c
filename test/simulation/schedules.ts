import { setTimeout as sleep } from "node:timers/promises";
import { startFakeModel } from "../agent/fake-model.ts";
import { createChance } from "../harness/chance.ts";
import { endpointsOf } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startWorld } from "../harness/world.ts";
import type { Play } from "../ssh/fake-host.ts";
import { type LivedLife, live, type Schedule } from "./life.ts";
import { crashingStore, freezingAndCutting, killing, startMeasuring, striking } from "./troubles.ts";

type Given = Pick<Schedule, "seed" | "sayAgainMs" | "tell">;

/** A server on which each command takes its time and says its token. */
export function slowly(seed: number, leastMs: number, moreMs: number): Play {
  const chance = createChance(seed);
  return async (command, { channel }) => {
    await sleep(leastMs + chance.below(moreMs));
    channel.write(`said ${/token-\d+-\w/.exec(command)?.[0] ?? "nothing"}\n`);
    return 0;
  };
}

const repos = ["acme/web", "acme/api", "acme/db"];
/** All on one machine; what changes something has a server to itself, and others wait for it. */
const servers = Array.from({ length: 8 }, (_, n) => `web-${n + 1}`);

/**
 * Four processes on one PostgreSQL: one is killed at random every few seconds, one frozen for longer than its lease, one cut off from
 * the database. With `crashStoreEveryMs` the database of two crashes this often instead. Nothing where PostgreSQL is not installed.
 */
export async function liveInCluster({
  incidents,
  seconds,
  killEveryMs,
  crashStoreEveryMs,
  ...given
}: Given & {
  readonly incidents: number;
  /** How long incidents go on being opened. */
  readonly seconds: number;
  readonly killEveryMs: number;
  readonly crashStoreEveryMs?: number;
}): Promise<LivedLife | undefined> {
  const postgres = await startPostgres("four processes on one PostgreSQL");
  if (!postgres) return undefined;
  const world = await startWorld({
    machine: Object.fromEntries(servers.map((name) => [name, {}])),
    play: slowly(given.seed, 100, 1_000),
    moreRepos: repos.slice(1).map((name) => name.split("/")[1] ?? ""),
    storeUrl: await postgres.createDatabase(),
    processes: crashStoreEveryMs === undefined ? [{ isCabled: true }, {}, {}, {}] : [{}, {}],
  });
  try {
    await world.start();
    return await live(world, {
      ...given,
      incidents,
      everyMs: (seconds * 1_000) / incidents,
      places: Array.from({ length: repos.length * servers.length }, (_, n) => ({
        repo: repos[n % repos.length] ?? "",
        server: servers[n % servers.length] ?? "",
      })),
      troubles:
        crashStoreEveryMs === undefined
          ? [killing(() => sleep(killEveryMs)), freezingAndCutting(seconds * 150)]
          : [crashingStore(postgres.crash, crashStoreEveryMs)],
    });
  } finally {
    await world.close();
    await postgres.stop();
  }
}

/**
 * Incidents all the time on one process, and a random fault every two seconds (RR-23); and how handles and memory have grown. Nothing
 * where PostgreSQL is not installed.
 */
export async function soak({
  minutes,
  everyMs,
  ...given
}: Given & { readonly minutes: number; readonly everyMs: number }) {
  const postgres = await startPostgres("a soak, whose database can be cut off");
  if (!postgres) return undefined;
  const model = await startFakeModel();
  const world = await startWorld({
    play: slowly(given.seed, 50, 1_500),
    storeUrl: await postgres.createDatabase(),
    processes: [{ isCabled: true }],
    env: { NODE_OPTIONS: "--inspect=127.0.0.1:0" },
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
  try {
    await world.start();
    const measuring = await startMeasuring(world, given.tell ?? (() => undefined));
    const lived = await live(world, {
      ...given,
      incidents: (minutes * 60_000) / everyMs,
      everyMs,
      // As many as a busy team has: a backlog would be growth that is no leak.
      mostAtOnce: 12,
      redeliverEveryMs: 5_000,
      troubles: [
        striking(model),
        measuring.trouble,
        async ({ isOpening }) => {
          for (; isOpening(); await sleep(everyMs))
            model.play({ text: "LIKELY: looking." }, { text: "LIKELY: looking on." });
        },
      ],
      atRest: measuring.measure,
    });
    return { ...lived, figures: { ...lived.figures, ...measuring.growth(minutes * 60_000) } };
  } finally {
    await world.close();
    await model.close();
    await postgres.stop();
  }
}
