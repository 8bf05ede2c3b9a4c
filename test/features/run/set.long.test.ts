import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { entryOf } from "../../harness/playground.ts";
import { auditOf, cardOf, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying, startFakeHost } from "../../ssh/fake-host.ts";

/** The second server of the group `web` says nothing else than this. */
const two = useStarted(() => startFakeHost(saying("said by two\n")));
const stage = useStarted(() =>
  startStage({
    beside: { "web-1": { groups: ["web"] } },
    servers: { "web-2": { ...entryOf(two), groups: ["web"] } },
    config: { policy: { lease: { allowed: true, servers: ["web-1"], max_time: "30m", max_commands: 6 } } },
  }),
);
const commands = ["uptime", "df -h", "cat /etc/hostname"];
const set = { command: "", commands, title: "First look" };
const done = { text: "CONFIRMED by 1: nothing more to do." };

const play = () =>
  stage.play(async (command, { channel }) => {
    channel.write(command.includes("df -h") ? "ERROR: df: cannot read table: Input/output error\n" : "fine\n");
    return command.includes("hostname") ? 1 : 0;
  });

const bodies = async (thread: Thread): Promise<string> =>
  (await thread.comments()).map(({ body }) => body).join("\n\n");

const rowsOf = async (issue: number, kind: string) => (await auditOf(stage, { kind, issue })).map(({ body }) => body);

