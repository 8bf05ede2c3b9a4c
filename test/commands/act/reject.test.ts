import { describe, expect, it } from "vitest";
import { newsOf, proposing, sessionIn, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage(() => ({ config: { agent: { turns_per_person_per_hour: 4 } } }));

describe("/reject", () => {
  it("AR-05 of all that is open, with a reason, lets the agent think again by it", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    stage.model.play(proposing("LIKELY: then only this server.", "free -m"));
    expect((await stage.ask(thread, "lee", "/reject 1 2 not for the whole server")).isMarked("rocket")).toBe(true);
    expect(newsOf(stage)).toContain("lee has turned down all that was open: 1, 2.");
    expect(newsOf(stage)).toContain("not for the whole server");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected", 2: "rejected", 3: "proposed" });
  });

  it("AR-05 of a part, or without a reason, starts no turn", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "lee", "/reject 1 not now");
    await stage.ask(thread, "lee", "/reject 2");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected", 2: "rejected" });
  });
});

describe("what uses up what a person or an incident has", () => {
  it("SR-60 turns that follow an approval count towards nobody's hour", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime", "df -h", "free -m");
    for (const number of [1, 2, 3]) {
      await stage.ask(thread, "lee", `/approve ${number}`, { text: `CONFIRMED by ${number}: fine.` });
    }
    const asked = stage.model.requests.length;
    const { said } = await stage.ask(thread, "lee", "/ask is that all?", { text: "CONFIRMED by 1: fine." });
    expect(stage.model.requests).toHaveLength(asked + 1);
    expect(said.join()).toContain("CONFIRMED");
  });

  it("AR-17 an answer without the model uses up no step", async () => {
    const thread = await stage.incident("uptime");
    const before = await sessionIn(stage, thread.number);
    await stage.ask(thread, "sam", "/ask anybody there?", { status: 500 });
    const after = await sessionIn(stage, thread.number);
    expect(after.stepLimit - after.steps).toBe(before.stepLimit - before.steps);
    expect(after.steps).toBe(before.steps + 1);
  });
});
