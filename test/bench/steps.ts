import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "../../src/store/database/open.ts";
import { repo } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startWorld, type World } from "../harness/world.ts";
import { noPeer, type Row } from "./row.ts";
import { cpuOf, createWatcher } from "./story.ts";

const warmUp = 10;
const measured = 10;
const lastStep = 200;

/**
 * What a whole step (`/run`, `/approve`, the run, the agent's turn) costs at the beginning of an incident and at its 200th, by the
 * processes' own clocks. The steps between are copies of one that was taken; the offline responder answers.
 */
export async function run(): Promise<Row[]> {
  const postgres = await startPostgres("a long incident on a server, which is one on the embedded store alone then");
  const storeUrl = await postgres?.createDatabase();
  const watcher = postgres && storeUrl && (await createWatcher(postgres, storeUrl));
  try {
    return [...(await takeSteps("embedded")), ...(watcher ? await takeSteps("PostgreSQL", { storeUrl, watcher }) : [])];
  } finally {
    if (watcher) await watcher.close();
    await postgres?.stop();
  }
}

type Watcher = NonNullable<Awaited<ReturnType<typeof createWatcher>>>;

async function takeSteps(
  where: string,
  server?: { readonly storeUrl: string; readonly watcher: Watcher },
): Promise<Row[]> {
  const world = await startWorld({
    ...(server && { storeUrl: server.storeUrl, processes: [{}] }),
    logLevel: "info",
    configure: (config) => {
      config.agent = { max_steps: 2 * lastStep, turns_per_person_per_hour: 10_000 };
      Object.assign(config.github as object, { writes_per_minute: 10_000 });
    },
  });
  try {
    await world.start();
    const other = await openOne(world);
    const long = await openOne(world);
    await long.take(1);
    const cost = async (from: number): Promise<number> => {
      // Loaded and compiled before anything counts; the long one's rows are in nobody's way.
      for (let n = 0; n < warmUp; n++) await other.take(1_000 * from + n);
      await long.take(from);
      const pid = world.bot.child.pid ?? 0;
      const cpu = () => cpuOf(pid) + (server?.watcher.cpu() ?? 0);
      const before = cpu();
      for (let step = from + 1; step <= from + measured; step++) await long.take(step);
      return (cpu() - before) / measured;
    };
    const early = await cost(2);
    await world.end("SIGTERM");
    await world.look((store) => copySteps(store, long.number, lastStep - measured));
    await world.start();
    await sleep(5_000);
    await world.end("SIGTERM");
    await world.look(markPosted);
    await world.start();
    const late = await cost(lastStep);
    const row = (title: string, unit: string, ours: number): Row => ({
      ...{ case: title, unit, ours, ...noPeer, better: "lower", runs: measured },
    });
    return [
      row(`a whole step, steps 3 to ${measured + 2}: CPU (${where})`, "ms", early),
      row(`a whole step, ${lastStep} steps later: CPU (${where})`, "ms", late),
      row(`the later to the earlier (${where})`, "×", late / early),
    ];
  } finally {
    await world.close();
  }
}

