import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openIssue } from "../../demo/thread.ts";
import type { Traffic } from "../../emulator/start.ts";
import type { Store } from "../../src/store/database/open.ts";
import { type Cluster, startCluster } from "../harness/cluster.ts";
import { missing } from "../harness/missing.ts";
import {
  entryOf,
  type Ground,
  incident,
  type Playground,
  prepareGround,
  repo,
  startPlayground,
} from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";
import type { Row } from "./row.ts";
import { cpuOf } from "./story.ts";

/** Of one burst, to see how many a second come to their card: from processes that have just started, and from such as have served so many each. */
const burst = 120;
/** F-40: so many within a minute. */
const flood = 1_000;
const floodMs = 60_000;
const seeded = 100_000;
const turns = 20;
const lastStep = 200;

/**
 * How much the bot bears: incidents a second from webhook to card with several processes on one PostgreSQL, the acknowledgement
 * while a thousand incidents come in a minute, memory, and what a turn costs in a store of 100,000 incidents and at step 200. The
 * offline responder answers; `github.writes_per_minute` is raised, since one installation stands for all; the emulated GitHub
 * shares the machine.
 */
export async function run(): Promise<Row[]> {
  const host = await startFakeHost(async () => 0);
  try {
    const rows: Row[] = [];
    const postgres = await startPostgres("the load benchmark with several processes");
    if (!postgres) missing("postgresql", "the load benchmark with several processes");
    for (const processes of postgres ? [1, 2, 4] : []) {
      const url = (await postgres?.createDatabase()) ?? "";
      rows.push(...(await onCluster(host, url, processes)));
    }
    rows.push(...(await inGrownStore(host, await postgres?.createDatabase())), ...(await inLongIncident(host)));
    await postgres?.stop();
    return rows;
  } finally {
    await host.close();
  }
}

const row = (title: string, unit: string, ours: number, better: Row["better"], runs: number): Row => ({
  case: title,
  unit,
  ours,
  peer: null,
  peerName: "none",
  ratio: null,
  better,
  runs,
});

async function onCluster(host: FakeHost, url: string, processes: number): Promise<Row[]> {
  const ground = await prepareGround({ servers: { "web-1": entryOf(host) }, storeUrl: url, logLevel: "info" });
  const cluster = await startCluster(
    ground,
    Array.from({ length: processes }, () => ({ storeUrl: url })),
  );
  const words = `${processes} ${processes === 1 ? "process" : "processes"}`;
  const cards = countCards(ground);
  try {
    let opened = 0;
    const open = async (count: number): Promise<{ readonly perSecond: number; readonly cpuMs: number }> => {
      const [started, cpu] = [performance.now(), cpuOfAll(cluster)];
      await openMany(ground, count, 0);
      opened += count;
      await cards.until(opened);
      const perSecond = (count * 1_000) / (performance.now() - started);
      await ground.github.settled();
      return { perSecond, cpuMs: (cpuOfAll(cluster) - cpu) / count };
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
    const before = ground.github.deliveries().length;
    await openMany(ground, flood, floodMs);
    const acks = ground.github
      .deliveries()
      .slice(before)
      .filter(({ event, status }) => event === "issues" && status === 202)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    return [
      ...rows,
      row(
        `ack p99 while ${flood} incidents come in a minute, ${words}`,
        "ms",
        percentile(acks, 0.99),
        "lower",
        acks.length,
      ),
      row(`memory of a process after it, ${words}`, "MB", mostMemoryMb(cluster), "lower", 1),
    ];
  } finally {
    cards.stop();
    await cluster.close();
    await ground.close();
  }
}

async function openMany(ground: Ground, count: number, withinMs: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await sleep((n * withinMs) / count);
      await openIssue(ground.github, repo, incident);
    }),
  );
}

