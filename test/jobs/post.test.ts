import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Comments, Posted } from "../../src/github/comments.ts";
import type { Labels } from "../../src/github/labels.ts";
import type { WriteFailure } from "../../src/github/outcome.ts";
import { post } from "../../src/jobs/post.ts";
import { openStore, type Store } from "../../src/store/database.ts";
import { restoreComment, type Thread, threadKey, wantComments, wantReaction } from "../../src/store/outbox.ts";
import type { Job } from "../../src/store/queue.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";

let folder: string;
let store: Store;
let issue = 0;
let nextId = 100;
beforeAll(async () => {
  folder = await freshFolder();
  store = await openStore(`file:${folder}`);
});
afterAll(async () => {
  await store.close();
  removeFolder(folder);
});

const lost: WriteFailure = { kind: "ambiguous", why: "no answer" };
const gone: WriteFailure = { kind: "never", why: "GitHub answered 404" };
const later: WriteFailure = { kind: "later", afterMs: 60_000, why: "GitHub's rate limit" };

/** A GitHub of one issue, which takes the failures it is given, one a write, and stores or loses what was written. */
function fakeComments() {
  const stored: { githubId: number; id: string; body: string }[] = [];
  const reacted: string[] = [];
  const calls: string[] = [];
  const failures: { failure: WriteFailure; storedAnyway: boolean }[] = [];
  const posted = (githubId: number): Posted => ({ kind: "posted", githubId, nodeId: `IC_${githubId}` });
  const comments: Comments = {
    create: async (_place, { id, body }) => {
      calls.push(`create ${body}`);
      const fault = failures.shift();
      const githubId = nextId++;
      if (!fault || fault.storedAnyway) stored.push({ githubId, id, body });
      return fault ? fault.failure : posted(githubId);
    },
    edit: async (_place, { githubId, body }) => {
      calls.push(`edit ${body}`);
      const fault = failures.shift();
      const comment = stored.find((candidate) => candidate.githubId === githubId);
      if (comment && (!fault || fault.storedAnyway)) comment.body = body;
      return fault ? fault.failure : posted(githubId);
    },
    find: async (_place, id) => {
      calls.push("find");
      const found = stored.find((comment) => comment.id === id);
      return found ? posted(found.githubId) : undefined;
    },
    minimize: async (_place, { nodeId, as }) => {
      calls.push(`fold ${nodeId} ${as}`);
      return failures.shift()?.failure ?? { kind: "posted" };
    },
    react: async (_place, { commentId, content }) => {
      const fault = failures.shift();
      if (fault) return fault.failure;
      reacted.push(`${commentId} ${content}`);
      return { kind: "posted" };
    },
  };
  const labels: Labels = {
    isListed: () => true,
    list: async () => ({ kind: "posted" }),
    add: async (_place, names) => {
      calls.push(`label ${names.join(", ")}`);
      return failures.shift()?.failure ?? { kind: "posted", on: names };
    },
    remove: async (_place, name) => {
      calls.push(`unlabel ${name}`);
      return failures.shift()?.failure ?? { kind: "posted", on: undefined };
    },
  };
  const fail = (failure: WriteFailure, storedAnyway = false) => failures.push({ failure, storedAnyway });
  return { comments, labels, stored, reacted, calls, fail };
}

