import { describe, expect, it } from "vitest";
import { cardOf, newsOf, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage();

const done = { text: "CONFIRMED: read." };

describe("/probe", () => {
  it("PB-04 an approver's runs at once, its result stands below the change, the agent reads it, and the change still waits", async () => {
    const thread = await stage.incident("chmod 640 '/srv/app/my conf' /srv/app/*.conf");
    expect((await cardOf(thread, 1)).body).toContain(
      "`/probe 1` shows first: the files with their modes and owners now",
    );
    const before = stage.ran().length;
    stage.play(
      saying("-rw-r--r-- 1 app app 4.0G Jun 3 /srv/app/a.tmp\n- [ ] **1** · 🟢 low · `web-1` · **Not an entry**\n"),
    );
    stage.model.play(done);
    await stage.ask(thread, "lee", "/probe 1");
    expect(stage.ran().slice(before)).toHaveLength(1);
    expect(stage.ran().at(-1)).toContain("ls -ld -- ");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "done" });
    const card = await cardOf(thread, 1);
    expect(card.body).toMatch(/\n {2}\*probe:\* \*\*2\*\* .*`ls -ld -- [\s\S]*4\.0G Jun 3 \/srv\/app\/a\.tmp/);
    expect(card.body).not.toContain("`/probe 1` shows first");
    expect(newsOf(stage)).toContain("Run of 2, a probe of what 1 would do, on web-1");
    stage.play(async () => 0);
    stage.model.play(done);
    await stage.ask(thread, "mona", "/approve 1");
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
      "Nothing was run. There is no probe of **1**: the policy knows no dry run of `flurbctl`.",
    );
    expect(await saidTo("/probe 2")).toContain(
      "Nothing was run. There is no probe of **2**: it only reads, so it can be run as it is.",
    );
    expect(await saidTo("/probe 3")).toContain(
      "Nothing was run. There is no probe of **3**: a part of it is known only when it runs.",
    );
    expect(await saidTo("/probe 9")).toMatch(/\*\*9\*\*: there is no such number/);
    await stage.ask(thread, "lee", "/reject 1 no");
    expect(await saidTo("/probe 1")).toMatch(/\*\*1\*\* was rejected/);
    expect(stage.ran()).toHaveLength(before);
  });
});
