import { describe, expect, it } from "vitest";
import { type Deps, rulesAlone } from "../../../src/features/context.ts";
import { claim, execute, giveUpBatch } from "../../../src/features/run/execute.ts";
import { actionOf } from "../../../src/store/actions.ts";
import { batchOf, runsOfBatch } from "../../../src/store/runs.ts";
import { jobOf } from "../../harness/job.ts";
import { auditOf, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { forgetJobs, jobsIn } from "../../store/jobs.ts";
import { leaveBehind } from "./left-behind.ts";

const stage = useStage();

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };
const failed = { kind: "exited", code: 1 } as const;
const fine = { kind: "exited", code: 0 } as const;

/** Which of these commands the server was sent while the work went on. */
async function sent(names: readonly string[], work: () => Promise<unknown>): Promise<readonly (string | undefined)[]> {
  const before = stage.ran().length;
  await work();
  return stage
    .ran()
    .slice(before)
    .map((command) => names.find((name) => command.includes(name)));
}

/** Commands that fail by name. */
const failing = (...bad: readonly string[]) =>
  stage.play(async (command, { channel }) => {
    channel.write("said something\n");
    return bad.some((name) => command.includes(name)) ? 1 : 0;
  });

describe("a batch", () => {
  it("AR-15 DC-4 what only reads has answered however it exits: the rest goes on, and its card says what it means", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("grep oom /var/log/syslog", "ls /nope", "df -h");
    stage.play(async (command, { channel }) => {
      if (command.includes("grep")) return 1;
      channel.write("said something\n");
      return command.includes("ls") ? 2 : 0;
    });
    const names = await sent(["grep", "ls", "df"], () => stage.ask(thread, "lee", "/approve 1 2 3", done));
    expect(names).toEqual(["grep", "ls", "df"]);
    const { body } = await thread.waitFor((text) => /^\*\*3\*\* ✅/mu.test(text), "the result");
    expect(body).toMatch(/^On `web-1`, by `@lee`:\n\n\*\*1\*\* ℹ️ .*exit 1, no match\n\n(?!\(no output\))/u);
    expect(body).toMatch(/\*\*2\*\* ❌ .*exit 2$/mu);
    const news = stage.model.requests.at(-1)?.body.messages.at(-1)?.content;
    expect(news).toContain("exit 1, no match.");
    expect(news).toContain("(no output)");
  });

  it("DC-4 stops at its first failure: the rest is open again, without its approvals, and the result says so", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "touch /tmp/df", "free -m");
    failing("/tmp/df");
    const names = await sent(["/tmp/df", "uptime", "free -m"], () => stage.ask(thread, "lee", "/approve 1 2 3", done));
    expect(names).toEqual(["uptime", "/tmp/df"]);
    const result = await thread.waitFor((body) => /^\*\*2\*\* ❌/mu.test(body), "the result");
    expect(result.body).toContain("Needs approval again: 3.");
    expect(result.body).not.toContain("**3** ⏸️");
  });

  it("DC-4 goes on after a failure where it was told to", { tags: ["long"] }, async () => {
    const thread = await stage.incident("touch /tmp/uptime", "touch /tmp/df", "free -m");
    failing("/tmp/uptime", "/tmp/df");
    stage.model.play(done);
    let reactions: readonly string[] = [];
    const names = await sent(["/tmp/uptime", "/tmp/df", "free -m"], async () => {
      ({ reactions } = await stage.ask(thread, "lee", "/approve --keep-going 1 2 3"));
    });
    expect(names).toEqual(["/tmp/uptime", "/tmp/df", "free -m"]);
    // All of it was carried out; how it went stands in the result.
    expect(reactions).toEqual(["eyes", "rocket"]);
    expect((await thread.waitFor((body) => /^\*\*3\*\* ✅/mu.test(body), "the result")).body).not.toContain("⚠️");
  });

  it("AR-04 the agent takes one turn after it, and reads each result", async () => {
    const thread = await stage.incident("uptime", "df -h");
    stage.play(async (command, { channel }) => {
      channel.write(command.includes("uptime") ? "load is 97\n" : "disk is at 98 percent\n");
      return 0;
    });
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/approve 1 2", done);
    const [request, ...more] = stage.model.requests.slice(asked);
    expect(more).toEqual([]);
    const news = request?.body.messages.at(-1)?.content;
    expect(news).toContain("load is 97");
    expect(news).toContain("disk is at 98 percent");
  });
});

