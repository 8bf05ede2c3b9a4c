import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/store/database/open.ts";
import { createChance, keepKilling, type Member, redeliverLost, startCluster } from "../harness/cluster.ts";
import { startCabledGround } from "./cabled-ground.ts";
import { judgePlayed, type Played, patienceMs, playIncident, untilRest, watchPosted } from "./played-incident.ts";

export interface PlayedCluster {
  readonly incidents: number;
  readonly seed: number;
  /** How long incidents go on being opened. */
  readonly seconds: number;
  readonly killEveryMs: number;
  /** Has the database crash this often instead: then there are two processes, and nothing else happens to them. */
  readonly crashStoreEveryMs?: number;
  /** After how long a player who hears nothing says it again. */
  readonly sayAgainMs?: number;
  /** Hears what happens. */
  readonly tell?: (what: string) => void;
}

const repos = ["acme/web", "acme/api", "acme/db"];
/** All on one machine; what changes something has a server to itself, and others wait for it. */
const servers = Array.from({ length: 8 }, (_, n) => `web-${n + 1}`);
/** Longer than the 15 s after which what a process holds is another's (F-35). */
const frozenMs = 20_000;
const cutMs = 8_000;

/**
 * Plays incidents on four processes of one PostgreSQL, of which one is killed at random every few seconds, one is frozen for longer
 * than its lease, and one loses its way to the database. Returns what was found wrong, and figures.
 */
export async function playCluster(options: PlayedCluster): Promise<{
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}> {
  const { tell = () => undefined } = options;
  const chance = createChance(options.seed);
  const place = await startCabledGround({
    why: "four processes on one PostgreSQL",
    servers,
    takesMs: () => 100 + chance() * 1_000,
    moreRepos: repos.slice(1).map((name) => name.split("/")[1] ?? ""),
  });
  if (!place) return { wrong: [], figures: {} };
  const { ground, cable, storeUrl, cabledUrl } = place;
  const crashing = options.crashStoreEveryMs !== undefined;
  const cluster = await startCluster(
    ground,
    (crashing ? [storeUrl, storeUrl] : [cabledUrl, storeUrl, storeUrl, storeUrl]).map((url) => ({ storeUrl: url })),
  );
  const store = await openStore(storeUrl);
  const posted = watchPosted(store);
  const started = performance.now();
  let livedOn = false;
  const play = async (n: number): Promise<Played> => {
    await sleep((n * options.seconds * 1_000) / options.incidents);
    const issue = { repo: repos[n % repos.length] ?? "", server: servers[n % servers.length] ?? "" };
    const played = await playIncident({ ground, posted, ...issue, sayAgainMs: options.sayAgainMs }, n);
    tell(`incident ${n}: ${played.endings.join(", ")}`);
    return played;
  };

  const playing = Promise.all(Array.from({ length: options.incidents }, (_, n) => play(n)));
  let isOver = false;
  const over = playing.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const [cutOff, , , frozen] = cluster.members;
  /** In another trouble: one at a time for each. */
  const spared = new Set<Member | undefined>();
  const killing = crashing
    ? keepCrashing(place.crashStore, options.crashStoreEveryMs ?? 0)
    : keepKilling(() => cluster.members.filter((member) => !spared.has(member)), chance, options.killEveryMs);
  const faults = (async () => {
    if (crashing) {
      livedOn = true;
      return;
    }
    spared.add(cutOff).add(frozen);
    await sleep(options.seconds * 150);
    while (!(frozen?.bot && cutOff?.bot)) await sleep(50);
    tell("one is frozen, one is cut off");
    frozen.bot.child.kill("SIGSTOP");
    cable.cut();
    await sleep(cutMs);
    cable.mend();
    await sleep(frozenMs - cutMs);
    frozen.bot.child.kill("SIGCONT");
    // What it held is another's now: whether it notices is seen by what it does next.
    await sleep(5_000);
    livedOn = cutOff.bot.child.exitCode === null && frozen.bot.child.exitCode === null;
    tell("both are back");
    spared.clear();
  })();
  const until = performance.now() + patienceMs;
  let kills: number | undefined;
  while (!isOver && performance.now() < until) {
    await sleep(1_000);
    await redeliverLost(ground);
    if (kills === undefined && performance.now() - started > options.seconds * 1_000) kills = await killing.stop();
  }
  await Promise.all([over, faults]);
  kills ??= await killing.stop();
  const end = async (): Promise<void> => {
    await posted.stop();
    await store.close();
    await cluster.close();
  };
  // Processes that nobody ends would keep the machine busy long after the test.
  const played = await playing.catch(async (error: unknown) => {
    await end();
    await place.close();
    throw error;
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  // The last edits are on their way.
  for (let still = 0; still < 5; still++) {
    await redeliverLost(ground);
    await sleep(1_000);
  }
  await untilRest(store);
  await end();
  const wrong = [
    ...(livedOn ? [] : ["the process that was cut off or frozen has ended"]),
    ...(await judgePlayed(ground, { ...place, played, opened: options.incidents })),
  ];
  const endings = played.flatMap((one) => one.endings);
  const figures = {
    seconds,
    kills,
    deliveries: new Set(ground.github.deliveries().map(({ guid }) => guid)).size,
    commands: endings.length,
    ok: endings.filter((ending) => ending.startsWith("✅")).length,
    unknown: endings.filter((ending) => ending.includes("❓")).length,
    notStarted: endings.filter((ending) => ending.startsWith("🔌")).length,
  };
  await place.close();
  return { wrong, figures };
}

/** Has the database crash every so often, until told to stop; counts the crashes. */
function keepCrashing(crash: () => Promise<void>, everyMs: number): { readonly stop: () => Promise<number> } {
  let isOver = false;
  let crashes = 0;
  const crashing = (async () => {
    for (await sleep(everyMs); !isOver; await sleep(everyMs)) {
      await crash();
      crashes++;
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await crashing;
      return crashes;
    },
  };
}
