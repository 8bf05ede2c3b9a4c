import { describe, expect, it } from "vitest";
import { rulesAlone } from "../../../src/features/context.ts";
import { endLeaseAloud } from "../../../src/features/proposal/lease.ts";
import { show } from "../../../src/features/thread/post.ts";
import { giveLease } from "../../../src/store/leases.ts";
import { runsOf } from "../../../src/store/runs.ts";
import { boardOf, cardOf, incidentIdOf, incidentIn, proposing, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage(() => ({
  config: { policy: { high: { approvals: 1 }, lease: { allowed: true, servers: ["web-1"] } } },
}));

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };
const list = ["df -h", "rm -r /srv/app/cache/old", "ls /srv/app/cache"] as const;

/** The numbers of an incident's runs, in the order in which they began. */
async function ranIn(issue: number): Promise<readonly number[]> {
  const { db } = stage.bot.deps.store;
  const id = await incidentIdOf(db, issue);
  const actions = await db.selectFrom("action").select(["id", "number"]).where("incidentId", "=", id).execute();
  return (await runsOf(db, id)).flatMap(({ actionId }) => actions.find((one) => one.id === actionId)?.number ?? []);
}

describe("DC-4 what stands behind a change of its list that nobody has decided on waits for it", () => {
  it("DC-4 the check of a high risk does not run without it, and the answer says so", async () => {
    const thread = await stage.incident(...list);
    await stage.expectSaid(thread, "lee", "/approve 2 3", "**3** waits for **2**, which is not approved yet");
    expect((await stage.ask(thread, "lee", "/approve 3")).said.join()).toContain(
      "Nothing was run. **3** waits for **2**, which is not approved yet. Comment `/approve 2 web-1 <why>`.",
    );
    expect(await ranIn(thread.number)).toEqual([]);
    expect((await stage.ask(thread, "lee", "/approve 1", done)).isMarked("rocket")).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await stage.ask(thread, "lee", "/approve 2 web-1 the cache is stale", done);
    await stage.ask(thread, "lee", "/approve 3", done);
    expect(await ranIn(thread.number)).toEqual([1, 2, 3]);
  });

  it("DC-4 what was turned down keeps nothing waiting", async () => {
    const thread = await stage.incident(...list);
    await stage.ask(thread, "lee", "/reject 2 not during the sale");
    await stage.ask(thread, "lee", "/approve 3", done);
    expect(await ranIn(thread.number)).toEqual([3]);
  });

  it("DC-4 they run as their list has them, however they are typed, and the answer says so", async () => {
    const thread = await stage.incident("uptime", "touch /tmp/changed", "ls /tmp");
    stage.model.play(done);
    await stage.expectSaid(thread, "lee", "/approve 3 2", "**2**, **3** are on their way, in the order of their list.");
    expect(await ranIn(thread.number)).toEqual([2, 3]);
  });

  it("DC-4 what replaces an entry by /edit stands where it stood", async () => {
    const thread = await stage.incident("touch /tmp/changed", "ls /tmp");
    await stage.ask(thread, "sam", "/edit 1\n```sh\ntouch /tmp/other\n```");
    const { said } = await stage.ask(thread, "lee", "/approve 2");
    expect(said.join()).toContain("**2** waits for **3**, which is not approved yet. Comment `/approve 3 2`.");
    await stage.ask(thread, "lee", "/approve 2 3", done);
    expect(await ranIn(thread.number)).toEqual([3, 2]);
  });

  it("DC-4 WF-3 a change that still asks for a value is undecided too: what stands behind it waits, and the answer says for what", async () => {
    const thread = await stage.incident("rm -r <path>", "ls /tmp");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "incomplete", 2: "proposed" });
    await stage.expectSaid(thread, "lee", "/approve 2", [
      "Nothing was run. **2** waits for **1**, which is not approved yet. Comment `/fill 1 path=…`.",
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "incomplete", 2: "proposed" });
    await stage.ask(thread, "lee", "/auto on");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "incomplete", 2: "proposed" });
    await stage.ask(thread, "lee", "/auto off");
    expect(await ranIn(thread.number)).toEqual([]);
    await stage.ask(thread, "lee", "/reject 1 not now");
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await ranIn(thread.number)).toEqual([2]);
  });

  it("DC-4 SR-24 an approval from before a change failed does not let go what stands behind it", async () => {
    const thread = await stage.incident("touch /tmp/changed", "ls /tmp");
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    stage.play(async (command) => {
      if (!command.includes("/tmp/changed")) return 0;
      await held;
      return 1;
    });
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("**1** ▶️"), "the run");
    await thread.say("lee", "/approve 2");
    await thread.waitFor((body) => body.includes("**2** ⏳ "), "the second batch");
    goOn();
    await thread.waitFor((body) => body.includes("2 was not run: 1, which stands before it, did not go well."), "why");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    stage.play(async () => 0);
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await ranIn(thread.number)).toEqual([1, 2]);
  });

  it("AR-03 that a lease has ended stands on the board; a comment says it if its reads wait for people", async () => {
    const thread = await stage.incident("touch /tmp/changed");
    await stage.ask(thread, "lee", "/auto on");
    const { said } = await stage.ask(thread, "lee", "/ask go on", proposing("LIKELY: wipe it.", "rm -rf /"));
    expect(said.join()).not.toContain("lease has ended");
    expect(await boardOf(thread)).toMatch(
      /ℹ️ The lease has ended: policy blocks 2; 0 of \d+ commands ran\. .* A new lease: `\/lease \d+m web-1`/,
    );
    const other = await stage.incident("uptime");
    await stage.bot.deps.store.transaction(async (tx) => {
      const incident = await incidentIn(tx, other.number);
      const given = { person: stage.github.person("lee"), role: "write", now: new Date() };
      const comment = { id: 1, nodeId: "n", sha256: "0" };
      const terms = { servers: ["web-1"], endsAt: new Date(Date.now() + 60_000), maxCommands: 5 };
      await giveLease(tx, { incidentId: incident.id, ...given, comment, ...terms });
      await endLeaseAloud(tx, stage.bot.deps, rulesAlone(stage.bot.deps, incident.repo), incident, "its time is over");
      await show(tx, stage.bot.deps, incident);
    });
    const { body } = await other.waitFor((text) => text.startsWith("**The lease has ended**"), "that it ended");
    expect(body).toContain("its time is over. To go on: `/approve 1`");
  });

  it("AR-03 DC-4 a lease leaves out what stands behind a change, and takes it up once that went well", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/auto on", done);
    stage.model.play(proposing("LIKELY: roll back.", "df -h", "touch /tmp/rolled-back", "ls /tmp"));
    await stage.ask(thread, "lee", "/ask go on", done);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 3: "proposed", 4: "proposed" });
    await stage.ask(thread, "lee", "/approve 3", done);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 3: "done", 4: "done" });
    expect((await ranIn(thread.number)).slice(-2)).toEqual([3, 4]);
  });
});

