import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type Action, type ActionDraft, actionsOf, finishAction, moveAction } from "../../src/store/actions.ts";
import { readHead } from "../../src/store/audit/checkpoint.ts";
import { isMoment } from "../../src/store/database/connection.ts";
import { holdPlaceOf, holdsOn, stopsOn, writeHaltTable } from "../../src/store/holds.ts";
import { hypothesesOf, putHypothesis } from "../../src/store/hypotheses.ts";
import {
  lookRows,
  openPartsOf,
  partsOf,
  partsOfIssue,
  rowsOf,
  type StandingComment,
} from "../../src/store/incident-rows.ts";
import { type Incident, sessionOf, valuesOf } from "../../src/store/incidents.ts";
import { escalationsOf } from "../../src/store/outbox/escalations.ts";
import { commentsOf } from "../../src/store/outbox/thread-comments.ts";
import { findPin } from "../../src/store/pins.ts";
import { questionsOf } from "../../src/store/questions.ts";
import { endBatch, endRun, markRead, runsOf } from "../../src/store/runs.ts";
import { messagesOf, turnsOf } from "../../src/store/turns.ts";
import { usePlayground } from "../harness/playground.ts";
import { faultsOfOpenRows } from "./open-rows.ts";
import { draft, useStore } from "./rows.ts";

const playground = usePlayground();
const isShown = ({ state }: Action): boolean => state === "proposed" || state === "approved";
const bySlot = (a: StandingComment, b: StandingComment): number => a.slot.localeCompare(b.slot);

it("DC-5 an incident's rows come out of one statement as they come out of one statement each", {
  tags: ["long"],
}, async () => {
  const { bot, open, quiet } = playground;
  const thread = await open();
  await quiet();
  for (const said of ["/approve 1", "/hold look first", "/reject 2 not now", "/auto on"]) {
    await thread.say("lee", said);
    await quiet();
  }
  await bot.deps.store.transaction(async (tx) => {
    const incident = await tx.selectFrom("incident").selectAll().executeTakeFirstOrThrow();
    const { id } = incident;
    for (const name of ["disk", "deploy"])
      await putHypothesis(tx, id, { id: name, says: name, status: "open", forRuns: [1], againstRuns: [] }, 1);
    const { head, lease, alert, repoChanges, ...rows } = await rowsOf(tx, id);
    const { halts, posted } = await partsOf(tx, id, "halts", "posted");
    expect(rows).toEqual({
      incident,
      session: await sessionOf(tx, id),
      actions: await actionsOf(tx, id),
      approvals: await tx
        .selectFrom("approval")
        .selectAll()
        .where("withdrawnAt", "is", null)
        .orderBy("createdAt")
        .orderBy("id")
        .execute(),
      runs: await runsOf(tx, id),
      turns: await turnsOf(tx, id),
      questions: await questionsOf(tx, id),
      hypotheses: await hypothesesOf(tx, id),
      pullRequests: await tx
        .selectFrom("pullRequest")
        .selectAll()
        .where("incidentId", "=", id)
        .orderBy("openedAt")
        .execute(),
      batches: await tx.selectFrom("batch").selectAll().orderBy("createdAt").execute(),
      holds: await holdsOn(tx, incident),
      values: await valuesOf(tx, id),
      escalations: await escalationsOf(tx, [id]),
      pagerAnswers: await tx.selectFrom("pagerAnswer").selectAll().where("incidentId", "=", id).execute(),
    });
    const comments = await commentsOf(tx, incident);
    const where = comments.map(({ slot, githubId, firstPostedAt, gone }) => ({ slot, githubId, firstPostedAt, gone }));
    expect(posted.toSorted(bySlot)).toEqual(where.toSorted(bySlot));
    expect(await partsOf(tx, id, "lease", "posted")).toEqual({ incident, lease, posted });
    const cards = new Set(["board", ...rows.actions.filter(isShown).map(({ card }) => card)]);
    const asked = await partsOf(tx, id, "shown", "demands", "messages", "withdrawn");
    const lean = comments.map(({ slot, nodeId, position }) => ({ slot, nodeId, position }));
    expect(asked.shown).toEqual(lean.filter(({ slot }) => cards.has(slot)));
    expect(await partsOfIssue(tx, incident, "lease")).toEqual({ incident, lease });
    expect(await partsOfIssue(tx, { ...incident, number: 999 }, "lease")).toBeUndefined();
    expect(asked.messages.map(({ message }) => message)).toEqual(await messagesOf(tx, rows.session.id));
    expect([asked.demands, asked.withdrawn]).toEqual([[], []]);
    const [first] = rows.actions;
    const { shown, pin, ...look } = await lookRows(tx, { incidentId: id, number: first?.number ?? 0 });
    expect(look).toEqual(await openPartsOf(tx, id, "actions", "approvals"));
    expect(shown).toEqual(comments.filter(({ slot }) => slot === "board" || slot === first?.card));
    expect(pin).toEqual(await findPin(tx, incident.repo));
    expect(Object.values(rows).filter((list) => Array.isArray(list) && list.length > 0).length).toBeGreaterThan(5);
    expect({ size: head.seq, head: head.hash }).toEqual(await readHead(tx));
    expect([lease, alert, repoChanges, halts]).toEqual([null, null, null, []]);
    const halt = { scope: incident.repo, halted: false, by: "root", at: "2026-03-01T14:05:00Z", kill: false };
    await writeHaltTable(tx, halt);
    const stops = { halts: [halt], holds: rows.holds };
    expect(await stopsOn(tx, holdPlaceOf(incident))).toEqual(stops);
    expect(await partsOf(tx, id, "halts", "holds")).toEqual({ incident, ...stops });
  });
});

