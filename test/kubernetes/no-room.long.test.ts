import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);

/** What a process of its own tells that can open so many more files. */
const withRoomFor = async (files: number): Promise<unknown> => {
  const script = "ulimit -n 90; exec node --import ./check-node.mjs test/kubernetes/no-room.ts";
  return JSON.parse((await run("bash", ["-c", `${script} ${files}`])).stdout);
};

describe("where no more files can be opened", () => {
  it("RR-12 nothing of a pipeline runs, that is told, and the process lives on", async () => {
    const refused = expect.stringMatching(/ cannot be started: too many files are open$/);
    for (const files of [1, 8]) expect(await withRoomFor(files)).toEqual([refused, { ok: false, why: refused }]);
    // Here the filter has started, or all of it.
    for (const files of [9, 10, 11]) expect(await withRoomFor(files)).toHaveLength(2);
    const well = { code: 0, signal: null };
    expect(await withRoomFor(40)).toEqual([[well, well], { ok: true, text: "" }]);
  });
});
