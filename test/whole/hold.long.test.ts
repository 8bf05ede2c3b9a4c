import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { halt, liftHalt } from "../../src/cli/halt.ts";
import type { Deps } from "../../src/features/context.ts";
import { haltFileOf } from "../../src/features/incident/halt.ts";
import { endHeld } from "../../src/features/incident/hold.ts";
import { execute } from "../../src/features/run/execute.ts";
import type { Tx } from "../../src/store/database/open.ts";
import { placeHold, wholeRepository } from "../../src/store/holds.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { jobOf } from "../harness/job.ts";
import { missing } from "../harness/missing.ts";
import { repo } from "../harness/playground.ts";
import { startSshd } from "../harness/sshd.ts";
import { auditOf, type Stage, startStage, statesOf } from "../harness/stage.ts";

const sshd = await startSshd();
if ("missing" in sshd) missing("sshd", `ending a command by a hold was not tried on a real server: ${sshd.missing}`);

let stage: Stage;
let config: string;
beforeAll(async () => {
  const real = "missing" in sshd ? {} : { "real-1": sshd.entry };
  stage = await startStage({ servers: real });
  config = join(dirname(haltFileOf(stage.bot.deps.config.store.url) ?? ""), "..", "countersign.yml");
});
afterAll(async () => {
  await stage.close();
  if (!("missing" in sshd)) await sshd.close();
});
afterEach(() => lift());

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };
/** As `/resume` leaves it: what waited for a test's hold does not run in the next one. */
const lift = () => stage.bot.deps.store.db.updateTable("hold").set({ liftedAt: sql<Date>`now()` }).execute();

/** The commands the server was sent, our own stop scripts left out. */
const commands = (): readonly string[] => stage.ran().filter((command) => !command.includes("@countersign"));

/** How many commands a piece of work has sent. */
async function sent(work: () => Promise<unknown>): Promise<number> {
  const before = commands().length;
  await work();
  return commands().length - before;
}

const incidentOf = (thread: { readonly number: number }) =>
  stage.bot.deps.store.db
    .selectFrom("incident")
    .selectAll()
    .where("number", "=", thread.number)
    .executeTakeFirstOrThrow();

/** Puts a hold on as `/hold` does, without a comment. */
async function hold(thread: { readonly number: number }, how: { whole?: boolean; kill?: boolean } = {}): Promise<void> {
  const { deps: world } = stage.bot;
  const { repoId } = await incidentOf(thread);
  const place = { repoId, issue: how.whole ? wholeRepository : thread.number };
  const given = { person: stage.github.person("sam"), commentId: 1, kill: how.kill ?? false };
  await world.store.transaction((tx) => placeHold(tx, place, given));
  await endHeld(world);
}

/** The world with something that happens each time it is asked for anything that takes time. */
function withDoors(world: Deps, atDoor: (name: string) => Promise<void>): Deps {
  const { store } = world;
  return {
    ...world,
    store: {
      ...store,
      db: store.db,
      transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
        await atDoor("transaction");
        return store.transaction(work);
      },
    },
    facts: async (question) => {
      await atDoor("facts");
      return world.facts(question);
    },
    context: {
      ...world.context,
      fetch: async (...place) => {
        await atDoor("context");
        return world.context.fetch(...place);
      },
    },
    reserve: async (order, signal) => {
      await atDoor("reserve");
      const reservation = await world.reserve(order, signal);
      const send: typeof reservation.send = (...given) => {
        void atDoor("send");
        return reservation.send(...given);
      };
      return { ...reservation, send };
    },
  };
}

/** Serves a batch that was left behind, here and now. */
function serve(world: Deps, batchId: string): Promise<void> {
  return execute(world, jobOf("execute", { batchId }));
}

/** An incident whose first action is approved and about to be sent. */
async function approved(...proposed: readonly string[]) {
  const thread = await stage.incident(...(proposed.length === 0 ? ["uptime"] : proposed));
  return { thread, ...(await leaveBehind(stage, thread, { numbers: [1] })) };
}