describe("DC-4 what one comment approves keeps its order also over cards", () => {
  /** Three cards of one entry each, and 1 running until `goOn`. */
  async function threeGoing(commands: readonly string[], approval: string) {
    const thread = await stage.incident("uptime");
    for (const command of commands) await stage.ask(thread, "sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    stage.play(async (command) => {
      if (command.includes("first")) await held;
      return 0;
    });
    await thread.say("lee", approval);
    await thread.waitFor((body) => body.includes("**2** ▶️"), "the first run");
    return { thread, goOn: () => goOn() };
  }
  const changes = ["touch /tmp/first", "touch /tmp/second", "touch /tmp/third"];

  it.each([
    ["a change", changes],
    ["a read", ["touch /tmp/first", "ls /tmp/second", "touch /tmp/third"]],
  ])("DC-4 SR-20 %s that was cancelled stops what was named behind it, which is open again", async (_, commands) => {
    const { thread, goOn } = await threeGoing(commands, "/approve 2 3 4");
    await thread.say("lee", "/cancel 3");
    await thread.waitFor((body) => body.includes("**3** needs approval again"), "the cancellation");
    stage.model.play(done);
    goOn();
    await stage.quiet();
    expect(await ranIn(thread.number)).toEqual([2]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 3: "proposed", 4: "proposed" });
    await thread.waitFor((body) => body.includes("Stopped: 3, which stands before it, did not run"), "why");
    await stage.ask(thread, "lee", "/approve 3 4", done);
    expect(await ranIn(thread.number)).toEqual([2, 3, 4]);
  });

  it("DC-4 SR-27 one whose card was edited stops it too", async () => {
    const { thread, goOn } = await threeGoing(changes, "/approve 2 3 4");
    const { id } = await cardOf(thread, 3);
    await stage.github.editComment("mona", "acme/web", id, "Nothing to see.");
    await thread.waitFor((body) => body.includes("3 is void and will not run"), "the notice");
    stage.model.play(done);
    goOn();
    await stage.quiet();
    expect(await ranIn(thread.number)).toEqual([2]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 3: "void", 4: "proposed", 5: "proposed" });
  });

  it("DC-4 a rejected one keeps nothing waiting, and --keep-going passes a cancelled one over", async () => {
    const rejected = await threeGoing(changes, "/approve 2 3 4");
    await rejected.thread.say("mona", "/reject 3 not now");
    await rejected.thread.waitFor((body) => /\*\*3\*\*.*reject/i.test(body), "the rejection");
    stage.model.play(done);
    rejected.goOn();
    await stage.quiet();
    expect(await ranIn(rejected.thread.number)).toEqual([2, 4]);
    const kept = await threeGoing(changes, "/approve 2 3 4 --keep-going");
    await kept.thread.say("lee", "/cancel 3");
    await kept.thread.waitFor((body) => body.includes("**3** needs approval again"), "the cancellation");
    stage.model.play(done);
    kept.goOn();
    await stage.quiet();
    expect(await ranIn(kept.thread.number)).toEqual([2, 4]);
  });

  it("DC-4 SR-19 what the comment does not approve yet keeps what it names behind that waiting", async () => {
    const thread = await stage.incident("uptime");
    for (const command of ["touch /tmp/first", "rm -r /srv/app/cache/old", "touch /tmp/third"])
      await stage.ask(thread, "sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
    stage.model.play(done);
    await stage.expectSaid(thread, "lee", "/approve 2 3 4", "**4** waits for **3**, which is not approved yet");
    expect(await ranIn(thread.number)).toEqual([2]);
    await stage.ask(thread, "lee", "/approve 4", done);
    expect(await ranIn(thread.number)).toEqual([2, 4]);
  });
});

