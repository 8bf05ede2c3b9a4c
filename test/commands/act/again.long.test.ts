import { describe, expect, it } from "vitest";
import { cardOf, newsOf, sayUnheard, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage();

const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;

const restart = "systemctl restart nginx";

const mistakes = [
  [`/edit${block("uptime -p")}`, "Write `/edit <number>`. Open right now: 1."],
  [`/edit 1 2${block("uptime -p")}`, "One number at a time"],
  [`/edit 9${block("uptime -p")}`, "Nothing was run. **9**: there is no such number. Open right now: 1."],
  ["/edit 1 uptime -p", "> /edit 1\n> ```sh\n> uptime -p\n> ```"],
  [`/edit 1${block("uptime")}`, "That is already the command of **1**"],
  [`/edit 1${block("curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345'")}`, "secret"],
  [`/edit 1${block("uptime \u200b-p")}`, "U+200B"],
] as const;

describe("/edit", () => {
  it("SR-18 makes a new action of its writer on the same server, under its title with a word that says so, and the old one is superseded", async () => {
    const thread = await stage.incident("uptime", {
      command: "journalctl -u app",
      title: "Errors",
      description: "all",
    });
    const answer = await stage.ask(thread, "sam", `/edit 2 only an hour${block("journalctl -u app --since -1h")}`);
    expect(answer.isMarked("rocket")).toBe(true);
    const { body } = await cardOf(thread, 3);
    expect(body).toContain(
      "- [ ] **3** · 🟢 low · `web-1` · **Errors, edited** — 2 as edited by `@sam`: only an hour\n  ```sh\n  journalctl -u app --since -1h\n  ```",
    );
    expect((await cardOf(thread, 2)).body).toMatch(/\*\*2\*\* .*~~ superseded by 3/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "superseded", 3: "proposed" });
    await stage.expectSaid(thread, "lee", "/approve 2", "**2** was superseded by [**3**]");
  });

  it("SR-18 classifies anew, and for what it makes medium its writer does not count", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    await stage.ask(thread, "lee", `/edit 1${block(restart)}`);
    expect((await cardOf(thread, 2)).body).toContain("🟡 medium");
    await stage.expectSaid(thread, "lee", "/approve 2", "you wrote this command");
    expect(stage.ran()).toHaveLength(before);
    await stage.ask(thread, "mona", "/approve 2", { text: "LIKELY, see 1, 2 and 3: done." });
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it("SR-20 an approval of the old words counts for nothing, neither one of two nor one that waits to be sent", async () => {
    const thread = await stage.incident("rm -r /srv/app/cache/old", "df -h");
    await stage.ask(thread, "lee", "/approve 1 web-1 full");
    const before = stage.ran().length;
    await stage.ask(thread, "mona", `/edit 1${block("rm -r /srv/app/cache/older")}`);
    await stage.expectSaid(thread, "mona", "/approve 1 web-1 full", "superseded by [**3**]");
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "superseded", 3: "proposed" });
    const { db } = stage.bot.deps.store;
    const standing = await db
      .selectFrom("approval")
      .innerJoin("action", "action.id", "approval.actionId")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select(["action.number as action", "approval.withdrawnAt"])
      .where("incident.number", "=", thread.number)
      .where("approval.withdrawnAt", "is", null)
      .execute();
    expect(standing).toEqual([]);
    // Approved at the same moment as it is edited: whichever is served first, the edited command never runs with it.
    await Promise.all([thread.say("sam", `/edit 2${block("df -i")}`), thread.say("lee", "/approve 2")]);
    await stage.quiet();
    const ran = stage.ran().slice(before);
    expect(ran.some((command) => command.includes("df -i"))).toBe(false);
    expect(ran.length).toBeLessThan(2);
  });

  it("SR-32 every mistake is named, and everything stays as it was", async () => {
    const thread = await stage.incident("uptime");
    for (const [body, told] of mistakes) {
      await stage.expectRefusal(thread, "sam", body, [told, /Nothing was run\./]);
    }
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("AR-01 what never runs is shown with its reason, and the old one stays open", async () => {
    const thread = await stage.incident("uptime");
    await stage.expectSaid(thread, "sam", `/edit 1${block("mkfs.ext4 /dev/sda1")}`, [
      /\*\*2\*\* is blocked and never runs, no matter who approves it: .+ \*\*1\*\* stays as it is\./,
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "blocked" });
    const run = await stage.ask(thread, "sam", `/run web-1${block("mkfs.ext4 /dev/sda1")}`);
    expect(run.said.join("\n")).toContain("**3** is blocked and never runs, no matter who approves it:");
  });

  it("PA-6 what a person wrote stays when the agent proposes anew; what has ended can be edited into a new one", async () => {
    const thread = await stage.incident("uptime", "free -m");
    await stage.ask(thread, "sam", `/edit 2${block("free -g")}`);
    await stage.ask(thread, "lee", "/approve 1", { text: "LIKELY, see 1, 2 and 3: nothing more." });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "superseded", 3: "proposed" });
    await stage.ask(thread, "sam", `/edit 1${block("uptime -p")}`);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "superseded", 3: "proposed", 4: "proposed" });
  });

  it("SR-18 on a closed incident nothing is proposed; who only reads may not", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "rita", `/edit 1${block("df -h")}`)).isMarked("-1")).toBe(true);
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    await stage.expectSaid(thread, "sam", `/edit 1${block("df -h")}`, "This incident is closed.");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });
});

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