describe("SR-24 SR-68 between approval and dispatch", () => {
  it("a hold that comes at any point lets nothing be sent", async () => {
    const doors: string[] = [];
    const measured = await approved();
    stage.model.play(done);
    const counting = withDoors(stage.bot.deps, async (name) => void doors.push(name));
    expect(await sent(() => serve(counting, measured.batchId))).toBe(1);
    await stage.quiet();
    expect(doors.slice(0, doors.indexOf("send"))).toEqual(["context", "reserve", "facts", "transaction"]);
    const upToSending = doors.indexOf("send");
    for (let at = 0; at < upToSending; at++) {
      const { thread, batchId } = await approved();
      let passed = 0;
      const world = withDoors(stage.bot.deps, async () => {
        if (passed++ === at) await hold(thread, { whole: at % 2 === 1 });
      });
      expect(await sent(() => serve(world, batchId)), doors[at]).toBe(0);
      expect(await statesOf(stage, thread.number), doors[at]).toEqual({ 1: "approved" });
      await thread.waitFor((body) => /Waiting: .* is held by `@sam`/.test(body), "what became of it");
      await lift();
    }
  });

  it("a halt that comes while the server is being reached takes the command back", async () => {
    const { thread, batchId } = await approved();
    const world = withDoors(stage.bot.deps, async (name) => {
      if (name !== "reserve") return;
      await halt({ config });
      await until(() => stage.bot.deps.running.incidents().length === 1);
      // The watch has looked twice when this is over.
      await new Promise((resolve) => setTimeout(resolve, 600));
    });
    expect(await sent(() => serve(world, batchId))).toBe(0);
    await liftHalt({ config });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    await thread.waitFor((body) => /Waiting: the bot is halted by/.test(body), "what became of it");
  });

  it("held and lifted again unseen, what was approved before is not sent", async () => {
    for (const door of ["facts", "transaction"]) {
      const { thread, batchId } = await approved();
      const world = withDoors(stage.bot.deps, async (name) => {
        if (name !== door) return;
        await hold(thread);
        await stage.bot.deps.store.db.updateTable("hold").set({ liftedAt: new Date() }).execute();
      });
      expect(await sent(() => serve(world, batchId)), door).toBe(0);
      await lift();
    }
  });

  it("held, 50 approvals at once and a restart in between run nothing", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/hold");
    const many = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => thread.say(at % 2 === 0 ? "lee" : "mona", "/approve 1")));
    expect(
      await sent(async () => {
        await many(25);
        await stage.restart();
        await many(25);
        await stage.quiet();
      }),
    ).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("many holds at once are one, each with its audit row, and 50 tries to send meanwhile send nothing", async () => {
    const { thread, batchId } = await approved();
    await Promise.all(Array.from({ length: 10 }, () => thread.say("sam", "/hold")));
    await stage.quiet();
    const { db } = stage.bot.deps.store;
    const standing = await db.selectFrom("hold").select("issue").where("liftedAt", "is", null).execute();
    expect(standing).toEqual([{ issue: thread.number }]);
    const rows = await auditOf(stage, { kind: "incident_held", issue: thread.number });
    expect(new Set(rows.map(({ body }) => body.comment.id)).size).toBe(10);
    const tries = Array.from({ length: 50 }, () => serve(stage.bot.deps, batchId));
    expect(await sent(() => Promise.all(tries))).toBe(0);
  });

  it("where holds cannot be read nothing is approved and nothing is sent", async () => {
    const { thread, batchId } = await approved("uptime", "df -h");
    const { db } = stage.bot.deps.store;
    await sql`alter table hold rename to hold_lost`.execute(db);
    expect(
      await sent(async () => {
        await expect(serve(stage.bot.deps, batchId)).rejects.toThrow("hold");
        await stage.ask(thread, "lee", "/approve 2");
      }),
    ).toBe(0);
    expect(stage.log.some(({ event, queue }) => event === "job_failed" && queue === "delivery")).toBe(true);
    await sql`alter table hold_lost rename to hold`.execute(db);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved", 2: "proposed" });
    // The approval is tried again now, and would run.
    await stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, { state: "closed" });
    await stage.quiet();
  });
});

async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A server whose command runs until it is stopped or let end; `stops` are the stop scripts that came. */
function longCommand() {
  const over = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const stops: number[] = [];
  stage.play(async (command, { channel }) => {
    if (command.includes("@countersign")) {
      stops.push(performance.now());
      over.resolve();
      channel.write("@countersign done\n");
      return 0;
    }
    channel.write("go\n");
    started.resolve();
    await over.promise;
    return stops.length > 0 ? { signal: "TERM" } : 0;
  });
  return { stops, started: started.promise, letEnd: over.resolve };
}

