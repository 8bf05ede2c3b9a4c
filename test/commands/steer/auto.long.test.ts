import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import type { Role } from "../../../src/base/github.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../../../src/features/context.ts";
import { endAuto, startAuto } from "../../../src/features/proposal/agent-mode.ts";
import { hashBody } from "../../../src/features/run/approval-comment.ts";
import { checkDispatch } from "../../../src/features/run/preflight.ts";
import type { CommentFact, Facts } from "../../../src/github/facts.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { switchOn } from "../../../src/store/auto-mode.ts";
import { incidentOf, lockIncident } from "../../../src/store/incidents.ts";
import { cardOf, incidentIdOf, proposing, sayUnheard, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const stage = useStarted(() =>
  startStage({
    configure: (config) => {
      Object.assign(config.policy as object, { auto: { allowed: true, servers: ["web-1"] } });
      config.agent = { max_steps: 4 };
    },
  }),
);

const restart = "systemctl restart nginx";
const high = "rm -r /srv/app/cache/old";
const done = { text: "CONFIRMED by 1, 2, 3, 4 and 5: nothing more to do." };
const goOn = (...commands: readonly string[]) => proposing("LIKELY by 1, 2, 3, 4 and 5: on.", ...commands);

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

const auditOf = async (thread: Thread & { number: number }, ...kinds: readonly string[]) => {
  const rows = await stage.bot.deps.store.db
    .selectFrom("audit")
    .innerJoin("incident", "incident.id", "audit.incidentId")
    .select(["kind", "audit.body as body"])
    .where("incident.number", "=", thread.number)
    .where("kind", "in", kinds)
    .orderBy("seq")
    .execute();
  return rows.map(({ kind, body }) => ({ kind, ...JSON.parse(body) }));
};

const boardOf = async (thread: Thread): Promise<string> =>
  (await thread.comments()).find(({ body }) => body.includes("Board of this incident"))?.body ?? "";

const issue = (thread: { number: number }, change: object) =>
  stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, change);

