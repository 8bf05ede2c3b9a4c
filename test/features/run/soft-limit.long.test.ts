import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { asksAt } from "../../../src/features/run/live-card.ts";
import { closeIssue, done, restart, runCard, startLongStage } from "../../commands/long-command.ts";
import { useStarted } from "../../harness/use-started.ts";
import { leaveBehind, sendAndLeave } from "./left-behind.ts";

const long = useStarted(() => startLongStage("1s"));
afterEach(() => {
  // What a failed test has left must not keep the server from the next one.
  long.letGo();
  long.stage.model.verify();
});

const takesLong = "⏳ **Still running**";
const asking = (thread: Thread) => thread.waitFor((body) => body.includes(takesLong), "the question");
const answered = (thread: Thread, words: string) => thread.waitFor((body) => body.includes(words), words);
const notices = async (thread: Thread) =>
  (await thread.comments()).filter(
    ({ body }) => body.includes("` gives the agent its output so far") && body.includes("is still running on"),
  );

/** Resolves when the newest `/wait` on the issue is over and the run has asked since. */
async function askedAgain(): Promise<void> {
  await long.stage.github.settled();
  for (;;) {
    const { askedAt, waitUntil } = await long.stage.bot.deps.store.db
      .selectFrom("run")
      .select(["askedAt", "waitUntil"])
      .where("endedAt", "is", null)
      .executeTakeFirstOrThrow();
    if (waitUntil && askedAt && askedAt >= waitUntil && !waitsSeen.has(waitUntil.getTime())) {
      waitsSeen.add(waitUntil.getTime());
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const waitsSeen = new Set<number>();

/** Lets the command end, which the agent then reads. */
async function end(thread: Thread): Promise<void> {
  long.stage.model.play(done);
  long.letGo();
  await long.stage.quiet();
  expect(await runCard(thread)).toContain("**1** ✅");
}

describe("a command that runs longer than its soft limit", () => {
  it("AR-12 is not failed: its card asks what to do, one comment says so, and /wait has it ask again in another, which notifies", async () => {
    const thread = await long.running();
    const { body } = await asking(thread);
    expect(body).toMatch(/^\*\*1\*\* ▶️ `systemctl restart nginx` on `web-1` · running since \d\d:\d\d:\d\dZ · \d/);
    expect(body).toContain(
      "`/continue 1` gives the agent its output so far · `/wait 1 10m` asks again later · `/cancel 1` ends it",
    );
    await answered(thread, "⏳ **1** is still running");
    const id = await thread.say("lee", "/wait 1 20m");
    await thread.waitFor((text) => text.includes("⏳ still running; asks again at"), "the wait");
    expect((await long.audited(id)).map(({ kind }) => kind)).toEqual(["command_waited_for"]);
    for (const body of ["/wait 1 1s", "/wait 1"]) {
      await thread.say("lee", body);
      await askedAgain();
    }
    await asking(thread);
    const said = await notices(thread);
    // Two waits are over; the one of 20 min was taken back by them.
    expect(new Set(said.map(({ id }) => id)).size).toBe(3);
    await end(thread);
    expect(await runCard(thread)).not.toContain(takesLong);
    expect(await thread.reactions(id)).toEqual(["eyes", "rocket"]);
    expect((await long.stage.ask(thread, "lee", "/wait 1")).said).toEqual([
      expect.stringContaining("**1** has already ended: ✅ exit 0. `/output 1` shows its output."),
    ]);
  });

  it("AR-12 SR-39 /continue gives the agent what it has said so far, cleaned, redacted and delimited; the command goes on", async () => {
    const thread = await long.running();
    await asking(thread);
    const asked = long.stage.model.requests.length;
    long.stage.model.play({ text: "LIKELY: it is slow." });
    const id = await thread.say("lee", "/continue 1");
    await answered(thread, "t is slow");
    const news = long.stage.model.requests[asked]?.body.messages.at(-1)?.content;
    expect(news).toContain("lee asks you to read what a command that still runs has said so far");
    expect(news).toMatch(/Run of 1 on web-1: still running after \d.*not ended\./);
    expect(news).toMatch(/<output-of-1-so-far nonce="\w+">\n\$ systemctl restart nginx\nbegun, token=/);
    expect(news).not.toContain("ghp_0123456789");
    expect((await long.audited(id)).map(({ kind }) => kind)).toEqual(["command_continued"]);
    expect(await runCard(thread)).toContain("running since");
    await long.stage.bot.deps.store.db
      .updateTable("run")
      .set({ continuedAt: new Date(Date.now() + 60_000) })
      .where("endedAt", "is", null)
      .execute();
    await thread.say("lee", "/continue 1");
    await answered(thread, "The agent is reading the output of **1** already");
    await end(thread);
  });

  it("AR-12 on several servers asks in one comment, and --timeout sets when", async () => {
    const thread = await long.stage.incident({ command: restart, server: "web" });
    const digest = () =>
      long.stage.bot.deps.store.db.selectFrom("action").select("digest").orderBy("id", "desc").executeTakeFirst();
    const before = await digest();
    for (const [flag, words] of [
      ["--timeout 31m", "Nothing was run. `--timeout`: **1** is ended after 30 min in any case; name a shorter time."],
      ["--timeout soon", "Nothing was run. `--timeout`: Write the time as `10m`, `90s` or `1h`."],
      [
        "--dry-run",
        "Nothing was run. `--dry-run` is not known here; `/approve` takes `--keep-going` and `--timeout 10m`.",
      ],
    ] as const) {
      await long.stage.expectReply(thread, "lee", `/approve 1 ${flag}`, words);
    }
    await thread.say("lee", "/approve 1 --timeout 3s");
    await asking(thread);
    const [notice, ...more] = await notices(thread);
    expect(more).toEqual([]);
    expect(notice?.body).toMatch(/is still running on `web-\d`(, `web-\d`)* after ([3-9]|\d\d+)(\.\d)? s\./);
    expect(await digest()).toEqual(before);
    await end(thread);
  });

  it("SR-17 AR-12 /continue and /wait take an approver, a running command and a time with its unit", async () => {
    const thread = await long.running();
    for (const [login, body, words] of [
      ["sam", "/wait 1", "can use `/wait`; you are not one of them."],
      ["rita", "/continue 1", "can use `/continue`; you have read access"],
      ["lee", "/wait 1 10", "One number at a time; a time has its unit, as in `/wait 1 10m`."],
      ["lee", "/wait 1 2h", "**1** is ended after 30 min in any case"],
      ["lee", "/wait", "Which one? Write `/wait <number>`. Running right now: 1."],
      ["lee", "/continue 9", "**9**: there is no such number. Running right now: 1."],
      ["lee", "/continue all", "Which one? Write `/continue <number>`."],
      ["lee", "/wait 1 --forever", "`--forever` is not known here; `/wait` takes no flags."],
    ] as const) {
      await thread.say(login, body);
      await answered(thread, words);
    }
    const [outsider, marks] = [await thread.say("lee", "> /wait 1 5m"), await thread.comments()];
    expect(marks.at(-1)?.id).toBe(outsider);
    await closeIssue(long.stage, thread);
    await thread.say("lee", "/continue 1");
    await answered(thread, "This incident is closed, so the agent reads no more. **1** goes on.");
    await thread.say("lee", "/wait 1 20m");
    await thread.waitFor((body) => body.includes("asks again at"), "the wait");
    long.letGo();
    await long.stage.quiet();
  });

  it("AR-12 RR-06 the next process goes on where the last one was: it asks on the card, no second comment comes, and one when a /wait is over", async () => {
    const thread = await long.stage.incident(restart);
    await sendAndLeave(long.stage, thread.number);
    const left = await leaveBehind(long.stage, thread, { numbers: [1], begun: { 1: "open" } });
    const asked = { askedAt: new Date() };
    await long.stage.bot.deps.store.db.updateTable("run").set(asked).where("endedAt", "is", null).execute();
    const served = left.serve();
    await thread.waitFor((body) => body.includes("begun, token="), "the output so far");
    expect(await runCard(thread)).toContain(takesLong);
    expect(await notices(thread)).toEqual([]);
    await thread.say("lee", "/wait 1 1s");
    await askedAgain();
    await asking(thread);
    expect(await notices(thread)).toHaveLength(1);
    await end(thread);
    await served;
  });
});

describe("asksAt", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 14, 0, second));
  it.each([
    ["has not begun", { startedAt: null, askedAt: null, waitUntil: null }, undefined],
    ["asks at its soft limit", { startedAt: at(0), askedAt: null, waitUntil: null }, at(10)],
    ["has asked", { startedAt: at(0), askedAt: at(11), waitUntil: null }, undefined],
    ["was told to go on before it asked", { startedAt: at(0), askedAt: null, waitUntil: at(40) }, at(40)],
    ["was told to go on after it asked", { startedAt: at(0), askedAt: at(11), waitUntil: at(40) }, at(40)],
    ["has asked again", { startedAt: at(0), askedAt: at(40), waitUntil: at(40) }, undefined],
  ])("AR-12 a run that %s", (_, run, next) => expect(asksAt(run, 10_000)).toEqual(next));
});
