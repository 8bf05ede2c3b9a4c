import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { QueueName } from "../../../src/base/queues.ts";
import type { Ending } from "../../../src/base/run.ts";
import { addAction } from "../../../src/store/actions.ts";
import { migrations } from "../../../src/store/database/migrate.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { openIncident } from "../../../src/store/incidents.ts";
import { addBatch, addNote, endRun, runsOf, startRuns } from "../../../src/store/runs.ts";
import { addScheduleRun, keepSchedule, scheduleRunOf, setScheduleRun } from "../../../src/store/schedules.ts";
import { until } from "../../harness/until.ts";
import { jobsIn } from "../jobs.ts";
import { draft, incidentInput, lee } from "../rows.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of an older version's store on a PostgreSQL server");

/** SHA-256 of each. A store that has it is never given what was changed in it afterwards: what is new is a new file. */
const released = {
  "0001-first": "c88023098a7a4170",
  "0002-figures-and-trouble": "7ce174646a1ea836",
  "0003-similar-incidents": "dfd91b963b917195",
  "0004-own-queue": "602a572a60870de6",
  "0005-fields-for-sentences": "e43a4ed96a0120f9",
  "0006-drawn-when-posted": "e49c011bf3aead3e",
  "0007-values": "3b0f8e43e25ae7b5",
  "0008-poll": "0de051fbf1157c81",
  "0009-alert": "d52e56694a2b8d1e",
  "0010-undrawn-since": "c2f735df32d9f937",
  "0013-lease": "e6d11128722a52c5",
  "0014-set": "7663da5509ee1980",
  "0015-incident-changes": "e57bd03a67aef7de",
  "0016-escalation": "f139798e2172f309",
  "0017-passkeys": "5e8415b71c1b2a9e",
  "0018-late-writes": "0d29971ce69b31cd",
  "0019-batches-of-a-comment": "c9ab9798aba97311",
  "0020-incidents-by-issue": "26c7458d08ff5c0d",
  "0021-closings": "b1462ca2d3f4e765",
  "0022-job-set-at": "48f691a0374c4d59",
  "0023-incident-calls": "849d2f710db0ff29",
  "0024-write-order": "bd736799696d0d48",
};

