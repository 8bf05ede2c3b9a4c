import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import type { Risk } from "../../../src/base/risk.ts";
import { type Deps, loadRepoContext } from "../../../src/features/context.ts";
import { hashBody } from "../../../src/features/run/approval-comment.ts";
import { checkDispatch, type DispatchCheck } from "../../../src/features/run/check-dispatch.ts";
import type { CommentFact, Facts, FactsQuestion } from "../../../src/github/facts.ts";
import { actionsOf, digestOf } from "../../../src/store/actions.ts";
import { newId } from "../../../src/store/ids.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { batchOf } from "../../../src/store/runs.ts";
import { repo } from "../../harness/playground.ts";
import { actionIn, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { facts, lostEvents } from "./last-look-facts.ts";
import { type LookGround, never, operatorHand } from "./last-look-ground.ts";
import { type LeftBehind, leaveBehind } from "./left-behind.ts";

type Incident = Thread & { readonly number: number };

// As the operator's environment has it, when the file is read anew.
beforeAll(() => void vi.stubEnv("TEST_MODEL_KEY", "sk-test-0123456789abcdef"));
afterAll(() => void vi.unstubAllEnvs());
// One person opens all of these incidents within a minute.
const stage = useStage(() => ({ follow: true, config: { agent: { turns_per_person_per_hour: 1_000 } } }));
afterEach(() => stage.github.clearFaults());

/** The webhook of what follows is lost, so that only the look before dispatch can see it. */
const lose = (event: string) => stage.github.fault({ event }, { drop: "before" });

/** One command, approved by lee and about to be sent. */
async function approved(text?: string): Promise<{ thread: Incident; left: LeftBehind }> {
  const thread = await stage.incident("uptime");
  return { thread, left: await leaveBehind(stage, thread, { numbers: [1], ...(text && { text }) }) };
}

/** Serves the batch and returns what became of the action and what the run card says; nothing may have been sent. */
async function refused({ thread, left }: { thread: Incident; left: LeftBehind }) {
  const before = stage.ran().length;
  await left.serve();
  expect(stage.ran()).toHaveLength(before);
  const comments = await thread.comments();
  return {
    state: (await statesOf(stage, thread.number))[1],
    told: comments.map(({ body }) => body).join("\n"),
    reactions: await thread.reactions(left.commentId),
  };
}

/** The repository's file reads so from now on, and its webhook is lost; the answer takes it back, aloud. */
async function narrow(text: string): Promise<() => Promise<void>> {
  const mona = stage.github.as("mona");
  const file = `/repos/${repo}/contents/.github/countersign.yml`;
  lose("push");
  const content = Buffer.from(text).toString("base64");
  const { status, body } = await mona("PUT", file, { message: "narrow", content, branch: "main" });
  expect(status).toBe(201);
  const { sha } = (body as { content: { sha: string } }).content;
  return async () => {
    await mona("DELETE", file, { message: "widen", sha, branch: "main" });
    await stage.quiet();
  };
}

/** The look before its first command is sent, by itself, in a world that is another one in some respect. */
async function lookAt({ batchId }: LeftBehind): Promise<(changed: Partial<Deps>) => Promise<DispatchCheck>> {
  const { deps: world } = stage.bot;
  const { db } = world.store;
  const batch = await batchOf(db, batchId);
  const [action] = await actionsOf(db, batch.incidentId);
  if (!action) throw new Error("an incident of the stage has an action");
  const ground = await loadRepoContext(world, await incidentOf(db, batch.incidentId));
  return (changed) => checkDispatch({ ...world, ...changed }, ground, { action, batch });
}

/** What GitHub tells, with each comment changed so. */
const factsWith =
  (change: (fact: CommentFact) => CommentFact) =>
  async (question: FactsQuestion): Promise<Facts> => {
    const found = await stage.bot.deps.facts(question);
    return { ...found, comments: new Map([...found.comments].map(([id, fact]) => [id, change(fact)])) };
  };

/** The comment of a person with other words, as GitHub would show it; a card stays as it is. */
const reading = (fact: CommentFact, body: string): CommentFact =>
  fact.authorId === stage.github.person("lee").id ? { ...fact, body } : fact;

/** Facts that one look before sending shows by itself, with what becomes of the action; last-look.ts has all, at every moment. */
const seenAlone = [
  ["SR-28 approval deleted", "proposed"],
  ["SR-28 approval edited", "proposed"],
  ["SR-28 approval edited and put back", "proposed"],
  ["SR-27 card edited by an admin", "void"],
  ["SR-27 a space added to the card", "void"],
  ["SR-27 card edited, written over by us", "void"],
  ["SR-27 card deleted", "void"],
  ["F-39 approver lost the role", "proposed"],
  ["F-39 approver left the team", "proposed"],
  ["SR-24 issue closed", "void"],
  ["SR-11 repository made public", "void"],
  ["SR-07 repository renamed, old name answers", "void"],
  ["RR-18 CFG-1 operator's new rule, in the file", "void"],
  ["SR-24 App uninstalled, token still taken", "void"],
] as const;

describe("between the approval and the command", () => {
  it("SR-24 with nothing changed it is sent", async () => {
    const { left } = await approved();
    stage.model.play({ text: "LIKELY, see 1, 2 and 3: nothing more to do." });
    const before = stage.ran().length;
    await left.serve();
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it.each(seenAlone)("%s: it is not sent", { tags: ["long"] }, async (title, state) => {
    const { name, told, flip, undo } = facts.find((fact) => title.endsWith(fact.name)) ?? never(title);
    const given = await approved();
    // Of the ground they are flipped on these facts ask no more than that.
    const ground = { github: stage.github, bot: stage.bot, ...operatorHand(stage.bot) } as LookGround;
    const approvedBy = given.left.commentId;
    for (const event of lostEvents) stage.github.fault({ event, times: 1_000 }, { drop: "before" });
    await flip(ground, [
      { thread: given.thread, number: 1, approval: "", token: "uptime", begunBefore: 0, approvedBy },
    ]);
    const found = await refused(given);
    stage.github.clearFaults();
    await undo?.(ground);
    await stage.quiet();
    expect(found).toMatchObject({ state, told: expect.stringMatching(told) });
    expect(found.reactions).toEqual(name === "approval deleted" ? [] : ["confused"]);
  });

  it("SR-55 the store takes a comment for an approval that by its own words is none", { tags: ["long"] }, async () => {
    const given = await approved("I have looked at it.");
    const look = await lookAt(given.left);
    const said = async (body: string) => {
      const rows = stage.bot.deps.store.db.updateTable("approval").set({ commentSha256: hashBody(body) });
      await rows.where("commentId", "=", given.left.commentId).execute();
      const facts = factsWith((fact) => reading(fact, body));
      return (await look({ facts })).kind;
    };
    for (const body of [
      "/approve 2",
      "/approve 1@00000000",
      "/reject 1 no",
      "> /approve 1",
      "`/approve 1`",
      "/auto on",
    ])
      expect(await said(body), body).toBe("reopen");
    for (const body of ["/approve 1", "/approve all", "/OPS approve 2, 1 fine by me"])
      expect(await said(body), body).toBe("go");
    await said("I have looked at it.");
    expect(await refused(given)).toMatchObject({ state: "proposed", told: expect.stringContaining("it does not") });
  });

  it("SR-55 SR-25 the store has another command under a number that was approved once", async () => {
    const other = await stage.incident("uptime -p");
    const given = await approved();
    const { db } = stage.bot.deps.store;
    const { command, targets } = (await actionIn(db, other.number)).spec;
    const { id: actionId, spec } = await actionIn(db, given.thread.number);
    const forged = { ...spec, command, targets };
    const digest = digestOf(forged);
    // The store refuses that to all but its owner.
    await sql`alter table action disable trigger user`.execute(db);
    await sql`update action set spec = ${JSON.stringify(forged)}, digest = ${digest} where id = ${actionId}`.execute(
      db,
    );
    await sql`alter table action enable trigger user`.execute(db);
    await db.updateTable("approval").set({ digest }).where("actionId", "=", actionId).execute();
    expect(await refused(given)).toMatchObject({
      state: "void",
      told: expect.stringContaining("shows another command under its number"),
    });
  });

  it.each([
    ["from before its card was there", 60_000, "reopen"],
    ["from longer ago than an approval lasts", 61 * 60_000, "reopen"],
    ["of just now", 0, "go"],
  ])("SR-55 SR-25 a comment %s", async (_, agoMs, becomes) => {
    const given = await approved();
    const look = await lookAt(given.left);
    const lee = stage.github.person("lee").id;
    const facts = factsWith((fact) => ({
      ...fact,
      // The card was there as early, where it is the age alone that speaks against it.
      createdAt: new Date(fact.createdAt.getTime() - (fact.authorId === lee || agoMs > 3_600_000 ? agoMs : 0)),
    }));
    expect((await look({ facts })).kind).toBe(becomes);
  });

  it.each([
    ["before its card", -1, "reopen"],
    ["after its card", 1, "go"],
  ])("SR-55 SR-25 a comment written within the same second, by its id %s", async (_, after, becomes) => {
    const given = await approved();
    const look = await lookAt(given.left);
    const { commentId } = given.left;
    const createdAt = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const facts = factsWith((fact) => ({
      ...fact,
      createdAt,
      id: fact.id === commentId ? commentId : commentId - after,
    }));
    expect((await look({ facts })).kind).toBe(becomes);
  });

  it("SR-55 SR-19 high risk is approved by no `all`, by no other number beside it, and not without server and reason", async () => {
    const thread = await stage.incident("rm -r /srv/app/cache/old");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const look = await lookAt(left);
    const why = async (body: string): Promise<string> => {
      const rows = stage.bot.deps.store.db.updateTable("approval").set({ commentSha256: hashBody(body) });
      await rows.where("commentId", "=", left.commentId).execute();
      const facts = factsWith((fact) => reading(fact, body));
      const decision = await look({ facts });
      return "reason" in decision ? decision.reason : decision.kind;
    };
    for (const body of [
      "/approve all",
      "/approve 1",
      "/approve 1 web-1",
      "/approve 1 the log is full",
      "/approve 1 2 web-1 full",
    ])
      expect(await why(body), body).toBe("the comment that is said to approve it does not say what is needed");
    expect(await why("/approve 1 web-1 the log is full")).toBe("it has 1 of 2 approvals");
  });

  it("SR-25 the comment approves it in another issue", { tags: ["long"] }, async () => {
    const other = await stage.incident("hostname");
    const elsewhere = await leaveBehind(stage, other, { numbers: [1] });
    const given = await approved();
    const { db } = stage.bot.deps.store;
    const { commentNodeId } = await db
      .selectFrom("approval")
      .select("commentNodeId")
      .where("commentId", "=", elsewhere.commentId)
      .executeTakeFirstOrThrow();
    await db.updateTable("approval").set({ commentNodeId }).where("commentId", "=", given.left.commentId).execute();
    expect(await refused(given)).toMatchObject({ state: "proposed" });
  });

  it("SR-07 the repository's name means another one, or comes by another installation", async () => {
    for (const change of [{ id: 41 }, { installationId: 111 }]) {
      const given = await approved();
      const { db } = stage.bot.deps.store;
      const pin = await db.selectFrom("repository").selectAll().executeTakeFirstOrThrow();
      await db.updateTable("repository").set(change).execute();
      expect(await refused(given)).toMatchObject({ state: "void" });
      await db.updateTable("repository").set(pin).execute();
    }
  });

  it("SR-38 a push narrowed the repository's file, and nobody heard of it", { tags: ["long"] }, async () => {
    const given = await approved();
    const other = await stage.incident("hostname");
    const widen = await narrow("policy: { low: { approvals: 2 } }");
    expect(await refused(given)).toMatchObject({
      state: "proposed",
      told: expect.stringContaining("1 of 2 approvals"),
    });
    await widen();
    // What its comment would have to say is asked of the comment as GitHub shows it, at every level.
    const without = await approved();
    const widenThen = await narrow("policy: { low: { reason: required } }");
    expect(await refused(without)).toMatchObject({
      state: "proposed",
      told: expect.stringContaining("said to approve it does not"),
    });
    await widenThen();
    const widenAgain = await narrow("policy: { low: { reason: required } }");
    await stage.expectSaid(other, "lee", "/approve 1", "needs a reason after the server's name");
    await widenAgain();
  });

  it("RR-18 the operator's trust that made it low is over", async () => {
    const look = await lookAt((await approved()).left);
    const { evaluate } = stage.bot.deps;
    const judged = (risk: Risk) => look({ evaluate: (...asked) => ({ ...evaluate(...asked), risk }) });
    expect(await judged("low")).toMatchObject({ kind: "go" });
    for (const risk of ["medium", "high", "block"] as const)
      expect(await judged(risk)).toMatchObject({ kind: "end", to: "void" });
  });

  describe("the board is gone, or tells nothing", () => {
    /** Whoever may write can take away what tells that the store is an older copy of itself. */
    const silenced = async (how: "deleted" | "edited") => {
      const given = await approved();
      lose(`issue_comment.${how}`);
      const { id } = await given.thread.waitFor((body) => body.includes("Board of this"), "the board");
      if (how === "deleted") await stage.github.deleteComment("sam", repo, id);
      else await stage.github.editComment("sam", repo, id, "nothing to see here");
      return given;
    };

    it.each(["deleted", "edited"] as const)(
      "RR-24 F-37 (%s) and the issue holds a comment of ours of which the store has never heard",
      { tags: ["long"] },
      async (how) => {
        const given = await silenced(how);
        // GitHub's times are whole seconds.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        const { db } = stage.bot.deps.store;
        const incident = await incidentOf(db, (await batchOf(db, given.left.batchId)).incidentId);
        const place = { installationId: incident.installationId, repo, issue: incident.number };
        await stage.bot.deps.comments.create(place, { id: newId(), body: "**1** ✅" });
        expect(await refused(given)).toMatchObject({ state: "void", told: expect.stringContaining("an older copy") });
      },
    );

    it("RR-24 and GitHub does not show the issue's comments", async () => {
      const given = await silenced("deleted");
      const look = await lookAt(given.left);
      // biome-ignore lint/correctness/useYield: it fails before the first page.
      const readComments = async function* (): ReturnType<Deps["readComments"]> {
        throw new Error("502");
      };
      expect(await look({ readComments })).toMatchObject({ kind: "ask-later" });
    });

    it("RR-24 and the store has written all of ours that stand there: it is sent", async () => {
      expect(await (await lookAt((await silenced("deleted")).left))({})).toMatchObject({ kind: "go" });
    });
  });

  it("SR-24 CFG-1 a time that the operator has shortened since ends it, a longer one lets it stand no longer", async () => {
    const { left } = await approved();
    const look = await lookAt(left);
    const { config } = stage.bot.deps;
    const minute = 60_000;
    const lasting = (expiresMs: number, after: number) =>
      look({
        now: () => new Date(Date.now() + after),
        config: { ...config, policy: { ...config.policy, low: { ...config.policy.low, expiresMs } } },
      });
    expect(await lasting(60 * minute, 0)).toMatchObject({ kind: "go" });
    expect(await lasting(5 * minute, 4 * minute)).toMatchObject({ kind: "go" });
    expect(await lasting(5 * minute, 6 * minute)).toMatchObject({ kind: "end", to: "expired" });
    expect(await lasting(600 * minute, 61 * minute)).toMatchObject({ kind: "end", to: "expired" });
  });

  it("SR-24 its time was over", async () => {
    const given = await approved();
    await stage.bot.deps.store.db
      .updateTable("action")
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where("state", "=", "approved")
      .execute();
    expect(await refused(given)).toMatchObject({ state: "expired", told: expect.stringContaining("1 was not run:") });
  });

  it("SR-20 the record was changed in the store", async () => {
    const given = await approved();
    const { db } = stage.bot.deps.store;
    const row = await db.selectFrom("action").selectAll().where("state", "=", "approved").executeTakeFirstOrThrow();
    const changed = db
      .updateTable("action")
      .set({ spec: JSON.stringify({ ...row.spec, wrapped: "reboot" }) })
      .where("id", "=", row.id)
      .execute();
    // The database may refuse it outright; if it does not, the digest must.
    const tampered = await changed.then(
      () => true,
      () => false,
    );
    if (tampered) expect(await refused(given)).toMatchObject({ state: "void" });
    else
      expect(await db.selectFrom("action").select("spec").where("id", "=", row.id).execute()).toEqual([
        { spec: row.spec },
      ]);
  });
});

describe("while GitHub's GraphQL is behind", () => {
  afterEach(() => stage.github.setGraphqlBehind(0));
  const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };
  const hourMs = 3_600_000;

  it("F-12 SR-28 an approval that it does not show yet is waited for, said so, and holds", {
    tags: ["long"],
  }, async () => {
    const { thread, left } = await approved();
    stage.github.setGraphqlBehind(hourMs);
    const before = stage.ran().length;
    await left.serve();
    await thread.waitFor((body) => body.includes("cannot be read yet"), "what it waits for");
    expect(stage.ran()).toHaveLength(before);
    stage.model.play(done);
    stage.github.setGraphqlBehind(0);
    await until(() => expect(stage.ran()).toHaveLength(before + 1));
    await stage.quiet();
    expect((await thread.comments()).map(({ body }) => body).join("\n")).not.toMatch(/edited|deleted|not run/);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" });
  });

  it("F-12 SR-28 a comment that was deleted meanwhile is told as that, since GitHub's other API has it no more", async () => {
    const given = await approved();
    lose("issue_comment.deleted");
    await stage.github.deleteComment("lee", repo, given.left.commentId);
    expect(await refused(given)).toMatchObject({
      state: "proposed",
      told: expect.stringContaining("the comment that approved it was edited or deleted"),
    });
  });

  it.each([502, 403])(
    "F-12 RR-11 where the other API answers %d nothing is known, and it waits",
    { tags: ["long"] },
    async (status) => {
      const { thread, left } = await approved();
      stage.github.setGraphqlBehind(hourMs);
      stage.github.fault({ method: "GET", path: /\/issues\/comments\/\d+$/, times: 1_000 }, { status });
      await left.serve();
      expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "approved" });
      stage.github.clearFaults();
      stage.github.setGraphqlBehind(0);
      stage.model.play(done);
      await thread.waitFor((body) => body.includes("**1** ✅"), "the run");
      await stage.quiet();
    },
  );

  it("F-12 SR-27 an edit of our own card that it does not show yet is no tampering; somebody else's is", async () => {
    const { thread, left } = await approved();
    const { db } = stage.bot.deps.store;
    const look = await lookAt(left);
    const [shown] = await stage.bot.deps.store.db
      .selectFrom("comment")
      .select(["id", "githubId", "nodeId", "postedBody"])
      .where("issue", "=", thread.number)
      .where("slot", "like", "card%")
      .execute();
    const place = { installationId: stage.github.installationId, repo, issue: thread.number };
    const body = `${shown?.postedBody}\n\nMore.`;
    await stage.bot.deps.comments.edit(place, {
      id: shown?.id ?? "",
      githubId: shown?.githubId ?? 0,
      nodeId: shown?.nodeId ?? "",
      body,
    });
    await db
      .updateTable("comment")
      .set({ body, postedBody: body, postingBody: body })
      .where("id", "=", shown?.id ?? "")
      .execute();
    const { facts: ask } = stage.bot.deps;
    /** As of before that edit. */
    const behind: Deps["facts"] = async (question) => {
      const now = await ask(question);
      const card = now.comments.get(shown?.nodeId ?? "");
      if (!card) throw new Error("the card is not there");
      const older = { ...card, body: card.body.replace("\n\nMore.", "") };
      return { ...now, comments: new Map([...now.comments, [shown?.nodeId ?? "", older]]) };
    };
    expect(await look({ facts: behind })).toMatchObject({ kind: "wait", code: "card-unread" });
    expect(await look({})).toMatchObject({ kind: "go" });
    lose("issue_comment.edited");
    await stage.github.editComment("mona", repo, shown?.githubId ?? 0, "Nothing to see.");
    expect(await look({})).toMatchObject({ kind: "end", code: "card-edited" });
  });
});

