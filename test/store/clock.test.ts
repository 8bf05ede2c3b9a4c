import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { isAnythingAhead, moments, setClockRight, soonDue } from "../../src/store/clock.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { pauseWrites } from "../../src/store/outbox/write-budget.ts";
import { jobsIn } from "./jobs.ts";
import { usePlaces } from "./use-places.ts";

const here = await usePlaces("tests of a store whose clock was ahead, on a PostgreSQL server");

/** Moments that are left as they are, each for its reason. */
const left: Readonly<Record<string, string>> = {
  "repository.first_seen_at": "nothing is decided by it",
  "message.created_at": "their order is their ids'",
  "reaction.created_at": "only an order",
  "person_prompt.updated_at": "only told",
  "action.expires_at": "of the clock that GitHub sets",
  "run.wait_until": "of the clock that GitHub sets",
  "comment.first_posted_at": "GitHub's",
  "lease.ends_at": "GitHub's, so that a lease gains no time",
  "lease.seen_at": "keeps a lease from being used under a clock that was set back",
  "schedule.seen_due": "the schedules' own watch tells of it and goes on",
  "schedule_run.due_at": "the minute that it is about",
  "feedback.given_at": "only told",
  "alert.started_at": "its source's",
  "alert.event_at": "its source's",
  "pager_answer.at": "of the clock that GitHub sets",
  "pager_answer.due_at": "of the clock that GitHub sets",
  "pager_answer.told_at": "of the clock that GitHub sets",
  "escalation.at": "of the clock that GitHub sets",
  "escalation.tried_at": "of the clock that GitHub sets",
  "poll.since": "of the clock that GitHub sets",
  "poll.read_at": "of the clock that GitHub sets",
  "incident_changes.since": "what was asked of GitHub",
  "incident_changes.until": "what was asked of GitHub",
  "passkey.added_at": "of the clock that GitHub sets",
  "passkey.in_force_at": "of the clock that GitHub sets",
  "passkey.revoked_at": "of the clock that GitHub sets",
  "passkey_page.ends_at": "of the clock that GitHub sets",
  "passkey_page.used_at": "of the clock that GitHub sets",
};

let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

/** Does to rows what a clock that was an hour ahead had done. */
const anHour = sql`interval '1 hour'`;

