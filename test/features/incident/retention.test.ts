import { pino } from "pino";
import { expect, it } from "vitest";
import { keepRetention, removeOverdue } from "../../../src/features/incident/open-close.ts";
import { verifyAudit } from "../../../src/store/audit/chain.ts";
import { createDraft, outputOf, outputParts, partLength, storeOutput } from "../../../src/store/outputs.ts";
import { endRun } from "../../../src/store/runs.ts";
import { useStore } from "../../store/rows.ts";

const { store, incident, begun } = useStore();

const day = 86_400_000;
const now = new Date();
const world = {
  get store() {
    return store();
  },
  log: pino({ level: "silent" }),
  now: () => now,
  config: { retention: { outputsMs: 14 * day } },
};

/** A delivery that has come so long ago. */
async function arrive(guid: string, agoMs: number, state: "done" | "stored" = "done"): Promise<void> {
  const about = { line: "issue:1:1", event: "issues", action: null, semanticKey: null, payload: "{}", outcome: null };
  const row = { ...about, guid, state, receivedAt: new Date(now.getTime() - agoMs) };
  await store().db.insertInto("delivery").values(row).execute();
}

it("SR-50 RR-02 retention.outputs: an old output's text goes, what is known of its run stays, and the audit is only ever longer", async () => {
  const given = await incident();
  const { db } = store();
  const runIds: string[] = [];
  for (const ageDays of [20, 15, 13]) {
    const { one: action, run } = await begun({ on: given, by: "lease" });
    const { id } = run;
    const text = createDraft(store(), id);
    await text.push(`said ${ageDays} days ago`);
    await store().transaction(async (tx) => {
      await endRun(tx, id, { ending: { kind: "exited", code: 0 }, durationMs: 1, excerpt: "said" });
      await storeOutput(tx, id, { text, withheld: null, excerpt: "said" });
      const at = new Date(now.getTime() - ageDays * day);
      await tx.updateTable("run").set({ endedAt: at }).where("id", "=", id).execute();
      await tx.updateTable("action").set({ expiresAt: at }).where("id", "=", action.id).execute();
    });
    runIds.push(id);
  }
  await arrive("old", 31 * day);
  await arrive("old and waiting", 31 * day, "stored");
  await arrive("young", 29 * day);
  const rowsBefore = await verifyAudit(db);

  await removeOverdue(world);
  await removeOverdue(world);

  const texts = await Promise.all(
    runIds.map(async (id) => [await outputOf(db, id), (await Array.fromAsync(outputParts(db, id))).join("")]),
  );
  const gone = { withheld: "it was kept for 14 days and then removed (retention.outputs)", excerpt: "" };
  expect(texts).toEqual([
    [gone, ""],
    [gone, ""],
    [{ withheld: null, excerpt: "said" }, "said 13 days ago"],
  ]);
  const kept = await db.selectFrom("delivery").select("guid").orderBy("guid").execute();
  expect(kept.map(({ guid }) => guid)).toEqual(["old and waiting", "young"]);
  expect(await db.selectFrom("run").select("excerpt").where("id", "in", runIds).execute()).toHaveLength(3);
  const rowsAfter = await verifyAudit(db);
  expect(rowsAfter).toMatchObject({ ok: true });
  const removals = await db.selectFrom("audit").select("body").where("kind", "=", "outputs_removed").execute();
  expect(removals.map(({ body }) => JSON.parse(body))).toEqual([{ outputs: 2, deliveries: 1, days: 14 }]);
  expect(rowsBefore.ok && rowsAfter.ok && rowsAfter.rows).toBe(rowsBefore.ok ? rowsBefore.rows + 1 : 0);
});

it("SR-50 what a process that died had written of an output goes in its time too, although no output names it", async () => {
  const { one: action, run } = await begun({ by: "lease" });
  await createDraft(store(), run.id).push("s".repeat(10 * partLength));
  const parts = () => store().db.selectFrom("outputPart").select("part").where("runId", "=", run.id).execute();
  expect(await parts()).not.toEqual([]);
  await removeOverdue(world);
  expect(await parts()).not.toEqual([]);
  await store().transaction(async (tx) => {
    await endRun(tx, run.id, { ending: { kind: "unknown", reason: "it died" }, durationMs: null, excerpt: "" });
    const endedAt = new Date(now.getTime() - 15 * day);
    await tx.updateTable("run").set({ endedAt }).where("id", "=", run.id).execute();
    await tx.updateTable("action").set({ expiresAt: endedAt }).where("id", "=", action.id).execute();
  });
  await removeOverdue(world);
  expect(await parts()).toEqual([]);
});

it("RR-16 F-36 what came in or ended under a clock that was a month behind is not old once it is right", async () => {
  const { db } = store();
  const monthAgo = new Date(now.getTime() - 40 * day);
  const runId = (await begun({ by: "lease" })).run.id;
  const text = createDraft(store(), runId);
  await text.push("said today");
  await store().transaction(async (tx) => {
    await endRun(tx, runId, { ending: { kind: "exited", code: 0 }, durationMs: 1, excerpt: "said" });
    await storeOutput(tx, runId, { text, withheld: null, excerpt: "said" });
    await tx.updateTable("run").set({ endedAt: monthAgo }).where("id", "=", runId).execute();
  });
  await arrive("right before", day);
  await arrive("behind", 40 * day);
  await removeOverdue(world);
  expect((await Array.fromAsync(outputParts(db, runId))).join("")).toBe("said today");
  const kept = await db.selectFrom("delivery").select("guid").where("guid", "in", ["right before", "behind"]).execute();
  expect(kept).toHaveLength(2);
});

it("RR-16 F-36 nothing is old before GitHub has told the time", async () => {
  const { db } = store();
  await arrive("today's", 0);
  const monthAhead = () => new Date(now.getTime() + 40 * day);
  const sweep = (isTold: boolean) =>
    keepRetention({ ...world, now: monthAhead, clock: { isTold: () => isTold } }).stop();
  const kept = () => db.selectFrom("delivery").select("guid").where("guid", "=", "today's").execute();
  await sweep(false);
  expect(await kept()).toHaveLength(1);
  await sweep(true);
  expect(await kept()).toEqual([]);
});

it("RR-08 a share of the write budget that nobody has used for a day leaves no row", async () => {
  const { db } = store();
  const shares = Array.from({ length: 450 }, (_, index) => ({
    installationId: 1,
    share: `person:${index}`,
    refilledAt: new Date(Date.now() - (index < 449 ? 2 : 0.5) * day),
  }));
  await db.insertInto("writeShare").values(shares).execute();
  await removeOverdue(world);
  expect(await db.selectFrom("writeShare").select("share").execute()).toEqual([{ share: "person:449" }]);
});