describe("an issue that was closed and opened again", () => {
  const patch = (thread: Incident, state: "open" | "closed") =>
    stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, { state });

  it.each([
    ["both are heard", []],
    ["the closing is lost", ["issues.closed"]],
    ["neither is heard", ["issues.closed", "issues.reopened"]],
  ])("SR-24 RR-04 within a moment holds no approval from before: %s", async (_, lost) => {
    const given = await approved();
    for (const event of lost) lose(event);
    await patch(given.thread, "closed");
    await patch(given.thread, "open");
    if (lost.length === 0) await stage.quiet();
    const { told, state } = await refused(given);
    expect(state).toMatch(/proposed|void/);
    if (lost.length > 0) expect(told).toContain("1 was not run: the issue was closed after it was approved");
  });

  it("SR-24 RR-04 nor where the closing is heard only after it was opened again, and what is approved since runs", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    lose("issues.closed");
    await patch(thread, "closed");
    const { guid } = stage.github.deliveries().at(-1) ?? { guid: "" };
    await patch(thread, "open");
    await stage.quiet();
    await stage.github.redeliver(guid);
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(await refused({ thread, left })).toMatchObject({ state: "proposed" });
    // GitHub's times are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    stage.model.play({ text: "LIKELY, see 1, 2 and 3: nothing more to do." });
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });
});

describe("while a batch waits its turn", () => {
  it("SR-18 a rejection of an approved command is final", async () => {
    const { thread, left } = await approved();
    // All that is open is turned down with a reason: the agent is told at once.
    await stage.ask(thread, "mona", "/reject 1 not that one", { text: "LIKELY: something else, then." });
    expect(await refused({ thread, left })).toMatchObject({ state: "rejected" });
  });

  it("SR-28 an edit that GitHub does tell of withdraws the approval at once", async () => {
    const { thread, left } = await approved();
    await stage.github.editComment("lee", repo, left.commentId, "never mind");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(await refused({ thread, left })).toMatchObject({ state: "proposed" });
  });
});
