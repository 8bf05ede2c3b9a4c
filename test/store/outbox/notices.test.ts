import { beforeEach, describe, expect, it } from "vitest";
import { nextUnsolicitedAt, wantNotice, wantReply } from "../../../src/store/outbox/notices.ts";
import { slots } from "../../../src/store/outbox/thread-comments.ts";
import { type Asker, wantReaction } from "../../../src/store/outbox/wanted.ts";
import { gone, lost, usePoster } from "../../features/thread/poster.ts";

const poster = usePoster();
const say = (text: string) => poster.store.transaction((tx) => wantNotice(tx, poster.thread, text));
const served = async (): Promise<readonly string[]> => {
  const before = poster.github.calls.length;
  await poster.serve();
  return poster.github.calls.slice(before);
};
/** Lets so many minutes go by since the comments that were posted. */
const later = async (minutes: number): Promise<void> => {
  const at = new Date(Date.now() - minutes * 60_000);
  const posted = poster.store.db.updateTable("comment").set({ firstPostedAt: at, postedAt: at });
  await posted.where("issue", "=", poster.thread.issue).where("githubId", "is not", null).execute();
};

describe("what nobody asked for", () => {
  beforeEach(() => poster.forgetJobs());

  it("PRODUCT is one comment in ten minutes, in which all is said that came meanwhile, each once", async () => {
    await say("one");
    expect(await served()).toEqual(["create one"]);
    await say("two");
    await say("three");
    await say("two");
    expect(await served()).toEqual([]);
    expect(await poster.comesBackIn()).toBeGreaterThan(590);
    await later(9);
    expect(await served()).toEqual([]);
    await later(10);
    expect(await served()).toEqual(["create two\n\nthree"]);
    await say("four");
    expect(await served()).toEqual([]);
  });

  it("PRODUCT holds back no answer, no decision and no result, and each issue has its own ten minutes", async () => {
    await say("one");
    await served();
    await say("two");
    await poster.want(
      { slot: slots.reply(7), body: "reply" },
      { slot: slots.card(2), body: "card" },
      { slot: slots.batch("b"), body: "run" },
      { slot: slots.unread("b"), body: "unknown" },
      { slot: slots.softLimit(2), body: "asks" },
    );
    expect(await served()).toEqual(["create reply", "create card", "create run", "create unknown", "create asks"]);
    poster.move();
    await say("elsewhere");
    expect(await served()).toEqual(["create elsewhere"]);
  });

  it("PRODUCT an edit of one is no comment", async () => {
    await poster.want({ slot: slots.notice(1), body: "first" });
    await served();
    await say("one");
    await poster.want({ slot: slots.notice(1), body: "first 2" });
    expect(await served()).toEqual(["edit first 2"]);
    await later(10);
    expect(await served()).toEqual(["create one"]);
    expect(await nextUnsolicitedAt(poster.store.db, { repo: "acme/other", issue: 1 })).toBeUndefined();
  });

  it("RR-07 is not lost: an answer that went missing is looked for, and after one that was parked there is a new one", async () => {
    await say("one");
    poster.github.fail(lost, true);
    await served();
    await say("two");
    await served();
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["one\n\ntwo"]);
    await later(10);
    await say("three");
    poster.github.fail(gone);
    await served();
    await say("four");
    expect(await served()).toEqual(["create four"]);
  });

  it("PRODUCT one that was deleted comes back, and not before its time", async () => {
    await say("one");
    await served();
    await poster.store.db
      .updateTable("comment")
      .set((eb) => ({ githubId: null, nodeId: null, attempts: 0, version: eb("version", "+", 1) }))
      .where("issue", "=", poster.thread.issue)
      .execute();
    expect(await served()).toEqual([]);
    expect(await poster.comesBackIn()).toBeGreaterThan(590);
  });
});

describe("RR-08 the answers to somebody", () => {
  const rita = { id: 7, readsOnly: true };
  let commentId = 0;
  const reply = (body: string, askedBy: Asker | undefined) =>
    poster.store.transaction((tx) => wantReply(tx, poster.thread, { commentId: ++commentId, body, askedBy }));

  it("who may only read are one comment while it waits, of five at most, and of each one his own", async () => {
    await reply("first", rita);
    expect(await served()).toEqual(["create first"]);
    for (const body of ["a", "b", "a", "c"]) await reply(body, rita);
    await reply("other", { id: 8, readsOnly: true });
    expect(await served()).toEqual(["create a\n\n---\n\nb\n\n---\n\nc", "create other"]);
    for (let n = 0; n < 60; n++) await reply(`${n}`, rita);
    const [created = "", ...more] = await served();
    expect(more).toEqual([]);
    expect(created.split("\n\n---\n\n")).toHaveLength(6);
    expect(created).toContain("Please ask again later.");
  });

  it("who may do something are each told by a comment of their own", async () => {
    for (const body of ["a", "b", "c"]) await reply(body, { id: 9, readsOnly: false });
    await reply("d", undefined);
    expect(await served()).toEqual(["create a", "create b", "create c", "create d"]);
  });

  it("who may do something are one comment once they have waited, and none of them is left out", async () => {
    const sam = { id: 10, readsOnly: false };
    await reply("first", sam);
    await poster.store.db
      .updateTable("comment")
      .set({ createdAt: new Date(Date.now() - 60_000) })
      .where("issue", "=", poster.thread.issue)
      .execute();
    for (let n = 0; n < 8; n++) await reply(`${n}`, sam);
    const long = "x".repeat(59_999);
    await reply(long, sam);
    const [joined = "", ...more] = await served();
    expect(joined.split("\n\n---\n\n")).toHaveLength(9);
    expect(more).toEqual([`create ${long}`]);
  });

  it("a comment that has an answer gets no reaction beside it", async () => {
    await poster.store.transaction(async (tx) => {
      await wantReply(tx, poster.thread, { commentId: 70, body: "answer", askedBy: undefined });
      await wantReaction(tx, poster.thread, { commentId: 70, content: "rocket" });
      await wantReaction(tx, poster.thread, { commentId: 71, content: "rocket" });
    });
    await poster.serve();
    expect(poster.github.reacted).toEqual(["71 rocket"]);
  });
});
