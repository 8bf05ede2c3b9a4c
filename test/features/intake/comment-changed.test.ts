import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { commentPosted, postOvertaken } from "../../../src/store/outbox/posting.ts";
import { unansweredComment } from "../../../src/store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../../src/store/outbox/wanted.ts";
import { cardOf, statesOf, useStage } from "../../harness/stage.ts";

describe("a card that is changed while GitHub's answer to its making is under way", () => {
  const stage = useStage();

  /** The card of action 1 as the store has it between GitHub's making it and its answer. */
  async function unanswered(thread: Thread & { number: number }): Promise<OutboxComment> {
    const { id } = await cardOf(thread, 1);
    return stage.bot.deps.store.db
      .updateTable("comment")
      .set({ githubId: null, nodeId: null, postedVersion: 0, postedBody: null, attempts: 1 })
      .where("githubId", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const rowOf = ({ number }: { readonly number: number }, { slot }: Pick<OutboxComment, "slot">) =>
    stage.bot.deps.store.db
      .selectFrom("comment")
      .selectAll()
      .where("issue", "=", number)
      .where("slot", "=", slot)
      .executeTakeFirstOrThrow();

  it("SR-27 RR-07 deleted, it is made anew, and the answer that comes late is not taken for its own", async () => {
    const thread = await stage.incident("uptime");
    const first = await cardOf(thread, 1);
    const tried = await unanswered(thread);
    await stage.github.as("sam")("DELETE", `/repos/acme/web/issues/comments/${first.id}`);
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "proposed" });
    const { store } = stage.bot.deps;
    const late = { githubId: first.id, nodeId: "IC_deleted" };
    expect(await commentPosted(store.db, tried, late)).toBe(false);
    expect(await store.transaction((tx) => postOvertaken(tx, tried, late))).toBe("past");
    const { githubId } = await rowOf(thread, tried);
    expect(githubId).not.toBe(first.id);
    expect((await thread.comments()).map(({ id }) => id)).toContain(githubId);
  });

  it("RR-02 RR-07 told twice that it was deleted, it is made anew once", async () => {
    const thread = await stage.incident("uptime");
    const first = await cardOf(thread, 1);
    const { id: mark, slot } = await unanswered(thread);
    await stage.github.as("sam")("DELETE", `/repos/acme/web/issues/comments/${first.id}`);
    await stage.quiet();
    const { db } = stage.bot.deps.store;
    const second = (await rowOf(thread, { slot })).githubId ?? 0;
    await db.updateTable("comment").set({ githubId: null, nodeId: null }).where("githubId", "=", second).execute();
    // Only the second one can be deleted now.
    expect(await unansweredComment(db, { mark, githubId: first.id })).toBeUndefined();
    expect(await unansweredComment(db, { mark, githubId: second })).toMatchObject({ slot, gone: first.id });
    await db.updateTable("comment").set({ githubId: second }).where("id", "=", mark).execute();
  });

  it("SR-27 RR-07 edited, its mark gone too, it is put back where it stands", async () => {
    const thread = await stage.incident("uptime");
    const first = await cardOf(thread, 1);
    const tried = await unanswered(thread);
    await stage.github.editComment("sam", "acme/web", first.id, "nothing to see here");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "proposed" });
    expect((await rowOf(thread, tried)).githubId).toBe(first.id);
    expect((await cardOf(thread, 1)).id).toBe(first.id);
  });

  it("SR-27 a copy of its mark by somebody else is no card of ours", async () => {
    const thread = await stage.incident("uptime");
    const tried = await unanswered(thread);
    const copy = await thread.say("sam", `Look.\n\n<!-- countersign ${tried.id} -->`);
    await stage.github.editComment("sam", "acme/web", copy, "Never mind.");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect((await rowOf(thread, tried)).githubId).not.toBe(copy);
  });
});

