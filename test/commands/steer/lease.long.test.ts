import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { endLeasesOver } from "../../../src/features/proposal/lease.ts";
import { auditOf, cardOf, proposing, sayUnheard, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage(() => ({
  config: { policy: { lease: { allowed: true, servers: ["web-1"], max_time: "30m", max_commands: 6 } } },
}));

const restart = "systemctl restart nginx";
const high = "rm -r /srv/app/cache/old";
const done = { text: "LIKELY, see 1, 2, 3, 4 and 5: nothing more to do." };
const goOn = (...commands: Parameters<typeof proposing>[1][]) =>
  proposing("LIKELY, see 1, 2, 3, 4 and 5: on.", ...commands);

/** What was sent to the server by a piece of work: the commands of ours that are in it, in order. */
async function sent(
  work: () => Promise<unknown>,
  ...known: readonly string[]
): Promise<readonly (string | undefined)[]> {
  const before = stage.ran().length;
  await work();
  return stage
    .ran()
    .slice(before)
    .map((line) => known.find((one) => line.includes(one)));
}

const audited = async ({ number: issue }: Thread & { number: number }, ...kind: readonly string[]) =>
  (await auditOf(stage, { kind, issue })).map((row) => ({ kind: row.kind, ...row.body }));

const boardOf = async (thread: Thread): Promise<string> =>
  (await thread.comments()).find(({ body }) => body.includes("Board of this incident"))?.body ?? "";

const issue = (thread: { number: number }, change: object) =>
  stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, change);