describe("/auto", () => {
  afterEach(() => {
    stage.play(async (_command, { channel }) => {
      channel.write("fine\n");
      return 0;
    });
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
    expect((await cardOf(thread, 3)).body).toContain("**3** · 🟢 low · `web-1` · **Look** · 🤖 agent mode");
    expect((await cardOf(thread, 4)).body).toMatch(/\*\*4\*\* · 🔴 high · `web-1` · \*\*Look\*\*~~/);
    const cards = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(cards).toContain("**3** ✅");
    expect(cards).toContain("🤖 agent mode (`@lee`)");
    expect(await boardOf(thread)).toContain(" · 🤖 agent mode by `@lee`, `/auto off`");

    const approved = await auditOf(thread, "command_approved", "command_dispatched");
    expect(approved.map(({ number, via, agentMode }) => [number, via ?? agentMode])).toEqual(
      [1, 3, 5].flatMap((number) => [
        [number, "agent-mode"],
        [number, true],
      ]),
    );
    expect(await auditOf(thread, "agent_mode_on")).toMatchObject([
      { by: { login: "lee" }, servers: ["web-1"], comment: { sha256: expect.any(String) } },
    ]);
  });

  it("AR-03 what a person proposes waits for an approval, also while it is on", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    expect(await sent(() => stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```"))).toEqual([]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    stage.model.play(goOn(restart));
    expect(await sent(() => stage.ask(thread, "lee", "/approve 2"), "uptime")).toEqual(["uptime"]);
    expect(await auditOf(thread, "command_dispatched")).toMatchObject([{ number: 2, agentMode: false }]);
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

  it("AR-03 ends at the first failure, and the next step waits", async () => {
    // A read that exits otherwise has answered; one that was to come to something has failed.
    const thread = await stage.incident({ command: "uptime", expect: { exit: 0 } }, "df -h");
    stage.play(async () => 1);
    stage.model.play(goOn("free -m"));
    expect(await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime", "df -h", "free -m")).toEqual(["uptime"]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done", 3: "proposed" });
    expect(await boardOf(thread)).not.toContain("agent mode by");
    expect(await auditOf(thread, "agent_mode_off")).toHaveLength(1);
    const off = await stage.ask(thread, "lee", "/auto off");
    expect(off.said.join()).toContain("Agent mode is off already.");
  });

  it("AR-03 any hold ends it for good, one on the repository too; /resume does not bring it back", async () => {
    for (const [hold, resume] of [
      ["/hold", "/resume"],
      ["/hold all", "/resume all"],
    ] as const) {
      const thread = await stage.incident(restart);
      await stage.ask(thread, "lee", "/auto on");
      await stage.ask(thread, "sam", hold);
      const held = await stage.ask(thread, "mona", "/auto on");
      expect(held.said.join()).toContain("Agent mode stays off: ");
      await stage.ask(thread, "lee", resume);
      const what = await stage.ask(thread, "lee", "/auto");
      expect(what.said.join()).toContain("Agent mode is off: it was stopped by a hold or a halt");
      stage.model.play(goOn("uptime"));
      expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    }
  });

  it("AR-03 ends after its steps, though /resume grants the agent more", async () => {
    const thread = await stage.incident("uptime -p");
    const steps = ["df -h", "free -m", "uname -a"].map((command) => goOn(command));
    stage.model.play(...steps);
    const ran = await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime", "df -h", "free -m", "uname");
    expect(ran).toEqual(["uptime", "df -h", "free -m", "uname"]);
    stage.model.play(goOn("id"), goOn("date"));
    expect(await sent(() => stage.ask(thread, "lee", "/resume"), "date", "id")).toEqual(["id"]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 5: "done", 6: "proposed" });
    expect((await stage.ask(thread, "lee", "/auto")).said.join()).toContain("off: its 4 steps are used up");
  });

  it("AR-03 /auto off takes back what is not sent; a deleted or edited /auto on stands for nothing", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    expect((await stage.ask(thread, "mona", "/auto on")).said.join()).toContain("is on already, by `@lee`");
    const off = await stage.ask(thread, "mona", "/AUTO Off");
    expect(off.said.join()).toContain("**Agent mode is off**");
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
    stage.model.play(done);
    expect(await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime")).toEqual(["uptime"]);
  });

  it("SR-17 takes an approver and a word; a closed or unlabelled incident has none, and reopening does not bring it back", async () => {
    const thread = await stage.incident(restart);
    for (const login of ["sam", "rita"])
      expect((await stage.ask(thread, login, "/auto on")).reactions, login).toEqual(["eyes", "-1"]);
    for (const body of ["/auto", "/auto yes", "/auto --on", "/auto 1 on", "/auto on off"])
      expect((await stage.ask(thread, "lee", body)).said.join(), body).toMatch(/Nothing was run|nothing was run/);
    await stage.ask(thread, "lee", "/auto on");
    await issue(thread, { labels: [] });
    await stage.quiet();
    expect((await stage.ask(thread, "lee", "/auto on")).said.join()).toContain("the incident is closed");
    await issue(thread, { labels: ["incident"] });
    await stage.quiet();
    expect((await stage.ask(thread, "lee", "/auto")).said.join()).toContain("off: the issue was unlabeled");
    await stage.ask(thread, "lee", "/auto on");
    await issue(thread, { state: "closed" });
    await stage.quiet();
    await issue(thread, { state: "open" });
    await stage.quiet();
    expect((await stage.ask(thread, "lee", "/auto")).said.join()).toContain("off: the issue was closed");
  });

  it("AR-03 on a server that was added since its steps wait, until somebody says /auto on again", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    const { db } = stage.bot.deps.store;
    // As if it had been said before the operator allowed web-1.
    await db.updateTable("autoMode").set({ servers: "[]" }).execute();
    stage.model.play(goOn("uptime"));
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
    stage.model.play({ text: "CONFIRMED by 2: done." });
    const on = await sent(() => stage.ask(thread, "lee", "/auto on"), "uptime");
    expect(on).toEqual(["uptime"]);
    expect((await stage.ask(thread, "lee", "/auto on")).said.join()).toContain("Agent mode is on already");
  });

  it("SR-24 whatever has changed between a step's approval and its sending keeps it from running", async () => {
    const thread = await stage.incident("uptime");
    const { deps: real } = stage.bot;
    const { db } = real.store;
    const incidentId = await incidentIdOf(db, thread.number);
    const ground = await loadRepoContext(real, await incidentOf(db, incidentId));
    // A step sent off whose job nobody serves.
    const said = await stage.ask(thread, "lee", "/auto");
    const { body } = await stage.github.as("lee")("GET", `/repos/acme/web/issues/comments/${said.id}`);
    const { node_id: nodeId, user } = body as { node_id: string; user: { id: number } };
    // The comment asks what is on, so that nothing begins; as far as the last look sees, it switches on.
    const world: Deps = {
      ...real,
      facts: async (question) => {
        const found = await real.facts(question);
        const on = [...found.comments].map(([id, fact]) => [id, id === nodeId ? { ...fact, body: "/auto on" } : fact]);
        return { ...found, comments: new Map(on as [string, CommentFact][]) };
      },
    };
    const idle = {
      ...world,
      store: { ...world.store, queue: { ...world.store.queue, enqueue: async () => {} } },
    } as Deps;
    const batch = await world.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      const person = { id: user.id, login: "lee" };
      const comment = { id: said.id, nodeId, sha256: hashBody("/auto on") };
      await switchOn(tx, { incidentId, person, role: "write", comment, fromStep: 1, servers: ["web-1"] });
      return startAuto(tx, idle, ground, { incident, actions: await actionsOf(tx, incidentId) });
    });
    const [action] = await actionsOf(db, incidentId);
    if (!batch || !action) throw new Error("no step was sent off");

    const config = (change: Partial<Deps["config"]>): Flip => ({
      world: { ...world, config: { ...world.config, ...change } },
    });
    const { policy } = world.config;
    const mode = (change: object): Flip => config({ policy: { ...policy, auto: { ...policy.auto, ...change } } });
    const low = (change: object): Flip => config({ policy: { ...policy, low: { ...policy.low, ...change } } });
    const file = (text: string): Flip => ({
      ground: {
        ...ground,
        context: { ...ground.context, config: { path: ".github/countersign.yml", text, source: "acme/web@1" } },
      },
    });
    const facts = (change: (facts: Facts) => Partial<Facts>): Flip => ({
      world: {
        ...world,
        facts: async (question) => {
          const found = await world.facts(question);
          return { ...found, ...change(found) };
        },
      },
    });
    const comment = (change: object | undefined): Flip =>
      facts(({ comments }) => {
        const found = comments.get(nodeId);
        const rest = [...comments].filter(([id]) => id !== nodeId);
        return { comments: new Map(change && found ? [...rest, [nodeId, { ...found, ...change }]] : rest) };
      });
    const lee = (standing: { role: Role; teams: readonly string[] }): Flip =>
      facts(() => ({ people: new Map([[user.id, standing]]) }));
    const flips: readonly (readonly [string, Flip, string])[] = [
      ["nothing", {}, "go"],
      ["the operator switched it off", mode({ allowed: false }), "reopen"],
      ["the operator names no server for it", mode({ servers: [] }), "reopen"],
      ["the repository's file switched it off", file("policy: { auto: { allowed: false } }"), "reopen"],
      ["the repository's file leaves it no server", file("policy: { auto: { servers: [] } }"), "reopen"],
      ["it is allowed on another server alone", mode({ servers: ["web-2"] }), "reopen"],
      ["low risk takes two people", low({ approvals: 2 }), "reopen"],
      ["low risk takes a reason", low({ reason: "required" }), "reopen"],
      ["the repository's file cannot be read", file("policy: ["), "end"],
      ["the bot only proposes", config({ execution: { ...world.config.execution, enabled: false } }), "end"],
      [
        "it is judged medium now",
        { world: { ...world, evaluate: (...given) => ({ ...world.evaluate(...given), risk: "medium" }) } },
        "end",
      ],
      [
        "the repository is public now",
        facts(({ repository }) => ({ repository: repository && { ...repository, private: false } })),
        "end",
      ],
      ["the issue is closed", facts(({ issue }) => ({ issue: issue && { ...issue, open: false } })), "end"],
      ["lee only reads now", lee({ role: "read", teams: ["acme/oncall"] }), "reopen"],
      ["lee has left the team", lee({ role: "write", teams: [] }), "reopen"],
      ["lee is gone", facts(() => ({ people: new Map() })), "reopen"],
      ["the comment is gone", comment(undefined), "reopen"],
      ["the comment was edited", comment({ edited: true }), "reopen"],
      ["the comment says something else", comment({ body: "/auto off" }), "reopen"],
      ["the comment is somebody else's", comment({ authorId: 1 }), "reopen"],
      ["GitHub does not answer", { world: { ...world, facts: () => Promise.reject(new Error("down")) } }, "ask-later"],
      ["the operator lets it stand for less time now", { ...low({ expiresMs: 1 }) }, "end"],
      ["its time is over", { world: { ...world, now: () => new Date(Date.now() + 61 * 60_000) } }, "end"],
    ];
    for (const [what, flip, becomes] of flips) {
      const decision = await checkDispatch(flip.world ?? world, flip.ground ?? ground, { action, batch });
      expect(decision.kind, what).toBe(becomes);
    }
    const consented = (servers: readonly string[]) =>
      db
        .updateTable("autoMode")
        .set({ servers: JSON.stringify(servers) })
        .where("incidentId", "=", incidentId)
        .execute();
    await consented(["web-2"]);
    expect(await checkDispatch(world, ground, { action, batch })).toEqual({
      kind: "reopen",
      code: "agent-mode",
      reason: "agent mode does not let it go: web-1 was added since it was switched on; /auto on again includes it",
    });
    await consented(["web-1"]);
    expect((await checkDispatch(world, ground, { action, batch })).kind).toBe("go");
    await world.store.transaction((tx) => endAuto(tx, { id: incidentId }, "over"));
    expect((await checkDispatch(world, ground, { action, batch })).kind).toBe("reopen");
  });

  it("SR-38 the repository's file takes it away, and cannot give it", async () => {
    const thread = await stage.incident(restart);
    await stage.ask(thread, "lee", "/auto on");
    const content = Buffer.from("policy: { auto: { allowed: false } }\n").toString("base64");
    const file = "/repos/acme/web/contents/.github/countersign.yml";
    await stage.github.as("mona")("PUT", file, { message: "narrow", content, branch: "main" });
    await stage.quiet();
    stage.model.play(goOn("uptime"));
    expect(await sent(() => stage.ask(thread, "mona", "/approve 1"), "systemctl", "uptime")).toEqual(["systemctl"]);
    const again = await stage.ask(thread, "lee", "/auto on");
    expect(again.said.join()).toContain("Agent mode stays off: the operator allows it on no server");
  });
});

interface Flip {
  readonly world?: Deps;
  readonly ground?: RepoContext;
}
