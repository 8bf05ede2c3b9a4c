import { describe, expect, it } from "vitest";
import { partsOf } from "../../src/store/incident-rows.ts";
import { createDraft, outputOf, outputParts, partLength, storeOutput } from "../../src/store/outputs.ts";
import {
  addBatch,
  addNote,
  batchOf,
  endBatch,
  endRun,
  markRead,
  markRuns,
  runsOf,
  runsOfBatch,
  setBatch,
  startRuns,
} from "../../src/store/runs.ts";
import { useStore } from "./rows.ts";

const rows = useStore();

const { store } = rows;

const begun = () => rows.begun({ numbers: [3, 1, 2] });

const progress = (excerpt: string) => ({ excerpt, soFar: excerpt, seenAt: new Date() });

const ending = { kind: "exited", code: 0 } as const;

describe("runs", () => {
  it("SR-26 the database lets an action have one run and a comment one batch of the same numbers", async () => {
    const { of, one, batch } = await begun();
    await expect(store().transaction((tx) => startRuns(tx, one, batch.id, 1))).rejects.toThrow();
    await expect(store().transaction((tx) => addBatch(tx, of))).rejects.toThrow();
    expect(await runsOfBatch(store().db, batch.id)).toHaveLength(1);
  });

  it("RR-06 a run ends once, as it ended first, and no late output changes it", async () => {
    const { given, run } = await begun();
    await store().transaction((tx) => markRuns(tx, [run], progress("so far")));
    const end = (code: number, excerpt: string) =>
      store().transaction((tx) => endRun(tx, run.id, { ending: { kind: "exited", code }, durationMs: 5, excerpt }));
    expect(await end(0, "first")).toEqual({ isLast: true });
    expect(await end(1, "second")).toBeUndefined();
    await store().transaction((tx) => markRuns(tx, [run], progress("late")));
    expect(await runsOf(store().db, given.id)).toMatchObject([{ ending, excerpt: "first" }]);
  });

  it("DC-4 a batch keeps the order in which it was approved, and its end and note", async () => {
    const { given, batch } = await begun();
    expect((await batchOf(store().db, batch.id)).numbers).toEqual([3, 1, 2]);
    await store().transaction(async (tx) => {
      await addNote(tx, batch.id, "1 was not run.");
      await setBatch(tx, batch.id, { waitsFor: "web-1 is busy" });
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

  it("DC-4 a batch that is read keeps all else, and may end and be read in one transaction", async () => {
    const { given, batch } = await begun();
    const { batch: other } = await rows.begun({ on: given });
    const readAt = new Date("2026-03-01T10:00:00Z");
    await store().transaction(async (tx) => {
      await setBatch(tx, batch.id, { waitsFor: "web-1 is busy" });
      await markRead(tx, [batch.id], readAt);
      await endBatch(tx, other.id, "stopped");
      await markRead(tx, [other.id], readAt);
      const { batches } = await partsOf(tx, given.id, "batches");
      expect(batches.map((one) => one.readAt)).toEqual([readAt, readAt]);
    });
    expect((await partsOf(store().db, given.id, "batches")).batches).toMatchObject([
      { waitsFor: "web-1 is busy", endedAt: null, note: null, readAt },
      { endedAt: expect.any(Date), note: "stopped", readAt },
    ]);
  });
});

describe("a stored output", () => {
  const { store, begun } = useStore();
  const newRun = async () => (await begun()).run;
  type Run = Awaited<ReturnType<typeof newRun>>;
  /** As the redactor gives it: in pieces of any length. */
  const draftOf = async (run: Run, text: string, length = 100_000) => {
    const draft = createDraft(store(), run.id);
    for (let at = 0; at < text.length; at += length) await draft.push(text.slice(at, at + length));
    return draft;
  };
  const keep = async (run: Run, text: string, withheld: string | null = null) => {
    const draft = text === "" ? undefined : await draftOf(run, text);
    await store().transaction((tx) => storeOutput(tx, run.id, { text: draft, withheld, excerpt: "short" }));
  };
  const partsOf = (run: Run) => Array.fromAsync(outputParts(store().db, run.id));
  const rowsOf = async (run: Run) =>
    (await store().db.selectFrom("outputPart").select("part").where("runId", "=", run.id).execute()).length;

  it("SR-50 is stored once, with what was withheld of it", async () => {
    const run = await newRun();
    await keep(run, "", "a key");
    await expect(keep(run, "", "a key")).rejects.toThrow();
    expect(await outputOf(store().db, run.id)).toEqual({ withheld: "a key", excerpt: "short" });
  });

  it.each([
    ["many lines", "0123456789 lorem ipsum\n".repeat(50_000)],
    ["one line", "x".repeat(20 * partLength + 1)],
    ["characters of two halves", `y${"🟢".repeat(partLength)}`],
    ["a word", "fine"],
    ["nothing", ""],
  ])("SR-50 comes back as it was, in parts that stay small: %s", async (_name, text) => {
    const run = await newRun();
    await keep(run, text);
    const parts = await partsOf(run);
    expect(parts.join("") === text).toBe(true);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(Math.max(0, ...parts.map((part) => part.length))).toBeLessThanOrEqual(partLength);
  });

  it("RR-19 most of a large one is in the store before its run has ended, and nobody can read it", async () => {
    const run = await newRun();
    const draft = await draftOf(run, "x".repeat(40 * partLength));
    expect([await partsOf(run), await outputOf(store().db, run.id)]).toEqual([[], undefined]);
    expect(await rowsOf(run)).toBeGreaterThan(30);
    await draft.discard();
    expect(await rowsOf(run)).toBe(0);
  });

  it("RR-06 what a process that is no more had written of it goes, and never mixes with what counts", async () => {
    const run = await newRun();
    await draftOf(run, "x".repeat(40 * partLength));
    await keep(run, "what counts");
    await draftOf(run, "y".repeat(40 * partLength));
    expect(await partsOf(run)).toEqual(["what counts"]);
  });
});
