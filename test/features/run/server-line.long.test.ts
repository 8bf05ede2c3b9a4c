import { describe, expect, it } from "vitest";
import { statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import type { Play } from "../../ssh/fake-host.ts";
import { jobsIn, makeDue } from "../../store/jobs.ts";

const done = { text: "CONFIRMED by 1, 2 and 3: done." };
const restart = "systemctl restart nginx";

const stage = useStage();

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
