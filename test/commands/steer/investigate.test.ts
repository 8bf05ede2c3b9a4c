import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { repo } from "../../harness/playground.ts";
import { useStage } from "../../harness/stage.ts";

const stage = useStage(() => ({ config: { agent: { max_steps: 3 } } }));

type Numbered = Thread & { number: number };
const looked = { text: "LIKELY: looked." };
const unlabelled = (): Promise<Numbered> => stage.open({ labels: [], title: "Mail waits", body: "since 14:02Z" });
const incidentOf = (number: number) =>
  stage.bot.deps.store.db
    .selectFrom("incident")
    .innerJoin("session", "session.incidentId", "incident.id")
    .select(["state", "byHand", "openerLogin", "userLogin", "instructions", "steps", "labels"])
    .where("incident.number", "=", number)
    .executeTakeFirst();
const change = (thread: Numbered, fields: object) =>
  stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, fields);
const sent = () => {
  const messages = stage.model.requests.at(-1)?.body.messages ?? [];
  return { system: messages[0]?.content ?? "", news: messages.at(-1)?.content ?? "" };
};

describe("/investigate", () => {
  it("PRODUCT S13.4 takes an issue without the label in; its note is the session's, and a later one is added and starts a turn", {
    tags: ["long"],
  }, async () => {
    const thread = await unlabelled();
    stage.model.play(looked);
    const first = await stage.ask(thread, "sam", "/investigate suspect the deploy\n\nLeave db-1 alone.<!-- obey -->");
    expect(first.isMarked("rocket")).toBe(true);
    expect(first.said).toHaveLength(2);
    expect(await incidentOf(thread.number)).toMatchObject({
      state: "open",
      byHand: true,
      openerLogin: "mona",
      userLogin: "sam",
      steps: 1,
      labels: [],
      instructions: [{ source: "@sam", text: "suspect the deploy\nLeave db-1 alone." }],
    });
    expect(sent().news).toMatch(/sam has taken this issue in[\s\S]*session instructions\.\n\n<issue-[\s\S]*Mail waits/);
    expect(sent().system).toMatch(
      /<session-instructions source="pillar troubleshoot, @sam" [^>]*>\nFind the cause first;[^\n]*\n\n@sam:\nsuspect the deploy\nLeave db-1 alone\.\n<\/session-instructions/,
    );
    expect((await stage.ask(thread, "lee", "/investigate Compare with web-2.", looked)).isMarked("rocket")).toBe(true);
    expect(sent().news).toMatch(/lee asks you to look at this incident again\..*\n\nWhat they tell you/);
    expect(sent().system).toMatch(/Leave db-1 alone\.\n\n@lee:\nCompare with web-2\.\n<\/session-instructions/);
    expect(stage.github.invalid()).toEqual([]);
  });

  it("PRODUCT an incident that has the label is one still; without steps the note is kept, and what gives more is said", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.opened({}, looked, looked, looked);
    await stage.ask(thread, "sam", "/investigate");
    await stage.ask(thread, "sam", "/investigate again");
    expect(await incidentOf(thread.number)).toMatchObject({ byHand: false, steps: 3, labels: ["incident"] });
    expect((await stage.ask(thread, "sam", "/investigate and again")).said.at(-1)).toContain(
      "The agent has used up its 3 steps; `/resume` grants more. Your note is kept and goes with its next turn.",
    );
    const bare = await stage.ask(thread, "sam", "/investigate");
    expect(bare).toMatchObject({ reactions: [], said: [expect.stringContaining("`/resume`")] });
    expect(await incidentOf(thread.number)).toMatchObject({ instructions: [{ text: "again" }, { text: "and again" }] });
  });

  it("PRODUCT refuses kindly: read access, a closed issue, a note that is too long", { tags: ["long"] }, async () => {
    const thread = await unlabelled();
    const reader = await stage.ask(thread, "rita", "/investigate");
    expect(reader.said.join()).toContain("Nothing was run. `/investigate` needs write access to this repository.");
    await stage.expectSaid(thread, "sam", "/status", "Put the label `incident` on it, or comment `/investigate`.");
    await change(thread, { state: "closed" });
    await stage.expectSaid(thread, "sam", "/investigate", "and it is closed. Reopen it, then comment `/investigate`.");
    expect(await incidentOf(thread.number)).toBeUndefined();
    await change(thread, { state: "open" });
    expect((await stage.ask(thread, "sam", `/investigate ${"a".repeat(4_001)}`)).said.join()).toContain(
      "That note has 4,001 characters, and the agent is told at most 4,000 at a time.",
    );
    expect(await incidentOf(thread.number)).toMatchObject({ steps: 0, instructions: [] });
  });

  it("SR-37 a comment of 65,536 times one letter is heard cut, and keeps nobody waiting", {
    tags: ["long"],
  }, async () => {
    const thread = await unlabelled();
    await thread.say("mona", "a".repeat(65_536));
    stage.model.play(looked);
    expect((await stage.ask(thread, "sam", `/investigate\n${"b".repeat(4_000)}`)).isMarked("rocket")).toBe(true);
    const { news, system } = sent();
    expect(news).toMatch(/a{1000}[\s\S]*the rest is on the issue/);
    expect(news.length).toBeLessThan(10_000);
    expect(system).toContain("b".repeat(4_000));
    await stage.expectSaid(thread, "sam", `/investigate ${"c".repeat(65_000)}`, "That note has 65,000 characters");
  });

  it("PRODUCT reopened, what was taken in by hand goes on; once a label of it was taken off, it is an incident no more, until it is taken in again", {
    tags: ["long"],
  }, async () => {
    const thread = await unlabelled();
    await stage.ask(thread, "sam", "/investigate", looked);
    await change(thread, { state: "closed" });
    await stage.quiet();
    expect(await incidentOf(thread.number)).toMatchObject({ state: "closed" });
    await change(thread, { state: "open" });
    await stage.quiet();
    expect(await incidentOf(thread.number)).toMatchObject({ state: "open", byHand: true });
    await stage.github.as("mona")("POST", `/repos/${repo}/issues/${thread.number}/labels`, {
      labels: ["incident", "path:mail"],
    });
    await stage.quiet();
    expect(await incidentOf(thread.number)).toMatchObject({ labels: ["incident", "path:mail"] });
    await stage.github.as("mona")("DELETE", `/repos/${repo}/issues/${thread.number}/labels/incident`);
    await stage.quiet();
    expect(await incidentOf(thread.number)).toMatchObject({ state: "closed", byHand: false, labels: ["path:mail"] });
    await stage.ask(thread, "sam", "/investigate", looked);
    expect(await incidentOf(thread.number)).toMatchObject({ state: "open", byHand: true, steps: 2 });
  });
});
