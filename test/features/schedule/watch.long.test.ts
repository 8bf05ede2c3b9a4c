import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createThread, type Thread } from "../../../demo/thread.ts";
import type { Reservation } from "../../../src/base/run.ts";
import type { Deps } from "../../../src/features/context.ts";
import { createScheduleWatch, giveUpSchedule, runSchedule } from "../../../src/features/schedule/run.ts";
import { voidIfRestored } from "../../../src/features/verify/restored.ts";
import { checkpointText, readUnsigned } from "../../../src/store/audit/checkpoint.ts";
import {
  addScheduleRun,
  latestRuns,
  scheduleKey,
  scheduleOf,
  scheduleRunOf,
  setScheduleRun,
} from "../../../src/store/schedules.ts";
import { jobOf } from "../../harness/job.ts";
import { repo } from "../../harness/playground.ts";
import { auditOf, sessionIn, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";

const workflow = (name: string, ...steps: readonly object[]): string =>
  // JSON is YAML.
  JSON.stringify({
    name,
    description: `The ${name} one`,
    instructions: `Do not delete what the ${name} one shows.`,
    steps,
    schedule: "0 3 1 1 *",
  });
const step = (command: string, more: object = {}) => ({ server: "web-1", title: command, command, ...more });

const files = {
  good: workflow("good", step("uptime", { expect: "fi*e" }), step("df -h")),
  fails: workflow("fails", step("free -m"), step("df -i", { expect: { lacks: "fine" } }), step("uname -a")),
  mixed: workflow("mixed", step("uptime -p"), step("systemctl restart app"), step("cat /etc/shadow"), step("date -u")),
  strange: workflow("strange", step("uptime -s", { server: "db-1" }), step("hostname")),
  changed: workflow("changed", step("whoami")),
  later: workflow("later", step("df -hT")),
  // Due on a day on which nobody looks.
  pair: workflow("pair", step("uptime -V", { server: "web" })).replace("0 3 1 1 *", "0 3 2 2 *"),
} as const;
type Name = keyof typeof files;
const names = Object.keys(files) as Name[];
const pathOf = (name: Name) => `.github/countersign/workflows/${name}.yml`;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

const stage = useStarted(() =>
  startStage({
    files: Object.fromEntries(names.map((name) => [pathOf(name), files[name]])),
    beside: { "web-1": { groups: ["web"] }, "web-2": { groups: ["web"] }, "db-1": {} },
    config: {
      schedules: {
        allowed: names.map((name) => ({
          repo: "ACME/Web",
          workflow: name,
          servers: ["web"],
          sha256: name === "changed" ? hash("other") : hash(files[name]).toUpperCase(),
        })),
      },
    },
  }),
);
beforeAll(async () => {
  // From here on it counts.
  await look(new Date());
});
afterEach(() => stage.play(saying("fine\n")));

const year = new Date().getUTCFullYear();
const newYear = (years: number, time = "03:00:05") => new Date(`${year + years}-01-01T${time}Z`);

/** What any number of processes do at that time. */
async function look(at: Date, processes = 1): Promise<void> {
  const watches = Array.from({ length: processes }, () => createScheduleWatch({ ...stage.bot.deps, now: () => at }));
  await Promise.all(watches.map((watch) => watch()));
  await stage.quiet();
}

const key = (name: Name) => scheduleKey("ACME/Web", name);
const runOf = async (name: Name) => (await latestRuns(stage.bot.deps.store.db, key(name), 1))[0];
/** A run, of the good one unless said otherwise, due then and claimed, as a process leaves it that has not begun it. */
async function claimed(dueAt: Date, name: Name = "good"): Promise<string> {
  const run = { key: key(name), dueAt, cron: "0 3 1 1 *", state: "claimed", why: null } as const;
  return (await stage.bot.deps.store.transaction((tx) => addScheduleRun(tx, run)))?.id ?? "none";
}
/** The commands that were sent since, without the wrapper's words. */
const since = (before: number) =>
  stage
    .ran()
    .slice(before)
    .map((sent) => /exec bash --noprofile --norc -c "\$0"' (?:'(.*)'|(\S+))$/s.exec(sent))
    .map((match) => match?.[1] ?? match?.[2] ?? "?")
    .toSorted();
async function recordOf(name: Name): Promise<Thread & { number: number }> {
  const { issue } = await scheduleOf(stage.bot.deps.store.db, key(name));
  if (issue === null) throw new Error(`${name} has no issue`);
  return { ...createThread(stage.github, repo, issue), number: issue };
}
const shownOf = async (name: Name) => (await (await recordOf(name)).comments()).map(({ body }) => body).join("\n---\n");
const incidents = () => stage.bot.deps.store.db.selectFrom("incident").selectAll().orderBy("number").execute();
const auditRowsOf = async (db: Deps["store"]["db"]): Promise<readonly object[]> => {
  const rows = await db
    .selectFrom("audit")
    .select("body")
    .where("kind", "=", "schedule_command_executed")
    .orderBy("seq")
    .execute();
  return rows.map(({ body }) => JSON.parse(body));
};
const events = (name: string) => stage.log.filter(({ event }) => event === name);

describe("WF-2 a schedule", () => {
  it("WF-2 RR-02 S14.4 runs its low-risk steps on time, once however many processes look, and shows each (AR-08)", async () => {
    expect(stage.ran()).toEqual([]);
    stage.model.play({ text: "LIKELY: the disk." });
    await look(newYear(1), 3);
    await look(newYear(1, "03:00:30"), 2);
    expect(since(0)).toEqual(["date -u", "df -h", "df -hT", "df -i", "free -m", "uptime", "uptime -p"]);
    expect(await runOf("good")).toMatchObject({ state: "ok", why: null });
    const shown = await shownOf("good");
    expect(shown).toContain(`**${year + 1}-01-01 03:00Z · ✅ went well**`);
    expect(shown).toMatch(/1\. ✅ exit 0 · .* · `web-1` · uptime\n\n```sh\nuptime\n```/);
    expect(shown).toContain("fine");
    expect(events("cron_start")).toHaveLength(5);
    expect(
      events("cron_end")
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(["failed", "not-run", "ok", "ok", "ok"]);
    expect(await auditOf(stage, { kind: "schedule_command_dispatched" })).toHaveLength(7);
  });

  it("WF-2 SR-33 a step of medium risk never runs by a schedule, nor one that is blocked; the others do, and it is said", async () => {
    expect(stage.ran().join()).not.toMatch(/systemctl|shadow/);
    const run = await runOf("mixed");
    expect(run).toMatchObject({ state: "ok" });
    expect(run?.steps.map(({ skipped }) => skipped)).toEqual([
      undefined,
      expect.stringContaining("medium"),
      expect.stringContaining("block"),
      undefined,
    ]);
    expect(await shownOf("mixed")).toContain("2. ⏸️ left out");
  });

  it("WF-2 SR-10 on a server that the operator did not name for it nothing runs, nor anything behind it", async () => {
    expect(await runOf("strange")).toMatchObject({
      state: "not-run",
      why: "step 1: the operator does not allow it on db-1 (schedules.allowed)",
    });
    expect(stage.ran().join()).not.toContain("hostname");
  });

  it("WF-2 a step that is not as expected stops the run, and opens an incident with what it said, which the agent reads", async () => {
    expect(await runOf("fails")).toMatchObject({ state: "failed", why: "step 2: df -i" });
    expect(stage.ran().join()).not.toContain("uname");
    const [incident, ...others] = await incidents();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      state: "open",
      title: "Schedule fails failed: step 2: df -i",
      labels: ["incident"],
    });
    const { body: issue } = await stage.github.as("mona")("GET", `/repos/${repo}/issues/${incident?.number}`);
    const { body, user, labels } = issue as { body: string; user: { login: string }; labels: { name: string }[] };
    expect(user.login).toBe("countersign[bot]");
    expect(labels.map(({ name }) => name)).toEqual(["incident"]);
    expect(body).toMatch(/⚠️ exit 0, but: its output has/);
    expect(body).toContain("```text\nfine\n```");
    expect(body).not.toContain("free -m");
    const thread = createThread(stage.github, repo, incident?.number ?? 0);
    expect((await thread.comments()).map((comment) => comment.body).join("\n")).toContain("— LIKELY\n\nThe disk.");
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("did not go well");
    expect(events("cron_error").map(({ error }) => error)).toContain("step 2: df -i");
  });

  it("S13.4 S14.4 that incident has a session, the run's own: its workflow's instructions reach the model, and the log tells of it", async () => {
    const [incident] = await incidents();
    const { id } = await sessionIn(stage, incident?.number ?? 0);
    const [system] = stage.model.requests.at(-1)?.body.messages ?? [];
    expect(system?.content).toMatch(
      /<session-instructions source="pillar troubleshoot, workflow fails" [^>]*>\n.*\n\nworkflow fails:\nDo not delete what the fails one shows\.\n/,
    );
    expect(events("session_created")).toEqual([
      expect.objectContaining({ level: "info", sessionId: id, incidentId: incident?.id, source: "schedule" }),
    ]);
    const own = { jobId: key("fails"), sessionId: id };
    const of = (event: string) => events(event).filter(({ jobId }) => jobId === key("fails"));
    expect(of("cron_start")).toEqual([expect.objectContaining({ ...own, schedule: "0 3 1 1 *" })]);
    expect(of("cron_error")).toEqual([expect.objectContaining({ ...own, error: "step 2: df -i" })]);
    expect(of("cron_end")).toEqual([expect.objectContaining({ ...own, status: "failed" })]);
    expect(new Set(events("cron_start").map(({ sessionId }) => sessionId)).size).toBe(5);
  });

  it("WF-2 AR-14 /output says where to read what the schedule ran, which has no number in its incident", async () => {
    const [incident] = await incidents();
    const { issue } = await scheduleOf(stage.bot.deps.store.db, key("fails"));
    const thread = createThread(stage.github, repo, incident?.number ?? 0);
    for (const asked of ["/output", "/output 2"])
      expect((await stage.ask(thread, "rita", asked)).said.join()).toContain(
        `What the schedule \`fails\` ran has no number here: it is in the text of this issue, and all its runs in issue ${issue}.`,
      );
  });

  it("WF-2 DC-6 SR-64 /verify agrees with an incident that a schedule has opened, and finds its text edited", async () => {
    const [incident] = await incidents();
    const path = `/repos/${repo}/issues/${incident?.number}`;
    const thread = createThread(stage.github, repo, incident?.number ?? 0);
    await stage.expectSaid(thread, "rita", "/verify", "✅ **Nothing was altered**");
    const { body: issue } = await stage.github.as("mona")("GET", path);
    const { body } = issue as { body: string };
    await stage.github.as("mona")("PATCH", path, { body: body.replace("df -i", "df -h") });
    await stage.quiet();
    expect((await stage.ask(thread, "rita", "/verify")).said.join()).toMatch(
      /One thing does not agree.*\*\*edited\*\* · the text of this issue/s,
    );
    // As a browser sends it back.
    await stage.github.as("mona")("PATCH", path, { body: body.replaceAll("\n", "\r\n") });
    await stage.quiet();
    await stage.expectSaid(thread, "rita", "/verify", "✅ **Nothing was altered**");
  });

  it("WF-2 S15.8 failures in a row are counted and the next time comes all the same, with one incident for all of them while it is open", async () => {
    await look(newYear(2));
    expect(await incidents()).toHaveLength(1);
    expect(await shownOf("fails")).toContain("**2 failures in a row**");
    expect(await shownOf("fails")).toContain(`- ${year + 1}-01-01 03:00Z · ❌ failed`);
    const [incident] = await incidents();
    await stage.ask(createThread(stage.github, repo, incident?.number ?? 0), "lee", "/close");
    stage.model.play({ text: "LIKELY: again." });
    await look(newYear(3));
    expect((await incidents()).map(({ state }) => state)).toEqual(["closed", "open"]);
    expect(await scheduleOf(stage.bot.deps.store.db, key("fails"))).toMatchObject({ failures: 3 });
    stage.play(async () => 0);
    await look(newYear(4));
    expect(await scheduleOf(stage.bot.deps.store.db, key("fails"))).toMatchObject({ failures: 0 });
  });

  it("WF-2 a changed file is suspended, which is said once, and one that was allowed by another hash never ran", async () => {
    expect(stage.ran().join()).not.toContain("whoami");
    expect(events("cron_suspended").filter(({ jobId }) => jobId === key("changed"))).toHaveLength(1);
    const mona = stage.github.as("mona");
    const { body: file } = await mona("GET", `/repos/${repo}/contents/${pathOf("later")}`);
    const put = await mona("PUT", `/repos/${repo}/contents/${pathOf("later")}`, {
      message: "More",
      content: Buffer.from(files.later.replace("df -hT", "df -hT /var")).toString("base64"),
      sha: (file as { sha: string }).sha,
    });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    await stage.quiet();
    const before = stage.ran().length;
    for (const years of [5, 6, 7]) await look(newYear(years));
    expect(since(before).filter((command) => command.startsWith("df -hT"))).toEqual([]);
    expect(await shownOf("later")).toMatch(/⏸️ \*\*Suspended:\*\* its file was changed; .*sha256/);
    expect(events("cron_suspended").filter(({ jobId }) => jobId === key("later"))).toHaveLength(1);
  });

  it("WF-2 what was due while the bot was not there is told and never made up for", async () => {
    const before = stage.ran().length;
    await look(newYear(9, "03:01:30"));
    expect(since(before)).toEqual([]);
    expect(await runOf("good")).toMatchObject({
      state: "missed",
      why: "2 runs were missed while the bot was down, and will not be made up",
    });
    expect(await shownOf("good")).toContain(`${year + 9}-01-01 03:00Z · ⏭️ missed`);
  });

  it("WF-2 RR-05 one that stood still before it began finds it taken by another, and sends nothing", async () => {
    const before = stage.ran().length;
    const { store, ...world } = stage.bot.deps;
    const id = await claimed(newYear(9, "04:30:00"));
    const carryOut = () =>
      runSchedule({ ...world, store, now: () => newYear(9, "04:30:02") }, jobOf("schedule", { runId: id }));
    const ends = (await Promise.allSettled([carryOut(), carryOut()])).map(({ status }) => status);
    expect(ends.toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(since(before)).toEqual(["df -h", "uptime"]);
    expect(await runOf("good")).toMatchObject({ id, state: "ok" });
  });

  it("SR-24 SR-51 of two servers the one that was not sent in time is looked at again, and what speaks against it then holds", async () => {
    const before = stage.ran().length;
    const { deps: world } = stage.bot;
    const id = await claimed(newYear(9, "06:30:00"), "pair");
    const reserve: typeof world.reserve = async (order, signal) => {
      const reservation = await world.reserve(order, signal);
      if (order.server.name === "web-1") return reservation;
      let tries = 0;
      return {
        ...reservation,
        prove: async () => (tries === 0 ? undefined : "web-2 shows another host key"),
        send: (...given) => (tries++ === 0 ? "stale" : reservation.send(...given)),
      };
    };
    await runSchedule({ ...world, reserve, now: () => newYear(9, "06:30:02") }, jobOf("schedule", { runId: id }));
    expect(since(before)).toEqual(["uptime -V"]);
    const run = await runOf("pair");
    expect(run).toMatchObject({ id, state: "failed" });
    expect(run?.steps.map(({ server, ending }) => [server, ending])).toEqual([
      ["web-1", { kind: "exited", code: 0 }],
      ["web-2", { kind: "unreachable", reason: "Not started: web-2 shows another host key." }],
    ]);
  });

  it.each([
    ["leaves its group", { groups: [] }, "06:40"],
    ["is reached as somebody else", { user: "root" }, "06:45"],
  ])("WF-2 SR-24 nothing is sent on what a step was before a server %s", async (_, change, time) => {
    const before = stage.ran().length;
    const { deps: world } = stage.bot;
    const id = await claimed(newYear(9, `${time}:00`), "pair");
    let { config } = world;
    let skewMs = 0;
    const now = Date.now;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + skewMs);
    const reserve: typeof world.reserve = async (order, signal) => {
      const servers = [...world.config.servers].map(
        ([name, one]) => [name, name === "web-2" ? { ...one, ...change } : one] as const,
      );
      config = { ...world.config, servers: new Map(servers) };
      // By now the first look is old.
      skewMs = world.freshMs + 1_000;
      return world.reserve(order, signal);
    };
    const deps = { ...world, reserve, now: () => newYear(9, `${time}:02`) };
    Object.defineProperty(deps, "config", { get: () => config });
    await runSchedule(deps, jobOf("schedule", { runId: id }));
    clock.mockRestore();
    expect(since(before)).toEqual([]);
    expect(await runOf("pair")).toMatchObject({ id, state: "not-run", why: expect.stringContaining("changed while") });
  });

  it("WF-2 SR-24 CFG-1 what the operator withdraws holds before it is read: the step waits for that", async () => {
    const before = stage.ran().length;
    const { deps: world } = stage.bot;
    const id = await claimed(newYear(9, "06:50:00"));
    const { config } = world;
    let isCurrent = false;
    const isConfigCurrent = (): boolean => {
      const was = isCurrent;
      isCurrent = true;
      return was;
    };
    const deps = { ...world, isConfigCurrent, now: () => newYear(9, "06:50:02") };
    Object.defineProperty(deps, "config", {
      get: () => (isCurrent ? { ...config, schedules: { ...config.schedules, allowed: [] } } : config),
    });
    await runSchedule(deps, jobOf("schedule", { runId: id }));
    expect(since(before)).toEqual([]);
    expect(await runOf("good")).toMatchObject({
      id,
      state: "not-run",
      why: expect.stringContaining("does not allow it"),
    });
  });

  it("WF-2 RR-05 one whose job was given to another sends nothing", async () => {
    const before = stage.ran().length;
    const { store, ...world } = stage.bot.deps;
    const id = await claimed(newYear(9, "05:30:00"));
    let held = 1;
    const fence = async (): Promise<void> => {
      if (held-- === 0) throw new Error("it was given to another process");
    };
    const carriedOut = runSchedule(
      { ...world, store, now: () => newYear(9, "05:30:02") },
      jobOf("schedule", { runId: id }, { fence }),
    );
    await expect(carriedOut).rejects.toThrow("another process");
    expect(since(before)).toEqual([]);
    await store.transaction((tx) => setScheduleRun(tx, id, { state: "missed", endedAt: new Date() }));
  });

  it("SR-68 WF-2 a hold on all incidents stops it, and a closed issue of its own", async () => {
    const before = stage.ran().length;
    const [, incident] = await incidents();
    const thread = createThread(stage.github, repo, incident?.number ?? 0);
    await stage.ask(thread, "sam", "/hold all");
    await look(newYear(10));
    expect(since(before)).toEqual([]);
    expect(await runOf("good")).toMatchObject({ state: "not-run", why: expect.stringContaining("is held by @sam") });
    await stage.ask(thread, "lee", "/resume all");
    const { number } = await recordOf("good");
    await stage.github.as("sam")("PATCH", `/repos/${repo}/issues/${number}`, { state: "closed" });
    await look(newYear(11));
    expect(since(before)).not.toContain("df -h");
    expect(await runOf("good")).toMatchObject({ state: "not-run", why: expect.stringContaining("is closed") });
    expect(since(before).join()).toContain("free -m");
  });

  it("WF-2 RR-06 what a crash has cut off is told as failed, and nothing of it is sent again", async () => {
    const before = stage.ran().length;
    const { store } = stage.bot.deps;
    await store.transaction(async (tx) => {
      const dueAt = newYear(11, "04:00:00");
      const run = await addScheduleRun(tx, {
        key: key("good"),
        dueAt,
        cron: "0 4 1 1 *",
        state: "running",
        why: null,
      });
      const id = run?.id ?? "none";
      const steps = [{ step: 1, title: "uptime", place: "web-1", server: "web-1", command: "uptime" }];
      await setScheduleRun(tx, id, { steps });
      await store.queue.enqueue(tx, "schedule", key("good"), { runId: id });
    });
    await stage.quiet();
    expect(since(before)).toEqual([]);
    expect(await runOf("good")).toMatchObject({
      state: "failed",
      why: "the bot stopped in the midst of it",
      steps: [{ ending: { kind: "unknown" } }],
    });
    expect(await shownOf("good")).toContain("1. ❓ UNKNOWN");
    const told = await auditRowsOf(store.db);
    expect(told.at(-1)).toMatchObject({ step: 1, server: "web-1", ending: { kind: "unknown" } });
  });

  it("WF-2 RR-05 F-35 one that stood still says nothing of a run that another has: neither that it was missed nor that it was given up", async () => {
    const { store, ...world } = stage.bot.deps;
    const id = await claimed(newYear(9, "06:30:00"));
    const fence = async (): Promise<void> => {
      throw new Error("it was given to another process");
    };
    const lost = jobOf("schedule", { runId: id }, { fence });
    const late = { ...world, store, now: () => newYear(9, "07:30:00") };
    await expect(runSchedule(late, lost)).rejects.toThrow("another process");
    await expect(giveUpSchedule(late, lost, "it failed")).rejects.toThrow("another process");
    expect(await scheduleRunOf(store.db, id)).toMatchObject({ state: "claimed", endedAt: null });
    await store.transaction((tx) => setScheduleRun(tx, id, { state: "missed", endedAt: new Date() }));
  });

  it("WF-2 RR-24 F-37 in an older copy of the store that was put back, what was due runs no second time", async () => {
    const before = stage.ran().length;
    const { config, store, ...world } = stage.bot.deps;
    const id = await claimed(newYear(11, "05:00:00"));
    const checkpointFile = join(mkdtempSync(join(tmpdir(), "countersign-schedule-")), "checkpoint");
    writeFileSync(checkpointFile, checkpointText({ size: 1_000_000, head: hash("later") }));
    const now = () => newYear(12, "03:00:02");
    await voidIfRestored({ ...world, store, config: { ...config, audit: { checkpointFile } }, now });
    await store.transaction((tx) => store.queue.enqueue(tx, "schedule", key("good"), { runId: id }));
    await look(newYear(12));
    expect(since(before)).toEqual([]);
    expect(await runOf("good")).toMatchObject({ id, state: "missed", why: expect.stringContaining("an older copy") });
    rmSync(dirname(checkpointFile), { recursive: true });
  });

  it("WF-2 RR-24 SR-63 the checkpoint file knows of a scheduled command before it is sent; where it cannot be written, none is", async () => {
    const before = stage.ran().length;
    const { config, store, ...world } = stage.bot.deps;
    const checkpointFile = join(mkdtempSync(join(tmpdir(), "countersign-schedule-")), "checkpoint");
    await stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${(await recordOf("good")).number}`, {
      state: "open",
    });
    const seen: number[] = [];
    const carryOut = async (dueAt: Date) => {
      const runId = await claimed(dueAt);
      const sealing: Deps = {
        ...world,
        store,
        config: { ...config, audit: { ...config.audit, checkpointFile } },
        now: () => dueAt,
        reserve: async (order, signal) => {
          const reservation = await world.reserve(order, signal);
          const send: Reservation["send"] = (asOf, watch) => {
            seen.push(readUnsigned(readFileSync(checkpointFile, "utf8"))?.size ?? 0);
            return reservation.send(asOf, watch);
          };
          return { ...reservation, send };
        },
      };
      await runSchedule(sealing, jobOf("schedule", { runId }));
      await stage.quiet();
      return runOf("good");
    };
    expect(await carryOut(newYear(15))).toMatchObject({ state: "ok", why: null });
    const intents = await store.db
      .selectFrom("audit")
      .select("seq")
      .where("kind", "=", "schedule_command_dispatched")
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(seen).toHaveLength(2);
    for (const [n, { seq }] of intents.toReversed().entries()) expect(seen[n]).toBeGreaterThanOrEqual(seq);

    rmSync(dirname(checkpointFile), { recursive: true });
    const reason = "Not started: the audit's checkpoint file cannot be written.";
    expect(await carryOut(newYear(16))).toMatchObject({
      state: "failed",
      steps: [{ step: 1, ending: { kind: "unreachable", reason } }],
    });
    expect(since(before)).toEqual(["df -h", "uptime"]);
    expect(await shownOf("good")).toContain("1. 🔌 not started");
  });

  it("WF-2 a clock that was ahead is told of, and what is due from now on runs, nothing of it twice", async () => {
    const before = stage.ran().length;
    let at = new Date();
    const watch = createScheduleWatch({ ...stage.bot.deps, now: () => at });
    const ranAt = async (years: number, time?: string): Promise<number> => {
      at = newYear(years, time);
      await watch();
      await stage.quiet();
      return since(before).filter((command) => command === "df -h").length;
    };
    const told = () =>
      events("cron_error").flatMap(({ jobId, error }) =>
        /clock/.test(`${error}`) && jobId === key("good") ? error : [],
      );
    expect(await ranAt(22)).toBe(1);
    expect(await ranAt(20, "03:10:00")).toBe(1);
    expect(await ranAt(20, "03:10:05")).toBe(1);
    expect(told()).toEqual([expect.stringContaining(`the clock was ahead, at ${year + 22}-01-01T03:00:00.000Z`)]);
    expect(await ranAt(21)).toBe(2);
    // By the wrong clock it ran then.
    expect(await ranAt(22)).toBe(2);
    expect(await ranAt(23)).toBe(3);
    expect(told()).toHaveLength(1);
  });

  it("WF-2 what the store did not answer for when it was due runs within its minute, also where the clock was ahead then", async () => {
    const before = stage.ran().length;
    const { store, ...world } = stage.bot.deps;
    let [at, isAway] = [newYear(26), true];
    const away: Deps["store"] = {
      ...store,
      get db() {
        if (isAway) throw new Error("the store is away");
        return store.db;
      },
    };
    const watch = createScheduleWatch({ ...world, store: away, now: () => at });
    await watch();
    at = newYear(24, "03:00:02");
    await watch();
    [at, isAway] = [newYear(24, "03:00:45"), false];
    await watch();
    await stage.quiet();
    expect(since(before)).toContain("df -h");
  });

  it("WF-2 SR-11 SR-24 in a repository that has become public nothing runs, nor while GitHub does not answer", async () => {
    const before = stage.ran().length;
    stage.github.fault({ path: "/graphql" } as never, { status: 502 });
    await look(newYear(25));
    stage.github.clearFaults();
    await stage.github.as("mona")("PATCH", `/repos/${repo}`, { private: false, visibility: "public" });
    await look(newYear(26));
    expect(since(before)).toEqual([]);
    expect(stage.github.invalid()).toEqual([]);
  });
});
