import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseAlert } from "../../../src/alert/sources.ts";
import { alertAsk, askStore } from "../../../src/cli/local.ts";
import { takeAlert } from "../../../src/features/alert/take-alert.ts";
import type { Deps } from "../../../src/features/context.ts";
import { alertOf } from "../../../src/store/alerts.ts";
import { verifyAudit } from "../../../src/store/audit/chain.ts";
import { valuesOf } from "../../../src/store/incidents.ts";
import { alertmanagerBody, grafanaBody, member, pagerDutyBody } from "../../alert/payloads.ts";
import { type AlertStage, startAlertStage } from "../../alert/sender.ts";
import { jobOf } from "../../harness/job.ts";
import { repo } from "../../harness/playground.ts";
import { boardOf } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";
import { makeDue } from "../../store/jobs.ts";

const stage = useStarted(() => startAlertStage());
const hasty = useStarted(() => startAlertStage({ reopen_within: "1s", issues_per_hour: 3 }));
afterEach(() => stage.model.verify());

const done = { text: "CONFIRMED: nothing to do." };
let group = 0;
/** A group of its own for each test. */
const nextGroup = (): string => `Group${++group}`;
/** Fires at a time of its own, so that no message is like the one before. */
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 24, 2, minute)).toISOString();

async function opened(name: string, on = stage) {
  const found = (await on.issues()).filter(({ title }) => title.includes(`${name}:`));
  return found.map((issue) => ({ ...issue, ...on.thread(issue.number) }));
}
const incidentAt = (number: number, on = stage) =>
  on.bot.deps.store.db.selectFrom("incident").selectAll().where("number", "=", number).executeTakeFirstOrThrow();
const resolvedLines = async (thread: { comments: () => Promise<readonly { body: string }[]> }) =>
  (await thread.comments()).map(({ body }) => body).filter((body) => body.includes("reports the alert resolved"));

/** Fires an alert of a group of its own for the first time. */
async function fired(on = stage) {
  const name = nextGroup();
  on.model.play(done);
  const send = (more: object = {}) => on.send("production", alertmanagerBody({ group: name, ...more }));
  await send();
  const [issue] = await opened(name, on);
  return { name, send, thread: issue ?? on.thread(0) };
}

/** The same once it was resolved, and its issue closed. */
async function closed(on: AlertStage) {
  const alert = await fired(on);
  await alert.send({ status: "resolved" });
  await on.ask(alert.thread, "lee", "/close it was the log");
  return alert;
}