describe.each(here)("RR-16 F-36 a store whose clock was ahead ($kind)", ({ create }) => {
  const open = async (): Promise<Store> => {
    store = await openStore(await create());
    return store;
  };
  const dueIn = async ({ db }: Store) =>
    Object.fromEntries((await jobsIn(db)).map(({ key, dueIn }) => [key, Math.round(dueIn / 10) * 10 + 0]));

  it("RR-16 each of its moments is one that is moved, or one that is left for a reason", async () => {
    const { db } = await open();
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone' and table_name not in ('kysely_migration', 'durability_proof')`.execute(
      db,
    );
    const moved = Object.entries(moments).flatMap(([table, { past, withFirst = [] }]) =>
      [...past, ...withFirst].map((column) => `${table}.${column}`),
    );
    const soon = Object.entries(soonDue).map(([table, { column }]) => `${table}.${column}`);
    expect([...moved, ...soon, ...Object.keys(left)].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it("RR-16 RR-11 a job that was added or put back then waits as long as was meant, others as before", async () => {
    const opened = await open();
    const { db, queue, transaction } = opened;
    const add = (key: string, afterMs?: number) => transaction((tx) => queue.enqueue(tx, "turn", key, {}, { afterMs }));
    await add("at once");
    await add("in a minute", 60_000);
    await sql`update job set due_at = due_at + ${anHour}, set_at = set_at + ${anHour}`.execute(db);
    await add("in two hours", 7_200_000);
    expect(await dueIn(opened)).toEqual({ "at once": 3_600, "in a minute": 3_660, "in two hours": 7_200 });
    const moved = await setClockRight(db);
    expect(moved?.rows).toBe(2);
    expect(Math.round((moved?.byMs ?? 0) / 60_000)).toBe(60);
    expect(await dueIn(opened)).toEqual({ "at once": 0, "in a minute": 60, "in two hours": 7_200 });
    expect(await setClockRight(db)).toBeUndefined();
  });

  it("RR-16 what a process had claimed then is another's once it is dead, and not before", async () => {
    const opened = await open();
    const { db, queue, transaction } = opened;
    await transaction((tx) => queue.enqueue(tx, "turn", "a", {}));
    await sql`update job set claims = 1, alive_at = now() + ${anHour}`.execute(db);
    await setClockRight(db);
    const { rows } = await sql<{ age: number }>`
      select extract(epoch from now() - alive_at)::float8 as age from job`.execute(db);
    expect(Math.abs(rows[0]?.age ?? 99)).toBeLessThan(5);
  });

  it.each([
    [
      "a job",
      sql`insert into job (queue, key, share, data, due_at, set_at) values ('turn', 'a', 'a', '{}', now(), now() + ${anHour})`,
    ],
    [
      "a pause",
      sql`insert into write_budget (installation_id, minute_used, hour_used, refilled_at) values (1, 1, 1, now() + ${anHour})`,
    ],
    [
      "an edit",
      sql`insert into comment (id, installation_id, repo, issue, slot, body, due_at)
      values (gen_random_uuid(), 1, 'acme/web', 1, 'board', 'b', now() + ${anHour})`,
    ],
    [
      "labels",
      sql`insert into label (repo, issue, installation_id, wanted, spare, due_at)
      values ('acme/web', 1, 1, '[]', '[]', now() + ${anHour})`,
    ],
  ])("RR-16 %s of a jump that nobody saw is found, and nothing once that is set right", async (_, left) => {
    const { db } = await open();
    expect(await isAnythingAhead(db)).toBe(false);
    await left.execute(db);
    expect(await isAnythingAhead(db)).toBe(true);
    await setClockRight(db);
    expect(await isAnythingAhead(db)).toBe(false);
  });

  it("RR-16 of a clock that is behind now only the waits are set by it", async () => {
    const { db } = await open();
    await sql`insert into job (queue, key, share, data, due_at, set_at) values ('turn', 'a', 'a', '{}', now() + ${anHour}, now() + ${anHour})`.execute(
      db,
    );
    await sql`insert into notice (about, at) values ('a', now() + ${anHour} * 2)`.execute(db);
    expect(Math.round(((await setClockRight(db, true))?.byMs ?? 0) / 60_000)).toBe(60);
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from at - now()) / 3600)::int as hours from notice`.execute(db);
    expect(rows).toEqual([{ hours: 2 }]);
    expect(Math.round(((await setClockRight(db))?.byMs ?? 0) / 60_000)).toBe(120);
  });

  it("RR-16 F-10 a pause tells under which clock it was set, although the write before it was under another", async () => {
    const { db } = await open();
    await sql`insert into write_budget (installation_id, minute_used, hour_used, refusals, refused_since, refilled_at, paused_until)
      values (1, 1, 1, 1, now() - ${anHour}, now() - ${anHour}, now() - interval '1 minute')`.execute(db);
    await pauseWrites(db, { installationId: 1, afterMs: 60_000, isTold: true });
    const { rows } = await sql<{ agoMs: number }>`
      select (extract(epoch from now() - refilled_at) * 1000)::float8 as ago_ms from write_budget`.execute(db);
    expect(rows[0]?.agoMs).toBeLessThan(3_500_000);
  });

  it("RR-16 F-10 a pause of GitHub's lasts as long as it said, whichever clock it was told under", async () => {
    const { db } = await open();
    const pause = (id: number, ahead: number) =>
      sql`
      insert into write_budget (installation_id, minute_used, hour_used, refilled_at, paused_until)
      select ${id}, 1, 1, told, told + interval '10 minutes' from (select now() + ${ahead}::float8 * ${anHour}) as at (told)`.execute(
        db,
      );
    await pause(1, 1);
    await pause(2, 0);
    await setClockRight(db);
    const { rows } = await sql<{ id: number; minutes: number }>`
      select installation_id::int as id, round(extract(epoch from paused_until - now()) / 60)::int as minutes
      from write_budget order by 1`.execute(db);
    expect(rows).toEqual([
      { id: 1, minutes: 10 },
      { id: 2, minutes: 10 },
    ]);
  });
});
