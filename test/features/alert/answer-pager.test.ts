import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { answerPagers } from "../../../src/features/alert/take-alert.ts";
import { verifyAudit } from "../../../src/store/audit/chain.ts";
import { alertmanagerBody, pagerDutyBody } from "../../alert/payloads.ts";
import { startAlertStage } from "../../alert/sender.ts";
import { jobOf } from "../../harness/job.ts";
import { boardOf, proposing } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { startSink } from "../../pager/sink.ts";
import { makeDue } from "../../store/jobs.ts";

const routingKey = "0123456789abcdefABCDEF0123456789";
const sink = useStarted(() => startSink());
const stage = useStarted(async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-pager-"));
  writeFileSync(join(folder, "key"), `${routingKey}\n`, { mode: 0o600 });
  const answer = { pager: "pagerduty", key_file: join(folder, "key"), url: sink.url, resolve: true };
  const started = await startAlertStage({ answer });
  rmSync(folder, { recursive: true });
  return started;
});
beforeEach(() => {
  sink.clear();
  sink.answer(202, {}, '{"status":"success"}');
});

let group = 0;
/** An alert of its own, on which two reads and a change wait. */
async function fired() {
  const name = `Paged${++group}`;
  stage.model.play(proposing("LIKELY: the spool.", "df -h", "touch /srv/a"));
  const send = (more: object = {}) => stage.send("production", alertmanagerBody({ group: name, ...more }));
  await send();
  const issue = (await stage.issues()).find(({ title }) => title.includes(`${name}:`));
  const thread = stage.thread(issue?.number ?? 0);
  const key = createHash("sha256").update(`{}:{alertname="${name}"}`).digest("hex");
  return { name, send, thread, key, board: async () => (await boardOf(thread)) ?? "" };
}
const sent = () => sink.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const answersNow = () => stage.bot.deps.store.db.selectFrom("pagerAnswer").selectAll().orderBy("at").execute();
/** Time passes until the next try. */
async function retry(): Promise<void> {
  await stage.bot.deps.store.db
    .updateTable("pagerAnswer")
    .set({ dueAt: new Date(0) })
    .execute();
  await makeDue(stage.bot.deps.store.db, "post");
  await stage.quiet();
}

