import { afterEach, describe, expect, it } from "vitest";
import { comeBack, statesOf, useStage, waitInVain } from "../harness/stage.ts";
import { until } from "../harness/until.ts";

const stage = useStage();
afterEach(() => stage.github.clearFaults());

const attempts = () => stage.log.filter(({ event, queue }) => event === "job_failed" && queue === "delivery").length;
/** It is tried again so often and not given up. */
async function tryAgain(times: number): Promise<void> {
  const before = attempts();
  const done = async (time: number) => {
    await comeBack(stage);
    expect(attempts() - before).toBeGreaterThanOrEqual(time);
  };
  for (let time = 1; time <= times; time++) await until(() => done(time));
}

describe("a command to which GitHub does not say who may give it", () => {
  it("RR-11 F-12 is asked about for a minute, however often that is, and then refused aloud", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    stage.github.fault({ path: /graphql/, times: 1_000 }, { status: 502 });
    await thread.say("lee", "/approve 1");
    await tryAgain(8);
    expect((await thread.comments()).filter(({ body }) => body.includes("I cannot ask GitHub"))).toEqual([]);
    await waitInVain(stage);
    await thread.waitFor((body) => body.includes("I cannot ask GitHub"), "the refusal");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(stage.ran()).toEqual([]);
  });

  it("RR-11 is carried out when GitHub says so within that minute", async () => {
    const thread = await stage.incident("df -h");
    stage.github.fault({ path: /graphql/, times: 1_000 }, { status: 502 });
    await thread.say("lee", "/approve 1");
    await tryAgain(6);
    stage.github.clearFaults();
    stage.model.play({ text: "CONFIRMED by 1: that is all." });
    await comeBack(stage);
    await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
    await stage.quiet();
  });
});
