import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { auditOf, cardOf, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import type { Play } from "../../ssh/fake-host.ts";
import { jobsIn, makeDue } from "../../store/jobs.ts";
import { leaveBehind, sendAndLeave } from "./left-behind.ts";

const done = { text: "LIKELY, see 1, 2 and 3: done." };

const restart = "systemctl restart nginx";

let release: () => void = () => {};

/** Says one line, and the other when it is let go. */
const slow: Play = async (_command, { channel }) => {
  channel.write("before\n");
  await new Promise<void>((resolve) => {
    release = resolve;
  });
  channel.write("after\n");
  return 0;
};

const stage = useStage();

const starts = () => stage.ran().filter((line) => line.includes(restart) && line.includes(" start ")).length;

const resultOn = async (thread: Thread): Promise<string> =>
  (await thread.comments()).findLast(({ body }) => /^\*\*1\*\* (?!·|has)/.test(body))?.body ?? "";

describe("a command that changes something", () => {
  it("CP12 RR-06 AR-08 is found again by the next process with all of its output, and ran once", async () => {
    stage.play(slow);
    const thread = await stage.incident(restart);
    const before = starts();
    await sendAndLeave(stage, thread.number);
    const left = await leaveBehind(stage, thread, { numbers: [1], begun: { 1: "open" } });
    stage.model.play(done);
    const served = left.serve();
    await new Promise((resolve) => setTimeout(resolve, 300));
    release();
    await served;
    expect(await resultOn(thread)).toContain("**1** ✅");
    expect(await resultOn(thread)).toContain("before\nafter");
    expect(starts()).toBe(before + 1);
    const rows = await auditOf(stage, { kind: "command_executed" });
    expect(rows.at(-1)?.body).toMatchObject({ housekeeping: ["job settle"] });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
    expect((await cardOf(thread, 1)).body).toContain("- [x] **1**");
  });

  it("CP10 RR-06 that had not begun on its server is proved so, and never can begin", async () => {
    const thread = await stage.incident(restart);
    const before = starts();
    const left = await leaveBehind(stage, thread, { numbers: [1], begun: { 1: "open" } });
    stage.model.play(done);
    await left.serve();
    expect(await resultOn(thread)).toContain("**1** 🔌");
    expect(await resultOn(thread)).toContain("never started, and now cannot be");
    expect(starts()).toBe(before);
  });

  it("AR-12 is ended by a hold that kills, on its server, and says by whom", async () => {
    stage.play(slow);
    const thread = await stage.incident(restart);
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("running since"), "the run card");
    await thread.say("sam", "/hold --kill");
    await thread.waitFor((body) => /🛑 .* cancelled by `@sam`/.test(body), "the end");
    // What it came to has not been read to the agent yet.
    await stage.ask(thread, "lee", "/resume", done);
  });
});

describe("commands that change something", () => {
  it("have a server to themselves over all incidents, first come first; who waits is told for what, and readers pass", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const letGo: (() => void)[] = [];
    const slow: Play = async (command) => {
      if (command.includes("uptime")) return 0;
      order.push(/nginx-\d/.exec(command)?.[0] ?? "");
      running++;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => letGo.push(resolve));
      running--;
      return 0;
    };
    const first = await stage.incident(`${restart}-1`);
    const second = await stage.incident(`${restart}-2`);
    const third = await stage.incident("uptime");
    stage.play(slow);
    await first.say("lee", "/approve 1");
    await first.waitFor((body) => body.includes("running since"), "the first");
    await second.say("lee", "/approve 1");
    const waits = await second.waitFor((body) => body.includes("is busy with"), "the wait");
    expect(waits.body).toContain(`web-1 is busy with 1 of issue ${first.number}`);
    expect(await statesOf(stage, second.number)).toEqual({ 1: "approved" });
    // It looks again without asking GitHub anything.
    const { db, queue } = stage.bot.deps.store;
    stage.github.resetCounts();
    const waiting = async () => (await jobsIn(db, "execute")).filter(({ claims }) => claims === 0);
    await makeDue(db, "execute");
    queue.wake("execute");
    await until(async () => expect((await waiting()).map(({ dueIn }) => dueIn > 0)).toEqual([true]));
    expect(stage.github.requests()).toEqual([]);
    stage.model.play(done);
    await third.say("lee", "/approve 1");
    await third.waitFor((body) => body.includes("**1** ✅"), "the reader's result");
    stage.model.play(done);
    const freed = performance.now();
    letGo.shift()?.();
    await second.waitFor((body) => body.includes("running since"), "the second");
    console.log(`the next in line began ${Math.round(performance.now() - freed)} ms after the server was free`);
    stage.model.play(done);
    letGo.shift()?.();
    await stage.quiet();
    expect(order).toEqual(["nginx-1", "nginx-2"]);
    expect(most).toBe(1);
    const card = (await second.comments()).find(({ body }) => body.includes("**1** ✅"));
    expect(card?.body).not.toContain("is busy with");
  });
});