describe("the pager of an alert", () => {
  it("AL-8 hears of the first approval, once, with the alert's own key and a link; the board says so and no comment does", {
    tags: ["long"],
  }, async () => {
    const { thread, key, board } = await fired();
    expect(await board()).toContain("\n📟 an approval or `/ack` tells PagerDuty that somebody is on it");
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    await stage.ask(thread, "lee", "/approve 1");
    expect(sent()).toEqual([
      {
        routing_key: routingKey,
        event_action: "acknowledge",
        dedup_key: key,
        links: [{ href: expect.stringMatching(new RegExp(`/issues/${thread.number}$`)), text: expect.any(String) }],
      },
    ]);
    expect(await board()).toMatch(/\n📟 PagerDuty was told that `@lee` is on it, \d\d:\d\dZ\n/);
    const { length } = await thread.comments();
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    await stage.ask(thread, "lee", "/approve 2");
    await stage.expectRefusal(thread, "lee", "/ack", "has been told of this alert already");
    expect(sent()).toHaveLength(1);
    expect((await thread.comments()).slice(length).filter(({ body }) => body.includes("PagerDuty"))).toEqual([]);
    expect((await verifyAudit(stage.bot.deps.store.db)).ok).toBe(true);
    const texts = [...(await thread.comments()).map(({ body }) => body), JSON.stringify(await answersNow())].join();
    expect(texts).not.toContain(routingKey);
  });

  it("AL-8 hears of /ack, again once the alert fires again, and of /close where the operator says so", {
    tags: ["long"],
  }, async () => {
    const { thread, send, board, key } = await fired();
    await stage.expectDone(thread, "mona", "/ack", []);
    expect(sent()).toMatchObject([{ event_action: "acknowledge", dedup_key: key }]);
    await send({ status: "resolved" });
    await stage.expectRefusal(thread, "mona", "/ack", "The alert has resolved");
    await send({ startsAt: "2026-11-24T03:00:00Z" });
    expect(await board()).toContain("tells PagerDuty that somebody is on it");
    await stage.expectDone(thread, "lee", "/ack", []);
    await stage.ask(thread, "lee", "/close --anyway it is over");
    expect(sent().map(({ event_action }) => event_action)).toEqual(["acknowledge", "acknowledge", "resolve"]);
    expect(await board()).toMatch(
      /📟 PagerDuty was told that `@lee` is on it, \d\d:\d\dZ · PagerDuty was told that `@lee` closed this, \d\d:\d\dZ/,
    );
    await stage.expectRefusal(thread, "lee", "/ack", "incident is closed");
    await stage.ask(thread, "lee", "/close");
    expect(sent()).toHaveLength(3);
  });

  it.each([
    [400, '{"errors":["Invalid routing key"]}', "HTTP 400, it refuses the routing key"],
    [404, "", "HTTP 404"],
  ])(
    "AL-8 that refuses with %i %s is asked once, and the board says what to do",
    { tags: ["long"] },
    async (status, body, why) => {
      const { thread, board } = await fired();
      sink.answer(status, {}, body);
      await stage.ask(thread, "lee", "/ack");
      await retry();
      expect(sent()).toHaveLength(1);
      expect(await board()).toContain(
        `📟 ⚠️ PagerDuty was **not** told that \`@lee\` is on it: ${why}; acknowledge it there\n`,
      );
    },
  );

  it("AL-8 that is busy is asked again, four times at most, as late as it says; what waits for it waits too", {
    tags: ["long"],
  }, async () => {
    const { thread, board, key } = await fired();
    const other = await fired();
    sink.answer(429, { "retry-after": "200" });
    await stage.ask(thread, "lee", "/ack");
    expect(await board()).toContain("PagerDuty is being told that `@lee` is on it (HTTP 429; trying again)");
    const [row] = (await answersNow()).slice(-1);
    expect((row?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(150_000);
    await stage.ask(other.thread, "lee", "/ack");
    expect(sent()).toHaveLength(1);
    sink.answer(503);
    for (let tries = 0; tries < 5; tries++) await retry();
    expect(await board()).toContain("was **not** told that `@lee` is on it: HTTP 503, 4 times; acknowledge it there");
    // The other's turn came once it was given up: three tries of it by then.
    expect(sent().filter(({ dedup_key: one }) => one !== key)).toHaveLength(3);
    expect(sent().filter(({ dedup_key: one }) => one === key)).toHaveLength(4);
    sink.answer(202);
    await retry();
    expect(await other.board()).toContain("PagerDuty was told that `@lee` is on it");
    const now = await fired();
    sink.clear();
    sink.answer(429, { "retry-after": "7200" });
    await stage.ask(now.thread, "lee", "/ack");
    expect(await now.board()).toContain("HTTP 429, and it asks to wait too long; acknowledge it there");
  });

  it("AL-8 RR-07 is not asked again by what follows a dead process, and the board says that it may not know", async () => {
    const { thread, board } = await fired();
    sink.answer(503);
    await stage.ask(thread, "lee", "/ack");
    sink.answer(202);
    await stage.bot.deps.store.db
      .updateTable("pagerAnswer")
      .set({ state: "sending" })
      .where("state", "=", "open")
      .execute();
    await answerPagers(stage.bot.deps, jobOf("post", { pagers: true }));
    await stage.quiet();
    expect(sent()).toHaveLength(1);
    expect(await board()).toContain(
      "PagerDuty may not know that `@lee` is on it: the bot ended while it asked; look there",
    );
  });

  it("AL-8 has nothing to hear of an alert that resolved first, nor of one whose key it does not know", {
    tags: ["long"],
  }, async () => {
    const { thread, send, board } = await fired();
    sink.answer(503);
    await stage.ask(thread, "lee", "/ack");
    await send({ status: "resolved" });
    await retry();
    expect(sent()).toHaveLength(1);
    expect(await board()).not.toContain("📟");
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    await stage.send("pages", pagerDutyBody("incident.triggered", {}, { incident_key: null }));
    const last = (await stage.issues()).at(-1)?.number ?? 0;
    await stage.ask(stage.thread(last), "lee", "/ack");
    expect(await boardOf(stage.thread(last))).toContain("the alert came without its key there; acknowledge it there");
    expect(sent()).toHaveLength(1);
  });
});
