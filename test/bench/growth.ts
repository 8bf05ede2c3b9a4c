import { sql } from "kysely";
import type { Store } from "../../src/store/database/open.ts";
import { type Playground, repo, startPlayground } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { noPeer, percentile, type Row } from "./row.ts";

const seeded = 100_000;
const turns = 20;
const lastStep = 200;

/** What a turn costs in a store of 100,000 incidents, and at step 200 of one; the offline responder answers. */
export async function run(): Promise<Row[]> {
  const postgres = await startPostgres("the growth benchmark, which is of the embedded store then");
  try {
    return [...(await inGrownStore(await postgres?.createDatabase())), ...(await inLongIncident())];
  } finally {
    await postgres?.stop();
  }
}

const row = (title: string, ours: number): Row => ({
  case: title,
  unit: "ms",
  ours,
  ...noPeer,
  better: "lower",
  runs: turns,
});

const median = (times: readonly number[]): number => percentile(times, 0.5);

/** What turns took, by the bot's own log, in ms. */
const turnTimes = ({ log }: Playground, from: number): readonly number[] =>
  log
    .slice(from)
    .filter(({ event, queue }) => event === "job_end" && queue === "turn")
    .map(({ durationMs }) => Number(durationMs));

async function inGrownStore(url: string | undefined): Promise<Row[]> {
  const where = url === undefined ? "embedded" : "PostgreSQL";
  const playground = await startPlayground({
    logLevel: "info",
    ...(url === undefined ? {} : { storeUrl: url }),
  });
  try {
    const times = async (): Promise<number> => {
      const from = playground.log.length;
      for (let n = 0; n < turns; n++) {
        const thread = await playground.open();
        await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
        await playground.quiet();
      }
      return median(turnTimes(playground, from));
    };
    const { store } = playground.bot.deps;
    await times();
    const first = await times();
    await seed(store, seeded);
    const last = await times();
    return [
      row(`turn, first incidents (${where})`, first),
      row(`turn, ${seeded.toLocaleString("en-US")} incidents in the store (${where})`, last),
    ];
  } finally {
    await playground.close();
  }
}

/** Incidents as they are when they are over, each with a turn, an action, a run and its comments; half of them of this repository. */
async function seed({ db }: Pick<Store, "db">, count: number): Promise<void> {
  const id = (kind: number) => sql.raw(`('${kind}0000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`);
  const known = await db.selectFrom("incident").select(["repoId", "installationId"]).executeTakeFirst();
  const { repoId, installationId } = known ?? { repoId: 1, installationId: 1 };
  const at = sql.raw("now() - interval '90 days' + n * interval '1 minute'");
  for (const insert of [
    sql`incident (id, installation_id, repo_id, repo, number, node_id, title, body, public, labels, opener_id,
        opener_login, state, created_at, closed_at)
      select ${id(1)}, ${installationId}::bigint, case when n % 2 = 0 then ${repoId}::bigint else 1000000 + n % 50 end,
        ${repo}, 100000 + n, 'I', 'Disk full', 'It is full.', false, '["incident"]', 1, 'mona', 'closed', ${at}, ${at}`,
    sql`session (id, incident_id, user_id, user_login, nonce, step_limit, steps)
      select ${id(2)}, ${id(1)}, 1, 'mona', 'n', 20, 1`,
    sql`turn (id, incident_id, step, cause, offline, prose, phase, suggestions, runbooks, notes, person_id, created_at)
      select ${id(3)}, ${id(1)}, 1, 'opened', true, 'LIKELY: full.', 'investigate', '[]',
        '[{"label": "spool-full", "url": "x", "skill": "spool-full"}]', '[]', 1, ${at}`,
    sql`action (id, incident_id, number, state, spec, digest, title, description, origin, findings, card, expires_at)
      select ${id(4)}, ${id(1)}, 1, 'done', '{}', md5(n::text), 'Look', 'looks', 'offline', '[]', 'card:1', ${at}`,
    sql`batch (id, incident_id, person_id, login, numbers, created_at, ended_at)
      select ${id(5)}, ${id(1)}, 2, 'lee', '[1]', ${at}, ${at}`,
    sql`run (id, action_id, batch_id, server, started_at, ended_at, ending)
      select ${id(6)}, ${id(4)}, ${id(5)}, 'web-1', ${at}, ${at}, '{"kind": "exited", "code": 0}'`,
    sql`comment (id, installation_id, repo, issue, incident_id, slot, body, posted_version, github_id)
      select ${id(7)}, 1, ${repo}, 100000 + n, ${id(1)}, 'card:1', 'It is full.', 1, 10000000 + n`,
    sql`delivery (guid, line, event, payload, state)
      select 'seed-' || n, 'issue:1:' || n, 'issues', '{}', 'done'`,
  ]) {
    await sql`insert into ${insert} from generate_series(1, ${count}::int) n`.execute(db);
    // Else the next one's foreign keys are looked up with the plan for a table that was small.
    await sql`analyze`.execute(db);
  }
}

async function inLongIncident(): Promise<Row[]> {
  const playground = await startPlayground({
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
      return median(turnTimes(playground, from));
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
      row(`turn, steps 2 to ${turns + 1} of an incident (embedded)`, first),
      row(`turn, steps ${lastStep - turns + 2} to ${lastStep + 1} of it (embedded)`, last),
    ];
  } finally {
    await playground.close();
  }
}
