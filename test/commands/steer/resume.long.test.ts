import { dirname, join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { halt, liftHalt } from "../../../src/cli/halt.ts";
import { afterLift, changeOthers } from "../../../src/commands/steer/hold.ts";
import { haltFileOf } from "../../../src/features/incident/halt.ts";
import { enqueueTurn, turn } from "../../../src/features/turn/turn.ts";
import { leaveBehind } from "../../features/run/left-behind.ts";
import { jobOf } from "../../harness/job.ts";
import {
  auditOf,
  comeBack,
  endHolds,
  incidentIdOf,
  incidentIn,
  proposing,
  type Stage,
  sayUnheard,
  statesOf,
  useStage,
} from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";

const stage = useStage();
afterEach(() => endHolds(stage));

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

const board = async (thread: Thread): Promise<string> =>
  (await thread.waitFor((body) => body.includes("Board of this incident"), "the board")).body;

const audited = async (kind: string) => (await auditOf(stage, { kind })).map(({ body }) => body);

/** An incident whose first action was approved before it was held, and whose batch waits. */
async function heldAfterApproval(how = "/hold") {
  const thread = await stage.incident("uptime");
  const left = await leaveBehind(stage, thread, { numbers: [1] });
  await stage.ask(thread, "sam", how);
  expect(await stage.sent(left.serve)).toBe(0);
  expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
  await thread.waitFor((body) => /Waiting: .* is held by `@sam`/.test(body), "the wait");
  return thread;
}

describe("/resume", () => {
  it("SR-68 RR-04 an approval that was written before, and comes only after it, counts for nothing", async () => {
    const thread = await stage.incident("uptime");
    const before = await sayUnheard(stage, thread, "lee", "/approve 1");
    await stage.ask(thread, "sam", "/hold");
    const meanwhile = await sayUnheard(stage, thread, "mona", "/approve 1");
    await stage.ask(thread, "lee", "/resume");
    expect(await stage.sent(before.deliver)).toBe(0);
    expect(await stage.sent(meanwhile.deliver)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    const said = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(said).toContain("You wrote this before a hold or halt was lifted");
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1", done))).toBe(1);
  });

  it("SR-68 by an approver lifts the hold; what was approved before is open again and runs on a fresh approval only", async () => {
    const thread = await heldAfterApproval();
    let answer: Awaited<ReturnType<Stage["ask"]>> | undefined;
    expect(
      await stage.sent(async () => {
        answer = await stage.ask(thread, "lee", "/resume db team is done");
      }),
    ).toBe(0);
    expect(answer?.said).toEqual([expect.stringMatching(/^\*\*Resumed\*\* by `@lee`\.\n\nNeeds approval again: 1\./)]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(await board(thread)).not.toContain("✋");
    expect((await audited("incident_resumed")).at(-1)).toMatchObject({
      by: { login: "lee", role: "write", teams: ["acme/oncall"] },
      comment: { id: answer?.id },
      issue: thread.number,
      reason: "db team is done",
      lifted: true,
    });
    // The batch that waited has ended at once, so the next one does not stand behind it.
    expect(await stage.sent(() => stage.ask(thread, "mona", "/approve 1", done))).toBe(1);
  });

  it("SR-68 takes an approver: others are told, and it stays held", async () => {
    const thread = await heldAfterApproval();
    for (const login of ["sam", "rita"]) {
      for (const body of ["/resume", "/resume all"])
        expect((await stage.ask(thread, login, body)).isMarked("-1"), body).toBe(true);
    }
    stage.github.setTeam("oncall", ["mona"]);
    expect((await stage.ask(thread, "lee", "/resume")).isMarked("-1")).toBe(true);
    stage.github.setTeam("oncall", ["mona", "lee"]);
    expect(await board(thread)).toContain("✋ held by `@sam`");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
  });

  it("SR-68 twice, or where nothing is held, lifts nothing and says so", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/hold");
    await stage.ask(thread, "lee", "/resume");
    await stage.expectRefusal(thread, "lee", "/resume", "Nothing is on hold.");
  });

  it("SR-68 each hold is lifted on its own: that of the incident, and that of the repository", async () => {
    const thread = await heldAfterApproval("/hold all");
    await stage.ask(thread, "lee", "/hold");
    await stage.expectReply(thread, "mona", "/resume", [
      /\*\*Resumed\*\*[\s\S]*The whole repository is held by `@sam` since .*: `\/resume all` lifts that\./,
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    await stage.expectReply(thread, "mona", "/resume", /^Nothing was lifted\. The whole repository is held/);
    expect(await stage.sent(() => stage.ask(thread, "mona", "/resume all"))).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect((await audited("repository_resumed")).at(-1)).toMatchObject({ by: { login: "mona" }, lifted: true });
  });

  it("SR-68 all reopens the other incidents too, but not those that are held on their own", async () => {
    const here = await stage.incident("uptime");
    const own = await heldAfterApproval("/hold");
    const there = await heldAfterApproval("/hold all");
    await stage.ask(here, "lee", "/resume all");
    expect(await statesOf(stage, there.number)).toEqual({ 1: "proposed" });
    expect(await board(there)).not.toContain("✋");
    expect(await statesOf(stage, own.number)).toEqual({ 1: "approved" });
    expect(await board(own)).toContain("✋ held by `@sam`");
  });

  it("SR-68 written before a hold lifts nothing, however late it comes", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/hold");
    stage.github.fault({ event: "issue_comment.created" }, { drop: "before" });
    await stage.ask(thread, "lee", "/resume");
    const { guid } = stage.github.deliveries().at(-1) ?? { guid: "" };
    await stage.bot.deps.store.db.deleteFrom("hold").execute();
    await stage.ask(thread, "mona", "/hold");
    await stage.github.redeliver(guid);
    await stage.quiet();
    await thread.waitFor(
      (body) => /held by `@mona` since .*, after you wrote this: `\/resume`/.test(body),
      "the answer",
    );
    expect(await board(thread)).toContain("✋ held by `@mona`");
  });

  it("SR-68 does not lift the operator's halt, and says whose it is", async () => {
    const thread = await stage.incident("uptime");
    const file = haltFileOf(stage.bot.deps.config.store.url) ?? "";
    const config = join(dirname(file), "..", "countersign.yml");
    await halt({ config });
    await stage.ask(thread, "sam", "/hold");
    expect((await stage.ask(thread, "lee", "/resume")).said).toEqual([
      expect.stringMatching(/\*\*Resumed\*\*[\s\S]*The bot is halted by .*; only the operator lifts that\./),
    ]);
    await stage.expectReply(thread, "lee", "/approve 1", "The bot is halted by");
    await liftHalt({ config });
  });

  it("AR-17 grants 20 more steps where they are used up, and the agent goes on", async () => {
    const thread = await stage.incident("uptime");
    const { db } = stage.bot.deps.store;
    const id = await incidentIdOf(db, thread.number);
    const limit = async () =>
      (await db.selectFrom("session").select("stepLimit").where("incidentId", "=", id).executeTakeFirstOrThrow())
        .stepLimit;
    await db.updateTable("session").set({ steps: 20 }).where("incidentId", "=", id).execute();
    // Its result is not read any more, until there are steps again.
    await stage.ask(thread, "lee", "/approve 1");
    const asked = stage.model.requests.length;
    stage.model.play(done);
    await stage.expectSaid(thread, "lee", "/resume", /^\*\*20 more steps for the agent\*\* by `@lee`\./);
    expect(await limit()).toBe(40);
    expect(stage.model.requests).toHaveLength(asked + 1);
    await stage.ask(thread, "lee", "/resume");
    expect(await limit()).toBe(40);
  });

  it("SR-68 the agent makes up for the turn that a hold kept from it", async () => {
    const here = await stage.incident("uptime");
    await stage.ask(here, "sam", "/hold all");
    const later = await stage.opened();
    expect(await statesOf(stage, later.number)).toEqual({});
    await stage.ask(here, "lee", "/resume all", proposing("LIKELY: looking.", "uptime"));
    expect(await statesOf(stage, later.number)).toEqual({ 1: "proposed" });
  });

  it("SR-68 AR-04 what ended while the agent was writing is read after a hold that came in between", async () => {
    const thread = await stage.incident("uptime");
    const writes = Promise.withResolvers<void>();
    stage.model.play({ text: "INCONCLUSIVE: wait.", after: writes.promise });
    const before = stage.model.requests.length;
    await thread.say("sam", "/ask what is odd?");
    await until(() => expect(stage.model.requests).toHaveLength(before + 1));
    await thread.say("lee", "/approve 1");
    await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" }));
    await thread.say("sam", "/hold");
    await thread.waitFor((body) => body.includes("✋ held by `@sam`"), "the hold");
    writes.resolve();
    await stage.quiet();
    expect(stage.model.requests).toHaveLength(before + 1);
    await stage.ask(thread, "lee", "/resume", done);
    expect(stage.model.requests.slice(before + 1).map(({ body }) => body.messages.at(-1)?.content)).toEqual([
      expect.stringContaining("Run of 1 on web-1"),
    ]);
  });

  /** A held incident, and a question to the agent that comes to be served only now, as behind a turn under way. */
  async function heldBeforeAnswer() {
    const thread = await stage.incident("uptime");
    const { store } = stage.bot.deps;
    const incident = await incidentIn(store.db, thread.number);
    const { id: personId, login } = stage.github.person("sam");
    await stage.ask(thread, "sam", "/hold");
    return { thread, store, incident, cause: { kind: "asked", personId, login, text: "what is odd?" } as const };
  }

  it("SR-68 RR-22 what a person has asked of the agent before a hold is answered after it", async () => {
    const { thread, store, incident, cause } = await heldBeforeAnswer();
    await store.transaction((tx) => enqueueTurn(tx, stage.bot.deps, incident, cause));
    await stage.quiet();
    const asked = stage.model.requests.length;
    await stage.ask(thread, "lee", "/resume", { text: "LIKELY: the load." });
    expect(stage.model.requests.slice(asked).map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining("what is odd?"),
    ]);
  });

  it("SR-68 RR-22 what a person has asked is answered at once where the hold is lifted while it is put off", async () => {
    const { store, incident, cause } = await heldBeforeAnswer();
    stage.model.play({ text: "LIKELY: the load." });
    const asked = stage.model.requests.length;
    // It reads the hold, and before it comes to put itself off the hold is lifted, by nobody who would wake it.
    const transaction: typeof store.transaction = async (work) => {
      await store.db.updateTable("hold").set({ liftedAt: new Date() }).execute();
      return store.transaction(work);
    };
    const deps = { ...stage.bot.deps, store: { ...store, transaction } };
    await turn(deps, jobOf("turn", { incidentId: incident.id, cause, askedAt: new Date() }));
    await stage.quiet();
    expect(stage.model.requests).toHaveLength(asked + 1);
  });

  it("SR-68 RR-06 all lifts what is held of the other incidents also where that fails at first, and takes back no approval that came since", async () => {
    const [here, first] = [await stage.incident("uptime"), await stage.incident("uptime")];
    const there = await stage.incident("uptime");
    await stage.ask(here, "sam", "/hold all");
    const { db } = stage.bot.deps.store;
    const failing = (what: string) =>
      sql
        .raw(`create function fails() returns trigger language plpgsql as
      $$ begin ${what} end $$`)
        .execute(db);
    await failing(`if new.number = ${there.number} then raise exception 'the store fails'; end if; return new;`);
    await sql`create trigger fails before update on incident for each row execute function fails()`.execute(db);
    const resumed = await here.say("lee", "/resume all");
    await until(() => expect(stage.log.map(({ event }) => event)).toContain("job_failed"));
    await leaveBehind(stage, first, { numbers: [1] });
    await sql`drop function fails cascade`.execute(db);
    await comeBack(stage);
    await here.waitFor((body) => body.includes("**The whole repository is resumed**"), "the answer");
    await stage.quiet();
    expect(await board(there)).not.toContain("✋");
    expect(await statesOf(stage, first.number)).toEqual({ 1: "approved" });
    const lifts = (await audited("repository_resumed")).filter(({ comment }) => comment.id === resumed);
    expect(lifts).toMatchObject([{ lifted: true, granted: false }]);
  });

  it("SR-68 RR-06 where all is lifted once more after an error the agent makes up for its turn once", async () => {
    const here = await stage.incident("uptime");
    await stage.ask(here, "sam", "/hold all");
    const { number } = await stage.opened();
    const { deps } = stage.bot;
    await deps.store.db.updateTable("hold").set({ liftedAt: new Date(), liftedBy: 1 }).execute();
    const writes = Promise.withResolvers<void>();
    stage.model.play({ ...proposing("LIKELY: looking.", "uptime"), after: writes.promise });
    const from = await incidentIn(deps.store.db, here.number);
    for (let attempt = 1; attempt <= 2; attempt++)
      await changeOthers(deps, from, (tx, other) => afterLift(tx, deps, other));
    writes.resolve();
    await stage.quiet();
    expect(await statesOf(stage, number)).toEqual({ 1: "proposed" });
  });

  it("SR-68 on a closed incident lifts its hold and begins nothing", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/hold");
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    const asked = stage.model.requests.length;
    await stage.expectReply(thread, "lee", "/resume", "**Resumed** by `@lee`");
    expect(stage.model.requests).toHaveLength(asked);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });
});