/** Two batches: what was approved with a command under way, taken back and approved anew. */
async function approvedAnew(code: number) {
  const thread = await stage.incident("touch /tmp/slow");
  await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
  const [runs, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  stage.play(async (command) => {
    if (!command.includes("/tmp/slow")) return 0;
    runs.resolve();
    await ends.promise;
    return code;
  });
  await thread.say("lee", "/approve 1 2");
  await runs.promise;
  await thread.say("lee", "/cancel 2");
  await thread.waitFor((body) => body.includes("**2** needs approval again"), "that it was taken back");
  const approval = await thread.say("mona", "/approve 2");
  await until(async () => expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "approved" }));
  // One turn reads both.
  stage.model.play(done);
  const names = await sent(["df"], async () => {
    ends.resolve();
    await stage.quiet();
  });
  return { thread, names, reactions: await thread.reactions(approval) };
}

describe("a number that was approved, taken back and approved anew while its batch was under way", () => {
  it.each([
    ["well", 0],
    ["with a failure", 1],
  ])(
    "DC-4 RR-22 is run by the later approval, which gets its rocket, where the first batch ends %s",
    { tags: ["long"] },
    async (_, code) => {
      const { thread, names, reactions } = await approvedAnew(code);
      expect(names).toEqual(["df"]);
      expect(reactions).toEqual(["eyes", "rocket"]);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
      const told = (await thread.comments()).filter(({ body }) => /^\*\*2\*\* ✅/mu.test(body));
      expect(told.map(({ body }) => body.match(/^\*\*2\*\* /gm))).toEqual([["**2** "]]);
      expect(told.map(({ body }) => body).join()).not.toContain("Needs approval again");
    },
  );
});

describe("after a crash", () => {
  it("RR-06 F-33 a run that was under way is told as UNKNOWN, once, and is never sent again", async () => {
    const thread = await stage.incident("uptime", "df -h");
    failing();
    const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: "open" } });
    stage.model.play(done);
    const names = await sent(["uptime", "df"], async () => {
      await left.serve();
      await left.serve();
    });
    expect(names).toEqual([]);
    const told = (await thread.comments()).filter(({ body }) => /^\*\*1\*\* ❓/mu.test(body));
    expect(told).toHaveLength(1);
    expect(told[0]?.body).toContain("It may have run; it only reads, so `/retry 1` can run it again.");
    expect(told[0]?.body).toContain("Needs approval again: 2.");
    expect(await thread.reactions(left.commentId)).toEqual(["confused"]);
    expect(await auditOf(stage, { kind: "command_unknown" })).toHaveLength(1);
  });

  it("RR-06 it goes on with what was not begun, where the rest had gone well", async () => {
    const thread = await stage.incident("uptime", "df -h");
    failing();
    const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: fine } });
    stage.model.play(done);
    expect(await sent(["uptime", "df"], left.serve)).toEqual(["df"]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
  });

  it("RR-06 a failure before the crash still stops the batch", async () => {
    const thread = await stage.incident("touch /tmp/uptime", "df -h");
    failing();
    const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: failed } });
    stage.model.play(done);
    expect(await sent(["uptime", "df"], left.serve)).toEqual([]);
    expect(await thread.reactions(left.commentId)).toEqual(["confused"]);
    const result = await thread.waitFor((body) => /^\*\*1\*\* ❌/mu.test(body), "the result");
    expect(result.body).toContain("Needs approval again: 2.");
  });

  it("RR-06 with --keep-going neither a failure nor a lost run stops it", async () => {
    const thread = await stage.incident("uptime", "df -h", "free -m");
    failing();
    const begun = { 1: failed, 2: "open" } as const;
    const left = await leaveBehind(stage, thread, { numbers: [1, 2, 3], begun, keepGoing: true });
    stage.model.play(done);
    expect(await sent(["uptime", "df", "free"], left.serve)).toEqual(["free"]);
    expect(await thread.reactions(left.commentId)).toEqual(["confused"]);
  });
});

/** The bot, as it is where it has just started and GitHub tells it nothing. */
const deaf = (): Deps => ({
  ...stage.bot.deps,
  context: {
    ...stage.bot.deps.context,
    fetch: () => Promise.reject(Object.assign(new Error("Bad gateway"), { status: 502 })),
  },
});

