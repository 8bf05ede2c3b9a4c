import { pino } from "pino";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { giveUpPost, post } from "../../../src/features/thread/post.ts";
import type { Comments, PostResult } from "../../../src/github/comments.ts";
import type { Labels } from "../../../src/github/issues.ts";
import type { WriteFailure } from "../../../src/github/outcome.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import {
  type OutboxComment,
  type Thread,
  threadKey,
  type WantedComment,
  wantComments,
} from "../../../src/store/outbox/wanted.ts";
import { jobOf } from "../../harness/job.ts";
import { freshFolder, removeFolder } from "../../store/fresh.ts";
import { forgetJobs, jobsIn } from "../../store/jobs.ts";

let nextId = 100;

export const lost: WriteFailure = { kind: "ambiguous", why: "no answer" };
export const gone: WriteFailure = { kind: "never", why: "GitHub answered 404" };
export const later: WriteFailure = { kind: "later", afterMs: 60_000, isTold: true, why: "GitHub's rate limit" };
export const refused: WriteFailure = { ...later, isTold: false, why: "GitHub does not take our token" };

const parts = { draw: async () => undefined, checkBoard: async () => undefined };

/** A GitHub of one issue, which takes the failures it is given, one a write, and stores or loses what was written. */
function fakeComments() {
  const stored: { githubId: number; id: string; body: string }[] = [];
  const reacted: string[] = [];
  const folded = new Set<string>();
  const labelled = new Set<string>();
  const calls: string[] = [];
  const pinned: number[] = [];
  const failures: { failure: WriteFailure; storedAnyway: boolean }[] = [];
  const posted = (githubId: number): PostResult => ({ kind: "posted", githubId, nodeId: `IC_${githubId}` });
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
    remove: async (_place, githubId) => {
      calls.push(`remove ${githubId}`);
      stored.splice(0, stored.length, ...stored.filter((comment) => comment.githubId !== githubId));
      return { kind: "posted" };
    },
    find: async (_place, id) => {
      calls.push("find");
      const found = stored.find((comment) => comment.id === id);
      return found ? posted(found.githubId) : undefined;
    },
    pin: async (_place, githubId) => {
      pinned.push(githubId);
      return { kind: "posted" };
    },
    read: async (_place, githubId) => ({
      kind: "read",
      body: stored.find((comment) => comment.githubId === githubId)?.body ?? "",
    }),
    minimize: async (_place, { nodeId, as }) => {
      calls.push(`fold ${nodeId} ${as}`);
      const fault = failures.shift();
      if (!fault || fault.storedAnyway) folded.add(nodeId);
      return fault ? fault.failure : { kind: "posted" };
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
      const fault = failures.shift();
      if (!fault || fault.storedAnyway) for (const name of names) labelled.add(name);
      return fault ? fault.failure : { kind: "posted", on: [...labelled] };
    },
    remove: async (_place, name) => {
      calls.push(`unlabel ${name}`);
      const fault = failures.shift();
      const was = (!fault || fault.storedAnyway) && labelled.delete(name);
      return fault ? fault.failure : { kind: "posted", on: was ? [...labelled] : undefined };
    },
  };
  const fail = (failure: WriteFailure, storedAnyway = false) => failures.push({ failure, storedAnyway });
  return { comments, labels, labelled, folded, stored, reacted, calls, fail };
}

