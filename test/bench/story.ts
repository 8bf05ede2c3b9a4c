import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { missing } from "../harness/missing.ts";
import { type Cluster as Postgres, startPostgres } from "../harness/postgres.ts";
import { startWorld } from "../harness/world.ts";
import { noPeer, type Row } from "./row.ts";

const warmUp = 15;
const rounds = 40;
const msPerTick = 10;

/**
 * What a story costs on PostgreSQL by the processes' own clocks, so that neighbors do not count: CPU of the bot and of the database,
 * and the statements that the database is given, each of which is listed on the standard error. One incident at a time; the offline
 * responder answers.
 */
export async function run(): Promise<Row[]> {
  const why = "what a story costs";
  const postgres = await startPostgres(why);
  const storeUrl = await postgres?.createDatabase();
  const watcher = postgres && storeUrl && (await createWatcher(postgres, storeUrl));
  if (!watcher) {
    if (postgres) missing("postgresql-contrib", why);
    await postgres?.stop();
    return [];
  }
  const world = await startWorld({ storeUrl, processes: [{}], logLevel: "info" });
  try {
    const { pid = 0 } = (await world.start()).child;
    const look = async (): Promise<Cost> => {
      await world.github.settled();
      await watcher.idle();
      const statements = await watcher.statements();
      return { at: performance.now(), bot: cpuOf(pid), database: watcher.cpu(), statements };
    };
    const rest = await atRest(look);
    const costs = { "webhook → card": [] as Cost[], "/approve → result": [] as Cost[] };
    for (let n = 0; n < warmUp + rounds; n++) {
      const before = await look();
      const thread = await world.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      const carded = await look();
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      const ended = await look();
      if (n < warmUp) continue;
      costs["webhook → card"].push(less(carded, before, rest));
      costs["/approve → result"].push(less(ended, carded, rest));
    }
    for (const [story, all] of Object.entries(costs)) console.error(`${story}\n${listOf(all)}`);
    return Object.entries(costs).flatMap(([story, all]) => rowsOf(story, all));
  } finally {
    await world.close();
    await watcher.close();
    await postgres.stop();
  }
}

/** CPU in ms, and how many statements, up to a moment in ms. */
interface Cost {
  readonly at: number;
  readonly bot: number;
  readonly database: number;
  /** How often each was given, by its text. */
  readonly statements: Statements;
}

type Statements = ReadonlyMap<string, number>;

/** How often a millisecond each statement is given by the queues' looks each second, which no story is to be charged with. */
async function atRest(look: () => Promise<Cost>): Promise<Statements> {
  const before = await look();
  await sleep(5_000);
  const after = await look();
  const { at, statements } = less(after, before, new Map());
  return new Map([...statements].map(([text, calls]) => [text, calls / at]));
}

const less = (now: Cost, before: Cost, rest: Statements): Cost => ({
  at: now.at - before.at,
  bot: now.bot - before.bot,
  database: now.database - before.database,
  statements: new Map(
    [...now.statements].map(([text, calls]) => [
      text,
      calls - (before.statements.get(text) ?? 0) - (now.at - before.at) * (rest.get(text) ?? 0),
    ]),
  ),
});

const totalOf = (statements: Statements): number => statements.values().reduce((sum, calls) => sum + calls, 0);

/** Each statement with how often a story gives it, the most frequent first. */
function listOf(costs: readonly Cost[]): string {
  const texts = new Set(costs.flatMap(({ statements }) => [...statements.keys()]));
  const often = [...texts].map((text) => {
    const calls = costs.reduce((sum, { statements }) => sum + (statements.get(text) ?? 0), 0) / costs.length;
    return { text: text.replace(/\s+/g, " ").trim().slice(0, 140), calls };
  });
  return often
    .filter(({ calls }) => calls >= 0.1)
    .sort((one, other) => other.calls - one.calls)
    .map(({ text, calls }) => `${calls.toFixed(1).padStart(6)}  ${text}`)
    .join("\n");
}

function rowsOf(story: string, costs: readonly Cost[]): Row[] {
  const row = (what: string, unit: string, of: (cost: Cost) => number): Row => ({
    case: `${story}: ${what}`,
    unit,
    ours: costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length,
    ...noPeer,
    better: "lower",
    runs: costs.length,
  });
  return [
    row("CPU of the bot", "ms", ({ bot }) => bot),
    row("CPU of PostgreSQL", "ms", ({ database }) => database),
    row("statements", "", ({ statements }) => totalOf(statements)),
  ];
}

/** The CPU that a process and its ended children have used, in ms (proc(5)). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick;
}

/** Looks at a database as another user than the bot's, which is not counted. */
export async function createWatcher(postgres: Postgres, storeUrl: string) {
  const owner = await connect(storeUrl);
  await owner.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await owner.query("create role watcher superuser login");
  await owner.end();
  await postgres.crash();
  const client = await connect(storeUrl.replace("countersign@", "watcher@"));
  const made = await client.query("create extension pg_stat_statements").catch(() => undefined);
  if (!made) {
    await client.end();
    return undefined;
  }
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  const { folder } = rows[0];
  return {
    close: () => client.end(),
    /** Resolves when no job is due and no transaction is open. */
    idle: async (): Promise<void> => {
      for (let still = 0; still < 3; ) {
        const { rows: busy } = await client.query(
          `select (select count(*) from job where due_at < now() + interval '3 s')
             + (select count(*) from pg_stat_activity where usename = 'countersign' and state <> 'idle') as n`,
        );
        still = Number(busy[0].n) === 0 ? still + 1 : 0;
        await sleep(10);
      }
    },
    statements: async (): Promise<Statements> => {
      const { rows: given } = await client.query(
        `select query, sum(calls) as n from pg_stat_statements s join pg_roles r on r.oid = s.userid
         where rolname = 'countersign' group by query`,
      );
      return new Map(given.map(({ query, n }) => [query, Number(n)]));
    },
    /** Of the postmaster, whose count has its ended children in it, and of all that it has started. */
    cpu: (): number =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .reduce((sum, name) => sum + cpuIn(folder, name), 0),
  };
}

const cpuIn = (folder: string, pid: string): number => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder ? cpuOf(Number(pid)) : 0;
  } catch {
    return 0; // It has ended meanwhile, or is another user's.
  }
};

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
