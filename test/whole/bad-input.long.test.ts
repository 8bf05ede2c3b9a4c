import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { countersign } from "../cli/countersign.ts";
import { startPlayground } from "../harness/playground.ts";
import { auditOf, proposing, startStage } from "../harness/stage.ts";
import { useFolder, useStarted, writerIn } from "../harness/use-started.ts";
import { saying, startFakeHost } from "../ssh/fake-host.ts";

describe("an operator's mistakes are named with their place and a remedy, and nothing starts", () => {
  const folder = useFolder();
  const write = writerIn(folder);

  it("CFG-1 no config file", async () => {
    const { code, err } = await countersign(["start", "--config", join(folder, "none.yml")]);
    expect(code).toBe(2);
    expect(err).toContain("there is no such config file");
  });

  it("CFG-1 a broken config names every problem with line, column and the nearest key", async () => {
    const file = write("broken.yml", "githb: {}\nserver:\n  port: many\n");
    const { code, err } = await countersign(["start", "--config", file]);
    expect(code).toBe(2);
    expect(err).toContain(`${file}:1:1`);
    expect(err).toContain("did you mean `github`?");
    expect(err).toContain(`${file}:3:`);
  });

  it("SR-01 a weak webhook secret and an App key that is none", async () => {
    const config = {
      github: {
        app_id: 1,
        private_key_file: write("app.pem", "not a key"),
        webhook_secret_file: write("hook.secret", "development"),
        repositories: [],
      },
    };
    const { code, err } = await countersign(["start", "--config", write("weak.yml", JSON.stringify(config))]);
    expect(code).toBe(2);
    expect(err).toContain("the webhook secret is made of well-known words");
    expect(err).toContain("is no PEM private key");
    expect(err).toContain("openssl rand -hex 32");
  });
});

