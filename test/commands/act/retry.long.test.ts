import { describe, expect, it } from "vitest";
import { cardOf, sayUnheard, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage();

const done = { text: "CONFIRMED by 1, 2 and 3: nothing more to do." };

describe("/retry", () => {
  it("RR-06 proposes what failed or has run under a new number, with a link, and runs nothing by itself", async () => {
    const thread = await stage.incident("touch /tmp/again");
    stage.play(saying("no\n", 1));
    stage.model.play(done);
    await stage.ask(thread, "lee", "/approve 1");
    const ran = stage.ran().length;
    const answer = await stage.ask(thread, "lee", "/retry 1");
    expect(answer.isMarked("rocket")).toBe(true);
    expect(answer.said.join("\n")).toMatch(
      /\[\*\*1\*\*\]\(http\S+\/acme\/web\/issues\/\d+#issuecomment-\d+\) again as \*\*2\*\*: last time exit 1\./,
    );
    expect((await cardOf(thread, 2)).body).toContain("`web-1` · **Look** — 1 again: last time exit 1");
    expect(stage.ran()).toHaveLength(ran);
    expect((await stage.ask(thread, "mona", "/retry 1")).said.join()).toMatch(
      /^Nothing was run\. \[\*\*2\*\*\]\(.*\) is the same command and still open: `\/approve 2`/,
    );
    stage.model.play(done);
    await stage.ask(thread, "lee", "/approve 2");
    expect(stage.ran()).toHaveLength(ran + 1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    const late = await stage.ask(thread, "lee", "/approve 1");
    expect(late.said.join()).toMatch(/^\*\*1\*\* has already run \(\[result\]\(.*To run it again: `\/retry 1`\./);
  });

  it("RR-06 SR-18 several at once are a list again; what only reads runs at once, since only an approver may say it", async () => {
    const thread = await stage.incident("df -h", "touch /tmp/again", "ls /tmp");
    stage.play(async (command) => (command.includes("/tmp/again") ? 1 : 0));
    stage.model.play(done);
    await stage.ask(thread, "lee", "/approve 1 2");
    const late = await stage.ask(thread, "lee", "/approve 1 2");
    expect(late.said.join()).toContain("To propose them again: `/retry 1 2`.");
    stage.play(async () => 0);
    stage.model.play(done);
    const { said } = await stage.ask(thread, "lee", "/retry 1 2");
    const text = said.join("\n\n");
    expect(text).toMatch(/again as \*\*4\*\*: last time exit 0\.$/m);
    expect(text).toMatch(/again as \*\*5\*\*: last time exit 1\. It needs its own approval\.$/m);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 4: "done", 5: "proposed" });
    expect((await cardOf(thread, 5)).id).toBe((await cardOf(thread, 4)).id);
  });

  it("SR-20 SR-24 an approver's own /run that only reads runs once its card is there, and not where the comment was changed", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    stage.model.play(done);
    await stage.ask(thread, "lee", "/run web-1\n```sh\ndf -h\n```");
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
    expect((await stage.ask(thread, "mona", "/retry 2")).said.join()).toContain("This incident is closed.");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "open" });
    await stage.quiet();
    const again = await stage.ask(thread, "mona", "/retry 2");
    expect(again.said.join("\n")).toContain("again as **3**: it was void and did not run.");
    expect((await stage.ask(thread, "lee", "/approve 3")).said.join()).toContain("you wrote this command");
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
      const answer = await stage.ask(thread, "lee", body);
      expect(answer.said, body).toEqual([expect.stringContaining(told)]);
      expect(answer.isMarked("confused"), body).toBe(true);
    }
    expect((await stage.ask(thread, "sam", "/retry 1")).isMarked("-1")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual(states);
  });
});
