import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { lookRows, partsOf } from "../../../src/store/incident-rows.ts";
import {
  commentPosted,
  openPosts,
  postOvertaken,
  restoreComment,
  setComment,
  takeBackAttempt,
} from "../../../src/store/outbox/posting.ts";
import { commentByGithubId, shownComments, slots } from "../../../src/store/outbox/thread-comments.ts";
import {
  type OutboxComment,
  type Thread,
  type WantedComment,
  wantComments,
  wantReaction,
} from "../../../src/store/outbox/wanted.ts";
import { takeWrite } from "../../../src/store/outbox/write-budget.ts";
import { useStore } from "../rows.ts";

const { store, incident, action } = useStore();
let thread: Thread;
let issue = 1_000;
beforeEach(() => {
  issue += 1;
  thread = { installationId: 1, repo: "acme/web", issue, incidentId: null };
});

const want = (...comments: readonly WantedComment[]) => store().transaction((tx) => wantComments(tx, thread, comments));
const open = async () => (await openPosts(store().db, thread, 100, true)).comments;

describe("the outbox", () => {
  const begin = async (comment: OutboxComment): Promise<number | undefined> => {
    const taken = await takeWrite(store().db, { ...thread, perMinute: 1_000, urgency: "result", share: null }, comment);
    return taken.kind === "go" ? taken.attempts : undefined;
  };

  it("RR-07 a body that is wanted while an older one is on its way stays wanted", async () => {
    await want({ slot: "board", body: "one" });
    const [comment] = await open();
    if (!comment) throw new Error("nothing to post");
    expect(await begin(comment)).toBe(1);
    await want({ slot: "board", body: "two" });
    await commentPosted(store().db, comment, { githubId: issue, nodeId: `IC_${issue}` });
    expect(await open()).toMatchObject([{ body: "two", postedBody: "one", githubId: issue, attempts: 0 }]);
    expect(await commentByGithubId(store().db, issue)).toMatchObject({ slot: "board" });
  });

  it("RR-07 what is new waits for what has its place before it and is still to be drawn, unless that failed", async () => {
    await want({ slot: "reply:1", body: "first" });
    await sql`insert into comment (id, installation_id, repo, issue, slot, body, version)
      values (gen_random_uuid(), 1, ${thread.repo}, ${thread.issue}, 'card:1', '', 0)`.execute(store().db);
    await want({ slot: "reply:2", body: "behind the card" });
    const slotsOf = async (isDrawn: boolean) =>
      (await openPosts(store().db, thread, 100, isDrawn)).comments.map(({ slot }) => slot);
    expect(await slotsOf(true)).toEqual(["reply:1"]);
    expect(await slotsOf(false)).toEqual(["reply:1", "reply:2"]);
    await want({ slot: "card:1", body: "the card" });
    expect(await slotsOf(true)).toEqual(["reply:1", "card:1", "reply:2"]);
  });

  it("RR-07 attempts count up until one succeeds", async () => {
    await want({ slot: "board", body: "one" });
    const [comment] = await open();
    if (!comment) throw new Error("nothing to post");
    expect([await begin(comment), await begin(comment)]).toEqual([1, 2]);
  });

  it("RR-05 RR-07 an attempt that GitHub refused is taken back by whoever made it, not where another has begun since", async () => {
    await want({ slot: "board", body: "one" });
    const [comment] = await open();
    if (!comment) throw new Error("nothing to post");
    const [first = 0, second = 0] = [await begin(comment), await begin(comment)];
    await takeBackAttempt(store().db, comment, first);
    expect(await open()).toMatchObject([{ attempts: 2 }]);
    await takeBackAttempt(store().db, comment, second);
    expect(await open()).toMatchObject([{ attempts: 1 }]);
  });

  it("RR-08 RR-22 what is parked is tried again once it is to say something else", async () => {
    await want({ slot: "board", body: "one" });
    const [board] = await open();
    if (!board) throw new Error("nothing to post");
    await setComment(store().db, board, { parked: "GitHub answered 403" });
    await want({ slot: "card:1", body: "card" });
    expect((await open()).map(({ slot }) => slot)).toEqual(["card:1"]);
    await want({ slot: "board", body: "two" });
    expect((await open()).map(({ slot, body }) => [slot, body])).toEqual([
      ["board", "two"],
      ["card:1", "card"],
    ]);
  });

  it("RR-08 what is parked is not tried, and threads keep to themselves", async () => {
    await want({ slot: "board", body: "one" }, { slot: "card:1", body: "card" });
    const [board] = await open();
    if (!board) throw new Error("nothing to post");
    await setComment(store().db, board, { parked: "gone" });
    expect((await open()).map(({ slot }) => slot)).toEqual(["card:1"]);
    expect(await openPosts(store().db, { ...thread, issue: issue + 500 }, 100, true)).toEqual({
      reactions: [],
      comments: [],
      folds: false,
      labelsDueInMs: null,
      pin: false,
      saysLate: false,
    });
  });

  it("SR-27 RR-07 what comes of an edit after its comment was heard to be deleted changes nothing: it is made anew", async () => {
    await want({ slot: "board", body: "one" });
    const [fresh] = await open();
    if (!fresh) throw new Error("nothing to post");
    await begin(fresh);
    expect(await commentPosted(store().db, fresh, { githubId: issue, nodeId: "IC_1" })).toBe(true);
    await want({ slot: "board", body: "two" });
    const [edited] = await open();
    if (!edited) throw new Error("nothing to post");
    await store().transaction((tx) => restoreComment(tx, edited, "create"));
    await setComment(store().db, edited, { parked: "GitHub answered 404" });
    const late = { githubId: issue, nodeId: "IC_1" };
    expect(await commentPosted(store().db, edited, late)).toBe(false);
    expect(await store().transaction((tx) => postOvertaken(tx, edited, late))).toBe("past");
    await setComment(store().db, edited, { folded: true });
    expect(await begin(edited)).toBeUndefined();
    expect(await open()).toMatchObject([
      // Its mark is one that the store knows for ever: a copy on GitHub with another would tell of an older store (RR-24).
      { id: edited.id, body: "two", githubId: null, parked: null, attempts: 0, folded: false },
    ]);
  });

  it("RR-08 a board is not written over the newest rows: what has changed since it was drawn is drawn first", async () => {
    const { id, repo, number } = await incident();
    thread = { ...thread, repo, issue: number, incidentId: id };
    await want({ slot: "board", body: "one" });
    const [made] = await open();
    if (!made) throw new Error("nothing to post");
    await begin(made);
    await commentPosted(store().db, made, { githubId: issue + 7_000, nodeId: "IC_7" });
    await want({ slot: "board", body: "waits for approval" });
    const [board] = await open();
    if (!board) throw new Error("nothing to post");
    const edit = { ...thread, perMinute: 1_000, urgency: "board", share: null, asDrawn: true } as const;
    const change = (columns: string) =>
      sql`update incident set ${sql.raw(columns)} where id = ${id}`.execute(store().db);
    await change("changed = drawn + 1");
    expect((await takeWrite(store().db, edit, board)).kind).toBe("gone");
    // What cannot be drawn goes as it is.
    expect((await takeWrite(store().db, { ...edit, asDrawn: false }, board)).kind).toBe("go");
    await change("drawn = changed");
    expect((await takeWrite(store().db, edit, board)).kind).toBe("go");
  });

  it("RR-07 a reaction wanted twice is one", async () => {
    for (const _ of [1, 2])
      await store().transaction((tx) => wantReaction(tx, thread, { commentId: 7, content: "eyes" }));
    expect((await openPosts(store().db, thread, 100, true)).reactions).toMatchObject([
      { commentId: 7, content: "eyes" },
    ]);
  });

  it("SR-27 the card of an action is found by the action, and of an issue only its own", async () => {
    const given = await incident();
    const [one, two] = [await action(given), await action(given)];
    const own = { installationId: 1, repo: given.repo, issue: given.number, incidentId: given.id };
    await store().transaction((tx) =>
      wantComments(tx, own, [
        { slot: slots.ownCard(one.number), body: "1" },
        { slot: slots.ownCard(two.number), body: "2" },
        { slot: slots.board, body: "board" },
      ]),
    );
    await want({ slot: slots.ownCard(one.number), body: "another issue's" });
    const bodiesOf = (shown: readonly OutboxComment[]) => shown.map(({ body }) => body).sort();
    const { db } = store();
    const open = [slots.board, slots.ownCard(one.number), slots.ownCard(two.number)];
    expect((await partsOf(db, given.id, "shown")).shown.map(({ slot }) => slot).sort()).toEqual(open.sort());
    expect(bodiesOf(await shownComments(db, given, two))).toEqual(["2", "board"]);
    const look = { incidentId: given.id, number: two.number };
    expect(bodiesOf((await lookRows(db, look)).shown)).toEqual(["2", "board"]);
  });
});