/** Copies all rows of the newest action `times` over; GitHub is asked to wait, so that their comments are only drawn. */
export async function copySteps({ db, transaction }: Pick<Store, "db" | "transaction">, issue: number, times: number) {
  await transaction(async (tx) => {
    const { rows } = await sql<{ id: string; number: number; incident: string }>`
      select action.id, action.number, incident_id as incident from action join incident on incident.id = incident_id
      where incident.number = ${issue} and action.state = 'done' order by action.number desc limit 1`.execute(tx);
    const [last] = rows;
    if (!last) throw new Error("no action has ended yet");
    const { id, number, incident } = last;
    await sql`update incident set next_number = next_number + ${times}, changed = changed + 1 where id = ${incident}`.execute(
      tx,
    );
    const steps = sql`(select coalesce(max(step), 0) from turn where incident_id = ${incident})`;
    const at = (of: string) => sql`md5(${sql.ref(`${of}.id`)}::text || n)::uuid`;
    const own = sql`(select batch_id from run where action_id = ${id} limit 1)`;
    const newest = sql`(select id from turn where incident_id = ${incident} order by step desc limit 1)`;
    for (const [table, which, change] of [
      [
        "action",
        sql`id = ${id}`,
        sql`'id', ${at("row")}, 'number', ${number}::int + n, 'card', 'action:' || (${number}::int + n),
        'spec', row.spec || jsonb_build_object('number', ${number}::int + n), 'kept', null`,
      ],
      [
        "batch",
        sql`id = ${own}`,
        sql`'id', ${at("row")}, 'numbers', jsonb_build_array(${number}::int + n), 'comment_id', 8000000000 + n,
        'settled', false`,
      ],
      ["approval", sql`action_id = ${id}`, sql`'id', ${at("row")}, 'action_id', md5(row.action_id::text || n)::uuid`],
      [
        "run",
        sql`action_id = ${id}`,
        sql`'id', ${at("row")}, 'action_id', md5(row.action_id::text || n)::uuid,
        'batch_id', md5(row.batch_id::text || n)::uuid`,
      ],
      [
        "output",
        sql`run_id in (select id from run where action_id = ${id})`,
        sql`'run_id', md5(row.run_id::text || n)::uuid`,
      ],
      ["turn", sql`id = ${newest}`, sql`'id', ${at("row")}, 'step', ${steps} + n, 'settled', false`],
    ] as const)
      await sql`insert into ${sql.table(table)} select (jsonb_populate_record(null::${sql.table(table)},
          to_jsonb(row) || jsonb_build_object(${change}))).*
        from ${sql.table(table)} row, generate_series(1, ${times}::int) n where ${which}`.execute(tx);
    await sql`update session set steps = ${steps} where incident_id = ${incident}`.execute(tx);
    await sql`update write_budget set paused_until = now() + interval '1 hour'`.execute(tx);
    await sql`insert into job (queue, key, share, data) select 'post', repo || '#' || number, repo,
      jsonb_build_object('repo', repo, 'issue', number) from incident where id = ${incident}`.execute(tx);
  });
  await sql`analyze`.execute(db);
}

/** As if GitHub had them: nothing of them changes any more. */
export async function markPosted({ db }: Pick<Store, "db">): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    with posted as (update comment set posted_version = version, posted_body = body, github_id = 8000000000 + position, node_id = slot,
      posted_at = now(), first_posted_at = now() where version > posted_version and github_id is null returning id)
    select count(*)::int as n from posted`.execute(db);
  if ((rows[0]?.n ?? 0) < lastStep / 2) throw new Error(`only ${rows[0]?.n} comments were drawn`);
  await sql`update write_budget set paused_until = null, refusals = 0`.execute(db);
}

/** Opens an incident, of which `take` is a whole step. */
async function openOne(world: World) {
  const thread = await world.open();
  await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
  let page = 1;
  /** A long thread has pages, and what is new stands on the last. */
  const waitFor = async <T>(find: (body: string) => T | undefined): Promise<T> => {
    for (const until = performance.now() + 60_000; performance.now() < until; await sleep(10)) {
      for (const from of page > 1 ? [page - 1, page] : [page]) {
        const path = `/repos/${repo}/issues/${thread.number}/comments?per_page=100&page=${from}`;
        const comments = (await world.github.as("mona")("GET", path)).body as readonly { readonly body: string }[];
        for (const one of comments.toReversed()) {
          const found = find(one.body);
          if (found !== undefined) return found;
        }
        if (from === page && comments.length === 100) page++;
      }
    }
    throw new Error("waited a minute for a comment that did not come");
  };
  return {
    number: thread.number,
    take: async (step: number): Promise<void> => {
      await thread.say("sam", `/run web-1\n\`\`\`sh\necho step-${step}\n\`\`\``);
      const number = await waitFor((body) =>
        body.includes(`echo step-${step}\n`) ? /countersign-record \{"action":(\d+)/.exec(body)?.[1] : undefined,
      );
      await thread.say("lee", `/approve ${number}`);
      await waitFor((body) => (body.includes(`**${number}** ✅`) ? true : undefined));
      await world.github.settled();
    },
  };
}