describe("while GitHub cannot be asked", () => {
  it("RR-06 RR-11 what ran before is told all the same, the rest waits, and its time ends", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    failing();
    const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: "open" }, keepGoing: true });
    const { db } = stage.bot.deps.store;
    const run = () => execute(deaf(), jobOf("execute", { batchId: left.batchId }));
    expect(await sent(["uptime", "df"], run)).toEqual([]);
    await thread.waitFor((body) => /^\*\*1\*\* ❓/mu.test(body), "what ran before");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "approved" });
    expect((await jobsIn(db, "execute")).map(({ dueIn }) => dueIn > 0)).toEqual([true]);
    await forgetJobs(db, "execute");
    const { batchId } = left;
    const { incidentId } = await db.selectFrom("batch").selectAll().where("id", "=", batchId).executeTakeFirstOrThrow();
    const past = new Date(Date.now() - 1_000);
    await db.updateTable("action").set({ expiresAt: past }).where("incidentId", "=", incidentId).execute();
    stage.model.play(done);
    expect(await sent(["uptime", "df"], run)).toEqual([]);
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "expired" });
    expect(await thread.reactions(left.commentId)).toEqual(["confused"]);
  });

  it("RR-05 SR-24 F-35 nothing is claimed by who has lost the job, or on a look from before this machine stood still", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const { db } = stage.bot.deps.store;
    const batch = await batchOf(db, left.batchId);
    const action = await actionOf(db, batch.incidentId, 1);
    if (!action) throw new Error("there is one");
    const repoContext = rulesAlone(stage.bot.deps, "acme/web");
    const at = { deps: stage.bot.deps, job: jobOf("execute", {}), repoContext, batch };
    const fence = () => Promise.reject(new Error("it was given to another process"));
    await expect(claim({ ...at, action, job: { ...at.job, fence } }, Date.now())).rejects.toThrow("another process");
    expect(await claim({ ...at, action }, Date.now() - at.deps.freshMs - 100)).toEqual({ kind: "stale" });
    // The clock was set back since.
    expect(await claim({ ...at, action }, Date.now() + 60_000)).toEqual({ kind: "stale" });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    expect(await claim({ ...at, action }, Date.now())).toMatchObject({ kind: "claimed" });
  });

  it("RR-05 F-35 nothing is sent by who has lost the job between its claim and the sending", async () => {
    const thread = await stage.incident("uptime");
    failing();
    const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
    const { deps } = stage.bot;
    let isLost = false;
    const world: Deps = {
      ...deps,
      reserve: async (...given) => {
        const reservation = await deps.reserve(...given);
        const send: typeof reservation.send = (...sent) => {
          if (isLost) return reservation.send(...sent);
          // This machine stands still before the first byte, and another process has the job meanwhile.
          isLost = true;
          return "stale";
        };
        return { ...reservation, send };
      },
    };
    const fence = async (): Promise<void> => {
      if (isLost) throw new Error("the job was given to another process");
    };
    const names = await sent(["uptime"], async () => {
      await expect(execute(world, jobOf("execute", { batchId }, { fence }))).rejects.toThrow("another process");
    });
    expect(names).toEqual([]);
  });

  it("RR-05 RR-17 F-35 nothing is given up by who has lost the job: another process may be running it", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const { deps } = stage.bot;
    const { batchId } = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: "open" } });
    const fence = async (): Promise<void> => {
      throw new Error("the job was given to another process");
    };
    const lost = jobOf("execute", { batchId }, { fence });
    await expect(giveUpBatch(deps, lost, "it failed")).rejects.toThrow("another process");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "dispatching", 2: "approved" });
    expect(await runsOfBatch(deps.store.db, batchId)).toMatchObject([{ ending: null }]);
    expect((await batchOf(deps.store.db, batchId)).endedAt).toBeNull();
  });

  it("RR-11 the batch waits and says so; when GitHub answers it runs, and the wait is no longer told", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    failing();
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    stage.github.fault({ path: /graphql/, times: 1 }, { status: 502 });
    expect(await sent(["uptime"], left.serve)).toEqual([]);
    const waiting = await thread.waitFor((body) => body.includes("Waiting: GitHub cannot be asked"), "the wait");
    expect(waiting.body).toContain("**1** ⏳");
    stage.github.clearFaults();
    stage.model.play(done);
    expect(await sent(["uptime"], left.serve)).toEqual(["uptime"]);
    const result = (await thread.comments()).find((comment) => comment.id === waiting.id);
    expect(result?.body).toContain("**1** ✅");
    expect(result?.body).not.toContain("Waiting");
  });
});