describe("AR-20 a change and its check", () => {
  const change = { command: "touch /tmp/changed", check: "ls /tmp" };

  it("AR-20 SR-20 run under one approval, the check behind the change and only if that went well", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/ask go on", proposing("LIKELY: this helps.", change));
    const { body } = await cardOf(thread, 2);
    expect(body).toContain(
      "**3** · 🟢 low · `web-1` · **Check: Look** — Only reads; runs after 2, under the same approval.\n  ```sh\n  ls /tmp\n  ```",
    );
    // The check stands right below, so the change does not name it once more.
    expect(body).not.toContain("then, under the same approval");
    const { said } = await stage.ask(thread, "lee", "/approve 2", done);
    expect(said.join()).not.toContain("on its way");
    expect(await ranIn(thread.number)).toEqual([2, 3]);
    const { db } = stage.bot.deps.store;
    const { spec } = await db
      .selectFrom("action")
      .select("spec")
      .where("title", "=", "Check: Look")
      .executeTakeFirstOrThrow();
    expect(spec).toMatchObject({ checks: 2, risk: "low" });
  });

  it("AR-20 AR-26 several checks of a change are one set behind it, one that changes something is proposed by itself", async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(
      proposing("LIKELY: this helps.", {
        command: "touch /tmp/changed",
        check: ["ls /tmp", "df -h", "rm /tmp/changed"],
      }),
    );
    await stage.ask(thread, "sam", "/ask go on");
    const { body } = await cardOf(thread, 2);
    expect(body).toContain(
      "**Check: Look** — Only reads; runs after 2, under the same approval.\n  *2 checks, one approval*\n  ```sh\n  ls /tmp\n  df -h\n  ```",
    );
    expect(body).toMatch(/\*\*4\*\* · 🔴 high · `web-1` · \*\*Check: Look\*\*\n[\s\S]*rm \/tmp\/changed/);
    expect(body).toContain("`/approve 2` · one approver");
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await ranIn(thread.number)).toEqual([2, 3, 3]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 3: "done", 4: "proposed" });
  });

  it("AR-20 the check does not run where the change fails, and is void where it is turned down", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/ask go on", proposing("LIKELY: this helps.", change));
    stage.play(async () => 1);
    await stage.ask(thread, "lee", "/approve 2", done);
    stage.play(async () => 0);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 3: "proposed" });
    const other = await stage.incident("uptime");
    await stage.ask(other, "sam", "/ask go on", proposing("LIKELY: this helps.", change));
    await stage.ask(other, "lee", "/reject 2");
    expect(await statesOf(stage, other.number)).toMatchObject({ 2: "rejected", 3: "void" });
  });

  it("AR-20 SR-18 one that changes something is proposed by itself and needs an approval of its own", async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(proposing("LIKELY: this helps.", { ...change, check: "rm /tmp/changed" }));
    await stage.ask(thread, "sam", "/ask go on");
    expect((await cardOf(thread, 2)).body).not.toContain("under the same approval");
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 3: "proposed" });
  });
});
