import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { readGauges } from "../../../src/store/gauges.ts";
import { restoreComment } from "../../../src/store/outbox/posting.ts";
import { slots } from "../../../src/store/outbox/thread-comments.ts";
import { wantReaction } from "../../../src/store/outbox/wanted.ts";
import { gone, later, lost, refused, usePoster } from "./poster.ts";

const poster = usePoster();

describe("the poster", () => {
  it("RR-07 posts in the order in which comments were wanted, new ones before edits, and each once", async () => {
    await poster.post({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    await poster.post({ slot: "board", body: "board 2" }, { slot: "reply:7", body: "reply" });
    await poster.serve();
    expect(poster.github.calls).toEqual(["create board", "create card", "create reply", "edit board 2"]);
    expect(await poster.comesBackIn()).toBeUndefined();
  });

  it("RR-08 many edits before the next post are one edit, and a body that did not change none", async () => {
    await poster.post({ slot: "board", body: "board" });
    for (const body of ["b2", "b3", "b4"]) await poster.want({ slot: "board", body });
    await poster.serve();
    await poster.post({ slot: "board", body: "b4" });
    expect(poster.github.calls).toEqual(["create board", "edit b4"]);
  });

  it("F-08 F-10 what GitHub refused for now it has not stored: it is not looked for, and nothing waits for its answer", async () => {
    poster.github.fail(later);
    await poster.post({ slot: "card:1", body: "card" });
    expect(await poster.row("card:1")).toMatchObject({ attempts: 0, githubId: null });
  });

  it("F-08 an answer lost after storing is found by its marker and adopted: one comment, brought up to date", async () => {
    poster.github.fail(lost, true);
    await poster.post({ slot: "card:1", body: "card" });
    await poster.post({ slot: "card:1", body: "card 2" });
    expect(poster.github.calls).toEqual(["create card", "find", "edit card 2"]);
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["card 2"]);
  });

  it("RR-07 CP07 a crash between the POST and its record is such a lost answer", async () => {
    await poster.post({ slot: "card:1", body: "card" });
    // What the store would hold had the process died before it noted the answer.
    await poster.store.db
      .updateTable("comment")
      .set({ githubId: null, nodeId: null, postedVersion: 0, attempts: 1 })
      .where("issue", "=", poster.thread.issue)
      .execute();
    await poster.serve();
    expect(poster.github.calls).toEqual(["create card", "find", "edit card"]);
    expect(poster.github.stored).toHaveLength(1);
  });

  it("F-09 a connection reset before storing: looked for, then posted once", async () => {
    poster.github.fail(lost);
    await poster.post({ slot: "card:1", body: "card" });
    await poster.serve();
    expect(poster.github.calls).toEqual(["create card", "find", "create card"]);
    expect(poster.github.stored).toHaveLength(1);
  });

  it("F-10 a rate limit is waited out, whatever else is to be tried sooner, and keeps the order", async () => {
    poster.github.fail(later);
    await poster.post({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    expect(poster.github.calls).toEqual(["create board"]);
    expect(await poster.comesBackIn()).toBeGreaterThanOrEqual(59);
  });

  it("F-10 what GitHub asks of one thread holds for all of its installation, and for no other", async () => {
    poster.github.fail(later);
    await poster.post({ slot: "board", body: "board" });
    const { installationId } = poster.thread;
    poster.move();
    await poster.post({ slot: "board", body: "beside" });
    expect([poster.github.stored, await poster.comesBackIn()]).toEqual([[], 60]);
    poster.move(installationId + 1);
    await poster.post({ slot: "board", body: "elsewhere" });
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["elsewhere"]);
  });

  /** GitHub refuses once more; in how many seconds it is asked again. */
  const refuse = async (): Promise<number> => {
    poster.github.fail(refused);
    await poster.budget({ pausedUntil: null });
    await poster.serve();
    const seconds = (await poster.comesBackIn()) ?? Number.NaN;
    await poster.forgetJobs();
    return seconds;
  };

  it("RR-08 F-13 what GitHub refuses without a word on when is asked for ever more seldom, never in step, and never parked", async () => {
    await poster.want({ slot: "board", body: "board" });
    const waits: number[] = [];
    for (let times = 0; times < 8; times++) waits.push(await refuse());
    const least = [60, 120, 240, 480, 900, 900, 900, 900];
    expect(waits.map((wait, at) => wait >= (least[at] ?? 0) && wait <= 1.25 * (least[at] ?? 0) + 1)).toEqual(
      least.map(() => true),
    );
    expect(new Set(waits.slice(4)).size).toBeGreaterThan(1);
    await poster.budget({ pausedUntil: null });
    await poster.serve();
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["board"]);
    await poster.want({ slot: "board", body: "board 2" });
    expect(await refuse()).toBeLessThanOrEqual(76);
  });

  it("RR-08 what was under way together is refused once", async () => {
    await poster.want({ slot: "board", body: "board" });
    for (const content of ["eyes", "rocket", "-1", "confused"] as const)
      await poster.store.transaction((tx) => wantReaction(tx, poster.thread, { commentId: 7, content }));
    for (let times = 0; times < 5; times++) poster.github.fail(refused);
    await poster.serve();
    expect(await poster.comesBackIn()).toBeLessThanOrEqual(76);
  });

  it("F-13 RR-08 an installation of which GitHub takes nothing for ten minutes is told of once, and so is the end of it", async () => {
    await poster.want({ slot: "board", body: "board" });
    const before = poster.logged("writes_refused", "writes_taken");
    const since = async () => poster.logged("writes_refused", "writes_taken").map((n, at) => n - (before[at] ?? 0));
    await refuse();
    expect(await since()).toEqual([0, 0]);
    await poster.budget({ refusedSince: new Date(Date.now() - 11 * 60_000) });
    expect((await readGauges(poster.store.db)).refusedSeconds).toBeGreaterThan(600);
    await refuse();
    await refuse();
    expect(await since()).toEqual([1, 0]);
    await poster.budget({ pausedUntil: null });
    await poster.serve();
    expect(await since()).toEqual([1, 1]);
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["board"]);
  });

  it("RR-08 a refusal that nobody has met again for long is over: the next one is a first one", async () => {
    await poster.want({ slot: "board", body: "board" });
    const [told = 0] = poster.logged("writes_refused");
    await refuse();
    await refuse();
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await poster.budget({ refusedSince: ago(90), pausedUntil: ago(30) });
    expect((await readGauges(poster.store.db)).refusedSeconds).toBeLessThan(600);
    poster.github.fail(refused);
    await poster.serve();
    expect(await poster.comesBackIn()).toBeLessThanOrEqual(76);
    expect(poster.logged("writes_refused")).toEqual([told]);
  });

  it("RR-08 a burst is let through, then new comments go before edits and reactions, and nothing is lost", async () => {
    const perMinute = 12;
    await poster.want({ slot: "board", body: "board" });
    // Pinning it would take one more.
    await poster.store.db.updateTable("comment").set({ pinned: true }).execute();
    await poster.serve(perMinute);
    await poster.want({ slot: "board", body: "board 2" });
    await poster.want(...[1, 2, 3].map((n) => ({ slot: slots.reply(n), body: `reply ${n}` })));
    await poster.serve(perMinute);
    // Six at once: four are gone, two are left, and those are kept for what people wait for.
    expect(poster.github.calls).toEqual(["create board", "create reply 1", "create reply 2", "create reply 3"]);
    expect(await poster.comesBackIn()).toBeGreaterThan(5);
    await poster.want({ slot: "reply:4", body: "reply 4" }, { slot: "reply:5", body: "reply 5" });
    await poster.want({ slot: "reply:6", body: "reply 6" });
    await poster.serve(perMinute);
    expect(poster.github.calls.slice(4)).toEqual(["create reply 4", "create reply 5"]);
    const aMinuteLater = () =>
      poster.store.db
        .updateTable("writeBudget")
        .set({ refilledAt: sql<Date>`refilled_at - interval '1 minute'` })
        .where("installationId", "=", poster.thread.installationId)
        .execute();
    await aMinuteLater();
    await poster.serve(perMinute);
    expect(poster.github.calls.slice(6)).toEqual(["create reply 6", "edit board 2"]);
  });

  it("RR-08 a result goes before whatever else waits on its issue, and a new comment that waits holds back no edit", async () => {
    await poster.post(
      { slot: "board", body: "board" },
      { slot: "card:1", body: "card" },
      { slot: "batch:1", body: "runs" },
    );
    await poster.want(
      { slot: "board", body: "board 2" },
      { slot: "card:1", body: "card 2" },
      { slot: "notice:1", body: "notice" },
      { slot: "batch:1", body: "result", awaited: true },
    );
    await poster.store.transaction((tx) => wantReaction(tx, poster.thread, { commentId: 9, content: "rocket" }));
    await poster.serve();
    expect(poster.github.calls.slice(3)).toEqual(["edit result", "edit card 2", "create notice", "edit board 2"]);
    expect(poster.github.reacted).toEqual(["9 rocket"]);
    // All but what results may use is gone.
    await poster.store.db.updateTable("writeBudget").set({ minuteUsed: 30.5, refilledAt: new Date() }).execute();
    await poster.want({ slot: "card:2", body: "waits" }, { slot: "batch:1", body: "result 2", awaited: true });
    await poster.serve(80);
    expect(poster.github.calls.slice(7)).toEqual(["edit result 2"]);
  });

  it("RR-08 a card goes as soon as the reply that stands below it", async () => {
    await poster.want(
      { slot: "card:1", body: "card" },
      { slot: "reply:1", body: "reply" },
      { slot: "card:2", body: "card 2" },
    );
    await poster.serve(80);
    await poster.store.db.updateTable("writeBudget").set({ minuteUsed: 30.5, refilledAt: new Date() }).execute();
    await poster.want(
      { slot: "card:3", body: "above" },
      { slot: "reply:2", body: "below" },
      { slot: "card:4", body: "waits" },
    );
    await poster.serve(80);
    expect(poster.github.calls.slice(3)).toEqual(["create above", "create below"]);
  });

  it("RR-08 while too much is to be written a 👀 is left out beside its outcome, and nobody's outcome is", async () => {
    await poster.want({ slot: "board", body: "board" });
    await poster.serve(80);
    await poster.store.db.updateTable("writeBudget").set({ minuteUsed: 38, refilledAt: new Date() }).execute();
    for (const [commentId, content] of [
      [7, "eyes"],
      [7, "rocket"],
      [8, "eyes"],
    ] as const)
      await poster.store.transaction((tx) => wantReaction(tx, poster.thread, { commentId, content }));
    await poster.serve(80);
    expect(poster.github.reacted).toEqual([]);
    await poster.serve();
    expect(poster.github.reacted).toEqual(["7 rocket", "8 eyes"]);
  });

  it("RR-08 a comment that has waited long for its turn is noted, so that the boards can say so", async () => {
    const late = async () => {
      await poster.serve(4);
      const { installationId } = poster.thread;
      const budget = poster.store.db.selectFrom("writeBudget").where("installationId", "=", installationId);
      return (await budget.select("lateAt").executeTakeFirstOrThrow()).lateAt !== null;
    };
    await poster.want(...[1, 2, 3].map((n) => ({ slot: slots.reply(n), body: `reply ${n}` })));
    expect(await late()).toBe(false);
    await poster.store.db
      .updateTable("comment")
      .set({ dueAt: new Date(Date.now() - 11_000) })
      .where("installationId", "=", poster.thread.installationId)
      .execute();
    expect(await late()).toBe(true);
    expect(poster.github.calls).toEqual(["create reply 1", "create reply 2"]);
  });

  it("RR-08 what GitHub will never take is parked with the reason, and the rest goes on", async () => {
    poster.github.fail(gone);
    await poster.post({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["card"]);
    expect(await poster.row("board")).toMatchObject({ parked: gone.why, githubId: null });
    expect(await poster.comesBackIn()).toBeUndefined();
  });

  it("F-14 GitHub down for half an hour parks nothing: a result that is late is still posted", async () => {
    await poster.want({ slot: "batch:1", body: "result" });
    let waited = 0;
    while (waited < 1_800) {
      poster.github.fail(lost);
      await poster.serve();
      const seconds = await poster.comesBackIn();
      if (seconds === undefined) throw new Error(`given up after ${waited} s`);
      waited += seconds;
      await poster.forgetJobs();
    }
    await poster.serve();
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["result"]);
  });

  it("F-19 where one part of it breaks, the others are over before it fails, and nothing breaks unheard", async () => {
    await poster.want({ slot: "board", body: "board" });
    await poster.store.transaction((tx) => wantReaction(tx, poster.thread, { commentId: 7, content: "eyes" }));
    const { create } = poster.github.comments;
    Object.assign(poster.github.comments, {
      react: async () => Promise.reject(new Error("Connection terminated unexpectedly")),
      create: async (...given: Parameters<typeof create>) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return create(...given);
      },
    });
    await expect(poster.serve()).rejects.toThrow("Connection terminated unexpectedly");
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["board"]);
    expect(await poster.row("board")).toMatchObject({ githubId: expect.any(Number) });
  });

  it.each(["create", "edit"] as const)(
    "RR-05 F-34 an older text that came after the newer one of another process is followed by it: %s",
    async (way) => {
      await poster.want({ slot: "board", body: "board" });
      if (way === "edit") {
        await poster.serve();
        await poster.want({ slot: "board", body: "board 2" });
      }
      poster.standStillBefore(way, async () => {
        await poster.post({ slot: "board", body: "board 3" });
      });
      await poster.serve();
      await poster.serve();
      expect(poster.github.stored.map(({ body }) => body)).toEqual(["board 3"]);
      const row = await poster.row("board");
      expect(row).toMatchObject({ postedBody: "board 3", postedVersion: row.version, attempts: 0 });
    },
  );

  it("RR-05 F-34 a comment that another process has made meanwhile is not there twice", async () => {
    await poster.want({ slot: "card:1", body: "card" });
    poster.standStillBefore("create", () => poster.serve());
    await poster.serve();
    const { githubId } = await poster.row("card:1");
    expect(poster.github.stored).toMatchObject([{ githubId, body: "card" }]);
    expect(poster.github.calls).toEqual(["find", "create card", "create card", expect.stringMatching(/^remove /)]);
  });

  it("RR-05 who has lost the thread begins with no other comment of it", async () => {
    await poster.want({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    const lostIt = new AbortController();
    poster.standStillBefore("create", async () => lostIt.abort(new Error("another process took this job over")));
    await expect(poster.serveUntil(lostIt.signal)).rejects.toThrow("another process");
    expect(poster.github.calls).toEqual(["create board"]);
    expect(await poster.row("card:1")).toMatchObject({ attempts: 0 });
  });

  it("RR-17 a thread that could not be served rests, and loses nothing of what people wait for", async () => {
    await poster.want({ slot: "board", body: "board" });
    poster.github.fail(lost);
    await poster.serve();
    await poster.forgetJobs();
    await poster.giveUp("Connection terminated unexpectedly");
    expect(await poster.comesBackIn()).toBeGreaterThan(590);
    await poster.serve();
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["board"]);
    // Nothing is left to come back for.
    await poster.forgetJobs();
    await poster.giveUp("Connection terminated unexpectedly");
    expect(await poster.comesBackIn()).toBeUndefined();
  });

  it("RR-17 the comment at which the process ended each time is parked, and the rest of the thread goes on", async () => {
    poster.github.fail(lost);
    await poster.post({ slot: "board", body: "board" }, { slot: "reply:7", body: "reply" });
    await poster.giveUp("the process ended 4 times", 4);
    expect(await poster.row("board")).toMatchObject({ parked: "the process ended 4 times", githubId: null });
    await poster.serve();
    expect(poster.github.stored.map(({ body }) => body)).toEqual(["reply"]);
  });

  it("SR-27 a card that somebody deleted while we were editing it is posted again, parked or not", async () => {
    await poster.post({ slot: "card:1", body: "card" });
    await poster.want({ slot: "card:1", body: "card 2" });
    poster.github.fail(gone);
    await poster.serve();
    const card = await poster.row("card:1");
    await poster.store.transaction((tx) => restoreComment(tx, card, "create"));
    await poster.serve();
    expect(poster.github.calls.at(-1)).toBe("create card 2");
  });

  it("RR-17 what waits is posted where nothing can be drawn, and it is drawn later", async () => {
    await poster.want({ slot: "reply:1", body: "reply" });
    await poster.serveUndrawn();
    expect(poster.github.calls).toEqual(["create reply"]);
    expect(poster.logged("draw_failed")).toEqual([1]);
    expect(await poster.comesBackIn()).toBeGreaterThan(10);
  });

  it("RR-08 an edit that may wait waits for its time, and nothing behind it does", async () => {
    await poster.post({ slot: "board", body: "board" });
    await poster.post(
      { slot: "board", body: "board 2", pace: { holdMs: 30_000, apartMs: 0 } },
      { slot: "card:1", body: "card" },
    );
    expect(poster.github.calls).toEqual(["create board", "create card"]);
    expect(await poster.comesBackIn()).toBeGreaterThan(10);
  });

  it("RR-08 F-14 what GitHub leaves without an answer for hours is parked, and tried again after each rest", async () => {
    await poster.want({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    const { db } = poster.store;
    await db.updateTable("comment").set({ attempts: 99 }).where("slot", "=", "board").execute();
    poster.github.fail(lost);
    await poster.serve();
    expect(await poster.row("board")).toMatchObject({ githubId: null, parked: expect.stringContaining("100 times") });
    expect(await poster.row("card:1")).toMatchObject({ parked: null, postedBody: "card" });
    expect(await poster.comesBackIn()).toBeGreaterThan(500);
    await poster.serve();
    expect(await poster.row("board")).toMatchObject({ parked: null, postedBody: "board", attempts: 0 });
  });

  it("RR-07 a reaction is made once, tried again when lost, parked when refused, and holds up no comment", async () => {
    await poster.store.transaction(async (tx) => {
      for (const content of ["eyes", "rocket", "eyes"] as const)
        await wantReaction(tx, poster.thread, { commentId: 7, content });
    });
    await poster.want({ slot: "reply:8", body: "reply" });
    await poster.store.transaction((tx) => wantReaction(tx, poster.thread, { commentId: 8, content: "rocket" }));
    const { react } = poster.github.comments;
    Object.assign(poster.github.comments, {
      react: async (...given: Parameters<typeof react>) => {
        if (poster.github.reacted.length === 0) poster.github.fail(lost);
        Object.assign(poster.github.comments, { react });
        return react(...given);
      },
    });
    await poster.serve();
    expect(poster.github.stored).toHaveLength(1);
    expect(await poster.comesBackIn()).toBeLessThanOrEqual(4);
    poster.github.fail(gone);
    await poster.serve();
    await poster.serve();
    expect(poster.github.reacted).toEqual(["7 rocket"]);
  });
});