describe("DC-4 a set of checks", () => {
  it("AR-26 is one item: one number, one approval, each command once, one table, and its outputs by their place", async () => {
    play();
    const thread = await stage.incident(set, "systemctl restart nginx");
    const card = (await cardOf(thread, 1)).body;
    expect(card).toContain("**1** · 🟢 low · `web-1` · **First look**");
    expect(card).toContain("*3 checks, one approval*");
    expect(card).toContain("uptime\n  df -h\n  cat /etc/hostname");
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1", "2"]);
    stage.model.play(done);
    const before = stage.ran().length;
    await stage.ask(thread, "lee", "/approve 1");
    const ran = stage.ran().slice(before);
    for (const command of commands)
      expect(
        ran.filter((line) => line.includes(command)),
        command,
      ).toHaveLength(1);
    const said = await bodies(thread);
    expect(said).toMatch(/1 ✅ (?:<code>|`)uptime(?:<\/code>|`)/);
    expect(said).toMatch(/2 ⚠️ (?:<code>|`)df -h(?:<\/code>|`)<br>→ (?:<code>|`)ERROR: df: cannot read table/u);
    expect(said).toMatch(/3 ❌ (?:<code>|`)cat \/etc\/hostname(?:<\/code>|`) · exit 1/);
    await stage.expectSaid(thread, "lee", "/output 1 3", "output of check 3, `cat /etc/hostname`");
    await stage.expectSaid(thread, "lee", "/output 1 9", "**1** has no check 9");
    const explained = (await stage.ask(thread, "lee", "/explain 1")).said.join();
    const ownReasons = explained.split("**Why this risk**").map((part) => part.match(/only reads/g)?.length ?? 0);
    expect(ownReasons).toEqual([0, 1, 1, 1]);
    expect(explained).toContain("cat /etc/hostname");
    await stage.expectSaid(thread, "lee", "/verify", "Nothing was altered");
    const [sentOff] = await rowsOf(thread.number, "command_dispatched");
    expect(Object.keys(sentOff.runs)).toEqual(["web-1#1", "web-1#2", "web-1#3"]);
    expect((await rowsOf(thread.number, "command_executed")).map(({ step }) => step).toSorted()).toEqual([0, 1, 2]);
    const asked = stage.model.requests.at(-1);
    expect(JSON.stringify(asked)).toContain("$ cat /etc/hostname");
    await stage.ask(thread, "lee", "/retry 1", done);
    expect(
      stage
        .ran()
        .slice(before)
        .filter((line) => line.includes("uptime")),
    ).toHaveLength(2);
  });

  it("AR-26 leaves out what does more than read, reaches out or never ends, which is proposed by itself", async () => {
    const thread = await stage.incident({
      command: "",
      commands: ["uptime", "systemctl restart nginx", "tail -f /var/log/x", "df -h"],
      title: "Look",
    });
    const states = await statesOf(stage, thread.number);
    // The look behind the restart stays behind it.
    expect(Object.keys(states)).toEqual(["1", "2", "3", "4"]);
    const { body } = await cardOf(thread, 1);
    expect(body).toMatch(/uptime[\s\S]*systemctl restart nginx[\s\S]*tail -f[\s\S]*df -h/);
    expect(body).toMatch(/\*\*2\*\* · 🟡 medium/);
  });

  it("AR-26 a person's /run --each is one too, whole or not at all; under a lease each command counts", async () => {
    play();
    const thread = await stage.incident("systemctl restart nginx");
    stage.model.play(done);
    const before = stage.ran().length;
    await stage.ask(thread, "lee", "/run --each web-1\n```sh\nuptime\ndf -h\n```");
    expect(stage.ran().slice(before)).toHaveLength(2);
    const no = await stage.ask(thread, "lee", "/run --each web-1\n```sh\nuptime\nsystemctl restart cron\n```");
    expect(no.said.join()).toContain("systemctl restart cron is not a bounded low-risk read");
    await stage.ask(thread, "lee", "/lease 15m web-1 4");
    stage.model.play(
      proposing("LIKELY: on.", set, { command: "", commands: ["free -m", "uname -a"], title: "More" }),
      done,
    );
    await stage.ask(thread, "lee", "/ask look");
    // Three of the four, and the second set would take two.
    expect(stage.ran().slice(before)).toHaveLength(5);
    const board = (await thread.comments()).find(({ body }) => body.includes("Board of this incident"));
    expect(board?.body).toContain("3 of 4 commands used");
    const card = (await thread.comments()).findLast(({ body }) => body.includes("uname -a"));
    expect(card?.body).toContain("*left to people:* it takes 2 commands, and the lease has 1 left");
  });

  it("AR-26 of a group runs each command once on each server under one number, and each output has its name", async () => {
    play();
    const thread = await stage.incident({ ...set, server: "web" }, "systemctl restart nginx");
    expect((await cardOf(thread, 1)).body).toContain("**1** · 🟢 low · `web` (2 servers) · **First look**");
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1", "2"]);
    const before = [stage.ran().length, two.seen.commands.length];
    await stage.ask(thread, "lee", "/approve 1", done);
    expect([stage.ran().length, two.seen.commands.length]).toEqual(before.map((count) => count + commands.length));
    const said = await bodies(thread);
    expect(said).toContain("**1** ❌ 3 checks on `web` (2 servers) · ");
    expect(said).toMatch(
      /3 ❌ (?:<code>|`)cat \/etc\/hostname(?:<\/code>|`) on (?:<code>|`)web-1(?:<\/code>|`) · exit 1/,
    );
    expect(said).toMatch(/3 ✅ (?:<code>|`)cat \/etc\/hostname(?:<\/code>|`) on (?:<code>|`)web-2/);
    expect(said).toContain("said by two");
    const answerTo = async (words: string) => (await stage.ask(thread, "lee", words)).said.join();
    expect(await answerTo("/output 1 3 web-2")).toContain("output of check 3, `cat /etc/hostname` on `web-2`");
    expect(await answerTo("/output 1 web-2 tail 1")).toContain("check 1, `uptime` on `web-2`");
    expect(await answerTo("/output 1 3")).toContain("check 3, `cat /etc/hostname` on `web-1`");
    expect(await answerTo("/output 1 3 web-2 tial")).toContain("`/output 1 3 web-2 page 2`");
    expect(await answerTo("/output 1 9")).toContain("**1** has no check 9");
    expect(await answerTo("/verify")).toContain("Nothing was altered");
  });

  it("AR-26 SR-20 an edited set is a new one, whole or not at all; a script of the same lines is none", async () => {
    play();
    const thread = await stage.incident(set, "systemctl restart nginx");
    const block = (lines: readonly string[]) => `\n\`\`\`sh\n${lines.join("\n")}\n\`\`\``;
    const no = await stage.ask(thread, "lee", `/edit 1 --each${block(["uptime", "systemctl restart cron"])}`);
    expect(no.said.join()).toContain("Nothing was run. systemctl restart cron is not a bounded low-risk read");
    await stage.expectSaid(thread, "lee", `/edit 1 --each${block(commands)}`, "That is already the command of **1**");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    await stage.ask(thread, "lee", `/edit 1 --each only these${block(["uptime", "free -m"])}`);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "proposed", 3: "proposed" });
    expect((await cardOf(thread, 3)).body).toContain("*2 checks, one approval*");
    await stage.expectSaid(thread, "lee", "/approve 1", "was superseded by");
    await stage.ask(thread, "lee", `/edit 3${block(["uptime", "free -m"])}`);
    expect((await cardOf(thread, 4)).body).not.toContain("checks, one approval");
    // The same lines as a set are something else than the script that is open.
    await stage.ask(thread, "lee", "/retry 3", done);
    await thread.waitFor((body) => /^\*\*5\*\* \S+ 2 checks on /m.test(body), "the set's result");
  });

  it("AR-12 /cancel ends what of a set still runs, and its card keeps what had ended", async () => {
    let end = (): void => {};
    stage.play(async (command, { channel }) => {
      channel.write("begun\n");
      if (command.includes("df -h")) await new Promise<void>((resolve) => (end = resolve));
      // Anything else on this server is what ends it.
      else if (!commands.some((check) => command.includes(check))) end();
      return 0;
    });
    const thread = await stage.incident(set);
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("2 of 3 done"), "the two that end");
    await thread.say("sam", "/cancel 1");
    await thread.waitFor((body) => body.includes("Stopping **1** on `web-1` (TERM, then KILL)."), "the answer");
    await thread.waitFor((body) => /2 🛑 (?:<code>|`)df -h(?:<\/code>|`) · cancelled by `@sam`/u.test(body), "its end");
    await stage.quiet();
    expect(await bodies(thread)).toMatch(/1 ✅ (?:<code>|`)uptime(?:<\/code>|`)/);
    await stage.expectSaid(thread, "lee", "/output 1", "output of check 2, `df -h`");
  });

  it("AR-26 handover, postmortem and lessons name each check by itself, and each once", async () => {
    play();
    const thread = await stage.incident(set, { ...set, commands: ["free -m", "uname -a"], title: "Turned down" });
    await stage.ask(thread, "lee", "/approve 1", done);
    await stage.ask(thread, "lee", "/retry 1", done);
    await stage.ask(thread, "lee", "/reject 2 not now");
    const refused = "**2** 2 checks, `free -m`, `uname -a` on `web-1`";
    await stage.expectSaid(thread, "lee", "/handover @sam", `- ${refused} · by \`@lee\``);
    const closing = (await stage.ask(thread, "lee", "/close --anyway a full disk")).said.join("\n");
    expect(closing).toContain(`- ${refused} · turned down by \`@lee\``);
    // Of the set only the check that showed the fault is worth a runbook's line.
    expect(closing.match(/```sh\n([^`]*)```/)?.[1]?.trim()).toBe("df -h");
    expect(closing).toContain("**1** `df -h` on `web-1` · ⚠️ exit 0, but");
  });
});
