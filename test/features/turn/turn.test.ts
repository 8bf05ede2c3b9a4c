import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { addApproval } from "../../../src/store/actions.ts";
import { slots } from "../../../src/store/outbox/thread-comments.ts";
import type { Step } from "../../agent/fake-model.ts";
import { incident } from "../../harness/playground.ts";
import { boardOf, cardOf, newsOf, proposing, sessionIn, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";
import { haveTried } from "../../store/jobs.ts";

type Incident = Thread & { readonly number: number };

const stage = useStage();

const high = "rm -r /srv/app/cache/old";

/** Approves 1, which runs, so that the model takes its next turn with this reply. */
async function nextTurn(thread: Incident, ...replies: readonly Step[]): Promise<void> {
  await stage.ask(thread, "lee", "/approve 1", ...replies);
}

const row = (number: number) =>
  stage.bot.deps.store.db
    .selectFrom("incident")
    .innerJoin("session", "session.incidentId", "incident.id")
    .select(["incident.id as incidentId", "session.id as sessionId", "steps"])
    .where("incident.number", "=", number)
    .executeTakeFirstOrThrow();

describe("a turn", () => {
  it("RR-17 F-16 that fails however often it is tried is told on the issue, and the board waits for it no longer", async () => {
    const thread = await stage.incident("uptime");
    const { incidentId } = await row(thread.number);
    const { store } = stage.bot.deps;
    await store.transaction(async (tx) => {
      await store.queue.enqueue(tx, "turn", incidentId, { incidentId, cause: "nobody knows this one" });
      await haveTried(tx, { queue: "turn", claims: 5, failures: 4 });
    });
    const told = await thread.waitFor((body) => body.includes("have given up"), "the end");
    expect(told.body).toMatch(/^⚠️ I failed to read this and have given up: .+ To try again: `\/ask`\./s);
    await stage.quiet();
    expect(await boardOf(thread)).not.toContain("reading");
  });

  it("PA-6 replaces what the agent proposed and nobody decided on; what a person wrote or approved stays", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h", high);
    const { incidentId } = await row(thread.number);
    const { store } = stage.bot.deps;
    await store.transaction(async (tx) => {
      const action = await tx
        .selectFrom("action")
        .selectAll()
        .where("incidentId", "=", incidentId)
        .where("number", "=", 3)
        .executeTakeFirstOrThrow();
      const comment = { id: 1, nodeId: "IC_1", sha256: "0".repeat(64) };
      const person = stage.github.person("mona");
      await addApproval(tx, action, { verdict: "approve", person, role: "write", comment, reason: "yes" });
    });
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    await nextTurn(thread, proposing("LIKELY: more.", "ps aux", "ss -tln"));
    expect(await statesOf(stage, thread.number)).toEqual({
      1: "done",
      2: "superseded",
      3: "proposed",
      4: "proposed",
      5: "proposed",
      6: "proposed",
    });
    expect((await cardOf(thread, 2)).body).toMatch(/~~\*\*2\*\*.*~~ superseded by 5/);
    await stage.expectReply(thread, "lee", "/reject 2", "**2** was superseded by [**5**]");
  });

  it("PA-6 a reply without actions leaves the pending ones open, and numbers are never used again", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    await nextTurn(thread, { text: "INCONCLUSIVE: I do not know." });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "proposed" });
  });

  it("PA-6 PA-4 an unreadable reply clears nothing", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    const junk = { text: "Hm.\n---ACTIONS_JSON_START---\n{not json\n---ACTIONS_JSON_END---" };
    await nextTurn(thread, junk, junk);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
  });

  it("OFF-1 PA-6 a model that is down clears nothing where the runbooks have nothing to put in its place", async () => {
    stage.model.play(proposing("LIKELY: looking.", "uptime", "df -h"));
    const thread = await stage.opened({ title: "Odd", body: "Something is odd." });
    await nextTurn(thread, { status: 500, body: { error: { message: "down" } } });
    await thread.waitFor((body) => body.includes("The model did not answer"), "the offline card");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
  });

  it("issue 18.7 in mid-incident a model that is down leaves phase, words and proposals, and `/ask` has it read what it missed", {
    tags: ["long"],
  }, async () => {
    stage.play(saying("volume 97 % full\n"));
    const said = proposing("LIKELY: the volume is full.\n[PHASE] plan", "uptime", "df -h");
    stage.model.play({ text: `${said.text}\n[SUGGESTIONS]\n1. Compare with web-2\n2. Page the team` });
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the card");
    await stage.quiet();
    const standing = () =>
      stage.bot.deps.store.db
        .selectFrom("incident")
        .select(["phase", "confidence", "headline"])
        .where("number", "=", thread.number)
        .executeTakeFirstOrThrow();
    const before = await standing();
    expect(before).toEqual({ phase: "plan", confidence: "LIKELY", headline: "LIKELY: the volume is full." });
    await nextTurn(thread, { status: 500, body: { error: { message: "down" } } });
    const { body } = await thread.waitFor((text) => text.includes("The model did not answer"), "the short card");
    // What ran stands first, although the model did not read it.
    expect(body).toMatch(/^\*\*1\*\* ✅ `uptime` [^\n]*\n\n```text\nvolume 97 % full\n```\n\n⚠️ The model/);
    expect(body).toMatch(
      /^⚠️ The model did not answer: .*HTTP 500: down\. Nothing else has changed\. To try again: `\/ask`$/m,
    );
    expect(body).toContain("Still open: **2**");
    expect(body).toContain("`/ask b` Page the team");
    expect(await standing()).toEqual(before);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    stage.model.play({ text: "CONFIRMED by 1: the volume is full." });
    await stage.expectReply(thread, "sam", "/ask", /^\*\*CONFIRMED by 1\*\*\n\nThe volume is full\./);
    expect(await boardOf(thread)).toContain("**Phase 4 of 5 · Plan**");
    const heard = stage.model.requests.at(-1)?.body.messages.map(({ content }) => content) ?? [];
    expect(heard.filter((content) => content.includes("volume 97 % full"))).toHaveLength(1);
    expect(heard.at(-1)).toContain("Go on: you could not be reached before.");
    stage.play(async () => 0);
  });

  it("issue 18.7 where nothing has run the runbooks' checks are offered, and beside them what is open stays", async () => {
    const thread = await stage.incident("uptime");
    stage.model.play({ status: 500, body: { error: { message: "down" } } });
    await stage.expectSaid(thread, "sam", "/ask what now?", /The model did not answer: .*\. To try again: `\/ask`/);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "proposed" });
  });

  it("PA-5 takes three actions of a reply and says that it dropped the rest", async () => {
    stage.model.play(proposing("LIKELY: much.", "uptime", "df -h", "free -m", "ps aux", "ss -tln"));
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("- [ ] **3**"), "the card");
    await stage.quiet();
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1", "2", "3"]);
    expect(card.body).toContain("⚠️ Left out 2 more: at most 3 proposals at a time.");
  });

  it("PA-7 the model's label raises the risk and never lowers it", async () => {
    const labelled = (command: string, risk: string) => ({
      id: "1",
      api: "ssh.execute",
      title: "t",
      description: "d",
      risk,
      params: { server: "web-1", command },
    });
    const actions = JSON.stringify([labelled("uptime", "high"), labelled(high, "low")]);
    stage.model.play({ text: `LIKELY: x.\n---ACTIONS_JSON_START---\n${actions}\n---ACTIONS_JSON_END---` });
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("- [ ] **2**"), "the card");
    await stage.quiet();
    expect(card.body).toMatch(/\*\*1\*\* · 🔴 high/);
    expect(card.body).toMatch(/\*\*2\*\* · 🔴 high/);
  });

  it("AR-17 at its limit the agent is not asked again, the issue says so, and people go on", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const { sessionId, steps } = await row(thread.number);
    await stage.bot.deps.store.db
      .updateTable("session")
      .set({ stepLimit: steps })
      .where("id", "=", sessionId)
      .execute();
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/approve 1");
    expect(stage.model.requests).toHaveLength(asked);
    const said = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(said).toContain("of its steps and proposes nothing more");
    await stage.ask(thread, "lee", "/approve 2");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
  });

  it("AR-16 sessions share nothing: each has its own nonce and conversation", async () => {
    const first = await stage.incident("uptime");
    const second = await stage.incident("ls /srv/other-incident");
    await nextTurn(first, { text: "LIKELY: done." });
    const request =
      stage.model.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .join("\n") ?? "";
    expect(request).toContain("uptime");
    expect(request).not.toContain("other-incident");
    const nonces = await stage.bot.deps.store.db.selectFrom("session").select("nonce").distinct().execute();
    const sessions = await stage.bot.deps.store.db.selectFrom("session").select("id").execute();
    expect(nonces).toHaveLength(sessions.length);
    expect(second.number).not.toBe(first.number);
  });
});

