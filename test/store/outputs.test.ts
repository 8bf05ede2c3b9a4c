import { describe, expect, it } from "vitest";
import { createDraft, outputOf, outputParts, partLength, storeOutput } from "../../src/store/outputs.ts";
import { addBatch, startRuns } from "../../src/store/runs.ts";
import { lee, useStore } from "./rows.ts";

const { store, incident, action } = useStore();
let comment = 0;
const newRun = async () => {
  const given = await incident();
  const one = await action(given);
  comment += 1;
  return store().transaction(async (tx) => {
    const numbers = [1];
    const batch = await addBatch(tx, {
      incidentId: given.id,
      commentId: comment,
      person: lee,
      numbers,
      keepGoing: false,
    });
    const [begun] = await startRuns(tx, one, batch.id, 1);
    if (!begun) throw new Error("an action has a server");
    return begun;
  });
};
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

describe("a stored output", () => {
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