it("RR-18 no migration is edited once it was released, and each is listed", () => {
  const hashes = Object.entries(migrations).map(([name, text]) => [
    name,
    createHash("sha256").update(text).digest("hex").slice(0, 16),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released);
});

/** What the version before had in its queue: `test/data/pg-boss-queue.sql`, made by that version. */
const before = readFileSync(new URL("../../data/pg-boss-queue.sql", import.meta.url), "utf8");

/** Undoes what came since `0004`. */
const asBefore = `alter table job drop column set_at; drop index run_once; drop index incident_issue; drop index delivery_closing;
  alter table run drop column step, add constraint run_action_id_server_key unique (action_id, server);
  alter table lease drop column ends_at, drop column max_commands, drop column used, drop column seen_at;
  alter table lease add column from_step integer not null default 0;
  alter table lease rename to auto_mode;
  drop table passkey_page; drop table passkey; drop table escalation;
  drop table incident_changes; drop table incident_value;
  alter table action drop constraint action_form_never_runs;
  delete from action_transition where from_state = 'incomplete';
  alter table batch drop column waits_for, drop constraint batch_comment_once,
    add constraint batch_comment_id_key unique (comment_id);
  alter table incident drop column changed, drop column drawn, drop column doing, drop column undrawn_since, drop column late_said,
    add column set_back boolean not null default false;
  alter table write_budget drop column late_at, drop column late_by, drop column minute_used, drop column hour_used,
    add column minute double precision not null default 40, add column hour double precision not null default 250;
  drop table write_share; drop table write_wait;
  alter table comment drop column awaited, drop column asked_by, drop column reads_only;
  alter table reaction drop column reads_only;
  drop table poll;
  drop table alert;
  alter table comment drop column pinned;
  delete from kysely_migration where name > '0005'`;

async function makeOld(url: string): Promise<void> {
  const store = await openStore(url);
  await sql
    .raw(`${asBefore}; drop table job; delete from kysely_migration where name = '0004-own-queue'; ${before}`)
    .execute(store.db);
  await store.close();
}

async function serveAll(store: Store): Promise<readonly unknown[]> {
  const served: unknown[] = [];
  const onPoison = async () => {};
  for (const queue of ["delivery", "execute", "post"] satisfies QueueName[])
    await store.queue.serve(queue, { slots: 1, onPoison }, async ({ data, attempt, failures, deaths }) => {
      served.push({ ...(data as object), attempt, failures, deaths });
    });
  await store.queue.idle();
  return served;
}

describe.each(here)("RR-18 a store of the version that had pg-boss ($kind)", ({ create }) => {
  it("is opened with all that waited in it, which is served in its order, with its attempts so far, and never again", async () => {
    const url = await create();
    await makeOld(url);
    const store = await openStore(url);
    const served = await serveAll(store);
    expect(served).toHaveLength(5);
    const first = { attempt: 1, failures: 0, deaths: 0 };
    const ofKey = (...names: readonly string[]) =>
      served.filter((one) => names.some((name) => name in (one as object)));
    expect(ofKey("guid")).toEqual([
      { guid: "g-1", attempt: 4, failures: 2, deaths: 0 },
      { guid: "g-2", ...first },
    ]);
    expect(ofKey("n")).toHaveLength(3);
    expect(served.filter((one) => [4, 5].includes((one as { n: number }).n))).toEqual([
      { n: 4, attempt: 5, failures: 1, deaths: 2 },
      { n: 5, ...first },
    ]);
    const left = await jobsIn(store.db);
    expect(left.map(({ queue, key, data, claims }) => ({ queue, key, data, claims }))).toEqual([
      { queue: "turn", key: "later", data: { n: 3 }, claims: 0 },
    ]);
    expect(left[0]?.dueIn).toBeGreaterThan(70 * 365 * 24 * 3600);
    await store.close();
    const again = await openStore(url);
    expect(await serveAll(again)).toEqual([]);
    await again.close();
  });
});

describe.each(here)("a store of the version that told in a batch's note what it waits for ($kind)", ({ create }) => {
  it("RR-11 RR-18 is opened with that in a field of its own, and with the rest of each note", async () => {
    const url = await create();
    const old = await openStore(url);
    const { incident } = await old.transaction((tx) => openIncident(tx, incidentInput(1)));
    const noted: readonly (readonly [note: string | null, left: object])[] = [
      ["Waiting: GitHub cannot be asked.", { note: null, waitsFor: "GitHub cannot be asked" }],
      [
        "1 was not run: gone. Waiting: web-1 is busy. Soon.",
        { note: "1 was not run: gone.", waitsFor: "web-1 is busy. Soon" },
      ],
      ["1 was not run: gone.", { note: "1 was not run: gone.", waitsFor: null }],
      [null, { note: null, waitsFor: null }],
    ];
    for (const [commentId, [note]] of noted.entries()) {
      const about = { incidentId: incident.id, commentId, person: lee, numbers: [1], keepGoing: false };
      const { id } = await old.transaction((tx) => addBatch(tx, about));
      if (note !== null) await old.transaction((tx) => addNote(tx, id, note));
    }
    await sql.raw(asBefore).execute(old.db);
    await old.close();
    const store = await openStore(url);
    const batches = await store.db.selectFrom("batch").select(["note", "waitsFor"]).orderBy("commentId").execute();
    expect(batches).toEqual(noted.map(([, left]) => left));
    await store.close();
  });
});

describe.each(here)("a store of the version that knew the operator by a space ($kind)", ({ create }) => {
  it("F-29 RR-18 is opened with a field that says it, of runs and of what a schedule ran", async () => {
    const url = await create();
    const old = await openStore(url);
    const { incident } = await old.transaction((tx) => openIncident(tx, incidentInput(1)));
    const byOperator = { kind: "cancelled", by: "the operator (root)" } as const;
    const endings = [byOperator, { kind: "cancelled", by: "sam" }, { kind: "exited", code: 0 }] as const;
    const after = [{ ...byOperator, operator: true }, ...endings.slice(1)];
    for (const [commentId, ending] of endings.entries())
      await old.transaction(async (tx) => {
        const action = await addAction(tx, incident, draft);
        const about = { incidentId: incident.id, commentId, person: lee, numbers: [action.number], keepGoing: false };
        const [run] = await startRuns(tx, action, (await addBatch(tx, about)).id, 1);
        await endRun(tx, run?.id ?? "", { ending, durationMs: 1, excerpt: "" });
      });
    const run = await old.transaction(async (tx) => {
      const { key } = await keepSchedule(tx, { repo: "acme/web", workflow: "w", installationId: 1 });
      return addScheduleRun(tx, { key, dueAt: new Date(), cron: "* * * * *", state: "claimed", why: null });
    });
    const stepOf = (ending: Ending, at: number) => ({
      step: at,
      title: "",
      place: "web-1",
      server: "web-1",
      command: "df",
      ending,
    });
    await old.transaction((tx) => setScheduleRun(tx, run.id, { steps: endings.map(stepOf) }));
    await sql.raw(asBefore).execute(old.db);
    await old.close();
    const store = await openStore(url);
    expect((await runsOf(store.db, incident.id)).map(({ ending }) => ending)).toEqual(after);
    expect((await scheduleRunOf(store.db, run.id)).steps.map(({ ending }) => ending)).toEqual(after);
    await store.close();
  });
});

describe.each(here.filter(({ kind }) => kind === "server"))(
  "a process of that version that still runs",
  ({ create }) => {
    it("RR-18 F-34 loses nothing that it is just adding, and can claim and add nothing afterwards", async () => {
      const url = await create();
      await makeOld(url);
      const old = new pg.Client(url);
      await old.connect();
      const add = `insert into boss.job (name, singleton_key, policy, data) values ('delivery', 'issue:1:9', 'key_strict_fifo', '{"guid": "g-9"}')`;
      await old.query(`begin; ${add}`);
      const opened = openStore(url);
      const waits = "select 1 from pg_locks where not granted and relation = 'boss.job'::regclass";
      await until(async () => expect((await old.query(waits)).rowCount).toBe(1));
      await old.query("commit");
      const store = await opened;
      expect((await jobsIn(store.db, "delivery")).map(({ data }) => data)).toEqual([
        { guid: "g-1" },
        { guid: "g-2" },
        { guid: "g-9" },
      ]);
      await expect(old.query(add)).rejects.toThrow("does not exist");
      await old.end();
      await store.close();
    });
  },
);