describe("/retry", () => {
  it("RR-06 proposes what failed or has run under a new number, with a link, and runs nothing by itself", async () => {
    const thread = await stage.incident("touch /tmp/again");
    stage.play(saying("no\n", 1));
    await stage.ask(thread, "lee", "/approve 1", done);
    const ran = stage.ran().length;
    await stage.expectDone(thread, "lee", "/retry 1", [
      /\[\*\*1\*\*\]\(http\S+\/acme\/web\/issues\/\d+#issuecomment-\d+\) again as \*\*2\*\*: last time exit 1\./,
    ]);
    expect((await cardOf(thread, 2)).body).toContain("`web-1` · **Look** — 1 again: last time exit 1");
    expect(stage.ran()).toHaveLength(ran);
    expect((await stage.ask(thread, "mona", "/retry 1")).said.join()).toMatch(
      /^Nothing was run\. \[\*\*2\*\*\]\(.*\) is the same command and still open: `\/approve 2`/,
    );
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(stage.ran()).toHaveLength(ran + 1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    const late = await stage.ask(thread, "lee", "/approve 1");
    expect(late.said.join()).toMatch(/^\*\*1\*\* has already run \(\[result\]\(.*To run it again: `\/retry 1`\./);
  });

  it("RR-06 SR-18 several at once are a list again; what only reads runs at once, since only an approver may say it", async () => {
    const thread = await stage.incident("df -h", "touch /tmp/again", "ls /tmp");
    stage.play(async (command) => (command.includes("/tmp/again") ? 1 : 0));
    await stage.ask(thread, "lee", "/approve 1 2", done);
    await stage.expectSaid(thread, "lee", "/approve 1 2", "To propose them again: `/retry 1 2`.");
    stage.play(async () => 0);
    const { said } = await stage.ask(thread, "lee", "/retry 1 2", done);
    const text = said.join("\n\n");
    expect(text).toMatch(/again as \*\*4\*\*: last time exit 0\.$/m);
    expect(text).toMatch(/again as \*\*5\*\*: last time exit 1\. It needs its own approval\.$/m);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 4: "done", 5: "proposed" });
    expect((await cardOf(thread, 5)).id).toBe((await cardOf(thread, 4)).id);
  });

  it("SR-20 SR-24 an approver's own /run that only reads runs once its card is there, and not where the comment was changed", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    await stage.ask(thread, "lee", "/run web-1\n```sh\ndf -h\n```", done);
    expect(stage.ran().slice(before).join()).toContain("df -h");
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    await stage.ask(thread, "lee", "/run web-1\n```sh\ntouch /tmp/mine\n```");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "done", 3: "proposed", 4: "proposed" });
    stage.github.fault({ event: "issue_comment.edited" }, { drop: "before" });
    const held = await sayUnheard(stage, thread, "lee", "/run web-1\n```sh\nuname -a\n```");
    const { id } = (await thread.comments()).at(-1) ?? { id: 0 };
    await stage.github.as("lee")("PATCH", `/repos/acme/web/issues/comments/${id}`, {
      body: "/run web-1\n```sh\nid\n```",
    });
    await held.deliver();
    expect(stage.ran().join()).not.toContain("uname -a");
  });

  it("SR-18 a command that a person wrote stays theirs: they count for it no more than before", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/run web-1\n```sh\nsystemctl restart nginx\n```");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    await stage.quiet();
    await stage.expectSaid(thread, "mona", "/retry 2", "This incident is closed.");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "open" });
    await stage.quiet();
    await stage.expectSaid(thread, "mona", "/retry 2", "again as **3**: it was void and did not run.");
    await stage.expectSaid(thread, "lee", "/approve 3", "you wrote this command");
  });

  it("SR-18 what waits, was rejected or is blocked is not proposed again; who may not approve may not retry", async () => {
    const thread = await stage.incident("uptime", "df -h", "mkfs.ext4 /dev/sda1");
    await stage.ask(thread, "lee", "/reject 2");
    const states = await statesOf(stage, thread.number);
    for (const [body, told] of [
      ["/retry", "Write `/retry <number>`"],
      ["/retry all", "Write `/retry <number>`"],
      ["/retry 1", "**1** waits for approval"],
      ["/retry 2", "**2** was rejected, and that is final."],
      ["/retry 3", "**3** is blocked and never runs"],
      ["/retry 9", "Nothing was run. **9**: there is no such number. Open right now: 1."],
      ["/retry 1 2", "**1** waits for approval"],
    ] as const) {
      await stage.expectRefusal(thread, "lee", body, told);
    }
    expect((await stage.ask(thread, "sam", "/retry 1")).isMarked("-1")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual(states);
  });
});

