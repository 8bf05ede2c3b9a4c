import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeIssue, done, restart } from "../commands/long-command.ts";
import { leaveBehind } from "./left-behind.ts";
import { type Stage, startStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
afterEach(() => stage.model.verify());

/** A batch whose runs have ended so after that time, on an issue that is closed or not; what is said of it in new comments. */
async function said(code: number, durationMs: number, closed: boolean): Promise<readonly string[]> {
  const thread = await stage.incident(restart);
  const left = await leaveBehind(stage, thread, { numbers: [1], begun: { 1: { kind: "exited", code } } });
  const { db } = stage.bot.world.store;
  await db.updateTable("run").set({ durationMs }).where("batchId", "=", left.batchId).execute();
  if (closed) await closeIssue(stage, thread);
  else stage.model.play(done);
  await stage.quiet();
  await left.serve();
  return (await thread.comments())
    .map(({ body }) => body.split("\n", 1)[0] ?? "")
    .filter((line) => line.includes("/output"));
}

describe("a result that no turn of the agent tells of", () => {
  it("PRODUCT is one line in a new comment where it took over a minute or did not go well", async () => {
    expect(await said(0, 61_000, true)).toEqual(["**1** on `web-1` has ended: ✅ exit 0 · 1 min 1 s · `/output 1`"]);
    expect(await said(3, 900, true)).toEqual(["**1** on `web-1` has ended: ❌ exit 3 · 0.9 s · `/output 1`"]);
  });

  it("PRODUCT is none where all went well soon, or where the agent reads it", async () => {
    expect(await said(0, 59_000, true)).toEqual([]);
    expect(await said(3, 61_000, false)).toEqual([]);
  });
});