const sure = { title: incident.title, body: incident.body };

const check = "echo spool is at 97 percent";

describe("OFF-1 a runbook that surely fits, beside a model", () => {
  const cardsOf = async (thread: Thread) =>
    (await thread.comments()).filter(({ body }) => /^- \[ \] /m.test(body)).map(({ body }) => body);

  it("has its checks on the card of a model that answers soon: one comment, and both say whose they are", {
    tags: ["long"],
  }, async () => {
    stage.model.play(proposing("LIKELY: the spool is full.", "df -h"));
    const thread = await stage.open(sure);
    await stage.quiet();
    const [card = "", ...others] = await cardsOf(thread);
    expect(others).toEqual([]);
    expect(card).toMatch(/^\*\*Phase 3 of 5 · Investigate\*\* — LIKELY/);
    expect(card).toMatch(/\*\*1\*\*[\s\S]*97 percent[\s\S]*\*\*2\*\*[\s\S]*df -h[\s\S]*`\/approve 1 2`/);
    expect(card).toContain("📖 **Runbook links** · **1**: [spool-full]");
    expect(card).toMatch(/"action":1,[^\n]*"by":"runbook"[\s\S]*"action":2,[^\n]*"by":"model"/);
    await stage.ask(thread, "lee", "/approve 1 2", { text: "CONFIRMED by 1: it is full." });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    await stage.ask(thread, "lee", "/verify");
    expect((await thread.comments()).at(-1)?.body).toContain("Nothing was altered");
  });

  it("has its checks on a card while the model still reads; the model's card adds and repeats nothing", {
    tags: ["long"],
  }, async () => {
    const gate = Promise.withResolvers<void>();
    const asked = stage.model.requests.length;
    stage.model.play({ ...proposing("LIKELY: the spool is full.", check, "df -h"), after: gate.promise });
    const thread = await stage.open(sure);
    const { db } = stage.bot.deps.store;
    await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    // No number stands on the issue before its command does.
    expect((await thread.comments()).map(({ body }) => body).join()).not.toContain("**1**");
    // As after ten seconds.
    await db.updateTable("comment").set({ dueAt: new Date() }).where("slot", "=", slots.checks).execute();
    const card = await thread.waitFor((body) => body.includes(check) && body.includes("```sh"), "the checks");
    expect(card.body).toContain("From the matching runbook; these only read.");
    expect(card.body).toMatch(/- \[ \] \*\*1\*\*[\s\S]*97 percent\n {2}uname -s/);
    expect(stage.model.requests.length - asked).toBeLessThanOrEqual(1);
    gate.resolve();
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the model's card");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect(await boardOf(thread)).toMatch(/df -h/);
    expect(await sessionIn(stage, thread.number)).toMatchObject({ steps: 1 });
  });

  it("stands in the first message, with its checks under their numbers, and is not sent again", async () => {
    stage.model.play(proposing("LIKELY: the spool is full.", "df -h"));
    const thread = await stage.open(sure);
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the model's card");
    await stage.quiet();
    expect(newsOf(stage)).toMatch(/<skill source="[^"]+" nonce="\w+">\n# Spool full\n/);
    expect(newsOf(stage)).toMatch(
      /Actions so far:\n<[^>]+>\n1 of the runbook 2 checks on \S+: "echo spool is at 97 percent", "uname -s", low, open\n/,
    );
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: it is full." });
    expect(newsOf(stage)).not.toContain("# Spool full");
  });

  it("adds its next step to what the agent says, but not once the agent says how to close the incident", {
    tags: ["long"],
  }, async () => {
    stage.model.play(proposing("LIKELY: the spool is full.", "df -h"));
    const thread = await stage.open(sure);
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the model's card");
    await stage.quiet();
    await stage.ask(thread, "lee", "/ask and now?", { text: "LIKELY: it is full, so the spool has to be emptied." });
    const last = async (): Promise<string> => (await thread.comments()).at(-1)?.body ?? "";
    expect(await last()).toContain("Next step: systemctl restart spooler");
    const over = "CONFIRMED by 1: nothing waits. If it is healthy: `/close the spool was full`";
    await stage.ask(thread, "lee", "/ask is it over?", { text: over });
    expect(await last()).toContain("If it is healthy: `/close the spool was full`");
    expect(await last()).not.toContain("Suggestions");
  });

  it("is not posted where no runbook is sure", async () => {
    const gate = Promise.withResolvers<void>();
    stage.model.play({ ...proposing("LIKELY: odd.", "uptime"), after: gate.promise });
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("reading the incident"), "the board");
    gate.resolve();
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect((await thread.comments()).map(({ body }) => body).join()).not.toContain("From the matching runbook");
  });
});