const running = async (thread: Thread & { number: number }, numbers: string) => {
  const long = longCommand();
  await thread.say("lee", `/approve ${numbers}`);
  await long.started;
  return long;
};

describe("SR-68 while a command runs", () => {
  it("/hold --kill ends it, waits for no delivery before it, and the rest of the batch is not sent", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const long = await running(thread, "1 2");
    const before = commands().length;
    // A delivery of the same issue that fails is tried again later, and keeps its line until then.
    stage.github.fault({ path: /graphql/ }, { status: 500 });
    await thread.say("lee", "/status");
    await until(() => stage.log.some(({ event }) => event === "facts_failed" || event === "ground_failed"));
    const said = performance.now();
    await thread.say("sam", "/hold --kill");
    await until(() => long.stops.length > 0);
    console.log(`from /hold --kill to the stop on the server: ${Math.round((long.stops[0] ?? 0) - said)} ms`);
    await thread.waitFor((body) => /\*\*1\*\* 🛑 .* · cancelled by `@sam`/.test(body), "the end");
    await thread.waitFor((body) => body.includes("Stopping: **1**."), "the answer");
    stage.github.clearFaults();
    await stage.quiet();
    expect(commands()).toHaveLength(before);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
  });

  it("/hold lets it end by itself, and nothing follows it until it is resumed", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const long = await running(thread, "1 2");
    const before = commands().length;
    const asked = stage.model.requests.length;
    await thread.say("sam", "/hold");
    await thread.waitFor(
      (body) => /Still running: \*\*1\*\*; `\/hold --kill` ends that too\./.test(body),
      "the answer",
    );
    expect(long.stops).toEqual([]);
    long.letEnd();
    await thread.waitFor((body) => body.includes("**1** ✅"), "its own end");
    await stage.quiet();
    expect(commands()).toHaveLength(before);
    expect(stage.model.requests).toHaveLength(asked);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "approved" });
    stage.model.play(done);
    await stage.ask(thread, "lee", "/resume");
    expect(commands()).toHaveLength(before);
    expect(stage.model.requests).toHaveLength(asked + 1);
  });

  it("halt leaves it, halt --kill ends it, and both are told in the audit", async () => {
    const thread = await stage.incident("uptime");
    const long = await running(thread, "1");
    expect(await halt({ config })).toContain("what runs goes on (--kill ends it too)");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(long.stops).toEqual([]);
    stage.model.play(done);
    const said = performance.now();
    expect(await halt({ config, kill: true })).toContain("what runs is being ended");
    await until(() => long.stops.length > 0);
    console.log(`from halt --kill to the stop on the server: ${Math.round((long.stops[0] ?? 0) - said)} ms`);
    await thread.waitFor((body) => /\*\*1\*\* 🛑 .* · cancelled by the operator \(.+\)/.test(body), "the end");
    await stage.quiet();
    const told = async () => (await auditOf(stage, { kind: "halted" })).at(-1)?.body;
    // What runs is ended at the next look at the switch; the audit hears of it at its own, up to a moment later.
    await expect.poll(told).toMatchObject({ scope: "*", kill: true });
    await liftHalt({ config });
  });

  it.runIf(!("missing" in sshd))("on a real server nothing of it is left", async () => {
    const thread = await stage.incident({ command: "sleep 4799.5", server: "real-1" });
    const alive = (): boolean => execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).includes("sleep 4799.5");
    await thread.say("lee", "/approve 1");
    await until(alive);
    await thread.say("sam", "/hold all --kill");
    const { body } = await thread.waitFor((text) => /\*\*1\*\* 🛑 .* · cancelled by `@sam`/.test(text), "the end");
    expect(body).toContain("no process left");
    expect(alive()).toBe(false);
    // The kill does not wait for the comment to be served, so it may have ended by then.
    const answered = [`Stopping: **1** on \`#${thread.number}\`.`, "Nothing is running"];
    await thread.waitFor((text) => answered.some((words) => text.includes(words)), "the answer");
    await stage.quiet();
  });
});
