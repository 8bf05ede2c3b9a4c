import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { createRunRegistry } from "../../../src/features/run/run-registry.ts";
import { startHosts } from "../../harness/hosts.ts";
import { repo } from "../../harness/playground.ts";
import { newsOf, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";
import { haveTried } from "../../store/jobs.ts";
import { leaveBehind } from "./left-behind.ts";

type Incident = Thread & { readonly number: number };

const done = { text: "LIKELY, see 1, 2 and 3: done." };
const names = ["web-1", "web-2", "web-3", "web-4"];
let waits: Readonly<Record<string, number | Promise<void>>> = {};
let codes: Readonly<Record<string, number>> = {};
const hosts = useStarted(() =>
  startHosts(names, (name) => async (_command, { channel }) => {
    const wait = waits[name] ?? 0;
    await (typeof wait === "number" ? sleep(wait) : wait);
    channel.write("fine\n");
    return codes[name] ?? 0;
  }),
);
const stage = useStage(() => ({ freshMs: 1_000, servers: hosts.servers, config: { execution: { at_once: 2 } } }));

const db = () => stage.bot.deps.store.db;
const sentTo = () => names.map((name) => hosts.sent()[name] ?? 0);
const raw = (statement: string) => sql.raw(statement).execute(db());

describe("an action on several servers", () => {
  it("RR-06 SR-63 where the store fails as one of them is begun, what is told as not started was never sent, and nothing runs twice", async () => {
    const thread = await stage.incident({ server: "web", command: "uptime" });
    const mayEnd = Promise.withResolvers<void>();
    waits = { "web-2": mayEnd.promise };
    // A sequence keeps what it counted when the transaction around it is undone.
    await raw("create sequence failed_begin");
    await raw(`create function fail_begin() returns trigger language plpgsql as $$
      begin perform nextval('failed_begin'); raise exception 'no'; end $$`);
    await raw(`create trigger fail_begin before update of started_at on run for each row
      when (new.server = 'web-3' and new.started_at is not null) execute function fail_begin()`);
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    const hasFailed = async () =>
      (await sql<{ isCalled: boolean }>`select is_called as "isCalled" from failed_begin`.execute(db())).rows;
    await expect.poll(hasFailed).toEqual([{ isCalled: true }]);
    await expect.poll(() => hosts.sent()["web-2"]).toBe(1);
    await raw("drop trigger fail_begin on run");
    mayEnd.resolve();
    await thread.waitFor((body) => body.includes("🔌 not started on"), "the result");
    await stage.quiet();
    const runs = await db().selectFrom("run").select(["server", "ending"]).execute();
    expect(runs).toHaveLength(names.length);
    for (const { server, ending } of runs) {
      const sent = hosts.sent()[server];
      if (ending?.kind === "unreachable") expect([server, sent]).toEqual([server, 0]);
      else expect([server, sent]).toEqual([server, 1]);
    }
    expect(runs.find(({ server }) => server === "web-2")?.ending).toMatchObject({ kind: "exited", code: 0 });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
    waits = {};
  });

  it.each([
    [
      "the issue is closed",
      "the issue is closed",
      ({ number }: Incident) =>
        stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${number}`, { state: "closed" }),
      0,
    ],
    [
      "its approver loses the right",
      "a person who approved it may no longer approve",
      async () => stage.github.setRole("lee", "read", repo),
      31_000,
    ],
  ] as const)("SR-24 I2 F-15 goes on to no further server once %s", async (_, why, happens, aheadMs) => {
    const thread = await stage.incident({ server: "web", command: "uptime" });
    const before = sentTo();
    waits = { "web-1": 1_500, "web-2": 1_500 };
    // Nothing more of a closed issue is read.
    if (aheadMs > 0) stage.model.play(done);
    await thread.say("lee", "/approve 1");
    await until(() => expect(sentTo().slice(0, 2)).toEqual(before.slice(0, 2).map((count) => count + 1)));
    await happens(thread);
    const { now } = Date;
    const shown = vi.spyOn(Date, "now").mockImplementation(() => now() + aheadMs);
    // Written by the clock that is shown: back on the real one it would wait half a minute for its turn.
    await thread.waitFor((body) => body.includes(`Not started: ${why}`), "the result");
    shown.mockRestore();
    await stage.quiet();
    expect(sentTo()).toEqual(before.map((count, index) => (index < 2 ? count + 1 : count)));
    stage.github.setRole("lee", "write", repo);
    waits = {};
  });

  it.each([
    ["goes on when GitHub answers again", 0, ["web-3", "web-4"], []],
    ["begins none once another has failed meanwhile", 1, [], ["it failed on web-2 before"]],
  ] as const)(
    "RR-11 DC-4 while GitHub does not say whether the approval holds it waits, and %s",
    async (_, code, then, why) => {
      const thread = await stage.incident({ server: "web", command: "uptime", expect: { exit: 0 } });
      const before = sentTo();
      waits = { "web-1": 500, "web-2": 3_000 };
      codes = { "web-2": code };
      const turns = stage.model.requests.length;
      stage.model.play(done);
      await thread.say("lee", "/approve 1");
      await until(() => expect(sentTo().slice(0, 2)).toEqual(before.slice(0, 2).map((count) => count + 1)));
      const { now } = Date;
      const shown = vi.spyOn(Date, "now").mockImplementation(() => now() + 31_000);
      stage.github.fault({ path: /graphql/, times: code === 0 ? 1 : 1_000 }, { status: 502 });
      await thread.waitFor(
        (body) => body.includes(code === 0 ? "| ✅ exit 0" : "| ❌ exit 1"),
        "the first wave",
        60_000,
      );
      await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" }));
      for (const reason of why)
        await thread.waitFor((body) => body.includes(`Not started: ${reason}`), "why the rest was not begun");
      stage.github.clearFaults();
      shown.mockRestore();
      // What was enqueued while the clock was ahead is due once the bot has noticed that it is right again.
      await until(() => expect(stage.model.requests).toHaveLength(turns + 1));
      await stage.quiet();
      expect(names.filter((_name, index) => sentTo()[index] !== before[index])).toEqual(["web-1", "web-2", ...then]);
      waits = {};
      codes = {};
    },
  );

  it("SR-68 is kept from the servers it has not reached yet by a hold, and goes on where it was sent", () => {
    const running = createRunRegistry();
    const where = { repoId: 1, number: 1, repo: "acme/web" };
    const watched = running.add("action", where);
    const [sent, connecting] = [watched.signalOn("web-1"), watched.signalOn("web-2")];
    watched.sent("web-1");
    running.stop(where, { by: { by: "sam" }, which: "unsent" });
    expect([sent.aborted, connecting.aborted]).toEqual([false, true]);
    running.stop(where, { by: { by: "sam" }, which: "all" });
    expect(sent.aborted).toBe(true);
  });
});

describe("a batch that the bot cannot carry out", () => {
  it("RR-17 is given up aloud: what ran is UNKNOWN, the rest open again, and its servers are free for others", async () => {
    const thread = await stage.incident({ server: "web-1", command: "systemctl restart nginx" }, "df -h");
    const other = await stage.incident({ server: "web-1", command: "systemctl restart nginx" });
    const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: "open" } });
    const { store } = stage.bot.deps;
    await store.transaction(async (tx) => {
      const { incidentId } = await tx
        .selectFrom("batch")
        .select("incidentId")
        .where("id", "=", left.batchId)
        .executeTakeFirstOrThrow();
      await store.queue.enqueue(tx, "execute", incidentId, { batchId: left.batchId });
      // The process has died in it a hundred times.
      await haveTried(tx, { queue: "execute", claims: 100, deaths: 99 });
    });
    await thread.waitFor((body) => body.includes("have given up"), "the end");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    expect((await thread.comments()).find(({ body }) => body.includes("have given up"))?.body).toContain("UNKNOWN");
    await stage.ask(other, "lee", "/approve 1", done);
    expect(await statesOf(stage, other.number)).toEqual({ 1: "done" });
  });

  it("RR-17 and what ended while it was under way is read by the agent, which waited for it", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const left = await leaveBehind(stage, thread, { numbers: [2], begun: { 2: "open" } });
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/approve 1");
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" });
    expect(stage.model.requests.length).toBe(asked);
    stage.model.play(done);
    const { store } = stage.bot.deps;
    await store.transaction(async (tx) => {
      const { incidentId } = await tx
        .selectFrom("batch")
        .select("incidentId")
        .where("id", "=", left.batchId)
        .executeTakeFirstOrThrow();
      await store.queue.enqueue(tx, "execute", incidentId, { batchId: left.batchId });
      await haveTried(tx, { queue: "execute", claims: 100, deaths: 99 });
    });
    await thread.waitFor((body) => body.includes("have given up"), "the end");
    await stage.quiet();
    expect(stage.model.requests.length).toBe(asked + 1);
    expect(newsOf(stage)).toContain("Run of 1 on ");
  });
});
