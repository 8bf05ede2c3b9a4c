import { expect, it } from "vitest";
import { show } from "../../../src/features/thread/post.ts";
import { addAction, moveAction } from "../../../src/store/actions.ts";
import { drawnRowsOf, turnRowsOf } from "../../../src/store/incident-rows.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { repo, usePlayground } from "../../harness/playground.ts";
import { incidentIn } from "../../harness/stage.ts";
import { draft } from "../../store/rows.ts";
import { faultsOfTurnRows } from "../turn/turn-rows.ts";
import { faultsOfDrawing } from "./whole-drawing.ts";

const playground = usePlayground();

/** An incident with five commands that ran, one that was rejected and one that another replaced, all drawn. */
async function longIncident() {
  const { bot, open, quiet } = playground;
  const { deps } = bot;
  const { db } = deps.store;
  const thread = await open();
  await quiet();
  const { id } = await incidentIn(db, thread.number);
  const say = async (who: string, text: string) => {
    await thread.say(who, text);
    await quiet();
    expect(await faultsOfDrawing(deps, db, id)).toEqual([]);
    expect(await faultsOfTurnRows(db, id)).toEqual([]);
  };
  const run = (command: string) => say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
  const newest = async () =>
    (await db.selectFrom("action").select("number").where("incidentId", "=", id).execute()).reduce(
      (most, { number }) => Math.max(most, number),
      0,
    );
  const ran: number[] = [];
  for (let n = 0; n < 5; n++) {
    await run(`echo step-${n}`);
    ran.push(await newest());
    await say("lee", `/approve ${ran.at(-1)}`);
  }
  await run("echo rejected");
  const rejected = await newest();
  await say("lee", `/reject ${rejected} not now`);
  await run("echo replaced");
  const replaced = await newest();
  await say("sam", `/edit ${replaced}\n\`\`\`sh\necho instead\n\`\`\``);
  // An older proposal of what ran first, whose card says that this was done.
  const again = await deps.store.transaction(async (tx) => {
    const incident = await incidentOf(tx, id);
    await show(tx, deps, incident);
    const added = await addAction(tx, incident, { ...draft, spec: { ...draft.spec, command: "echo step-0" } });
    await tx.updateTable("action").set({ createdAt: incident.createdAt }).where("id", "=", added.id).execute();
    return added;
  });
  const redraw = async () => {
    await deps.store.transaction(async (tx) => show(tx, deps, await incidentOf(tx, id)));

    await quiet();
  };
  await redraw();
  const reopen = async () => {
    await playground.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, { state: "open" });
    await quiet();
    expect(await faultsOfDrawing(deps, db, id)).toEqual([]);
  };
  const drawn = async (drawnWith = deps.drawnWith()) => {
    const rows = await drawnRowsOf(db, id, drawnWith);
    return { ...rows, slots: new Set(rows.slots.map(({ slot }) => slot)) };
  };
  return { deps, db, id, again, ran, rejected, replaced, redraw, reopen, drawn, say };
}

it("DC-6 a drawing leaves out what has ended and stands as drawn, until it changes; of all else it is as one of all rows", {
  tags: ["long"],
}, async () => {
  const { deps, db, id, again, ran, rejected, replaced, redraw, reopen, drawn, say } = await longIncident();
  const own = (number: number) => `action:${number}`;
  const { slots, kept, actions } = await drawn();
  const card = await db
    .selectFrom("comment")
    .select("body")
    .where("incidentId", "=", id)
    .where("slot", "=", own(again.number))
    .executeTakeFirst();
  expect(card?.body).toContain(`${ran[0]} did this at `);
  const gone = [...ran.slice(0, 4), rejected, replaced];
  expect(gone.filter((number) => slots.has(own(number)))).toEqual([]);
  expect(slots.has(own(replaced + 1))).toBe(true);
  expect(actions.length + kept.length).toBe(again.number);
  expect((await turnRowsOf(db, id)).pastActions.length).toBeGreaterThan(3);

  // Drawn with another program, config or secrets, all of it is drawn again.
  const other = await drawn("something else");
  expect([other.kept, gone.filter((number) => !other.slots.has(own(number)))]).toEqual([[], []]);

  // What changes is drawn again, with all that stands beside it.
  const action = await db
    .selectFrom("action")
    .selectAll()
    .where("incidentId", "=", id)
    .where("number", "=", replaced)
    .executeTakeFirstOrThrow();
  expect(action.kept?.row.number).toBe(replaced);
  await deps.store.transaction(async (tx) => {
    await moveAction(tx, action, { from: "superseded", to: "proposed" });
    await show(tx, deps, await incidentOf(tx, id));
  });
  expect((await drawn()).slots.has(own(replaced))).toBe(true);
  expect(await faultsOfDrawing(deps, db, id)).toEqual([]);

  // A batch or a turn of which anything is written is no longer settled.
  for (const [table, change] of [
    ["batch", { note: "said later" }],
    ["turn", { notes: '["said later"]' }],
  ] as const) {
    const settled = await db
      .selectFrom(table)
      .select("id")
      .where("incidentId", "=", id)
      .where("settled", "=", true)
      .execute();
    expect(settled, table).not.toEqual([]);
    const [first] = settled;
    await db
      .updateTable(table)
      .set(change)
      .where("id", "=", first?.id ?? "")
      .execute();
    const now = db
      .selectFrom(table)
      .select("settled")
      .where("id", "=", first?.id ?? "");
    expect((await now.executeTakeFirst())?.settled, table).toBe(false);
    expect(await faultsOfDrawing(deps, db, id)).toEqual([]);
  }
  await redraw();
  expect(await faultsOfDrawing(deps, db, id)).toEqual([]);

  // Closed, its comments say other things: all are drawn.
  await say("lee", "/close --anyway it was the disk");
  expect((await incidentOf(db, id)).state).toBe("closed");
  expect((await drawn()).kept).toEqual([]);
  await reopen();
  expect((await incidentOf(db, id)).state).toBe("open");
  expect((await drawn()).kept).not.toEqual([]);

  // The comparison finds a comment that was left out and is not what it should be.
  const stale = own(ran[0] ?? 0);
  const standing = db.updateTable("comment").where("incidentId", "=", id).where("slot", "=", stale);
  await standing.set({ body: "something older" }).execute();
  expect(await faultsOfDrawing(deps, db, id)).toEqual([`${stale} is left out and does not stand as drawn`]);
});
