import { describe, expect, it } from "vitest";
import { mentionIn } from "../../../src/slash/near-miss.ts";
import { statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage();

const suggesting = (prose: string, ...suggestions: readonly string[]) => ({
  text: [prose, "", "[SUGGESTIONS]", ...suggestions.map((text) => `- ${text}`)].join("\n"),
});
/** The newest message to the model. */
const news = () => stage.model.requests.at(-1)?.body.messages.findLast(({ role }) => role === "user")?.content ?? "";

describe("/ask", () => {
  it("AR-21 takes a suggestion of the newest reply by its letter or number, and says which there are where there is none", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(suggesting("LIKELY: it grew.", "Check what grew", "Compare with @acme's web-2"));
    await stage.ask(thread, "sam", "/ask what do you think?");
    expect(news()).toMatch(/A person asks:\n\n<comment-by-sam nonce="[^"]+">\nwhat do you think\?\n</);
    expect(news().match(/what do you think/g)).toHaveLength(1);
    const asked = stage.model.requests.length;

    for (const [typed, said] of [
      ["/ask", /What do you want to ask\?.*`\/ask a` Check what grew · `\/ask b` Compare with `@acme`'s web-2/],
      ["/ask 3", /has no suggestion \*\*3\*\*\. It suggests: `\/ask a` Check what grew/],
      ["/ask C", /has no suggestion \*\*c\*\*\. It suggests: `\/ask a` Check what grew/],
      ["/ask 0", /has no suggestion \*\*0\*\*/],
      ["/ask --loud", /`--loud` is not known here/],
      [`/ask ${"why ".repeat(1_100)}`, /at most 4,000 at a time/],
    ] as const) {
      await stage.expectRefusal(thread, "sam", typed, said);
    }
    expect((await stage.ask(thread, "rita", "/ask 1")).isMarked("-1")).toBe(true);
    expect(stage.model.requests).toHaveLength(asked);

    expect((await stage.ask(thread, "sam", "/ask b", { text: "LIKELY: still." })).isMarked("rocket")).toBe(true);
    expect(news()).toContain("Compare with @acme's web-2");
    // AR-21: it suggested nothing itself, and what any incident could be asked is no suggestion.
    await stage.expectReply(thread, "sam", "/ask 5", [
      /has no suggestion \*\*5\*\*\. The agent's newest reply suggests nothing\./,
    ]);

    // A number with words behind it is a question, and asking takes no proposal away.
    await stage.ask(thread, "sam", "/ask 2 servers are down?", { text: "LIKELY: no." });
    expect(news()).toContain("\n2 servers are down?\n");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("PRODUCT a plain mention of the bot is talk to the agent, for whoever may ask; quoted or as code it is none", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.model.requests.length;
    for (const [login, body] of [
      ["sam", "> @countersign why?"],
      ["sam", "`@countersign` is the bot"],
      ["sam", "mail me at sam@countersign.example or ask @countersign-admins"],
      ["sam", "/lgtm @countersign"],
    ] as const)
      expect(await stage.ask(thread, login, body), body).toMatchObject({ reactions: [], said: [] });
    expect((await stage.ask(thread, "rita", "@countersign why?")).isMarked("-1")).toBe(true);
    for (const [said, answer] of [
      ["@countersign approve 1", "Nothing was run. Commands start with a slash: `/approve 1`"],
      ["@countersign /approve 1", "Nothing was run. Did you mean `/approve 1`?"],
      ["@countersign: stop!", "Nothing was run. Commands start with a slash: `/hold`"],
    ] as const)
      await stage.expectReply(thread, "lee", said, [answer]);
    await stage.expectReply(thread, "sam", "@countersign", "What do you want to ask?");
    expect(stage.model.requests).toHaveLength(before);

    stage.model.play({ text: "LIKELY: the disk." });
    const answer = await stage.ask(thread, "sam", "Hey @Countersign, is it the disk?\n\n@rita thinks so");
    expect(answer.isMarked("rocket")).toBe(true);
    expect(answer.said).toEqual([expect.stringContaining("The disk.")]);
    expect(news().match(/is it the disk\?/g)).toHaveLength(1);

    // What stands above the question is heard with the comment that holds it.
    await stage.ask(thread, "sam", "```text\nno inodes left\n```\n/ask what is that?", { text: "LIKELY: the inodes." });
    expect(news()).toMatch(/^no inodes left$/m);
    expect(news()).toMatch(/A person asks:\n\n<comment-by-sam nonce="[^"]+">\nwhat is that\?\n</);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("SR-19 a held or closed incident is asked nothing, and says why", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/hold");
    await stage.expectRefusal(thread, "sam", "@countersign and now?", "`/resume` lifts the hold");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    await stage.expectSaid(thread, "sam", "/ask why?", "This incident is closed");
  });

  it("SR-68 a command behind the bot's name is told how to be given: as a question it would look done", async () => {
    const thread = await stage.incident("uptime");
    for (const [body, answer] of [
      ["@countersign /hold", "Nothing was run. Did you mean `/hold`?"],
      ["@countersign approve 1", "Nothing was run. Commands start with a slash: `/approve 1`"],
    ] as const)
      await stage.expectRefusal(thread, "lee", body, [answer]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("SR-22 SR-17 plain consent is told what to type, while something waits, for who may write; others hear nothing", async () => {
    const thread = await stage.incident("uptime");
    const consent = "approved, go ahead with 1";
    expect(await stage.ask(thread, "rita", consent)).toMatchObject({ reactions: [], said: [] });
    for (const login of ["sam", "lee"])
      await stage.expectRefusal(thread, login, consent, ["Nothing was run. To approve, comment: `/approve 1`"]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    await stage.ask(thread, "lee", "/reject 1");
    expect(await stage.ask(thread, "lee", consent)).toMatchObject({ reactions: [], said: [] });
  });

  it("SR-37 a long comment of mentions is read in time that grows with it alone", () => {
    for (const body of ["@countersig".repeat(6_000), `\`${"@countersign".repeat(5_000)}`, "`".repeat(65_536)])
      expect(mentionIn(body, "countersign")).toBeUndefined();
    expect(mentionIn(`${"a\n".repeat(30_000)}@countersign[bot]: why?`, "countersign")?.verb).toBe("ask");
  });
});