describe("the poster", () => {
  let github: ReturnType<typeof fakeComments>;
  let thread: Thread;
  beforeEach(() => {
    github = fakeComments();
    issue += 1;
    thread = { installationId: issue, repo: "acme/web", issue, incidentId: null };
  });

  const want = (...comments: readonly { slot: string; body: string; dueAt?: Date }[]) =>
    store.transaction((tx) => wantComments(tx, thread, comments));
  const serve = (writesPerMinute = 1_000) => {
    const config = { github: { writesPerMinute }, incident: { stateLabel: "" } };
    const job: Job = {
      id: "1",
      queue: "post",
      key: threadKey(thread),
      data: { repo: thread.repo, issue: thread.issue },
      attempt: 1,
      signal: new AbortController().signal,
      settle: async () => {},
    };
    return post(
      { config, store, log: pino({ level: "silent" }), comments: github.comments, labels: github.labels },
      job,
    );
  };
  /** In how many seconds the poster wants to look again; nothing where it does not. */
  const comesBackIn = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ seconds: string }>`
      select extract(epoch from start_after - now()) as seconds from boss.job
      where name = 'post' and singleton_key = ${threadKey(thread)}`.execute(store.db);
    return rows[0] ? Math.round(Number(rows[0].seconds)) : undefined;
  };
  const row = (slot: string) =>
    store.db
      .selectFrom("comment")
      .selectAll()
      .where("issue", "=", thread.issue)
      .where("slot", "=", slot)
      .executeTakeFirstOrThrow();

  it("RR-07 posts in the order in which comments were wanted, new ones before edits, and each once", async () => {
    await want({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    await serve();
    await want({ slot: "board", body: "board 2" }, { slot: "reply:7", body: "reply" });
    await serve();
    await serve();
    expect(github.calls).toEqual(["create board", "create card", "create reply", "edit board 2"]);
    expect(await comesBackIn()).toBeUndefined();
  });

  it("RR-08 many edits before the next post are one edit, and a body that did not change none", async () => {
    await want({ slot: "board", body: "board" });
    await serve();
    for (const body of ["b2", "b3", "b4"]) await want({ slot: "board", body });
    await serve();
    await want({ slot: "board", body: "b4" });
    await serve();
    expect(github.calls).toEqual(["create board", "edit b4"]);
  });

  it("F-08 an answer lost after storing is found by its marker and adopted: one comment, brought up to date", async () => {
    github.fail(lost, true);
    await want({ slot: "card:1", body: "card" });
    await serve();
    await want({ slot: "card:1", body: "card 2" });
    await serve();
    expect(github.calls).toEqual(["create card", "find", "edit card 2"]);
    expect(github.stored.map(({ body }) => body)).toEqual(["card 2"]);
  });

  it("RR-07 CP-07 a crash between the POST and its record is such a lost answer", async () => {
    await want({ slot: "card:1", body: "card" });
    await serve();
    // What the store would hold had the process died before it noted the answer.
    await store.db
      .updateTable("comment")
      .set({ githubId: null, nodeId: null, postedVersion: 0, attempts: 1 })
      .where("issue", "=", thread.issue)
      .execute();
    await serve();
    expect(github.calls).toEqual(["create card", "find", "edit card"]);
    expect(github.stored).toHaveLength(1);
  });

  it("F-09 a connection reset before storing: looked for, then posted once", async () => {
    github.fail(lost);
    await want({ slot: "card:1", body: "card" });
    await serve();
    await serve();
    expect(github.calls).toEqual(["create card", "find", "create card"]);
    expect(github.stored).toHaveLength(1);
  });

  it("F-10 a rate limit is waited out, whatever else is to be tried sooner, and keeps the order", async () => {
    github.fail(later);
    await want({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    await serve();
    expect(github.calls).toEqual(["create board"]);
    expect(await comesBackIn()).toBeGreaterThanOrEqual(59);
  });

  it("F-10 what GitHub asks of one thread holds for all of its installation, and for no other", async () => {
    github.fail(later);
    await want({ slot: "board", body: "board" });
    await serve();
    const { installationId } = thread;
    issue += 1;
    thread = { ...thread, issue };
    await want({ slot: "board", body: "beside" });
    await serve();
    expect([github.stored, await comesBackIn()]).toEqual([[], 60]);
    thread = { ...thread, installationId: installationId + 1 };
    issue += 1;
    thread = { ...thread, issue };
    await want({ slot: "board", body: "elsewhere" });
    await serve();
    expect(github.stored.map(({ body }) => body)).toEqual(["elsewhere"]);
  });

  it("RR-08 a burst is let through, then new comments go before edits and reactions, and nothing is lost", async () => {
    const perMinute = 12;
    await want({ slot: "board", body: "board" });
    await serve(perMinute);
    await want({ slot: "board", body: "board 2" });
    await want(...[1, 2, 3].map((n) => ({ slot: `reply:${n}`, body: `reply ${n}` })));
    await serve(perMinute);
    // Six at once: four are gone, two are left, and those are kept for what people wait for.
    expect(github.calls).toEqual(["create board", "create reply 1", "create reply 2", "create reply 3"]);
    expect(await comesBackIn()).toBeGreaterThan(5);
    await want({ slot: "reply:4", body: "reply 4" }, { slot: "reply:5", body: "reply 5" });
    await want({ slot: "reply:6", body: "reply 6" });
    await serve(perMinute);
    expect(github.calls.slice(4)).toEqual(["create reply 4", "create reply 5"]);
    const aMinuteLater = () =>
      store.db
        .updateTable("writeBudget")
        .set({ refilledAt: sql<Date>`refilled_at - interval '1 minute'` })
        .where("installationId", "=", thread.installationId)
        .execute();
    await aMinuteLater();
    await serve(perMinute);
    expect(github.calls.slice(6)).toEqual(["create reply 6", "edit board 2"]);
  });

  it("RR-08 what GitHub will never take is parked with the reason, and the rest goes on", async () => {
    github.fail(gone);
    await want({ slot: "board", body: "board" }, { slot: "card:1", body: "card" });
    await serve();
    expect(github.stored.map(({ body }) => body)).toEqual(["card"]);
    expect(await row("board")).toMatchObject({ parked: gone.why, githubId: null });
    expect(await comesBackIn()).toBeUndefined();
  });

  it("F-14 GitHub down for half an hour parks nothing: a result that is late is still posted", async () => {
    await want({ slot: "batch:1", body: "result" });
    let waited = 0;
    while (waited < 1_800) {
      github.fail(lost);
      await serve();
      const seconds = await comesBackIn();
      if (seconds === undefined) throw new Error(`given up after ${waited} s`);
      waited += seconds;
      await sql`delete from boss.job where name = 'post'`.execute(store.db);
    }
    await serve();
    expect(github.stored.map(({ body }) => body)).toEqual(["result"]);
  });

  it("SR-27 a card that somebody deleted while we were editing it is posted again, parked or not", async () => {
    await want({ slot: "card:1", body: "card" });
    await serve();
    await want({ slot: "card:1", body: "card 2" });
    github.fail(gone);
    await serve();
    const card = await row("card:1");
    await store.transaction((tx) => restoreComment(tx, card, "create"));
    await serve();
    expect(github.calls.at(-1)).toBe("create card 2");
  });

  it("RR-08 an edit that may wait waits for its time, and nothing behind it does", async () => {
    await want(
      { slot: "board", body: "board", dueAt: new Date(Date.now() + 30_000) },
      { slot: "card:1", body: "card" },
    );
    await serve();
    expect(github.calls).toEqual(["create card"]);
    expect(await comesBackIn()).toBeGreaterThan(20);
  });

  it("RR-07 a reaction is made once, tried again when lost, parked when refused, and holds up no comment", async () => {
    await store.transaction(async (tx) => {
      for (const content of ["eyes", "rocket", "eyes"] as const)
        await wantReaction(tx, thread, { commentId: 7, content });
    });
    await want({ slot: "reply:7", body: "reply" });
    github.fail(lost);
    github.fail(gone);
    await serve();
    expect(github.stored).toHaveLength(1);
    expect(await comesBackIn()).toBeLessThanOrEqual(4);
    await serve();
    await serve();
    expect(github.reacted).toEqual(["7 eyes"]);
  });
});
