import { describe, expect, it } from "vitest";
import { partsOf } from "../../src/store/incident-rows.ts";
import {
  addBatch,
  addNote,
  batchOf,
  endBatch,
  endRun,
  runsOf,
  runsOfBatch,
  setProgress,
  setWaitsFor,
  startRuns,
} from "../../src/store/runs.ts";
import { lee, useStore } from "./rows.ts";

const { store, incident, action } = useStore();
let comment = 0;
const begun = async () => {
  const given = await incident();
  const one = await action(given);
  comment += 1;
  const batch = await store().transaction((tx) =>
    addBatch(tx, { incidentId: given.id, commentId: comment, person: lee, numbers: [3, 1, 2], keepGoing: false }),
  );
  const [run] = await store().transaction((tx) => startRuns(tx, one, batch.id, 1));
  if (!run) throw new Error("an action has a server");
  return { given, one, batch, run };
};
const progress = (excerpt: string) => ({ excerpt, soFar: excerpt, seenAt: new Date() });
const ending = { kind: "exited", code: 0 } as const;

describe("runs", () => {
  it("SR-26 the database lets an action have one run and a comment one batch of the same numbers", async () => {
    const { given, one, batch } = await begun();
    await expect(store().transaction((tx) => startRuns(tx, one, batch.id, 1))).rejects.toThrow();
    const again = { incidentId: given.id, commentId: comment, person: lee, numbers: [3, 1, 2], keepGoing: false };
    await expect(store().transaction((tx) => addBatch(tx, again))).rejects.toThrow();
    expect(await runsOfBatch(store().db, batch.id)).toHaveLength(1);
  });

  it("RR-06 a run ends once, as it ended first, and no late output changes it", async () => {
    const { given, run } = await begun();
    await store().transaction((tx) => setProgress(tx, run.id, progress("so far")));
    const end = (code: number, excerpt: string) =>
      store().transaction((tx) => endRun(tx, run.id, { ending: { kind: "exited", code }, durationMs: 5, excerpt }));
    expect(await end(0, "first")).toEqual({ isLast: true });
    expect(await end(1, "second")).toBeUndefined();
    await store().transaction((tx) => setProgress(tx, run.id, progress("late")));
    expect(await runsOf(store().db, given.id)).toMatchObject([{ ending, excerpt: "first" }]);
  });

  it("DC-4 a batch keeps the order in which it was approved, and its end and note", async () => {
    const { given, batch } = await begun();
    expect((await batchOf(store().db, batch.id)).numbers).toEqual([3, 1, 2]);
    await store().transaction(async (tx) => {
      await addNote(tx, batch.id, "1 was not run.");
      await setWaitsFor(tx, batch.id, "web-1 is busy");
      await addNote(tx, batch.id, "2 was not run.");
    });
    expect(await batchOf(store().db, batch.id)).toMatchObject({
      note: "1 was not run. 2 was not run.",
      waitsFor: "web-1 is busy",
    });
    await store().transaction((tx) => endBatch(tx, batch.id));
    const over = { waitsFor: null, endedAt: expect.any(Date) };
    expect((await partsOf(store().db, given.id, "batches")).batches).toMatchObject([
      { note: "1 was not run. 2 was not run.", ...over },
    ]);
    await store().transaction((tx) => endBatch(tx, batch.id, "stopped"));
    expect((await partsOf(store().db, given.id, "batches")).batches).toMatchObject([{ note: "stopped", ...over }]);
  });
});
