import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Thread } from "../../demo/thread.ts";
import { startPlayground } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startWorld } from "../harness/world.ts";
import type { Play } from "../ssh/fake-host.ts";
import { noPeer, percentile, type Row } from "./row.ts";

const incidents = 50;

/**
 * RR-21: how long people wait in fifty open incidents, from /approve to the start of the command and from its end to its result on
 * GitHub: where they approve within a minute, and where all do at the same moment. `github.writes_per_minute` is raised, since one
 * installation stands for all; the emulated GitHub and the server share the machine, and a bot with an embedded store their process.
 */
export async function run(): Promise<Row[]> {
  const postgres = await startPostgres("fifty approvals at once, told by a bot on PostgreSQL");
  const rows = await on("embedded");
  if (postgres) rows.push(...(await on("PostgreSQL", postgres.createDatabase)));
  await postgres?.stop();
  return rows;
}

async function on(store: string, createDatabase?: () => Promise<string>): Promise<Row[]> {
  const row = (title: string, when: string, times: readonly number[]): Row => ({
    case: `${title}, p95 of ${incidents} incidents, ${when} (${store}; goal 5,000 ms)`,
    unit: "ms",
    ours: percentile(times, 0.95),
    ...noPeer,
    better: "lower",
    runs: times.length,
  });
  const rows: Row[] = [];
  for (const [when, withinMs] of [
    ["approved within a minute", 60_000],
    ["approved at once", 0],
  ] as const) {
    const { started, told } = await approveAll(incidents, withinMs, await createDatabase?.());
    rows.push(row("/approve → command started", when, started), row("exit → result posted", when, told));
  }
  return rows;
}

export interface Approved {
  /** What each incident's server was sent, and its result as people see it. */
  readonly sent: readonly string[];
  readonly results: readonly string[];
  /** In ms, one for each incident: from /approve to the start, from the exit to the result. */
  readonly started: readonly number[];
  readonly told: readonly number[];
}

/**
 * Opens so many incidents, proposes a command of its own in each, and approves one after the other within so many milliseconds. On
 * PostgreSQL the bot is a process of its own.
 */
export async function approveAll(count: number, withinMs: number, storeUrl?: string): Promise<Approved> {
  const times = new Map<string, { readonly startedAt: number; readonly endedAt: number }>();
  const sent: string[] = [];
  const play: Play = async (command, { channel }) => {
    const token = /token-\d+/.exec(command)?.[0];
    if (!token) return 0;
    const startedAt = performance.now();
    sent.push(token);
    channel.write(`${token}\n`);
    times.set(token, { startedAt, endedAt: performance.now() });
    return 0;
  };
  const bot = await (storeUrl === undefined ? startBeside(play) : startAlone(play, storeUrl));
  try {
    const threads = await Promise.all(Array.from({ length: count }, () => bot.open()));
    await Promise.all(threads.map((thread, n) => thread.say("sam", `/run web-1\n\`\`\`sh\necho token-${n}\n\`\`\``)));
    await bot.quiet();
    const numbers = await numbersOf(bot);
    const approvedAt: number[] = [];
    const over = watchResults(bot, count);
    await Promise.all(
      threads.map(async (thread, n) => {
        await sleep((n * withinMs) / count);
        approvedAt[n] = performance.now();
        await thread.say("lee", `/approve ${numbers.get(`token-${n}`)}`);
      }),
    );
    const seen = await over;
    await bot.quiet();
    const tokens = threads.map((_, n) => `token-${n}`);
    return {
      sent,
      results: tokens.map((token) => seen.get(token)?.body ?? ""),
      started: tokens.map((token, n) => (times.get(token)?.startedAt ?? Number.NaN) - (approvedAt[n] ?? 0)),
      told: tokens.map((token) => (seen.get(token)?.at ?? Number.NaN) - (times.get(token)?.endedAt ?? 0)),
    };
  } finally {
    await bot.close();
  }
}

interface StartedBot {
  readonly open: () => Promise<Thread>;
  /** Asks its store. */
  readonly read: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Resolves when there is nothing left to do. */
  readonly quiet: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function startBeside(play: Play): Promise<StartedBot> {
  const playground = await startPlayground({ play, logLevel: "info" });
  const { db } = playground.bot.deps.store;
  const read: StartedBot["read"] = async (statement) =>
    (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
  return { open: () => playground.open(), read, quiet: playground.quiet, close: playground.close };
}

async function startAlone(play: Play, storeUrl: string): Promise<StartedBot> {
  const world = await startWorld({ play, storeUrl, processes: [{}], logLevel: "info" });
  await world.start();
  const client = new pg.Client({ connectionString: storeUrl });
  await client.connect();
  const read: StartedBot["read"] = async (statement) => (await client.query(statement)).rows;
  return {
    open: () => world.open(),
    read,
    quiet: async () => {
      for (let still = 0; still < 3; ) {
        await world.github.settled();
        const due = await read("select from job where due_at < now() + interval '3 s' limit 1");
        still = due.length === 0 ? still + 1 : 0;
        await sleep(10);
      }
    },
    close: async () => {
      await client.end();
      await world.close();
    },
  };
}

/** The number under which each command was proposed. */
async function numbersOf({ read }: StartedBot): Promise<ReadonlyMap<string, unknown>> {
  const rows = await read("select number, spec ->> 'command' as command from action");
  return new Map(rows.map(({ number, command }) => [/token-\d+/.exec(String(command))?.[0] ?? "", number]));
}

/** When GitHub had each result; asked of the store, since a hundred requests a second to GitHub would be what is measured. */
async function watchResults({ read }: StartedBot, count: number) {
  const seen = new Map<string, { readonly at: number; readonly body: string }>();
  for (const until = performance.now() + 120_000; seen.size < count && performance.now() < until; await sleep(20)) {
    const rows = await read(
      "select posted_body as body from comment where slot not like 'board%' and posted_body is not null",
    );
    const at = performance.now();
    for (const body of rows.map((row) => String(row.body))) {
      // Alone, or at the head of the card that follows from it.
      const token = /^\*\*\d+\*\* ✅ .*(token-\d+)/m.exec(body)?.[1];
      if (token && !seen.has(token)) seen.set(token, { at, body });
    }
  }
  return seen;
}
