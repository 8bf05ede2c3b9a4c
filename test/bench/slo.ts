import { setTimeout as sleep } from "node:timers/promises";
import { entryOf, type Playground, startPlayground } from "../harness/playground.ts";
import { startFakeHost } from "../ssh/fake-host.ts";
import type { Row } from "./row.ts";

const incidents = 50;

/**
 * RR-21: how long people wait in fifty open incidents, from /approve to the start of the command and from its end to its result on
 * GitHub: where they approve within a minute, and where all do at the same moment. `github.writes_per_minute` is raised, since one
 * installation stands for all; the emulated GitHub and the server share the machine.
 */
export async function run(): Promise<Row[]> {
  const row = (title: string, when: string, times: readonly number[]): Row => ({
    case: `${title}, p95 of ${incidents} incidents, ${when} (goal 5,000 ms)`,
    unit: "ms",
    ours: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN,
    peer: null,
    peerName: "none",
    ratio: null,
    better: "lower",
    runs: times.length,
  });
  const rows: Row[] = [];
  for (const [when, withinMs] of [
    ["approved within a minute", 60_000],
    ["approved at once", 0],
  ] as const) {
    const { started, told } = await approveAll(incidents, withinMs);
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

/** Opens so many incidents, proposes a command of its own in each, and approves one after the other within so many milliseconds. */
export async function approveAll(count: number, withinMs: number): Promise<Approved> {
  const times = new Map<string, { readonly startedAt: number; readonly endedAt: number }>();
  const sent: string[] = [];
  const host = await startFakeHost(async (command, { channel }) => {
    const token = /token-\d+/.exec(command)?.[0];
    if (!token) return 0;
    const startedAt = performance.now();
    sent.push(token);
    channel.write(`${token}\n`);
    times.set(token, { startedAt, endedAt: performance.now() });
    return 0;
  });
  const playground = await startPlayground({ servers: { "web-1": entryOf(host) }, logLevel: "info" });
  try {
    const threads = await Promise.all(Array.from({ length: count }, () => playground.open()));
    await Promise.all(threads.map((thread, n) => thread.say("sam", `/run web-1\n\`\`\`sh\necho token-${n}\n\`\`\``)));
    await playground.quiet();
    const numbers = await numbersOf(playground);
    const approvedAt: number[] = [];
    const over = watchResults(playground, count);
    await Promise.all(
      threads.map(async (thread, n) => {
        await sleep((n * withinMs) / count);
        approvedAt[n] = performance.now();
        await thread.say("lee", `/approve ${numbers.get(`token-${n}`)}`);
      }),
    );
    const seen = await over;
    await playground.quiet();
    const tokens = threads.map((_, n) => `token-${n}`);
    return {
      sent,
      results: tokens.map((token) => seen.get(token)?.body ?? ""),
      started: tokens.map((token, n) => (times.get(token)?.startedAt ?? Number.NaN) - (approvedAt[n] ?? 0)),
      told: tokens.map((token) => (seen.get(token)?.at ?? Number.NaN) - (times.get(token)?.endedAt ?? 0)),
    };
  } finally {
    await playground.close();
    await host.close();
  }
}

/** The number under which each command was proposed. */
async function numbersOf({ bot }: Playground): Promise<ReadonlyMap<string, number>> {
  const rows = await bot.deps.store.db.selectFrom("action").select(["number", "spec"]).execute();
  return new Map(rows.map(({ number, spec }) => [/token-\d+/.exec(spec.command)?.[0] ?? "", number]));
}

/** When GitHub had each result; asked of the store, since a hundred requests a second to GitHub would be what is measured. */
async function watchResults({ bot }: Playground, count: number) {
  const seen = new Map<string, { readonly at: number; readonly body: string }>();
  for (const until = performance.now() + 120_000; seen.size < count && performance.now() < until; await sleep(20)) {
    const rows = await bot.deps.store.db
      .selectFrom("comment")
      .select("postedBody")
      .where("slot", "like", "batch:%")
      .execute();
    const at = performance.now();
    for (const { postedBody: body } of rows) {
      const token = /token-\d+/.exec(body ?? "")?.[0];
      if (body && token && /\*\* ✅/.test(body) && !seen.has(token)) seen.set(token, { at, body });
    }
  }
  return seen;
}