/** The poster on a real store and a GitHub of one issue, a new one for each test. */
export function usePoster() {
  let folder: string;
  let store: Store;
  let github: ReturnType<typeof fakeComments>;
  let thread: Thread = { installationId: 0, repo: "acme/web", issue: 0, incidentId: null };
  beforeAll(async () => {
    folder = await freshFolder();
    store = await openStore(`file:${folder}`);
  });
  afterAll(async () => {
    await store.close();
    removeFolder(folder);
  });
  beforeEach(() => {
    github = fakeComments();
    thread = { ...thread, installationId: thread.installationId + 1, issue: thread.issue + 1 };
  });
  const lines: { readonly event?: string; readonly level?: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const outside = (writesPerMinute = 1_000, stateLabel = "") => {
    const { comments, labels } = github;
    const config = { github: { writesPerMinute }, incident: { stateLabel } };
    return { config, store, log, comments, labels };
  };
  /** When each thread wants to be served again, as the queue would keep it. */
  const backAt = new Map<string, number>();
  const job = () => {
    const key = threadKey(thread);
    const comeBack = (afterMs: number) =>
      void backAt.set(key, Math.min(Date.now() + afterMs, backAt.get(key) ?? Number.POSITIVE_INFINITY));
    return jobOf("post", { repo: thread.repo, issue: thread.issue }, { key, comeBack });
  };
  const want = (...comments: readonly WantedComment[]) => store.transaction((tx) => wantComments(tx, thread, comments));
  /** Lets the poster serve the thread once. */
  const serve = (writesPerMinute = 1_000, stateLabel = "") => post(outside(writesPerMinute, stateLabel), parts, job());
  return {
    get store() {
      return store;
    },
    get github() {
      return github;
    },
    /** How often each of these was logged. */
    logged: (...events: readonly string[]) =>
      events.map((event) => lines.filter((line) => line.event === event).length),
    /** Changes what is known of the installation's writes. */
    budget: (changed: { readonly pausedUntil?: Date | null; readonly refusedSince?: Date }) =>
      store.db.updateTable("writeBudget").set(changed).where("installationId", "=", thread.installationId).execute(),
    get thread() {
      return thread;
    },
    /** Goes on with another issue, of the same installation unless said otherwise. */
    move: (installationId = thread.installationId) => {
      thread = { ...thread, installationId, issue: thread.issue + 1 };
    },
    want,
    serve,
    /** Wants these and serves them. */
    post: async (...comments: readonly WantedComment[]) => {
      await want(...comments);
      await serve();
    },
    /** The same, while nothing can be drawn. */
    serveUndrawn: () => post(outside(), { ...parts, draw: () => Promise.reject(new Error("cannot be drawn")) }, job()),
    /** The same, until this says that the thread is another's. */
    serveUntil: (signal: AbortSignal) => post(outside(), parts, { ...job(), signal }),
    /** The next write of this kind stands still before it goes out, and this happens meanwhile. */
    standStillBefore: (way: "create" | "edit", meanwhile: () => Promise<void>) => {
      const { comments } = github;
      const { create, edit } = comments;
      const late =
        <Given extends readonly unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
        async (...given: Given): Promise<Answer> => {
          Object.assign(comments, { create, edit });
          await meanwhile();
          return write(...given);
        };
      Object.assign(comments, way === "create" ? { create: late(create) } : { edit: late(edit) });
    },
    /** What follows where it has failed to the last. */
    giveUp: (why: string, deaths = 0) =>
      store.transaction((tx) => giveUpPost(tx, outside(), { ...job(), deaths }, why)),
    /** In how many seconds the poster wants to look again; nothing where it does not. */
    comesBackIn: async (): Promise<number | undefined> => {
      const key = threadKey(thread);
      const waiting = (await jobsIn(store.db, "post")).filter((job) => job.key === key).map(({ dueIn }) => dueIn);
      const at = backAt.get(key);
      const times = at === undefined ? waiting : [...waiting, (at - Date.now()) / 1_000];
      return times.length === 0 ? undefined : Math.round(Math.min(...times));
    },
    /** Takes what waits off the queue, as if it had been served. */
    forgetJobs: () => {
      backAt.clear();
      return forgetJobs(store.db, "post");
    },
    row: (slot: string): Promise<OutboxComment> =>
      store.db
        .selectFrom("comment")
        .selectAll()
        .where("issue", "=", thread.issue)
        .where("slot", "=", slot)
        .executeTakeFirstOrThrow(),
  };
}
