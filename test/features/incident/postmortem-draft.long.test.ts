import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import type { Step } from "../../agent/fake-model.ts";
import { call, proposing, type Stage, useStage } from "../../harness/stage.ts";

const drafted = {
  text: [
    "<think>IMPACT: none</think>",
    "**IMPACT:** Mail to @acme/all waited from 14:02Z to 14:40Z.",
    "CHAIN: A debug log was left on.",
    "It filled the spool.",
    "FOLLOW-UPS:",
    "- Alert at 80 percent <!-- x -->",
    "2. Rotate the log",
    "/approve 1",
  ].join("\n"),
};

const postmortemOf = async (thread: Thread): Promise<string> =>
  (await thread.comments()).findLast(({ body }) => body.includes("**Postmortem draft**"))?.body ?? "";

/** An incident in which something ran, closed with these words; the model answers so. */
async function closed(stage: Stage, words: string, ...answers: readonly Step[]): Promise<Thread> {
  const thread = await stage.incident("df -h");
  await stage.ask(thread, "lee", "/approve 1", proposing("CONFIRMED by 1: the debug log fills it."));
  await stage.ask(thread, "lee", words, ...answers);
  return thread;
}

describe("the draft of a postmortem", () => {
  const stage = useStage();

  it("PRODUCT SR-39 SR-42 has what nobody can know from the rows drafted in one call, marked so, in the comment that stands already", async () => {
    const thread = await closed(stage, "/close debug log level left on", drafted);
    const postmortem = await postmortemOf(thread);
    const mark = "*(model's draft)*";
    expect(postmortem).toContain(`\n**Impact** ${mark} · Mail to \`@acme/all\` waited from 14:02Z to 14:40Z.\n\n`);
    expect(postmortem).toContain(
      `**Cause** · debug log level left on\n\n**How it came about** ${mark} · A debug log was left on. It filled the spool.\n\n**What ran`,
    );
    expect(postmortem).toContain(
      `\n**What follows** ${mark}\n\n- Alert at 80 percent &lt;!-- x --&gt;\n- Rotate the log\n\n`,
    );
    expect(postmortem).not.toContain("To be written");
    const [system, record, ...more] = stage.model.requests.at(-1)?.body.messages ?? [];
    expect(more).toEqual([]);
    expect(system?.content).toMatch(/<instructions>\nThis incident is over\.[\s\S]*<rules source="[^"]+" nonce=/);
    expect(record?.content).toMatch(
      /^<record-of-issue-\d+ nonce="[^"]+">\nOpened [\s\S]*left on[\s\S]*debug log fills it\./,
    );
    expect(record?.content).not.toContain("fine\n");
    // It is on the account of whoever closed it (SR-58).
    const { db } = stage.bot.deps.store;
    const spent = await db.selectFrom("usage").select(["personId", "model"]).orderBy("at", "desc").executeTakeFirst();
    const approval = await db.selectFrom("approval").select("personId").executeTakeFirst();
    expect(spent).toEqual({ personId: approval?.personId, model: "fake" });
  });

  it.each([
    ["fails", { status: 401 }],
    ["answers with something else", { text: "I cannot help with that." }],
    ["only calls a tool", call("list_servers", {})],
  ] as const)(
    "RR-09 where the model %s the incident is closed all the same, and what is missing is left to be written",
    async (_how, answer) => {
      const thread = await closed(stage, "/close", answer);
      const postmortem = await postmortemOf(thread);
      expect(postmortem).toContain("**Closed by `@lee`**");
      expect(postmortem).toContain("**Impact** · *To be written: who noticed what, and for how long.*");
      expect(postmortem).toContain("**What follows** · *To be written");
      expect(await stage.ask(thread, "lee", "/ask more?")).toMatchObject({ reactions: [] });
    },
  );

  it("RR-09 the closing waits for nothing: its comment stands while the model thinks", async () => {
    let answered = () => {};
    const after = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const thread = await stage.incident("df -h");
    await stage.ask(thread, "lee", "/approve 1", proposing("CONFIRMED by 1: the debug log fills it."));
    stage.model.play({ ...drafted, after });
    await thread.say("lee", "/close");
    await thread.waitFor(
      (body) => body.includes("**Postmortem draft**") && body.includes("To be written"),
      "the postmortem",
    );
    answered();
    await stage.quiet();
    expect(await postmortemOf(thread)).not.toContain("To be written");
  });

  it("PRODUCT where nothing ran, or all is held, the model is not asked, and the log says why", async () => {
    const idle = await stage.incident("df -h");
    const asked = stage.model.requests.length;
    await stage.ask(idle, "lee", "/close a false alarm");
    const held = await stage.incident("df -h");
    await stage.ask(held, "lee", "/approve 1", { text: "CONFIRMED by 1: the debug log fills it." });
    await stage.ask(held, "lee", "/hold");
    await stage.ask(held, "lee", "/close");
    expect(stage.model.requests).toHaveLength(asked + 2);
    expect(await postmortemOf(held)).toContain("To be written");
    const undrafted = stage.log.filter(({ event }) => event === "postmortem_undrafted");
    expect(undrafted.at(-1)).toMatchObject({ reason: expect.stringContaining("this incident is held by @lee") });
  });
});

describe("a budget that is spent", () => {
  const stage = useStage(() => ({ config: { model: { budget: { tokens_per_incident: 17_000 } } } }));

  it("SR-58 leaves the draft unasked, and the incident closes", async () => {
    const thread = await stage.incident("df -h");
    stage.model.play({
      text: "CONFIRMED by 1: full.",
      usage: { prompt_tokens: 16_000, completion_tokens: 10, total_tokens: 16_010 },
    });
    await stage.ask(thread, "lee", "/approve 1");
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/close");
    expect(stage.model.requests).toHaveLength(asked);
    expect(await postmortemOf(thread)).toContain("To be written");
  });
});
