import { afterEach, describe, expect, it } from "vitest";
import { cardOf, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const stage = useStarted(() => startStage());

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
  afterEach(() => stage.model.verify());

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
    expect((await stage.ask(thread, "lee", "/approve 2")).said.join()).toContain("**2** was superseded by [**3**]");
  });

  it("SR-18 classifies anew, and for what it makes medium its writer does not count", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    await stage.ask(thread, "lee", `/edit 1${block(restart)}`);
    expect((await cardOf(thread, 2)).body).toContain("🟡 medium");
    expect((await stage.ask(thread, "lee", "/approve 2")).said.join()).toContain("you wrote this command");
    expect(stage.ran()).toHaveLength(before);
    stage.model.play({ text: "CONFIRMED by 1, 2 and 3: done." });
    await stage.ask(thread, "mona", "/approve 2");
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it("SR-20 an approval of the old words counts for nothing, neither one of two nor one that waits to be sent", async () => {
    const thread = await stage.incident("rm -r /srv/app/cache/old", "df -h");
    await stage.ask(thread, "lee", "/approve 1 web-1 full");
    const before = stage.ran().length;
    await stage.ask(thread, "mona", `/edit 1${block("rm -r /srv/app/cache/older")}`);
    expect((await stage.ask(thread, "mona", "/approve 1 web-1 full")).said.join()).toContain("superseded by [**3**]");
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
      const answer = await stage.ask(thread, "sam", body);
      expect(answer.said, body).toEqual([expect.stringContaining(told)]);
      expect(answer.said.join(), body).toMatch(/Nothing was run\./);
      expect(answer.isMarked("confused"), body).toBe(true);
    }
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("AR-01 what never runs is shown with its reason, and the old one stays open", async () => {
    const thread = await stage.incident("uptime");
    const answer = await stage.ask(thread, "sam", `/edit 1${block("mkfs.ext4 /dev/sda1")}`);
    expect(answer.said.join("\n")).toMatch(
      /\*\*2\*\* is blocked and never runs, whoever approves it: .+ \*\*1\*\* stays as it is\./,
    );
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "blocked" });
    const run = await stage.ask(thread, "sam", `/run web-1${block("mkfs.ext4 /dev/sda1")}`);
    expect(run.said.join("\n")).toContain("**3** is blocked and never runs, whoever approves it:");
  });

  it("PA-6 what a person wrote stays when the agent proposes anew; what has ended can be edited into a new one", async () => {
    const thread = await stage.incident("uptime", "free -m");
    await stage.ask(thread, "sam", `/edit 2${block("free -g")}`);
    stage.model.play({ text: "CONFIRMED by 1, 2 and 3: nothing more." });
    await stage.ask(thread, "lee", "/approve 1");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "superseded", 3: "proposed" });
    await stage.ask(thread, "sam", `/edit 1${block("uptime -p")}`);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "superseded", 3: "proposed", 4: "proposed" });
  });

  it("SR-18 on a closed incident nothing is proposed; who only reads may not", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "rita", `/edit 1${block("df -h")}`)).isMarked("-1")).toBe(true);
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    const answer = await stage.ask(thread, "sam", `/edit 1${block("df -h")}`);
    expect(answer.said.join()).toContain("This incident is closed.");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });
});

describe("/run on a group", () => {
  it("PA-8 names the servers and groups that may be used", async () => {
    const thread = await stage.open({ labels: ["incident"], title: "quiet", body: "" });
    const { said } = await stage.ask(thread, "sam", `/run db${block("df -h")}`);
    expect(said.join()).toContain("No server or group");
    expect(said.join()).toContain("web-1");
  });
});