/** The card is an incident's second comment. */
function countCards({ github }: Ground) {
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

const cpuOfAll = ({ members }: Cluster): number =>
  members.reduce((sum, { bot }) => sum + cpuOf(bot?.child.pid ?? 0), 0);

/** Of the process that has the most; nothing but Linux tells it. */
function mostMemoryMb({ members }: Cluster): number {
  const sizes = members.flatMap(({ bot }) => {
    const status = bot?.child.pid === undefined ? "" : readFileSync(`/proc/${bot.child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
  });
  return Math.max(...sizes);
}

/** What turns took, by the bot's own log, in ms. */
const turnTimes = ({ log }: Playground, from: number): readonly number[] =>
  log
    .slice(from)
    .filter(({ event, queue }) => event === "job_end" && queue === "turn")
    .map(({ durationMs }) => Number(durationMs));

export async function inGrownStore(host: FakeHost, url: string | undefined): Promise<Row[]> {
  const where = url === undefined ? "embedded" : "PostgreSQL";
  const playground = await startPlayground({
    servers: { "web-1": entryOf(host) },
    logLevel: "info",
    ...(url === undefined ? {} : { storeUrl: url }),
  });
  try {
    const times = async (): Promise<number> => {
      const from = playground.log.length;
      for (let n = 0; n < turns; n++) {
        const thread = await playground.open();
        await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card", 120_000);
        await playground.quiet();
      }
      return percentile(
        turnTimes(playground, from).toSorted((a, b) => a - b),
        0.5,
      );
    };
    const { store } = playground.bot.deps;
    await times();
    const first = await times();
    await seed(store, seeded);
    const last = await times();
    return [
      row(`turn, first incidents (${where})`, "ms", first, "lower", turns),
      row(`turn, ${seeded.toLocaleString("en-US")} incidents in the store (${where})`, "ms", last, "lower", turns),
    ];
  } finally {
    await playground.close();
  }
}

/** Incidents as they are when they are over, each with a turn, an action, a run and its comments; half of them of this repository. */
export async function seed(store: Pick<Store, "db">, count: number): Promise<void> {
  const id = (kind: number) => sql.raw(`('${kind}0000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`);
  const all = sql`generate_series(1, ${count}::int) n`;
  const known = await store.db.selectFrom("incident").select(["repoId", "installationId"]).executeTakeFirst();
  const { repoId, installationId } = known ?? { repoId: 1, installationId: 1 };
  const at = sql.raw("now() - interval '90 days' + n * interval '1 minute'");
  await sql`insert into incident (id, installation_id, repo_id, repo, number, node_id, title, body, public, labels, opener_id,
      opener_login, state, created_at, closed_at)
    select ${id(1)}, ${installationId}::bigint, case when n % 2 = 0 then ${repoId}::bigint else 1000000 + n % 50 end,
      ${repo}, 100000 + n, 'I', 'Disk full', 'It is full.', false, '["incident"]', 1, 'mona', 'closed', ${at}, ${at}
    from ${all}`.execute(store.db);
  await sql`insert into session (id, incident_id, user_id, user_login, nonce, step_limit, steps)
    select ${id(2)}, ${id(1)}, 1, 'mona', 'n', 20, 1 from ${all}`.execute(store.db);
  await sql`insert into turn (id, incident_id, step, cause, offline, prose, phase, suggestions, runbooks, notes, person_id, created_at)
    select ${id(3)}, ${id(1)}, 1, 'opened', true, 'LIKELY: full.', 'investigate', '[]',
      '[{"label": "spool-full", "url": "x", "skill": "spool-full"}]', '[]', 1, ${at} from ${all}`.execute(store.db);
  await sql`insert into action (id, incident_id, number, state, spec, digest, title, description, origin, findings, card, expires_at)
    select ${id(4)}, ${id(1)}, 1, 'done', '{}', md5(n::text), 'Look', 'looks', 'offline', '[]', 'card:1', ${at}
    from ${all}`.execute(store.db);
  await sql`insert into batch (id, incident_id, person_id, login, numbers, created_at, ended_at)
    select ${id(5)}, ${id(1)}, 2, 'lee', '[1]', ${at}, ${at} from ${all}`.execute(store.db);
  await sql`insert into run (id, action_id, batch_id, server, started_at, ended_at, ending)
    select ${id(6)}, ${id(4)}, ${id(5)}, 'web-1', ${at}, ${at}, '{"kind": "exited", "code": 0}' from ${all}`.execute(
    store.db,
  );
  await sql`insert into comment (id, installation_id, repo, issue, incident_id, slot, body, posted_version, github_id)
    select ${id(7)}, 1, ${repo}, 100000 + n, ${id(1)}, 'card:1', 'It is full.', 1, 10000000 + n from ${all}`.execute(
    store.db,
  );
  await sql`insert into delivery (guid, line, event, payload, state)
    select 'seed-' || n, 'issue:1:' || n, 'issues', '{}', 'done' from ${all}`.execute(store.db);
  await sql`analyze`.execute(store.db);
}

export async function inLongIncident(host: FakeHost): Promise<Row[]> {
  const playground = await startPlayground({
    servers: { "web-1": entryOf(host) },
    logLevel: "info",
    configure: (config) => {
      config.agent = { max_steps: 2 * lastStep, turns_per_person_per_hour: 1_000 };
    },
  });
  try {
    const thread = await playground.open();
    await playground.quiet();
    const times = async (): Promise<number> => {
      const from = playground.log.length;
      for (let step = 0; step < turns; step++) {
        await thread.say("lee", `/ask what now, ${step}?`);
        await playground.quiet();
      }
      return percentile(
        turnTimes(playground, from).toSorted((a, b) => a - b),
        0.5,
      );
    };
    const first = await times();
    const { store } = playground.bot.deps;
    // Steps are alike: what lies between is copied, or the emulated GitHub would be what takes the time.
    await sql`insert into turn (id, incident_id, step, cause, offline, prose, phase, suggestions, runbooks, notes, created_at)
      select gen_random_uuid(), incident_id, n, cause, offline, prose, phase, suggestions, runbooks, notes, created_at
      from turn, generate_series(step + 1, ${lastStep - turns}::int) n
      where step = (select max(step) from turn)`.execute(store.db);
    await sql`update session set steps = ${lastStep - turns}`.execute(store.db);
    await thread.say("lee", "/ask and now?");
    await playground.quiet();
    const last = await times();
    return [
      row(`turn, steps 2 to ${turns + 1} of an incident (embedded)`, "ms", first, "lower", turns),
      row(`turn, steps ${lastStep - turns + 2} to ${lastStep + 1} of it (embedded)`, "ms", last, "lower", turns),
    ];
  } finally {
    await playground.close();
  }
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
