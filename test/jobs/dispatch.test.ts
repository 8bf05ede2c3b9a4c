import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../src/demo/thread.ts";
import { repo } from "../playground.ts";
import { type LeftBehind, leaveBehind } from "./left-behind.ts";
import { cardOf, type Stage, startStage, statesOf } from "./stage.ts";

type Incident = Thread & { readonly number: number };

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
afterEach(() => {
  stage.github.clearFaults();
  stage.model.verify();
});

/** The webhook of what follows is lost, so that only the look before dispatch can see it. */
const lose = (event: string) => stage.github.fault({ event }, { drop: "before" });

/** One command, approved by lee and about to be sent. */
async function approved(): Promise<{ thread: Incident; left: LeftBehind }> {
  const thread = await stage.incident("uptime");
  return { thread, left: await leaveBehind(stage, thread, { numbers: [1] }) };
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

describe("between the approval and the command", () => {
  it("SR-24 with nothing changed it is sent", async () => {
    const { left } = await approved();
    stage.model.play({ text: "CONFIRMED by 1, 2 and 3: nothing more to do." });
    const before = stage.ran().length;
    await left.serve();
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it("SR-28 the comment was edited", async () => {
    const given = await approved();
    lose("issue_comment.edited");
    await stage.github.editComment("lee", repo, given.left.commentId, "never mind");
    expect(await refused(given)).toMatchObject({ state: "proposed", told: expect.stringContaining("1 was not run:") });
  });

  it("SR-28 the comment was edited and put back as it was", async () => {
    const given = await approved();
    lose("issue_comment.edited");
    lose("issue_comment.edited");
    await stage.github.editComment("lee", repo, given.left.commentId, "never mind");
    await stage.github.editComment("lee", repo, given.left.commentId, "I have looked at it.");
    expect(await refused(given)).toMatchObject({ state: "proposed" });
  });

  it("SR-28 the comment was deleted", async () => {
    const given = await approved();
    lose("issue_comment.deleted");
    await stage.github.deleteComment("lee", repo, given.left.commentId);
    expect(await refused(given)).toMatchObject({ state: "proposed" });
  });

  it("SR-27 the card was edited", async () => {
    const given = await approved();
    const card = await cardOf(given.thread, 1);
    lose("issue_comment.edited");
    await stage.github.editComment("sam", repo, card.id, card.body.replace("uptime", "uptime -p"));
    expect(await refused(given)).toMatchObject({ state: "void" });
  });

  it("SR-27 the card was deleted", async () => {
    const given = await approved();
    lose("issue_comment.deleted");
    await stage.github.deleteComment("mona", repo, (await cardOf(given.thread, 1)).id);
    expect(await refused(given)).toMatchObject({ state: "void" });
  });

  it("F-39 the approver lost the role, or left the team", async () => {
    const role = await approved();
    stage.github.setRole("lee", "read", repo);
    expect(await refused(role)).toMatchObject({ state: "proposed", reactions: ["confused"] });
    stage.github.setRole("lee", "write", repo);

    const team = await approved();
    stage.github.setTeam("oncall", ["mona"]);
    expect(await refused(team)).toMatchObject({ state: "proposed" });
    stage.github.setTeam("oncall", ["mona", "lee"]);
  });

  it("SR-24 the issue was closed", async () => {
    const given = await approved();
    lose("issues.closed");
    await stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${given.thread.number}`, { state: "closed" });
    expect(await refused(given)).toMatchObject({ state: "void" });
  });

  it("SR-24 its time was over", async () => {
    const given = await approved();
    await stage.bot.world.store.db
      .updateTable("action")
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where("state", "=", "approved")
      .execute();
    expect(await refused(given)).toMatchObject({ state: "expired", told: expect.stringContaining("1 was not run:") });
  });

  it("SR-20 the record was changed in the store", async () => {
    const given = await approved();
    const { db } = stage.bot.world.store;
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

describe("while a batch waits its turn", () => {
  it("SR-18 a rejection of an approved command is final", async () => {
    const { thread, left } = await approved();
    await stage.ask(thread, "mona", "/reject 1 not that one");
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