describe("/lease", () => {
  afterEach(() => {
    stage.play(saying("fine\n"));
    stage.model.verify();
  });

  it("AR-03 runs low steps one after another, each on a card that says so; medium and high wait", async () => {
    const thread = await stage.incident("uptime", restart);
    stage.model.play(goOn("df -h", high), goOn("free -m", restart), done);
    const ran = await sent(
      () => stage.ask(thread, "lee", "/auto on"),
      "uptime",
      "df -h",
      "free -m",
      "rm -r",
      "systemctl",
    );
    expect(ran).toEqual(["uptime", "df -h", "free -m"]);
    expect(await statesOf(stage, thread.number)).toEqual({
      1: "done",
      2: "superseded",
      3: "done",
      4: "superseded",
      5: "done",
      6: "proposed",
    });
    expect((await cardOf(thread, 3)).body).toContain("**3** · 🟢 low · `web-1` · **Look** · lease");
    expect((await cardOf(thread, 4)).body).toMatch(/\*\*4\*\* · 🔴 high · `web-1` · \*\*Look\*\*~~/);
    const cards = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(cards).toContain("**3** ✅");
    expect(cards).toContain("lease (`@lee`)");
    expect(await boardOf(thread)).toMatch(
      / · lease by `@lee` for `web-1` until \d\d:\d\dZ, 3 of 6 commands used, `\/lease off`/,
    );

    const approved = await audited(thread, "command_approved", "command_dispatched");
    expect(approved.map(({ number, via, byLease }) => [number, via ?? byLease])).toEqual(
      [1, 3, 5].flatMap((number) => [
        [number, "lease"],
        [number, true],
      ]),
    );
    expect(await audited(thread, "lease_given")).toMatchObject([
      { by: { login: "lee" }, servers: ["web-1"], comment: { sha256: expect.any(String) } },
    ]);
  });

  it("AR-03 what a person proposes waits for an approval, also while it is on", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    expect(await sent(() => stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```"))).toEqual([]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect(await sent(() => stage.ask(thread, "lee", "/approve 2", goOn(restart)), "uptime")).toEqual(["uptime"]);
    expect(await audited(thread, "command_dispatched")).toMatchObject([{ number: 2, byLease: false }]);
  });

  it("AR-03 SR-41 what reaches another host or never ends is left to people, and its card says why", async () => {
    const thread = await stage.incident("uptime");
    const ways = ["dig +short example.org", "ping -c 1 db01", "tail -f /var/log/x"];
    stage.model.play(goOn(...ways));
    expect(await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime", "dig", "ping", "tail")).toEqual(["uptime"]);
    const { body } = await cardOf(thread, 2);
    expect(body.match(/\*left to people:\* it reaches another host/g)).toHaveLength(2);
    expect(body).toContain("*left to people:* nothing bounds it: tail -f never ends");
    expect(body).toMatch(/\*no end of its own:\* tail -f never ends \(bounded: `tail -n 100`\); ended after \d+ min/);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "proposed", 3: "proposed", 4: "proposed" });
  });

  it("AR-03 goes on behind a read that missed its expectation: it has answered, and the reads beside it run", async () => {
    const thread = await stage.incident({ command: "uptime", expect: { exit: 0 } }, "df -h");
    stage.play(async () => 1);
    const read = "1 exits 1, against what was expected. LIKELY by 1 and 2: on.";
    stage.model.play(proposing(read, "free -m"), { text: "INCONCLUSIVE by 1, 2 and 3, which exit 1." });
    expect(await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime", "df -h", "free -m")).toEqual([
      "uptime",
      "df -h",
      "free -m",
    ]);
    expect(await boardOf(thread)).toContain("3 of 6 commands used");
    expect(await audited(thread, "lease_ended")).toEqual([]);
  });

  it("AR-03 a read behind a change runs once people approve it, before the agent's next turn", async () => {
    const thread = await stage.incident(restart, "df -h");
    await stage.ask(thread, "lee", "/lease 15m web-1");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    const card = await thread.waitFor((body) => body.includes("Under the lease, once"), "nobody is asked for the read");
    expect(card.body).toContain("Under the lease, once what stands before it has run: **2**");
    expect(card.body).toContain("`/approve 1` · one approver");
    stage.model.play({ text: "CONFIRMED by 1 and 2: it runs again." });
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "df -h")).toEqual([
      "systemctl",
      "df -h",
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    const turns = await stage.bot.deps.store.db.selectFrom("turn").select("cause").execute();
    expect(turns.filter(({ cause }) => cause === "batch-ended").length).toBeGreaterThan(0);
    expect((await audited(thread, "command_dispatched")).map(({ number, byLease }) => [number, byLease])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it("AR-03 a read behind a change that failed waits until the agent has read the failure, which may replace it", async () => {
    const thread = await stage.incident(restart, "df -h");
    await stage.ask(thread, "lee", "/lease 15m web-1");
    stage.play(async () => 1);
    stage.model.play(proposing("1 exits 1. LIKELY by 1: on.", "free -m"), {
      text: "3 exits 1. INCONCLUSIVE by 1 and 3.",
    });
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "df -h", "free -m")).toEqual([
      "systemctl",
      "free -m",
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "superseded", 3: "done" });
    expect(await audited(thread, "lease_ended")).toEqual([]);
  });

  it("AR-03 any hold ends it for good, one on the repository too; /resume does not bring it back", async () => {
    for (const [hold, resume] of [
      ["/hold", "/resume"],
      ["/hold all", "/resume all"],
    ] as const) {
      const thread = await stage.incident(restart);
      await stage.ask(thread, "lee", "/auto on");
      await stage.ask(thread, "sam", hold);
      await stage.expectSaid(thread, "mona", "/auto on", "No lease: ");
      await stage.ask(thread, "lee", resume);
      await stage.expectSaid(thread, "lee", "/auto", "The lease is off: it was stopped by a hold or a halt");
      stage.model.play(goOn("uptime"));
      expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    }
  });

  it("AR-03 /lease gives a time, servers and a count; more than the count waits, and more than the operator's most is refused", async () => {
    const thread = await stage.incident(restart);
    for (const [body, says] of [
      ["/lease", "Write `/lease 15m web-1`"],
      ["/lease 15m", "Write `/lease 15m web-1`"],
      ["/lease web-1 15m", "Write `/lease 15m web-1`"],
      ["/lease 15m nowhere", "a server or group that is not of this repository"],
      ["/lease 31m web-1", "the operator allows 30 min at most"],
      ["/lease 15m web-1 7", "the operator allows 6 commands at most"],
    ] as const)
      await stage.expectSaid(thread, "lee", body, says);
    expect((await stage.ask(thread, "sam", "/lease 15m web-1")).isMarked("-1")).toBe(true);
    const on = await stage.ask(thread, "lee", "/lease 15m web-1 2");
    expect(on.said.join()).toMatch(/\*\*Lease until \d\d:\d\dZ, up to 2 commands\*\*, by `@lee`/);
    stage.model.play(goOn("uptime", "df -h", "free -m"), done);
    expect(await sent(() => stage.ask(thread, "lee", "/ask look"), "uptime", "df -h", "free -m")).toHaveLength(2);
    // The restart stays open, because an answer to a question supersedes nothing; the read beyond the count waits.
    expect(Object.values(await statesOf(stage, thread.number)).filter((state) => state === "proposed")).toHaveLength(2);
    expect(await audited(thread, "lease_ended")).toMatchObject([{ why: "its 2 commands are used up" }]);
  });

  it("AR-03 whoever has write access ends it with /lease off, and its time does by itself", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/lease 15m web-1");
    expect((await stage.ask(thread, "rita", "/lease off")).isMarked("-1")).toBe(true);
    await stage.expectSaid(thread, "sam", "/lease off", "**The lease has ended**");
    await stage.ask(thread, "lee", "/lease 15m web-1");
    const { deps } = stage.bot;
    await endLeasesOver({ ...deps, now: () => new Date(Date.now() + 16 * 60_000) });
    await stage.quiet();
    expect(await boardOf(thread)).toContain("ℹ️ The lease has ended: its time is over; 0 of 6 commands ran");
    expect(await boardOf(thread)).not.toContain("lease by");
  });

  it("AR-03 leaves a proposal to people that policy finds riskier than the agent, by number and reason; the third ends it", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/lease 15m web-1");
    const wrong = (unit: string) => ({ command: `systemctl restart ${unit}`, risk: "low" });
    stage.model.play(goOn("uptime", wrong("cron")), goOn("df -h", wrong("atd"), wrong("sshd")));
    expect(await sent(() => stage.ask(thread, "lee", "/ask look"), "uptime", "df -h")).toEqual(["uptime"]);
    expect((await cardOf(thread, 3)).body).toMatch(
      /3 is left to people: it .*, so policy finds it medium risk and not low, as the agent said/,
    );
    expect(await audited(thread, "lease_ended")).toMatchObject([
      { why: "policy finds more risk in 3 proposals than the agent did" },
    ]);
  });

  it("AR-03 ends at a proposal that policy blocks, before anything of the same reply runs", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/lease 15m web-1");
    stage.model.play(goOn("uptime", { command: "rm -rf /", risk: "high" }));
    expect(await sent(() => stage.ask(thread, "lee", "/ask look"), "uptime")).toEqual([]);
    expect(await audited(thread, "lease_ended")).toMatchObject([{ why: "policy blocks 3" }]);
  });

  it("AR-03 a new lease replaces the old one, with its own count", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/lease 15m web-1 2");
    stage.model.play(goOn("uptime"), done);
    await stage.ask(thread, "lee", "/ask look");
    expect(await boardOf(thread)).toContain("1 of 2 commands used");
    await stage.expectSaid(thread, "mona", "/lease 15m web-1 4", "up to 4 commands**, by `@mona`");
    expect(await boardOf(thread)).toContain("0 of 4 commands used");
  });

  it("AR-03 /auto off takes back what is not sent; a deleted or edited /auto on stands for nothing", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    await stage.expectSaid(thread, "mona", "/auto on", "by `@mona`");
    await stage.expectSaid(thread, "mona", "/AUTO Off", "**The lease has ended**");
    const { id } = await stage.ask(thread, "lee", "/auto on");
    await stage.github.as("lee")("PATCH", `/repos/acme/web/issues/comments/${id}`, { body: "/auto on please" });
    await stage.quiet();
    stage.model.play(goOn("uptime"));
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
  });

  it("RR-04 an /auto on that comes late, behind an /auto off or a hold that was written after it, begins nothing", async () => {
    const thread = await stage.incident("uptime");
    const first = await sayUnheard(stage, thread, "lee", "/auto on");
    await stage.ask(thread, "lee", "/auto off");
    expect(await sent(first.deliver, "uptime")).toEqual([]);
    const second = await sayUnheard(stage, thread, "lee", "/auto on");
    await stage.ask(thread, "sam", "/hold");
    await stage.ask(thread, "lee", "/resume");
    expect(await sent(second.deliver, "uptime")).toEqual([]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(await sent(() => stage.ask(thread, "lee", "/auto on", done), "uptime")).toEqual(["uptime"]);
  });

  it("SR-17 takes an approver and a word; a closed or unlabelled incident has none, and reopening does not bring it back", async () => {
    const thread = await stage.incident(restart);
    for (const login of ["sam", "rita"])
      expect((await stage.ask(thread, login, "/auto on")).isMarked("-1"), login).toBe(true);
    for (const body of ["/auto", "/auto yes", "/auto --on", "/auto 1 on", "/auto on off"])
      await stage.expectSaid(thread, "lee", body, /Nothing was run|nothing was run/);
    await stage.ask(thread, "lee", "/auto on");
    await issue(thread, { labels: [] });
    await stage.quiet();
    await stage.expectSaid(thread, "lee", "/auto on", "the incident is closed");
    await issue(thread, { labels: ["incident"] });
    await stage.quiet();
    await stage.expectSaid(thread, "lee", "/auto", "off: the issue was unlabeled");
    await stage.ask(thread, "lee", "/auto on");
    await issue(thread, { state: "closed" });
    await stage.quiet();
    await issue(thread, { state: "open" });
    await stage.quiet();
    await stage.expectSaid(thread, "lee", "/auto", "off: the issue was closed");
  });

  it("AR-03 on a server that was added since its steps wait, until somebody says /auto on again", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    const { db } = stage.bot.deps.store;
    // As if it had been said before the operator allowed web-1.
    await db.updateTable("lease").set({ servers: "[]" }).execute();
    stage.model.play(goOn("uptime"));
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
    stage.model.play({ text: "CONFIRMED by 2: done." });
    expect(await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime")).toEqual(["uptime"]);
  });

  it("SR-38 the repository's file takes it away, and cannot give it", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    const content = Buffer.from("policy: { lease: { allowed: false } }\n").toString("base64");
    const file = "/repos/acme/web/contents/.github/countersign.yml";
    await stage.github.as("mona")("PUT", file, { message: "narrow", content, branch: "main" });
    await stage.quiet();
    stage.model.play(goOn("uptime"));
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
    await stage.expectSaid(
      thread,
      "lee",
      "/auto on",
      "No lease: the operator allows none on this repository's servers",
    );
  });
});
