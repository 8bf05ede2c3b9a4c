import { sql } from "kysely";
import { expect, it } from "vitest";
import { show, threadOf, wakePoster, wakeUndrawn } from "../../../src/features/thread/post.ts";
import type { Tx } from "../../../src/store/database/open.ts";
import { undrawnRows } from "../../../src/store/incident-rows.ts";
import { commentIn } from "../../../src/store/outbox/thread-comments.ts";
import { markChanged, storeDrawing } from "../../../src/store/outbox/wanted.ts";
import { repo, usePlayground } from "../../harness/playground.ts";
import { incidentIdOf, incidentIn } from "../../harness/stage.ts";
import { forgetJobs } from "../../store/jobs.ts";

const playground = usePlayground();

it("RR-07 each comment has its place from when it was wanted, and is drawn: none stays empty", {
  tags: ["long"],
}, async () => {
  const { bot, open, quiet } = playground;
  const thread = await open();
  await quiet();
  for (const said of ["/approve 1", "/run web-1\n```sh\necho more\n```", "/status"]) {
    await thread.say("lee", said);
    await quiet();
  }
  const rows = await bot.deps.store.db
    .selectFrom("comment")
    .select(["slot", "version", "githubId", "askedBy"])
    .where("issue", "=", thread.number)
    .orderBy("position")
    .execute();
  const kinds = rows.map(({ slot }) => slot.split(":")[0]);
  expect(kinds.slice(0, 2)).toEqual(["board", "card"]);
  expect(new Set(kinds)).toEqual(new Set(["board", "card", "batch", "action", "reply"]));
  expect(rows.filter(({ version, githubId }) => version === 0 || githubId === null)).toEqual([]);
  // Whose command a card or a reply answers decides how urgent it is (RR-08).
  const isAnswer = ({ slot }: { readonly slot: string }) => /^(action|reply):/.test(slot);
  expect(rows.filter((row) => isAnswer(row) !== (row.askedBy !== null))).toEqual([]);
  const ids = rows.map(({ githubId }) => githubId);
  expect(ids).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
});

it("RR-07 what is made together has its place by what it is, a proposal before its run, whatever the clocks say", {
  tags: ["long"],
}, async () => {
  const { bot, open, quiet } = playground;
  const { db } = bot.deps.store;
  const thread = await open();
  await quiet();
  for (const said of ["/run web-1\n```sh\necho more\n```", "/approve 3"]) {
    await thread.say("lee", said);
    await quiet();
  }
  const id = await incidentIdOf(db, thread.number);
  await db
    .updateTable("batch")
    .set({ createdAt: new Date(0), toldOn: null })
    .where("incidentId", "=", id)
    .execute();
  // As before they were drawn at all.
  await db.deleteFrom("comment").where("incidentId", "=", id).execute();
  await db.updateTable("action").set({ kept: null }).where("incidentId", "=", id).execute();
  await bot.deps.store.transaction(async (tx) => markChanged(tx, id, ""));
  const placed = await db
    .selectFrom("comment")
    .select("slot")
    .where("incidentId", "=", id)
    .orderBy("position")
    .execute();
  expect(placed.map(({ slot }) => slot.split(":")[0])).toEqual(["board", "card", "card", "action", "batch"]);
});

it("RR-05 the rows that a comment is drawn from and how far it was drawn are one transaction's", async () => {
  const { bot, open, quiet } = playground;
  const { deps } = bot;
  const thread = await open();
  await quiet();
  const row = () =>
    deps.store.db.selectFrom("incident").selectAll().where("number", "=", thread.number).executeTakeFirstOrThrow();
  const before = await row();
  await expect(
    deps.store.transaction(async (tx) => {
      await show(tx, deps, before, "never");
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  expect(await row()).toEqual(before);
});

it("RR-17 a change whose job was lost is drawn by the next sweep", async () => {
  const { bot, open, quiet } = playground;
  const { deps } = bot;
  const thread = await open();
  await quiet();
  const own = () => deps.store.db.selectFrom("incident").selectAll().where("number", "=", thread.number);
  await deps.store.db
    .updateTable("incident")
    .set((eb) => ({ changed: eb("changed", "+", 1) }))
    .where("number", "=", thread.number)
    .execute();
  await quiet();
  const before = await own().executeTakeFirstOrThrow();
  expect(before.changed - before.drawn).toBe(1);
  await forgetJobs(deps.store.db, "post");
  await wakeUndrawn(deps);
  await quiet();
  const after = await own().executeTakeFirstOrThrow();
  expect(after.drawn).toBe(after.changed);
});

it("RR-05 a drawing from rows that have changed since is not kept, and the next one is", async () => {
  const { bot, open, quiet } = playground;
  const { store } = bot.deps;
  const thread = await open();
  await quiet();
  const incident = await incidentIn(store.db, thread.number);
  const none = { actions: [], turns: [], batches: [] };
  const keep = (changed: number) =>
    storeDrawing(
      store.db,
      {
        ...{ thread: threadOf(incident), known: [] },
        drawnAs: { incident: { id: incident.id, changed }, counts: true, late: null, drawnWith: "", settled: none },
      },
      { comments: [{ slot: "notice:1", body: `as of ${changed}` }], folded: [], labels: undefined },
    );
  const plan = () => commentIn(store.db, incident.id, "notice:1");
  expect([await keep(incident.changed - 1), await plan()]).toEqual([false, undefined]);
  expect([await keep(incident.changed), (await plan())?.body]).toEqual([true, `as of ${incident.changed}`]);
  expect(await undrawnRows(store.db, { repo, issue: thread.number, drawnWith: "" })).toBeUndefined();
});

it("RR-08 the board says so while comments wait long for GitHub's limit on writes, and no longer", async () => {
  const { bot, open, quiet } = playground;
  const { deps } = bot;
  const { store } = deps;
  const thread = await open();
  await quiet();
  const find = store.db.selectFrom("incident").selectAll().where("number", "=", thread.number);
  const incident = await find.executeTakeFirstOrThrow();
  const board = async (wake: (tx: Tx) => Promise<void>) => {
    await store.transaction(wake);
    await quiet();
    return (await commentIn(store.db, incident.id, "board"))?.postedBody;
  };
  const lastLate = (secondsAgo: number, by = "minute") =>
    sql`update write_budget set late_by = ${by}, late_at = now() - ${secondsAgo} * interval '1 second'`.execute(
      store.db,
    );
  await lastLate(1);
  expect(await board((tx) => show(tx, deps, incident))).toContain("writes a minute (`github.writes_per_minute`)");
  const wake = (tx: Tx) => wakePoster(tx, deps, incident);
  await lastLate(1, "hour");
  expect(await board(wake)).toContain("625000 writes an hour");
  await lastLate(1, "pause");
  expect(await board(wake)).toContain("GitHub has asked me to pause");
  await lastLate(59);
  expect(await board(wake)).toContain("`github.writes_per_minute`");
  await lastLate(61);
  expect(await board(wake)).not.toContain("`github.writes_per_minute`");
});
