import { sql } from "kysely";
import { expect, it } from "vitest";
import { drawFirst, post, show, threadOf, wakeUndrawn } from "../../../src/features/thread/post.ts";
import { snapshotOf, storedLedgerFrom } from "../../../src/features/verify/ledger.ts";
import { readGauges } from "../../../src/store/gauges.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { wantComments } from "../../../src/store/outbox/wanted.ts";
import { jobOf } from "../../harness/job.ts";
import { usePlayground } from "../../harness/playground.ts";
import { forgetJobs, jobsIn } from "../../store/jobs.ts";

const playground = usePlayground();

/** An incident at rest, whose comments are behind what is known of it from then on. */
async function undrawnIncident() {
  const { bot, open, quiet } = playground;
  const { db } = bot.deps.store;
  const { number } = await open();
  await quiet();
  const { id } = await db
    .updateTable("incident")
    .set((eb) => ({ changed: eb("changed", "+", 1), undrawnSince: new Date(Date.now() - 60_000) }))
    .where("number", "=", number)
    .returning("id")
    .executeTakeFirstOrThrow();
  return { deps: bot.deps, db, quiet, incident: await incidentOf(db, id) };
}

it("RR-17 a comment that cannot be drawn keeps no other back, and says so where it is new", {
  tags: ["long"],
}, async () => {
  const { deps, db, quiet, incident } = await undrawnIncident();
  await sql`insert into turn (id, incident_id, step, cause, offline, prose, phase, suggestions, runbooks, notes)
    select gen_random_uuid(), incident_id, 2, cause, offline, 'what was read', phase, suggestions, '5'::jsonb, notes
    from turn where incident_id = ${incident.id}::uuid`.execute(db);
  const shown = async (slot: string) =>
    db
      .selectFrom("comment")
      .select("body")
      .where("incidentId", "=", incident.id)
      .where("slot", "=", slot)
      .executeTakeFirst();
  await deps.store.transaction((tx) => show(tx, deps, incident, "looking on"));
  await quiet();
  expect((await shown("card:2"))?.body).toContain("I failed to write this comment");
  expect((await shown("board"))?.body).toContain("looking on");
  expect((await shown("card:1"))?.body).toContain("**1**");
  expect(playground.log.filter(({ event }) => event === "comment_not_drawn")).not.toEqual([]);

  await sql`update turn set runbooks = '[]' where incident_id = ${incident.id}::uuid`.execute(db);
  await deps.store.transaction((tx) => show(tx, deps, incident));
  await quiet();
  expect((await shown("card:2"))?.body).toContain("what was read");
});

it("DC-6 what no comment tells yet is no difference between the issue and the store", async () => {
  const { deps, db, incident } = await undrawnIncident();
  const held = async () => {
    const snapshot = await deps.store.transaction((tx) => snapshotOf(tx, incident));
    return storedLedgerFrom(snapshot, snapshot, { isPublic: false, markdown: deps.markdown }).posted.map(
      ({ settled }) => settled,
    );
  };
  expect(new Set(await held())).toEqual(new Set([false]));
  await db.updateTable("incident").set({ drawn: incident.changed }).where("id", "=", incident.id).execute();
  expect(new Set(await held())).toEqual(new Set([true]));
});

it("RR-20 comments that are long behind count as waiting", async () => {
  const { db } = await undrawnIncident();
  const { outboxWaiting, outboxOldestSeconds } = await readGauges(db);
  expect(outboxWaiting).toBeGreaterThan(0);
  expect(outboxOldestSeconds).toBeGreaterThan(50);
});

it("RR-17 where the process ended again and again, what waits is posted, and what has changed is drawn after a rest or with the next change", async () => {
  const { deps, db, quiet, incident } = await undrawnIncident();
  const { repo, number: issue } = incident;
  await deps.store.transaction((tx) => wantComments(tx, threadOf(incident), [{ slot: "reply:99", body: "a result" }]));
  const draw = () => Promise.reject(new Error("must not be drawn"));
  await post(deps, { draw, checkBoard: async () => undefined }, jobOf("post", { repo, issue }, { deaths: 2 }));
  const reply = db.selectFrom("comment").select(["postedBody", "parked"]).where("slot", "=", "reply:99");
  expect(await reply.executeTakeFirst()).toEqual({ postedBody: "a result", parked: null });
  const rests: number[] = [];
  const comeBack = (afterMs: number) => void rests.push(Math.round(afterMs / 60_000));
  expect(await drawFirst(deps, { comeBack }, { draw, thread: { repo, issue }, deaths: 2 })).toBe(false);
  expect(rests).toEqual([10]);
  const isBehind = async () => {
    const { changed, drawn } = await incidentOf(db, incident.id);
    return changed > drawn;
  };
  expect(await isBehind()).toBe(true);
  await deps.store.transaction((tx) => show(tx, deps, incident));
  await quiet();
  expect(await isBehind()).toBe(false);
});

it("RR-08 the sweep leaves a post that waits for its time to wait", async () => {
  const { deps, db, incident } = await undrawnIncident();
  const { repo, number: issue } = incident;
  const own = async () => (await jobsIn(db, "post")).filter(({ key }) => key === `${repo}#${issue}`);
  await deps.store.queue.stop();
  await forgetJobs(db, "post");
  await deps.store.transaction((tx) =>
    deps.store.queue.enqueue(tx, "post", `${repo}#${issue}`, { repo, issue }, { afterMs: 600_000 }),
  );
  await wakeUndrawn(deps);
  expect((await own()).map(({ dueIn }) => Math.round(dueIn / 60))).toEqual([10]);
  await forgetJobs(db, "post");
  await wakeUndrawn(deps);
  expect((await own()).length).toBe(1);
});
