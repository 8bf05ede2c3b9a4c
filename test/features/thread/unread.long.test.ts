import { describe, expect, it } from "vitest";
import type { Ending } from "../../../src/base/run.ts";
import { closeIssue, done, restart } from "../../commands/long-command.ts";
import { useStage } from "../../harness/stage.ts";
import { leaveBehind } from "../run/left-behind.ts";

const stage = useStage();

/** A batch whose run has ended so after that time, on an issue that is closed or not; what is said of it in new comments. */
async function said(
  ending: Ending,
  durationMs: number,
  closed: boolean,
  { withheld, linked = "" }: { readonly withheld?: string; readonly linked?: string } = {},
): Promise<readonly string[]> {
  const thread = await stage.incident(restart);
  const left = await leaveBehind(stage, thread, { numbers: [1], begun: { 1: ending } });
  const { db } = stage.bot.deps.store;
  const run = await db
    .updateTable("run")
    .set({ durationMs })
    .where("batchId", "=", left.batchId)
    .returning("id")
    .executeTakeFirstOrThrow();
  if (withheld !== undefined) {
    await db.deleteFrom("output").where("runId", "=", run.id).execute();
    const output = { runId: run.id, draft: null, withheld, excerpt: "" };
    await db.insertInto("output").values(output).execute();
  }
  if (closed) await closeIssue(stage, thread);
  else stage.model.play(done);
  await stage.quiet();
  await left.serve();
  return (await thread.comments())
    .map(({ body }) => body.split("\n", 1)[0] ?? "")
    .filter((line) => line.includes("/output"))
    .map((line) => line.replace(/ · \[result\]\(\S+#issuecomment-\d+\)/, linked));
}

const exit = (code: number): Ending => ({ kind: "exited", code });

describe("a result that no turn of the agent tells of", () => {
  it("PRODUCT is one line in a new comment where it took over a minute or did not go well", async () => {
    expect(await said(exit(0), 61_000, true, { linked: " · LINK" })).toEqual([
      "**1** has ended: ✅ `systemctl restart nginx` on `web-1` · 1 min 1 s · `@lee` · LINK · `/output 1`",
    ]);
    expect(await said(exit(3), 900, true)).toEqual([
      "**1** has ended: ❌ `systemctl restart nginx` on `web-1` · exit 3 · 0.9 s · `@lee` · `/output 1`",
    ]);
  });

  it("PRODUCT is none where all went well soon, or where the agent reads it", async () => {
    expect(await said(exit(0), 59_000, true)).toEqual([]);
    expect(await said(exit(3), 61_000, false)).toEqual([]);
  });

  it.each([
    ["where nobody reads it", true],
    ["although the agent reads it", false],
  ])("RR-22 is always one of an unknown outcome, %s", async (_what, closed) => {
    expect(await said({ kind: "unknown", reason: "the connection was lost" }, 900, closed)).toEqual([
      "**1** has ended: ❓ `systemctl restart nginx` on `web-1` · UNKNOWN · 0.9 s · `@lee` · `/output 1` · It may have run, and is never repeated automatically. Check the server first; then `/retry 1` proposes it again.",
    ]);
  });

  it("RR-22 is always one of an output that was withheld", async () => {
    expect(await said(exit(0), 900, false, { withheld: "it holds too many secrets" })).toEqual([
      "**1** has ended: ✅ `systemctl restart nginx` on `web-1` · 0.9 s · `@lee` · `/output 1` · Its output is withheld: it holds too many secrets.",
    ]);
  });
});