describe("an alert", () => {
  it("AL-1 AL-4 opens one issue with what it says in a block, as values, and between delimiters for the agent", async () => {
    const name = nextGroup();
    stage.model.play(done);
    const body = alertmanagerBody({
      group: name,
      labels: { "kubernetes.io/zone": "eu-1", api_key: "sk-abcdefghijklmnop" },
    });
    expect(await stage.send("production", { ...body, truncatedAlerts: 7, newField: { deep: true } })).toBe(
      "202 stored",
    );
    const [issue, ...more] = await opened(name);
    expect(more).toEqual([]);
    expect(issue?.title).toBe(`🔔 ${name}: The spool of web-1 is at 97 %`);
    expect(issue?.body).toContain(
      [
        "Alert from `production` · critical · started 2026-11-24 02:00Z.",
        "",
        "```text",
        "labels",
        `  alertname           ${name}`,
        "  instance            web-1:9100",
        "  namespace           shop",
        "  severity            critical",
        "  kubernetes.io/zone  eu-1",
        "  api_key             [REDACTED]",
        "annotations",
        "  summary  The spool of web-1 is at 97 %",
      ].join("\n"),
    );
    expect(issue?.body).toContain("[Source](http://prometheus.example.com:9090/graph?g0.expr=spool+%3E+0.9&g0.tab=1)");
    expect(issue?.body).toContain(
      `[Silence](http://alertmanager.example.com:9093/#/silences/new?filter=%7Balertname%3D%22${name}%22%7D)`,
    );
    expect(issue?.body).toMatch(/<details><summary>Other fields<\/summary>[\s\S]*"newField": \{\s+"deep": true/);
    const incident = await incidentAt(issue?.number ?? 0);
    expect(await valuesOf(stage.bot.deps.store.db, incident.id)).toEqual([
      { source: "alert", name: "alertname", value: name },
      { source: "alert", name: "instance", value: "web-1:9100" },
      { source: "alert", name: "kubernetes.io/zone", value: "eu-1" },
      { source: "alert", name: "namespace", value: "shop" },
      { source: "alert", name: "severity", value: "critical" },
    ]);
    expect(await boardOf(issue ?? stage.thread(0))).toContain(
      "**Alert firing** · critical · from `production` · started 2026-11-24 02:00Z · fired once, last ",
    );
    const asked = JSON.stringify(stage.model.requests.at(-1));
    expect(asked).toMatch(new RegExp(`<issue--${issue?.number} nonce=[^>]+>[^<]*${name}`));
    expect(asked + JSON.stringify(await stage.issues())).not.toContain("sk-abcdefghijklmnop");
  });

  it("AL-2 that fires again while its issue is open is a count and a time on the board, and no comment", async () => {
    const { name, thread, send } = await fired();
    const before = (await thread.comments()).length;
    for (const minute of [1, 2, 3]) await send({ startsAt: at(minute) });
    // Sent again by a source that has lost the answer: it is no fire of its own.
    await send({ startsAt: at(3) });
    expect(await boardOf(thread)).toContain("started 2026-11-24 02:03Z · fired 4 times, last ");
    expect(await thread.comments()).toHaveLength(before);
    expect(await opened(name)).toHaveLength(1);
  });

  it("AL-2 that is resolved is a state on the board and one line; its issue stays open; more of them in a while are one line", async () => {
    const { name, thread, send } = await fired();
    await send({ status: "resolved" });
    expect(await boardOf(thread)).toMatch(/✅ \*\*Alert resolved\*\* .* · fired once, last .* · resolved once/);
    expect(await resolvedLines(thread)).toHaveLength(1);
    // Told a second time it is no news.
    await send({ status: "resolved", endsAt: at(31) });
    await send({ startsAt: at(32) });
    expect(await boardOf(thread)).toMatch(/\*\*Alert firing\*\* .* · fired 2 times, last .* · resolved once/);
    await send({ status: "resolved", endsAt: at(33) });
    const lines = await resolvedLines(thread);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^✅ `production` reports the alert resolved \(\d\d:\d\dZ, 2 times since \d\d:\d\dZ\)\. The issue stays open; close it with `\/close` and the cause\./,
    );
    expect((await opened(name)).map(({ state }) => state)).toEqual(["open"]);
    await stage.expectSaid(thread, "lee", "/verify", "Nothing was altered");
  });

  it("AL-2 that still fires has /close ask once; said again, it closes", { tags: ["long"] }, async () => {
    const { name, thread, send } = await fired();
    await stage.expectRefusal(thread, "lee", "/close the disk was full", [
      "Not closed: the alert from `production` is still firing. To close anyway, send `/close` again",
    ]);
    expect((await opened(name)).map(({ state }) => state)).toEqual(["open"]);
    expect((await stage.ask(thread, "lee", "/close the disk was full")).isMarked("rocket")).toBe(true);
    expect((await opened(name)).map(({ state }) => state)).toEqual(["closed"]);
    // Closed by somebody who knew that it fires: it stays so, until it has resolved and fires anew.
    await send({ startsAt: at(5) });
    expect((await opened(name)).map(({ state }) => state)).toEqual(["closed"]);
    await send({ status: "resolved" });
    stage.model.play(done);
    await send({ startsAt: at(40) });
    expect((await opened(name)).map(({ state }) => state)).toEqual(["open"]);
    expect(await incidentAt(thread.number)).toMatchObject({ state: "open" });
    expect((await verifyAudit(stage.bot.deps.store.db)).ok).toBe(true);
  });

  it("AL-2 that resolves while /close asks because it fires has it close, and not say nothing", {
    tags: ["long"],
  }, async () => {
    const { name, thread } = await fired();
    const { store } = stage.bot.deps;
    const { transaction } = store;
    const asking = vi.spyOn(store, "transaction").mockImplementation(async (act) => {
      const found = await transaction(act);
      if (Array.isArray(found) && found.some((one) => String(one.is).startsWith("firing"))) {
        asking.mockRestore();
        await store.db.updateTable("alert").set({ state: "resolved" }).execute();
      }
      return found;
    });
    await thread.say("lee", "/close the disk was full");
    await until(async () => expect((await opened(name)).map(({ state }) => state)).toEqual(["closed"]));
    await stage.quiet();
    expect((await thread.comments()).map(({ body }) => body).join()).toContain("**Closed by `@lee`**");
    expect(await incidentAt(thread.number)).toMatchObject({ state: "closed" });
  });

  it("AL-2 RR-04 that fires while /close closes its issue has it ask all the same, and the issue is open again", async () => {
    const { name, thread, send } = await fired();
    await send({ status: "resolved" });
    const { issues, store } = stage.bot.deps;
    const { close } = issues;
    const closing = vi.spyOn(issues, "close").mockImplementation(async (place) => {
      await close(place);
      await store.db.updateTable("alert").set({ state: "firing" }).execute();
    });
    const first = await stage.ask(thread, "lee", "/close the disk was full");
    closing.mockRestore();
    expect(first.said).toEqual([expect.stringContaining("Not closed: the alert from `production` is still firing.")]);
    expect((await opened(name)).map(({ state }) => state)).toEqual(["open"]);
    expect(await incidentAt(thread.number)).toMatchObject({ state: "open" });
    await stage.ask(thread, "lee", "/close the disk was full");
    expect(await incidentAt(thread.number)).toMatchObject({ state: "closed" });
  });

  it("AL-2 RR-04 that fires while its issue is being closed is decided on anew, and reopens it", async () => {
    const { name, thread, send } = await fired();
    await send({ status: "resolved" });
    const { deps } = stage.bot;
    const parsed = parseAlert("alertmanager", JSON.stringify(alertmanagerBody({ group: name, startsAt: at(40) })));
    if (!("alert" in parsed)) throw new Error("the body is an alert");
    const close = () => stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, { state: "closed" });
    const closing: Deps = {
      ...deps,
      store: {
        ...deps.store,
        db: deps.store.db,
        transaction: async (work) => {
          await close();
          await stage.quiet();
          return deps.store.transaction(work);
        },
      },
    };
    const job = { ...jobOf("delivery", {}), receivedAt: new Date() };
    const payload = { source: "production", alert: parsed.alert };
    await expect(takeAlert(closing, job, payload)).rejects.toThrow("deciding again");
    stage.model.play(done);
    await takeAlert(deps, job, payload);
    await stage.quiet();
    expect((await opened(name)).map(({ state }) => state)).toEqual(["open"]);
    expect(await incidentAt(thread.number)).toMatchObject({ state: "open" });
  });

  it("AL-2 fired again later than `reopen_within` it opens a new issue, which links the one before", {
    tags: ["long"],
  }, async () => {
    const name = nextGroup();
    hasty.model.play(done);
    const send = (more: object) => hasty.send("production", alertmanagerBody({ group: name, ...more }));
    await send({});
    const [old] = await opened(name, hasty);
    await send({ status: "resolved" });
    await hasty.ask(old ?? hasty.thread(0), "lee", "/close it was the log");
    await sleep(1_100);
    hasty.model.play(done);
    await send({ startsAt: at(50) });
    const issues = await opened(name, hasty);
    expect(issues.map(({ state }) => state)).toEqual(["closed", "open"]);
    expect(issues[1]?.body).toContain(`Earlier issue for this alert: #${old?.number}.`);
    expect(await boardOf(issues[0] ?? hasty.thread(0))).toContain("✅ **Alert resolved**");
  });

  it("AL-2 F-15 fired again once its issue was transferred elsewhere it opens a new issue", async () => {
    const { name, thread, send } = await fired();
    await send({ status: "resolved" });
    await stage.github.transferIssue("mona", repo, thread.number, repo);
    await stage.quiet();
    expect(await incidentAt(thread.number)).toMatchObject({ state: "closed" });
    stage.model.play(done);
    await send({ startsAt: at(45) });
    const bodies = (await opened(name)).map(({ body }) => body);
    expect(bodies.filter((body) => body?.includes(`Earlier issue for this alert: #${thread.number}.`))).toHaveLength(1);
  });

  it("AL-3 beyond `issues_per_hour` waits, with all that comes after it, and is not lost", {
    tags: ["long"],
  }, async () => {
    const names = [nextGroup(), nextGroup(), nextGroup(), nextGroup()];
    hasty.model.play(done, done, done);
    for (const name of names) {
      const text = await hasty.send("script", { key: name, status: "firing", title: `${name}: of a script` });
      expect(text).toBe("202 stored");
    }
    hasty.model.play(done);
    expect(await Promise.all(names.map(async (name) => (await opened(name, hasty)).length))).toEqual([1, 1, 1, 0]);
    expect(hasty.log.filter(({ event }) => event === "alert_held_back").length).toBeGreaterThan(0);
    const { db, queue } = hasty.bot.deps.store;
    await db
      .updateTable("alert")
      .set({ createdAt: new Date(0) })
      .execute();
    await makeDue(db, "delivery");
    queue.wake("delivery");
    await hasty.quiet();
    expect(await opened(names[3] ?? "", hasty)).toHaveLength(1);
  });

  it("AL-1 RR-07 whose answer was lost when its issue was opened has one issue all the same", {
    tags: ["long"],
  }, async () => {
    const name = nextGroup();
    stage.model.play(done);
    stage.github.fault({ method: "POST", path: /\/issues$/ }, { drop: "after" });
    await stage.send("production", alertmanagerBody({ group: name }));
    await expect.poll(async () => (await opened(name)).length).toBe(1);
    await expect.poll(async () => boardOf((await opened(name))[0] ?? stage.thread(0))).toContain("Alert firing");
    await stage.quiet();
    expect(await opened(name)).toHaveLength(1);
  });

  it("AL-5 of Grafana, PagerDuty and a script is read, with the signature of each", { tags: ["long"] }, async () => {
    stage.model.play(done, done, done);
    expect(await stage.send("graphs", grafanaBody())).toBe("202 stored");
    expect(await stage.send("pages", pagerDutyBody())).toBe("202 stored");
    const script = {
      key: "backup",
      status: "firing",
      title: "Backup failed: exit 2",
      severity: "high",
      labels: { host: "db-1" },
    };
    expect(
      await stage.send("script", {
        ...script,
        links: { Log: "https://log.example.com/1", Bad: "javascript:alert(1)" },
      }),
    ).toBe("202 stored");
    const issues = await stage.issues();
    const bodyOf = (title: string) => issues.find((issue) => issue.title === `🔔 ${title}`)?.body;
    const grafana = bodyOf("High memory usage: This alert was triggered for zone us-1");
    expect(grafana).toContain("  description  The system has high memory usage\n");
    expect(grafana).toContain(
      "[Runbook](https://myrunbook.example.com/runbook/1234) · [Source](https://play.grafana.example.com/alerting/1afz29v7z/edit) · [Silence](",
    );
    expect(bodyOf("A little bump in the road")).toContain(
      "  service   API Service\n  priority  P1\n  urgency   high\n",
    );
    expect(bodyOf("A little bump in the road")).toContain(
      "[PagerDuty](https://acme.pagerduty.example.com/incidents/PGR0VU2)",
    );
    expect(bodyOf("Backup failed: exit 2")).toContain("[Log](https://log.example.com/1)\n");
    expect(bodyOf("Backup failed: exit 2")).not.toContain("javascript");
    // What only tells how people get on with it opens nothing, and a message with a name is taken once.
    expect(await stage.send("pages", pagerDutyBody("incident.acknowledged"))).toBe("202 ignored");
    expect(await stage.send("pages", pagerDutyBody("pagey.ping"))).toBe("202 ignored");
    expect(await stage.send("pages", pagerDutyBody())).toBe("202 duplicate");
    const resolve = pagerDutyBody("incident.resolved", { id: "e-2", occurred_at: "2026-11-24T02:55:00Z" });
    expect(await stage.send("pages", resolve)).toBe("202 stored");
    const late = pagerDutyBody("incident.triggered", { id: "e-0", occurred_at: "2026-11-24T02:46:00Z" });
    expect(await stage.send("pages", late)).toBe("202 stored");
    const { number = 0 } = issues.find(({ title }) => title.endsWith("bump in the road")) ?? {};
    const row = await alertOf(stage.bot.deps.store.db, (await incidentAt(number)).id);
    expect(row).toMatchObject({ state: "resolved", fires: 1, resolves: 1, severity: "P1" });
  });

  it("AL-5 that a pipe feeds with `countersign alert` is taken like one of its source", async () => {
    const name = nextGroup();
    stage.model.play(done);
    const { file } = stage.bot.deps.config;
    const ask = alertAsk({ config: file }, "production", JSON.stringify(alertmanagerBody({ group: name })));
    const said: string[] = [];
    for await (const text of askStore({ config: file }, ask)) said.push(text);
    await stage.quiet();
    expect(said).toEqual(["stored\n"]);
    expect(await opened(name)).toHaveLength(1);
    expect(() => alertAsk({ config: file }, "prodution", "{}")).toThrow(
      /no source `prodution`.*did you mean `production`/,
    );
    expect(() => alertAsk({ config: file }, "script", "{}")).toThrow(/no json alert: `key` is missing/);
  });

  it("AL-4 several alerts in a group stand below what they share, as many as can be read", async () => {
    const name = nextGroup();
    stage.model.play(done);
    const alerts = Array.from({ length: 30 }, (_, n) =>
      member({
        labels: { alertname: name, pod: `cart-${n}` },
        startsAt: at(n),
        status: n < 28 ? "firing" : "resolved",
      }),
    );
    await stage.send("production", alertmanagerBody({ group: name, alerts }));
    const [issue] = await opened(name);
    expect(issue?.body).toContain("· 28 of 30 alerts in this group.");
    expect(issue?.body).toContain("alert 20, firing since 2026-11-24T02:19:00.000Z\n  pod");
    expect(issue?.body).toContain("(8 more alerts are not shown)");
    expect(repo).toBe("acme/web");
  });

  it("AL-2 SR-29 fired again it has its issue on a public repository locked, also where that lock was taken off", {
    tags: ["long"],
  }, async () => {
    const own = await startAlertStage({}, { private: false });
    try {
      const { send, thread } = await closed(own);
      await own.github.as("mona")("DELETE", `/repos/${repo}/issues/${thread.number}/lock`);
      await own.quiet();
      expect(await own.issues()).toMatchObject([{ state: "closed", locked: false }]);
      await send({ startsAt: at(40) });
      expect(await own.issues()).toMatchObject([{ state: "open", locked: true }]);
    } finally {
      await own.close();
    }
  });

  it("AL-3 SR-07 opens and reopens nothing in a repository that the bot does not serve any more", {
    tags: ["long"],
  }, async () => {
    const own = await startAlertStage();
    try {
      const { send } = await closed(own);
      await own.github.as("mona")("PATCH", `/repos/${repo}`, { private: false });
      await own.quiet();
      expect(await send({ startsAt: at(40) })).toBe("202 stored");
      expect(await own.send("production", alertmanagerBody({ group: nextGroup() }))).toBe("202 stored");
      expect((await own.issues()).map(({ state }) => state)).toEqual(["closed"]);
      const refused = own.log.filter(({ event }) => event === "alert_not_opened");
      expect(refused.map(({ reason }) => reason)).toEqual(Array(2).fill("it is public, without `allow_public: true`"));
    } finally {
      await own.close();
    }
  });
});