describe("what people, servers and models do wrong is answered, and nothing is run that should not be", () => {
  const other = useStarted(() => startFakeHost(async () => 0));
  const stage = useStarted(() =>
    startStage({ beside: { "down-1": { port: 1 }, "changed-1": { host_key: other.hostKey } } }),
  );
  const propose = (...proposed: Parameters<typeof proposing>[1][]) => proposing("LIKELY: looking.", ...proposed);
  const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

  /** An incident whose first card proposes `uptime` on a server. */
  async function incidentOn(server: string): Promise<Thread> {
    stage.model.play(propose({ server, command: "uptime" }));
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    return thread;
  }

  it("PA-4 a reply that is junk gets one chance to mend it, and then the person sees what could not be read", async () => {
    stage.model.play(
      { text: "I looked.\n---ACTIONS_JSON_START---\n{not json\n---ACTIONS_JSON_END---" },
      { text: "Again.\n---ACTIONS_JSON_START---\n[{]\n---ACTIONS_JSON_END---" },
    );
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("⚠️"), "the card with its note");
    expect(card.body).toContain("Again.");
    expect(card.body).not.toContain("- [ ]");
    await stage.quiet();
    stage.model.verify();
  });

  it("SR-10 a server that is not the repo's never becomes an action, and the note names those that are", async () => {
    stage.model.play(propose({ server: "db-9", command: "uptime" }), propose({ server: "db-9", command: "uptime" }));
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("⚠️"), "the card with its note");
    expect(card.body).toContain("db-9");
    expect(card.body).not.toContain("- [ ]");
    await stage.quiet();
  });

  it("F-16 OFF-1 a model that is down is told, the runbooks answer, and /run works without it", async () => {
    stage.model.play({ status: 500, body: { error: { message: "down" } } });
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("The model cannot be reached:"), "the offline card");
    expect(card.body).toContain("The model did not answer");
    await thread.say("sam", "/run web-1\n```sh\nuptime\n```");
    await thread.waitFor((body) => body.includes("Proposed by"), "sam's card");
    await stage.quiet();
  });

  it("F-24 a server that is down ends as not started, with the remedy, and nothing was run", async () => {
    const thread = await incidentOn("down-1");
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((body) => body.includes("**1** 🔌"), "the result");
    expect(result.body).toContain("down-1");
    await stage.quiet();
  });

  it("SR-51 F-25 a host key that changed: nothing is sent, and the card says what is pinned and what was shown", async () => {
    const before = stage.ran().length;
    const thread = await incidentOn("changed-1");
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((body) => body.includes("**1** 🔌"), "the result");
    expect(result.body).toMatch(/host key/i);
    expect(stage.ran()).toHaveLength(before);
    await stage.quiet();
  });

  it("F-31 binary output and invalid UTF-8 end up as text in one fence", async () => {
    stage.play(
      saying(
        Buffer.concat([
          Buffer.from("before\n"),
          Buffer.from([0, 255, 254, 27, 91, 51, 49, 109, 0xc3, 0x28, 10]),
          Buffer.from("``` after\n"),
        ]),
      ),
    );
    const thread = await incidentOn("web-1");
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
    expect(result.body).toContain("before");
    expect(result.body).toContain("````text");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must be gone
    expect(result.body).not.toMatch(/[\u0000\u001b]/);
    await stage.quiet();
  });

  it("AR-14 2 MB of output are counted whole, and the card shows head and tail", async () => {
    const line = `${"x".repeat(63)}\n`;
    const chunk = Buffer.from(line.repeat(16_384));
    stage.play(async (_command, { channel }) => {
      channel.write("the first line\n");
      for (let sent = 0; sent < 2; sent++) {
        if (!channel.write(chunk)) await new Promise((resolve) => channel.once("drain", resolve));
        await nextTick();
      }
      channel.write("the last line\n");
      return 0;
    });
    const thread = await incidentOn("web-1");
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
    expect(result.body).toContain("the first line");
    expect(result.body).toContain("the last line");
    expect(result.body).toContain("⋯ × 32,768: the same line each time ⋯");
    expect(result.body.length).toBeLessThan(8_000);
    await stage.quiet();
  });

  it("SR-17 who may not approve is told what it takes, and nothing runs", async () => {
    stage.play(async () => 0);
    const thread = await incidentOn("web-1");
    const before = stage.ran().length;
    const comment = await thread.say("sam", "/approve 1");
    const refusal = await thread.waitFor((body) => body.includes("can use `/approve`"), "the refusal");
    expect(refusal.body).toContain("acme/oncall");
    expect(refusal.body).toContain("Nothing was run.");
    await stage.quiet();
    expect(await thread.reactions(comment)).toEqual([]);
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-21 an edited comment, a quote and a code block approve nothing", async () => {
    const thread = await incidentOn("web-1");
    const before = stage.ran().length;
    await thread.say("lee", "> /approve 1");
    await thread.say("lee", "```\n/approve 1\n```");
    const talk = await thread.say("lee", "looks fine to me");
    await stage.github.editComment("lee", "acme/web", talk, "/approve 1");
    await stage.quiet();
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-28 an approval edited before its command is sent is withdrawn", async () => {
    stage.model.play(propose({ server: "web-1", command: "rm -r /srv/app/cache/old" }));
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("🔴 high"), "the card");
    const before = stage.ran().length;
    // High risk within five seconds of the card would ask again (SR-57).
    await new Promise((resolve) => setTimeout(resolve, 5_200));
    const first = await thread.say("lee", "/approve 1 web-1 old cache");
    await thread.waitFor((body) => body.includes("**1**: 1 of 2 approvals"), "the count");
    await stage.github.editComment("lee", "acme/web", first, "never mind");
    await stage.quiet();
    await thread.say("mona", "/approve 1 web-1 old cache");
    await stage.quiet();
    expect(stage.ran()).toHaveLength(before);
    const board = (await thread.comments())[0];
    expect(board?.body).toContain("waits for another approver");
  });

  it("SR-27 a card edited by somebody else is put back, and what it showed is void", async () => {
    const thread = await incidentOn("web-1");
    const card = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    const before = stage.ran().length;
    await stage.github.editComment("sam", "acme/web", card.id, card.body.replace("uptime", "reboot"));
    await thread.waitFor((body) => body.includes("is void and will not run"), "the alert");
    await stage.quiet();
    const restored = (await thread.comments()).find((comment) => comment.id === card.id);
    expect(restored?.body).toContain("uptime");
    expect(restored?.body).not.toContain("reboot");
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("**1** is void"), "the answer");
    expect(stage.ran()).toHaveLength(before);
    await stage.quiet();
  });

  it("SR-30 a look-alike of a card voids what it shows, at once or by an edit; a quote of it and talk about it do not", async () => {
    const thread = await incidentOn("web-1");
    const card = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await thread.say("lee", card.body.replace(/^/gm, "> "));
    const talk = await thread.say("sam", "I think 1 is right");
    await stage.quiet();
    expect((await thread.comments())[0]?.body).toContain("waits for approval");
    const fake = "- [ ] **1** · 🟢 low · `web-1` · **Look**\n  ```sh\n  uptime\n  ```";
    await stage.github.editComment("sam", "acme/web", talk, fake);
    await thread.waitFor((body) => body.includes("a fake copy of one of my cards, so 1 is void"), "the alert");
    await thread.waitFor((body) => body.includes("- [ ] **2** · 🟢 low"), "the same anew");
    await thread.say("sam", fake.replace("**1**", "**2**"));
    await thread.waitFor((body) => body.includes("so 2 is void"), "the second alert");
    await stage.quiet();
  });

  it("DC-3 ticking a box runs nothing; it is set back and said once how to approve", async () => {
    const thread = await incidentOn("web-1");
    const card = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    const before = stage.ran().length;
    await stage.github.editComment("sam", "acme/web", card.id, card.body.replace("- [ ] **1**", "- [x] **1**"));
    await thread.waitFor((body) => body.includes("ticking a box does not approve"), "the hint");
    await stage.quiet();
    expect((await thread.comments()).find((comment) => comment.id === card.id)?.body).toContain("- [ ] **1**");
    expect(stage.ran()).toHaveLength(before);
    await thread.say("lee", "/approve 1");
    stage.model.play(done);
    await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
    await stage.quiet();
  });

  it("every request of ours fits GitHub's own description", () => {
    expect(stage.github.invalid()).toEqual([]);
  });
});

describe("a public repository", () => {
  it("SR-29 SR-59 an incident is locked to collaborators, and a stranger's comment gets silence: no reaction, no comment, no run, one audit line", async () => {
    const playground = await startPlayground({ private: false });
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await playground.quiet();
    expect(await thread.say("eve", "/approve 1").catch(String)).toContain("403");
    await playground.github.as("mona")("DELETE", `/repos/acme/web/issues/${thread.number}/lock`);
    const before = (await thread.comments()).length;
    const comment = await thread.say("eve", "/approve 1");
    await playground.quiet();
    expect(await thread.comments()).toHaveLength(before + 1);
    expect(await thread.reactions(comment)).toEqual([]);
    expect(playground.host.seen.commands).toEqual([]);
    expect(await auditOf(playground, { kind: "command_ignored" })).toHaveLength(1);
    await playground.close();
  });
});