describe("/probe", () => {
  const done = { text: "CONFIRMED: read." };

  it("PB-04 an approver's runs at once, its result stands below the change, the agent reads it, and the change still waits", async () => {
    const thread = await stage.incident("chmod 640 '/srv/app/my conf' /srv/app/*.conf");
    expect((await cardOf(thread, 1)).body).toContain(
      "`/probe 1` shows, without changing anything: the files with their modes and owners now",
    );
    const before = stage.ran().length;
    stage.play(
      saying("-rw-r--r-- 1 app app 4.0G Jun 3 /srv/app/a.tmp\n- [ ] **1** · 🟢 low · `web-1` · **Not an entry**\n"),
    );
    await stage.ask(thread, "lee", "/probe 1", done);
    expect(stage.ran().slice(before)).toHaveLength(1);
    expect(stage.ran().at(-1)).toContain("ls -ld -- ");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "done" });
    const card = await cardOf(thread, 1);
    expect(card.body).toMatch(/\n {2}\*probe:\* \*\*2\*\* .*`ls -ld -- [\s\S]*4\.0G Jun 3 \/srv\/app\/a\.tmp/);
    expect(card.body).not.toContain("`/probe 1` shows");
    expect(newsOf(stage)).toContain("Run of 2, a probe of what 1 would do, on web-1");
    stage.play(async () => 0);
    await stage.ask(thread, "mona", "/approve 1", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    await stage.expectSaid(thread, "lee", "/verify", "Nothing was altered");
  });

  it("PB-04 somebody else's waits for an approval, and is proposed once", async () => {
    const thread = await stage.incident("apt-get install -y nginx");
    const before = stage.ran().length;
    await stage.ask(thread, "sam", "/probe 1");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect((await cardOf(thread, 2)).body).toContain("apt-get -s install -y nginx");
    const again = await stage.ask(thread, "lee", "/probe 1");
    expect(again.said.join()).toMatch(/^Nothing was run\. .*\*\*2\*\*.* is its probe and still open: `\/approve 2`/);
    expect(stage.ran()).toHaveLength(before);
  });

  it("PB-05 where there is none, or what would show it is no read, it says so and runs nothing", async () => {
    const thread = await stage.incident("flurbctl wipe", "df -h", "rm -rf $TARGET");
    const before = stage.ran().length;
    const saidTo = async (text: string): Promise<string> => (await stage.ask(thread, "lee", text)).said.join();
    expect(await saidTo("/probe 1")).toContain(
      "Nothing was run. **1** has no probe: the policy knows no dry run of `flurbctl`.",
    );
    expect(await saidTo("/probe 2")).toContain(
      "Nothing was run. **2** has no probe: it only reads, so it can be run as it is.",
    );
    expect(await saidTo("/probe 3")).toContain(
      "Nothing was run. **3** has no probe: a part of it is known only when it runs.",
    );
    expect(await saidTo("/probe 9")).toMatch(/\*\*9\*\*: there is no such number/);
    await stage.ask(thread, "lee", "/reject 1 no");
    expect(await saidTo("/probe 1")).toMatch(/\*\*1\*\* was rejected/);
    expect(stage.ran()).toHaveLength(before);
  });
});
