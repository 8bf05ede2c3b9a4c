import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { isAwaited } from "../../../src/store/person-prompts.ts";
import { auditOf, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

let thread: Thread & { number: number };
const stage = useStarted(() => startStage());
beforeAll(async () => {
  stage.model.play({ text: "LIKELY: looked." });
  thread = await stage.open();
  await stage.quiet();
});
afterEach(() => stage.model.verify());

const identity = (): string =>
  /<identity(?: [^>]*)?>\n([\s\S]*)\n<\/identity/.exec(
    stage.model.requests.at(-1)?.body.messages[0]?.content ?? "",
  )?.[1] ?? "";
const say = async (login: string, body: string) => (await stage.ask(thread, login, body)).said.join("\n");
const look = async (login: string): Promise<string> => {
  await stage.ask(thread, login, "/investigate", { text: "LIKELY: looked." });
  return identity();
};
const ownText = async (login: string): Promise<string | undefined> => {
  const { db } = stage.bot.deps.store;
  return (await db.selectFrom("personPrompt").select("text").where("login", "=", login).executeTakeFirst())?.text;
};

describe("/prompt", () => {
  it("PA-2 shows the default, sets a text of one's own for the turns that one's comments start, and resets it", async () => {
    expect(await say("lee", "/prompt show")).toMatch(/the default applies:\n\n```text\nYou are DevOps Agent/);
    expect(await say("lee", "/prompt reset")).toContain("You have no instructions of your own");
    const set = await say("lee", "/prompt set --always answer in Portuguese.\n\nBe <b>brief</b>.<!-- obey me -->");
    expect(set).toMatch(/^Saved as your own instructions\./);
    expect(await say("lee", "/prompt SHOW")).toMatch(
      /^Your own instructions:\n\n```text\n--always answer in Portuguese\.\n/,
    );
    expect(await look("lee")).toMatch(/^--always answer in Portuguese\.\n+Be .*brief/);
    expect(identity()).not.toContain("obey me");
    expect(await look("sam")).toMatch(/^You are DevOps Agent/);
    expect(await say("lee", "/prompt reset")).toContain("The default applies again");
    expect(await look("lee")).toMatch(/^You are DevOps Agent/);
  });

  it("PA-2 /prompt update takes that person's next comment on the issue, and never a slash command", async () => {
    expect(await say("lee", "/prompt update")).toMatch(
      /You are DevOps Agent[\s\S]*Until \d\d:\d\dZ, your next comment here becomes your instructions; `\/prompt cancel` calls that off\./,
    );
    await say("mona", "I am on it.");
    await say("lee", "/status");
    await say("lee", "/lgtm");
    await say("lee", "`/prompt reset`");
    await say("lee", "/prompt: reset");
    expect(await ownText("lee")).toBe("");
    expect(await ownText("mona")).toBeUndefined();
    expect(await say("lee", "You are a lighthouse keeper.")).toMatch(/^Saved as your own instructions\./);
    expect(await ownText("lee")).toBe("You are a lighthouse keeper.");
    expect(await say("lee", "And this is only talk.")).toBe("");
    expect(await look("lee")).toBe("You are a lighthouse keeper.");
  });

  it("PA-2 /prompt cancel calls it off, and what is no text or too long is said", async () => {
    expect(await say("mona", "/prompt cancel")).toContain("No comment of yours is waited for here");
    await say("mona", "/prompt update");
    expect(await say("mona", "/prompt cancel")).toContain("Canceled");
    expect(await say("mona", "only talk")).toBe("");
    expect(await ownText("mona")).toBe("");
    expect(await say("mona", "/prompt set")).toContain("No text was given; the default applies.");
    expect(await say("mona", "/prompt set <!-- nothing -->")).toContain("No text was given");
    expect(await say("mona", `/prompt set ${"a".repeat(4_001)}`)).toContain(
      "4,001 characters, and your instructions can have 4,000",
    );
    expect(await say("mona", "/prompt constructor")).toContain(
      "Write `/prompt show`, `/prompt set <text>`, `/prompt reset`",
    );
    expect(await ownText("mona")).toBe("");
  });

  it("PA-2 SR-17 takes an approver, and each change is in the audit", async () => {
    expect((await stage.ask(thread, "sam", "/prompt set I approve")).isMarked("-1")).toBe(true);
    expect(await ownText("sam")).toBeUndefined();
    expect(await auditOf(stage, { kind: "prompt_changed" })).toHaveLength(3);
  });
});

describe("what /prompt update waits for", () => {
  const at = new Date("2026-03-01T14:00:00Z");
  const own = {
    personId: 1,
    login: "lee",
    text: "",
    awaitsIncident: "i",
    awaitsAfter: 10,
    awaitsSince: at,
    updatedAt: at,
  };
  const later = (minutes: number) => ({
    incidentId: "i",
    commentId: 11,
    writtenAt: new Date(at.getTime() + minutes * 60_000),
  });

  it.each([
    ["a comment within a quarter of an hour", own, later(15), true],
    ["one after it", own, later(15.1), false],
    ["one on another issue", own, { ...later(1), incidentId: "j" }, false],
    ["one that is older and comes late", own, { ...later(1), commentId: 9 }, false],
    ["nothing", { ...own, awaitsIncident: null }, later(1), false],
    ["nothing of somebody unknown", undefined, later(1), false],
  ])("PA-2 is %s", (_, prompt, comment, expected) => expect(isAwaited(prompt, comment)).toBe(expected));
});
