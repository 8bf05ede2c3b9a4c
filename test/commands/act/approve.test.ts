import { describe, expect, it } from "vitest";
import { actionIn, cardOf, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage();

const restart = "systemctl restart nginx";
const high = "rm -r /srv/app/cache/old";
const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

describe("/approve", () => {
  it("DC-4 runs what is named, in that order, once, and gets its rocket", async () => {
    const thread = await stage.incident("uptime", "df -h", "free -m");
    stage.model.play(done);
    const before = stage.ran().length;
    const answer = await stage.ask(thread, "lee", "/approve 3, 1");
    const commands = stage.ran().slice(before);
    expect(commands.map((command) => ["uptime", "df -h", "free -m"].find((one) => command.includes(one)))).toEqual([
      "free -m",
      "uptime",
    ]);
    expect(answer.isMarked("rocket")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "done" });
  });

  it("DC-4 the same number twice in one comment runs once", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime");
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1 1 1,1", done))).toBe(1);
  });

  it("SR-26 two approvers at the same moment run a command once, and the later one is told", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(done);
    const before = stage.ran().length;
    await Promise.all([thread.say("lee", "/approve 1"), thread.say("mona", "/approve 1")]);
    await stage.quiet();
    expect(stage.ran().length - before).toBe(1);
    const answers = (await thread.comments()).filter((comment) =>
      /\*\*1\*\* (is already approved|is already running|has already run)/.test(comment.body),
    );
    expect(answers).toHaveLength(1);
  });

  it("SR-45 a secret in the reason is redacted, also where an invisible character parts it", async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(done);
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const parted = `${secret.slice(0, 12)}\u200b${secret.slice(12)}`;
    await stage.ask(thread, "lee", `/approve 1\nlooked with ${parted}`);
    const { db } = stage.bot.deps.store;
    const { reason } = await db.selectFrom("approval").select("reason").orderBy("id", "desc").executeTakeFirstOrThrow();
    expect(reason).toContain("looked with");
    const audited = await db.selectFrom("audit").select("body").where("kind", "=", "command_approved").execute();
    const kept = [reason, ...audited.map(({ body }) => body)].join("\n").replaceAll("\u200b", "");
    expect(kept).not.toContain(secret.slice(4));
  });

  it("SR-20 a pin that is the digest's beginning holds, another does not", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime");
    await stage.expectReply(thread, "lee", "/approve 1@00000000", "Nothing was run.");
    const { digest } = await actionIn(stage.bot.deps.store.db, thread.number);
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", `/approve 1@${digest.slice(0, 8).toUpperCase()}`))).toBe(1);
  });

  it("SR-18 all leaves high risk out, and a list does, and both say so or leave it open", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", high);
    const listed = await stage.ask(thread, "lee", "/approve 2 2 9");
    expect(listed.said.join()).toContain("**2** is high risk and needs a comment of its own; not run.");
    expect(listed.said.join()).toContain("**9**: there is no such number; not run.");
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve all", done))).toBe(1);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" });
    expect((await cardOf(thread, 2)).body).not.toContain("✅");
  });

  it("DC-4 without a number, with a word for one, or with one that is not there, nothing runs and the open ones are named", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    for (const body of ["/approve", "/approve first", "/approve 7", "/approve 0"]) {
      await stage.expectRefusal(thread, "lee", body, /^Nothing was run\. .*Open right now: 1, 2\./);
    }
    await stage.expectReply(thread, "lee", "/approve #1", "Did you mean `/approve 1`?");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("SR-17 rita, who may read, is refused aloud", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    const rita = await stage.ask(thread, "rita", "/approve 1");
    expect(rita.isMarked("-1")).toBe(true);
    expect(rita.said).toEqual([expect.stringContaining("Nothing was run.")]);
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-18 a person's own medium command waits for somebody else", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", `/run web-1\n\`\`\`sh\n${restart}\n\`\`\``);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 2"))).toBe(0);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "proposed" });
    expect(await stage.sent(() => stage.ask(thread, "mona", "/approve 2", done))).toBe(1);
  });

  it("SR-22 a typo, backticks, a quote of the card and another bot's command run nothing", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    await stage.expectReply(thread, "lee", "/aprove 1", "Nothing was run. Did you mean `/approve 1`?");
    await stage.expectReply(thread, "lee", "`/approve 1`", /^Nothing was run\. .*Leave them out: `\/approve 1`/);
    for (const body of ["> /approve 1", "/lgtm", "/hold-my-beer 1", "`/etc/hosts` is gone", "ok", "👍"])
      expect(await stage.ask(thread, "lee", body), body).toMatchObject({ reactions: [], said: [] });
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-22 what only reads like a command, and what would be done by halves, is told how to give it and runs nothing", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    const before = stage.ran().length;
    for (const [body, words] of [
      ["/approve2", "Nothing was run. Did you mean `/approve 2`?"],
      ["/\u200bapprove 2", "Did you mean `/approve 2`?"],
      ["looks good\n/approve 2", "Nothing was run. A command must be the first line. Comment: `/approve 2`"],
      ["/approve 1 and 2", "Did you mean **2**, too? Write `/approve 1 2`"],
      ["/approve all but 2", "`/approve all` means all of them"],
    ] as const) {
      await stage.expectRefusal(thread, "lee", body, words);
    }
    expect(stage.ran()).toHaveLength(before);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("SR-22 of two commands in a comment the second is named as not read", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const { isMarked, said } = await stage.ask(thread, "lee", "/reject 1\n/approve 2");
    expect(isMarked("rocket")).toBe(true);
    expect(said).toEqual([expect.stringMatching(/^Only the first line was read .*`\/approve 2` below it was not/)]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected", 2: "proposed" });
  });

  it("SR-22 on an issue that is no incident, what is nearly a command gets no answer", async () => {
    const thread = await stage.open({ labels: [] });
    expect(await stage.ask(thread, "lee", "- /approve 1")).toMatchObject({ reactions: [], said: [] });
  });

  it("DC-4 on an incident that is closed nothing is approved", async () => {
    const thread = await stage.incident("uptime");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    await stage.expectReply(thread, "lee", "/approve 1", "**1** is void");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });

  it("DC-4 on an issue that is no incident it is told how to make it one", async () => {
    const thread = await stage.open({ labels: [] });
    await stage.expectReply(thread, "lee", "/approve 1", "not an incident");
  });
});

describe("every request", () => {
  it("DC-1 fits GitHub's own description", () => expect(stage.github.invalid()).toEqual([]));
});
