import { describe, expect, it } from "vitest";
import { outputOf, outputParts, partLength, storeOutput } from "../../src/store/outputs.ts";
import { addBatch, startRuns } from "../../src/store/runs.ts";
import { lee, useStore } from "./rows.ts";

const { store, incident, action } = useStore();
let comment = 0;
const keep = async (text: string, withheld: string | null = null) => {
  const given = await incident();
  const one = await action(given);
  comment += 1;
  const run = await store().transaction(async (tx) => {
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
  const again = () => store().transaction((tx) => storeOutput(tx, run.id, { text, withheld, excerpt: "short" }));
  await again();
  return { run, again };
};

describe("a stored output", () => {
  it("SR-50 is stored once, with what was withheld of it", async () => {
    const { run, again } = await keep("", "a key");
    await expect(again()).rejects.toThrow();
    expect(await outputOf(store().db, run.id)).toEqual({ withheld: "a key", excerpt: "short" });
  });

  it.each([
    ["many lines", "0123456789 lorem ipsum\n".repeat(20_000)],
    ["one line", "x".repeat(3 * partLength + 1)],
    ["characters of two halves", `y${"🟢".repeat(partLength)}`],
    ["nothing", ""],
  ])("SR-50 comes back as it was, in parts that stay small: %s", async (_name, text) => {
    const { run } = await keep(text);
    const parts = await Array.fromAsync(outputParts(store().db, run.id));
    expect(parts.join("") === text).toBe(true);
    expect(Math.max(0, ...parts.map((part) => part.length))).toBeLessThanOrEqual(partLength);
  });
});