it("DC-5 moments are known by their columns' names", async () => {
  const { rows } = await sql<{ column: string; type: string }>`
    select column_name as column, data_type as type from information_schema.columns where table_schema = 'public'`.execute(
    playground.bot.deps.store.db,
  );
  const wrong = rows.filter(({ column, type }) => isMoment(column) !== (type === "timestamp with time zone"));
  expect(wrong.filter(({ column, type }) => !(column === "at" && type === "text"))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});

describe("an incident's open rows", () => {
  const rows = useStore();
  const ended = async (on: Incident, change: Partial<ActionDraft> = {}, isRead = true) => {
    const one = await rows.begun({ on, change });
    await rows.store().transaction(async (tx) => {
      for (const [from, to] of [
        ["proposed", "approved"],
        ["approved", "dispatching"],
      ] as const)
        await moveAction(tx, one.one, { from, to });
      await endRun(tx, one.run.id, { ending: { kind: "exited", code: 0 }, durationMs: 1, excerpt: "" });
      await finishAction(tx, one.one.id);
      await endBatch(tx, one.batch.id);
      if (isRead) await markRead(tx, [one.batch.id], new Date());
    });
    return one.one;
  };
  const numbersOf = async ({ id }: Incident) => {
    const { db } = rows.store();
    expect(await faultsOfOpenRows(db, id)).toEqual([]);
    return (await openPartsOf(db, id, "actions")).actions.map(({ number }) => number);
  };

  it("DC-5 leave out reads that ended once the agent has read them, with their runs, approvals and batches", async () => {
    const incident = await rows.incident();
    for (let n = 0; n < 3; n++) await ended(incident);
    await ended(incident, {}, false);
    await rows.action(incident);
    expect(await numbersOf(incident)).toEqual([4, 5]);
    const { runs, batches } = await openPartsOf(rows.store().db, incident.id, "runs", "batches");
    expect([runs.length, batches.length]).toEqual([1, 1]);
  });

  it("DC-5 keep what changed something, or is trusted to only read", async () => {
    const incident = await rows.incident();
    const trusted = { ruleId: "operator.trust", text: "the operator trusts it", risk: "low" } as const;
    await ended(incident, { spec: { ...draft.spec, risk: "medium" } });
    await ended(incident, { findings: [trusted] });
    await ended(incident);
    expect(await numbersOf(incident)).toEqual([1, 2]);
  });

  it("DC-5 keep a card whole while anything on it is open, and the check of an open change on any card", async () => {
    const incident = await rows.incident();
    const medium = { ...draft.spec, risk: "medium" } as const;
    await ended(incident, { card: "card:1" });
    await ended(incident, { card: "card:2" });
    await ended(incident, { card: "card:3" });
    await rows.action(incident, { card: "card:2", spec: medium });
    await rows.action(incident, {
      card: "card:4",
      spec: { ...medium, guard: { check: 3, command: "df -h", shows: "9" } },
    });
    expect(await numbersOf(incident)).toEqual([2, 3, 4, 5]);
  });
});
