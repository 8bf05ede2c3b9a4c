import { describe, expect, it } from "vitest";
import { call, incidentIdOf, newsOf, useStage } from "../../harness/stage.ts";

const stage = useStage();

const asking = (question: string, choices: readonly string[] = []) => call("ask_question", { question, choices });
const news = () => newsOf(stage);

describe("AR-13 a question of the agent", () => {
  it("that is skipped is told as that; a held, used up or closed incident takes no answer, and says so", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1", asking("Which release?"));
    const { db } = stage.bot.deps.store;
    const id = await incidentIdOf(db, thread.number);
    const limit = (stepLimit: number) =>
      db.updateTable("session").set({ stepLimit }).where("incidentId", "=", id).execute();
    await stage.ask(thread, "sam", "/hold");
    await stage.expectSaid(thread, "sam", "/answer q1 1.2", /`\/resume` lifts the hold\. Then answer again/);
    await stage.ask(thread, "lee", "/resume");
    await limit(2);
    await stage.expectSaid(thread, "sam", "/answer q1 1.2", /has used up its 2 steps.*`\/resume`/);
    await limit(20);
    await stage.ask(thread, "sam", "/answer q1 skip", asking("Which release, then?"));
    expect(news()).toMatch(/sam skips your question q1\. Go on without an answer to it\.$/);
    await thread.waitFor((body) => body.includes("**q2**"), "the next question");
    await stage.ask(thread, "lee", "/close", { text: "I cannot draft that." });
    await stage.expectSaid(thread, "sam", "/answer q2 1.2", /This incident is closed/);
  });
});
