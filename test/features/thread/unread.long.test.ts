import { describe, expect, it } from "vitest";
import type { Ending } from "../../../src/base/run.ts";
import { show } from "../../../src/features/thread/post.ts";
import { slots } from "../../../src/store/outbox/thread-comments.ts";
import { closeIssue, done, restart } from "../../commands/long-command.ts";
import { incidentIn, useStage } from "../../harness/stage.ts";
import { leaveBehind } from "../run/left-behind.ts";

const stage = useStage();

/** A batch whose run card stood on the issue before its end, closed or not: what is said of the end beside that card. */
async function said(
  ending: Ending,
  durationMs: number,
  closed: boolean,
  { withheld }: { readonly withheld?: string } = {},
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
  const { store } = stage.bot.deps;
  await store.transaction(async (tx) => show(tx, stage.bot.deps, await incidentIn(tx, thread.number)));
  await db.updateTable("comment").set({ dueAt: new Date() }).where("slot", "=", slots.batch(left.batchId)).execute();
  await store.transaction(async (tx) => show(tx, stage.bot.deps, await incidentIn(tx, thread.number)));
  const card = await thread.waitFor((body) => body.startsWith("**1** "), "the run card");
  if (closed) await closeIssue(stage, thread);
  else stage.model.play(done);
  await stage.quiet();
  await left.serve();
  return (await thread.comments())
    .map(({ body }) => body.split("\n", 1)[0] ?? "")
    .filter((line) => line.includes("/output"))
    .map((line) => line.replace(new RegExp(` · \\[result\\]\\(\\S+#issuecomment-${card.id}\\)`), " · LINK"));
}

const exit = (code: number): Ending => ({ kind: "exited", code });

describe("a result that no turn of the agent tells of", () => {
  it("PRODUCT is one line in a new comment where it took over a minute or did not go well", async () => {
    expect(await said(exit(0), 61_000, true)).toEqual([
      "**1** has ended: ✅ `systemctl restart nginx` on `web-1` · 1 min 1 s · `@lee` · LINK · `/output 1`",
    ]);
    expect(await said(exit(3), 900, true)).toEqual([
      "**1** has ended: ❌ `systemctl restart nginx` on `web-1` · exit 3 · `@lee` · LINK · `/output 1`",
    ]);
  });

  it("PRODUCT is none where all went well soon; where the agent reads it, its words begin with that", async () => {
    expect(await said(exit(0), 59_000, true)).toEqual([]);
    expect(await said(exit(0), 900, false)).toEqual([
      "**1** has ended: ✅ `systemctl restart nginx` on `web-1` · `@lee` · LINK · `/output 1`",
    ]);
  });

  it.each([
    ["where nobody reads it", true],
    ["although the agent reads it", false],
  ])("RR-22 is always one of an unknown outcome, %s", async (_what, closed) => {
    expect(await said({ kind: "unknown", reason: "the connection was lost" }, 900, closed)).toEqual([
      "**1** has ended: ❓ `systemctl restart nginx` on `web-1` · UNKNOWN · `@lee` · LINK · `/output 1` · It may have run, and is never repeated automatically. Check the server first; then `/retry 1` proposes it again.",
    ]);
  });

  it("RR-22 is always one of an output that was withheld", async () => {
    expect(await said(exit(0), 900, false, { withheld: "it holds too many secrets" })).toEqual([
      "**1** has ended: ✅ `systemctl restart nginx` on `web-1` · `@lee` · LINK · `/output 1` · Its output is withheld: it holds too many secrets.",
    ]);
  });
});