describe("a comment of another bot", () => {
  const theirs = "github-actions[bot]";
  const stage = useStage(() => ({ people: [{ login: theirs, type: "Bot", role: "write" }] }));

  it("SR-30 that it edits into a look-alike of a card voids what it shows; another edit of it does nothing", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const talk = await thread.say(theirs, "Deployment 42 is under way.");
    await stage.github.editComment(theirs, "acme/web", talk, "Deployment 42 is done.");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    const fake = "- [ ] **1** · 🟢 low · `web-1` · **Look**\n  ```sh\n  uptime\n  ```";
    await stage.github.editComment(theirs, "acme/web", talk, fake);
    await thread.waitFor((body) => body.includes("a fake copy of one of my cards, so 1 is void"), "the alert");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "proposed" });
  });
});

describe("a comment that its author edits", () => {
  const stage = useStage(() => ({ config: { policy: twoForMedium } }));

  const twoForMedium = { approvers: { teams: ["acme/oncall"] }, medium: { approvals: 2 } };
  const restart = "systemctl restart nginx";

  /** What the bot says in new comments when somebody edits a comment of theirs. */
  async function edited(thread: Thread, id: number, body: string, by = "lee"): Promise<readonly string[]> {
    const before = new Set((await thread.comments()).map((comment) => comment.id));
    await stage.github.editComment(by, "acme/web", id, body);
    await stage.quiet();
    return (await thread.comments()).filter((comment) => !before.has(comment.id)).map((comment) => comment.body);
  }

  it("SR-22 PRODUCT into a command is told once that an edit runs nothing, with the command to comment anew", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const ran = stage.ran().length;
    const { id } = await stage.expectSaid(thread, "lee", "/aprove 2", "Nothing was run. Did you mean `/approve 2`?");
    const told = await edited(thread, id, "/approve 2");
    expect(told).toEqual([expect.stringContaining("an edited comment does not count. Comment `/approve 2` again.")]);
    expect(await edited(thread, id, "/approve 1 2 --keep-going")).toEqual([]);
    const talk = await stage.ask(thread, "sam", "I think the disk is full");
    const held = await edited(thread, talk.id, "/hold\nthe disk is full", "sam");
    expect(held.join()).toContain("an edited comment does not count. Comment `/hold` again.");
    expect(stage.ran()).toHaveLength(ran);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("SR-61 PRODUCT into talk, into the command that it was, by another, or by who may only read: hears nothing", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const talk = await stage.ask(thread, "lee", "looks bad");
    expect(await edited(thread, talk.id, "looks really bad, /approve 1 is fine")).toEqual([]);
    expect(await edited(thread, talk.id, "`/approve 1`")).toEqual([]);
    expect(await edited(thread, talk.id, "/lgtm 1")).toEqual([]);
    expect(await edited(thread, talk.id, "/approve 1", "mona")).toEqual([]);
    const status = await stage.ask(thread, "lee", "/reject 1 too slow");
    expect(await edited(thread, status.id, "/reject 1 too slow\n\nand too late")).toEqual([]);
    const rita = await stage.ask(thread, "rita", "hm");
    expect(await edited(thread, rita.id, "/status", "rita")).toEqual([]);
  });

  it("SR-28 PRODUCT that approved something loses its approval, and its author is told how to give it again", async () => {
    const thread = await stage.incident(restart);
    const first = await stage.ask(thread, "lee", "/approve 1");
    expect(first.said.join()).toContain("**1**: 1 of 2 approvals (`@lee`), not run yet. Needs one more approver");
    expect((await edited(thread, first.id, "/approve 1 since the log is full")).join()).toContain(
      "The approval of **1** no longer counts: its comment was edited. Comment `/approve 1 since the log is full` again.",
    );
    const second = await stage.ask(thread, "lee", "/approve 1");
    const before = (await thread.comments()).length;
    await stage.github.as("lee")("DELETE", `/repos/acme/web/issues/comments/${second.id}`);
    await stage.quiet();
    const after = (await thread.comments()).map(({ body }) => body);
    expect(after).toHaveLength(before);
    expect(after.join()).toContain(
      "The approval of **1** no longer counts: its comment was deleted. Comment `/approve 1` again.",
    );
    stage.model.verify();
  });
});
