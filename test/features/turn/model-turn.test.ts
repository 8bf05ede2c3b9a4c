import { describe, expect, it } from "vitest";
import { call, cardOf, newsOf, proposing, type Stage, sessionIn, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage(() => ({
  files: { "AGENTS.md": "# Web\n" },
  config: { model: { deadline: "60s", retry: { max_retries: 1 }, budget: { tokens_per_incident: 40_000 } } },
}));

type Opened = Awaited<ReturnType<Stage["incident"]>>;

const db = () => stage.bot.deps.store.db;
const sessionFor = ({ number }: Opened) => sessionIn(stage, number);
const toolResults = () =>
  stage.model.requests.at(-1)?.body.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])) ?? [];
const news = (back?: number) => newsOf(stage, back);

describe("what the agent reads", () => {
  it("AR-04 AR-15 each output before it goes on; trouble it passes over is asked about once, then said aloud", {
    tags: ["long"],
  }, async () => {
    stage.play(saying("write error: No space left on device\n", 1));
    const thread = await stage.incident("df -h");
    stage.model.play(proposing("LIKELY: nothing odd.", "uptime"), proposing("LIKELY: nothing odd at all.", "uptime"));
    await stage.ask(thread, "lee", "/approve 1");
    expect(news(2)).toMatch(
      /Run of 1 on web-1, [^:]*:[^:]*:.*exit 1\. It reports trouble: address it\.[\s\S]*No space left on device/,
    );
    expect(news()).toMatch(/^You passed over trouble in the output of 1 \(.*exit 1.*\)\./);
    const card = await cardOf(thread, 2);
    expect(card.body).toMatch(/⚠️ The agent does not say what 1 shows \(.*exit 1.*\): read it, .*output 1/);
    stage.play(async () => 0);
  });

  it("AR-04 what people decide while it thinks is told to it in its next turn, and not again after that", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("df -h", "uptime");
    const go = Promise.withResolvers<void>();
    const slow = { text: "LIKELY: nothing new.", after: go.promise };
    stage.model.play(slow, { text: "LIKELY: still nothing." }, { text: "LIKELY: nothing at all." });
    await thread.say("lee", "/ask what now?");
    await until(() => expect(news()).toContain("what now?"));
    await thread.say("lee", "/reject 2 the load is known");
    await until(async () => expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "rejected" }));
    await thread.say("sam", "/run web-1 to see\n```sh\nfree -m\n```");
    await until(async () => expect(await statesOf(stage, thread.number)).toMatchObject({ 3: "proposed" }));
    go.resolve();
    await stage.ask(thread, "lee", "/ask and now?");
    expect(news()).toContain('turned down by lee: "the load is known"');
    expect(news()).toContain('by sam "free -m"');
    await stage.ask(thread, "lee", "/ask once more?");
    expect(news()).not.toContain("the load is known");
    expect(news()).not.toContain('by sam "free -m"');
  });

  it("OP-7 a helper's summary: without planning, with tools that only read, on the same account", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const asked = stage.model.requests.length;
    stage.model.play(
      call("delegate", { task: "What does 1 show?" }),
      { text: "1 shows that all is well." },
      { text: "CONFIRMED by 1: all is well." },
    );
    await stage.ask(thread, "lee", "/approve 1");
    expect(toolResults()).toEqual(["1 shows that all is well."]);
    const [outer, helper] = stage.model.requests.slice(asked).map(({ body }) => body);
    expect(outer?.messages[0]?.content).toContain("<planning");
    expect(helper?.messages[0]?.content).not.toMatch(/<planning|<protocol|ACTIONS_JSON|propose_actions/);
    expect(helper?.messages).toHaveLength(2);
    expect(helper?.messages[1]?.content).toMatch(/The task:\n\nWhat does 1 show\?$/);
    const names = helper?.tools?.map((tool) => tool.function.name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["list_servers", "read_output"]));
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/propose|suggest|delegate|ask|workflow|plan/)]),
    );
    const session = await sessionFor(thread);
    expect(session).toMatchObject({ inputTokens: 400, outputTokens: 40 });
    const usage = await db().selectFrom("usage").selectAll().where("sessionId", "=", session.id).execute();
    expect(usage.map(({ step, inputTokens, estimated }) => [step, inputTokens, estimated])).toEqual([
      [1, 100, false],
      [2, 100, false],
      [2, 100, false],
      [2, 100, false],
    ]);
    const turns = await db().selectFrom("turn").selectAll().where("incidentId", "=", session.incidentId).execute();
    expect(turns.map(({ inputTokens, personId }) => [inputTokens, personId])).toEqual([
      [100, stage.github.person("mona").id],
      [300, stage.github.person("lee").id],
    ]);
  });
});

describe("what a proposal by tool came to", () => {
  it("PA-7 AR-05 is told at once, with our risk and what it needs", async () => {
    const thread = await stage.incident("uptime");
    const action = (command: string, risk: string) => ({
      ...{ id: command.slice(0, 9), api: "ssh.execute", title: "T", description: "d", risk },
      params: { server: "web-1", command },
    });
    const actions = [
      action("rm -r /srv/app/old", "low"),
      action("uptime", "low"),
      action("mkfs.ext4 /dev/sda1", "high"),
    ];
    stage.model.play(call("propose_actions", { actions }), { text: "LIKELY: see above." });
    await stage.ask(thread, "sam", "/ask what now?");
    expect(toolResults().at(-1)).toMatch(
      /^Proposed:\n- high \(you said low\), needs 2 approvals: "T" on web-1\n- 1 again, open already: "T" on web-1\n- blocked \(.+\): "T" on web-1$/,
    );
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1", "2", "3"]);
  });

  it("AR-20 AR-05 counts its checks, and what stands behind has the next number", async () => {
    const thread = await stage.incident("uptime");
    const action = (command: string, more = {}) => ({
      ...{ api: "ssh.execute", title: command, description: "d", params: { server: "web-1", command }, ...more },
    });
    const actions = [action("touch /tmp/a", { check: ["ls /tmp", "df -h"] }), action("free -m")];
    stage.model.play(call("propose_actions", { actions }), { text: "LIKELY: this helps." });
    await stage.ask(thread, "sam", "/ask what now?");
    expect(toolResults().at(-1)).toMatch(
      /^Proposed:\n- medium, needs 1 approval; with its check: "touch \/tmp\/a" on web-1\n- low, needs 1 approval: "free -m" on web-1$/,
    );
    expect((await cardOf(thread, 4)).body).toContain("**4** · 🟢 low · `web-1` · **free -m**");
  });
});

describe("SR-58 a budget that is spent", () => {
  it("F-18 the model is not asked, it is said at length once, and people and runbooks go on", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    const session = await sessionFor(thread);
    await db().updateTable("usage").set({ inputTokens: 39_000 }).where("sessionId", "=", session.id).execute();
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/approve 1");
    const long = /The model's budget of this incident is spent \(39,\d{3} of 40,000 tokens\)/;
    await thread.waitFor((body) => long.test(body), "the notice");
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    await stage.ask(thread, "lee", "/approve 3");
    await thread.waitFor((body) => body.includes("is spent: it is not asked here any more"), "the short note");
    expect(stage.model.requests).toHaveLength(asked);
    expect((await thread.comments()).map(({ body }) => body).filter((body) => long.test(body))).toHaveLength(1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "done" });
    const fresh = await stage.incident("uptime");
    expect(await statesOf(stage, fresh.number)).toEqual({ 1: "proposed" });
  });
});
