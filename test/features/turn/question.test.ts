import { describe, expect, it } from "vitest";
import { auditOf, call, newsOf, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage();

const asking = (question: string, choices: readonly string[] = []) => call("ask_question", { question, choices });
const news = () => newsOf(stage);

describe("AR-13 a question of the agent", () => {
  it("is one comment, the card of its turn, and /answer settles it; the turn ends, proposals stay, and the next turn goes on with the answer", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    stage.model.play(asking("Is @all the **canary** up?", ["yes", "no"]));
    const { said: results } = await stage.ask(thread, "lee", "/approve 1");
    expect(results).toEqual([expect.stringMatching(/^\*\*1\*\* ✅ `uptime`[\s\S]*\nQuestion \*\*q1\*\*/)]);
    const question = await thread.waitFor((body) => body.includes("\nQuestion **q1**"), "the question");
    expect(question.body).toContain(
      "`/answer q1 yes` · `/answer q1 no` · `/answer q1 skip` · or any text after `/answer q1` · anyone with write access",
    );
    expect(question.body).toMatch(
      /^\*\*1\*\* ✅ .*\n\n(?:```text\n.*\n```\n\n)?I need an answer to go on\.\n\nQuestion \*\*q1\*\* · Is `@all` the \\\*\\\*canary\\\*\\\* up\?\n/,
    );
    await thread.waitFor((body) => body.includes("⏳ waiting for an answer to q1"), "the board");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    const asked = stage.model.requests.length;

    expect((await stage.ask(thread, "rita", "/answer q1 yes")).isMarked("-1")).toBe(true);
    for (const [typed, said] of [
      ["/answer", /Which question\? Write `\/answer q1 yes`\. Open right now: \*\*q1\*\*/],
      ["/answer yes", /Which question\?/],
      ["/answer q9 yes", /There is no question \*\*q9\*\* here\. Open right now: \*\*q1\*\*/],
      ["/answer q1", /What is the answer\? Write `\/answer q1 yes`, `no`, `skip` or any text/],
    ] as const) {
      await stage.expectRefusal(thread, "sam", typed, said);
    }
    expect(stage.model.requests).toHaveLength(asked);

    stage.model.play({ text: "CONFIRMED by 1: then go on." });
    const { isMarked } = await stage.ask(thread, "sam", "/answer Q1 no, since 14:00\nIt never came up.");
    expect(isMarked("rocket")).toBe(true);
    expect(news()).toMatch(
      /sam answers your question q1 \(Is @all the \*\*canary\*\* up\?\)\. Go on with it\.\n\n<answer-to-q1-by-sam nonce="[^"]+">\nno, since 14:00\nIt never came up\.\n</,
    );
    expect(news().match(/It never came up/g)).toHaveLength(1);
    const settled = await thread.waitFor(
      (body) => body.includes("**q1**") && body.includes("Answered by `@sam`"),
      "it",
    );
    expect(settled.id).toBe(question.id);
    expect((await thread.comments()).map(({ body }) => body).join("\n")).not.toContain("⏳ waiting");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });

    await stage.expectReply(thread, "lee", "/answer q1 yes", [
      /\*\*q1\*\* was already answered by `@sam`: no, since 14:00.*No question is open right now/,
    ]);
    const kinds = (await auditOf(stage)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith("question_"))).toEqual(["question_asked", "question_answered"]);
  });

  it("takes an answer whose cut goes through an emoji: half of one cannot be kept", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1", asking("Is it up?"));
    stage.model.play({ text: "CONFIRMED by 1: then go on." });
    const { isMarked } = await stage.ask(thread, "sam", `/answer q1 ${"a".repeat(3_999)}😀 and more`);
    expect(isMarked("rocket")).toBe(true);
  });
});
