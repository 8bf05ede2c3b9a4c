import { afterEach, describe, expect, it, vi } from "vitest";
import type { QueueName } from "../../../src/base/queues.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import type { Job } from "../../../src/store/queue/queue.ts";
import { reclaim } from "../../../src/store/queue/table.ts";
import { haveClaimed, haveTried, jobsIn, makeDue, relaxedOn, takeAway } from "../jobs.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the queue on a PostgreSQL server");

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

async function openAt(url: string): Promise<Store> {
  const store = await openStore(url);
  open.push(store);
  return store;
}

const enqueue = (store: Store, queue: QueueName, key: string, ...data: readonly object[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const each of data) await store.queue.enqueue(tx, queue, key, each);
  });

const never = async (_job: Job, error: unknown): Promise<void> => {
  throw new Error(`no job should be given up here, but one was: ${error}`);
};

/** Makes what waits for its next attempt due at once, until `done`. */
async function hurry(store: Store, queue: QueueName, done: () => boolean): Promise<void> {
  while (!done()) {
    await makeDue(store.db);
    store.queue.wake(queue);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await store.queue.idle();
}

/** Serves a queue, after `before` where that is given; what was served, in order. */
async function serving(
  store: Store,
  queue: QueueName,
  before: (job: Job) => Promise<void> | void = () => {},
  slots = 2,
): Promise<unknown[]> {
  const served: unknown[] = [];
  await store.queue.serve(queue, { slots, onPoison: never }, async (job) => {
    await before(job);
    served.push(job.data);
  });
  return served;
}

/** A place where work stands until it may go on. */
function gate() {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stand = (): Promise<void> => {
    begun.resolve();
    return goOn.promise;
  };
  return { stand, begun: begun.promise, letGo: goOn.resolve };
}

const dataOf = ({ data }: Pick<Job, "data">): Record<string, unknown> => ({ ...(data as object) });

describe.each(here)("the queue ($kind)", ({ kind, create }) => {
  it("RR-14 an announced event is heard once its transaction has committed, in every process, and not if it is undone", {
    tags: ["long"],
  }, async () => {
    const url = await create();
    const store = await openAt(url);
    const another = kind === "server" ? await openAt(url) : store;
    const longMs = 600_000;
    const heard = ["batch-1", "batch-2"].map((event) => another.queue.heard(event, longMs).then(() => event));
    const undone = store.transaction(async (tx) => {
      store.queue.announce(tx, "batch-1");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await store.transaction(async (tx) => store.queue.announce(tx, "batch-2"));
    expect(await Promise.race(heard)).toBe("batch-2");
    await store.transaction(async (tx) => store.queue.announce(tx, "batch-1"));
    expect(await heard[0]).toBe("batch-1");
    // Lost, or nobody said it.
    await another.queue.heard("batch-3", 1);
  });

  it("RR-04 serves the jobs of one key one after another in their order, and several keys side by side", {
    tags: ["long"],
  }, async () => {
    const store = await openAt(await create());
    const served: string[] = [];
    const active = new Map<string, number>();
    let most = 0;
    await store.queue.serve("turn", { slots: 3, onPoison: never }, async (job) => {
      active.set(job.key, (active.get(job.key) ?? 0) + 1);
      expect(active.get(job.key)).toBe(1);
      most = Math.max(most, active.size);
      await new Promise((resolve) => setTimeout(resolve, 2));
      served.push(`${job.key}${dataOf(job).n}`);
      active.delete(job.key);
    });
    for (let n = 0; n < 5; n++)
      await store.transaction(async (tx) => {
        for (const key of ["a", "b", "c", "d"]) await store.queue.enqueue(tx, "turn", key, { n: 2 * n });
        for (const key of ["a", "b", "c", "d"]) await store.queue.enqueue(tx, "turn", key, { n: 2 * n + 1 });
      });
    await store.queue.idle();
    for (const key of ["a", "b", "c", "d"])
      expect(served.filter((one) => one.startsWith(key))).toEqual([...Array(10).keys()].map((n) => `${key}${n}`));
    expect(most).toBe(3);
  });

  it("serves a job only when its transaction has committed, and never one that was undone", {
    tags: ["long"],
  }, async () => {
    const store = await openAt(await create());
    const served = await serving(store, "turn");
    const undone = store.transaction(async (tx) => {
      await store.queue.enqueue(tx, "turn", "a", { n: 1 });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await store.transaction(async (tx) => {
      await store.queue.enqueue(tx, "turn", "a", { n: 2 });
      store.queue.wake("turn");
      expect(served).toEqual([]);
    });
    await store.queue.idle();
    expect(served).toEqual([{ n: 2 }]);
  });

  it("serves no job before its time", async () => {
    const store = await openAt(await create());
    const served = await serving(store, "turn");
    await store.transaction(async (tx) => {
      await store.queue.enqueue(tx, "turn", "a", { n: "later" }, { afterMs: 3_600_000 });
      await store.queue.enqueue(tx, "turn", "a", { n: "now" });
    });
    await store.queue.idle();
    expect(served).toEqual([{ n: "now" }]);
  });

  it("lets at most one post wait and one be active for a key, and loses no word", async () => {
    const store = await openAt(await create());
    const { stand, begun, letGo } = gate();
    const served = await serving(store, "post", stand, 4);
    await enqueue(store, "post", "issue:1:1", { n: 1 });
    await begun;
    for (let n = 2; n < 6; n++) await enqueue(store, "post", "issue:1:1", { n });
    letGo();
    await store.queue.idle();
    expect(served).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("brings a post that waits for its time forward when one is due now", async () => {
    const store = await openAt(await create());
    const served = await serving(store, "post");
    await store.transaction((tx) => store.queue.enqueue(tx, "post", "issue:1:1", { n: 1 }, { afterMs: 3_600_000 }));
    await store.queue.idle();
    expect(served).toEqual([]);
    await enqueue(store, "post", "issue:1:1", { n: 2 });
    await store.queue.idle();
    expect(served).toEqual([{ n: 1 }]);
  });

  it("has a job that asked for it served once more at its time, and sooner when one of its key comes", {
    tags: ["long"],
  }, async () => {
    const store = await openAt(await create());
    const served: unknown[] = [];
    let backIn: number | undefined = 3_600_000;
    await store.queue.serve("post", { slots: 4, onPoison: never }, async ({ data, attempt, comeBack }) => {
      served.push({ ...dataOf({ data }), attempt });
      if (backIn !== undefined) comeBack(backIn);
      backIn = undefined;
    });
    await enqueue(store, "post", "issue:1:1", { n: 1 });
    await store.queue.idle();
    expect(served).toEqual([{ n: 1, attempt: 1 }]);
    expect((await jobsIn(store.db, "post")).map(({ dueIn }) => Math.round(dueIn / 60))).toEqual([60]);
    await enqueue(store, "post", "issue:1:1", { n: 2 });
    await store.queue.idle();
    expect(served).toEqual([
      { n: 1, attempt: 1 },
      { n: 1, attempt: 1 },
    ]);
    expect(await jobsIn(store.db, "post")).toEqual([]);
    backIn = 50;
    await enqueue(store, "post", "issue:1:1", { n: 3 });
    await expect.poll(() => served.length).toBe(4);
  });

  it("leaves one job where another of its key came while one that wants to come back was served", async () => {
    const store = await openAt(await create());
    const { stand, begun, letGo } = gate();
    const work = async ({ data, comeBack }: Job): Promise<void> => {
      await stand();
      if (dataOf({ data }).n === 1 && served.length === 0) comeBack(3_600_000);
    };
    const served: unknown[] = await serving(store, "post", work, 4);
    await enqueue(store, "post", "issue:1:1", { n: 1 });
    await begun;
    await enqueue(store, "post", "issue:1:1", { n: 2 });
    letGo();
    await store.queue.idle();
    expect(served).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await jobsIn(store.db, "post")).toEqual([]);
  });

  it("RR-17 gives a job up after five attempts, tells so once, and goes on with its key; other keys never waited", async () => {
    const store = await openAt(await create());
    const attempts: number[] = [];
    const given: string[] = [];
    const served: unknown[] = [];
    const onPoison = async (job: Job, error: unknown): Promise<void> => {
      given.push(`${job.key} ${dataOf(job).n} at ${job.attempt}: ${error}`);
    };
    await store.queue.serve("turn", { slots: 2, onPoison }, async (job) => {
      if (dataOf(job).n === "bad") {
        attempts.push(job.attempt);
        throw new Error("cannot");
      }
      served.push(job.data);
    });
    await enqueue(store, "turn", "a", { n: "bad" }, { n: "after" });
    await enqueue(store, "turn", "b", { n: "other" });
    await hurry(store, "turn", () => given.length > 0);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    expect(given).toEqual(["a bad at 5: Error: cannot"]);
    expect(served).toEqual([{ n: "other" }, { n: "after" }]);
  });

  /** Lets the one job there is be due again, as after the ends of processes that had it. */
  const afterDeaths = (store: Store, deaths: number, claims = deaths + 1) => haveTried(store.db, { claims, deaths });

  it("RR-11 RR-17 what passes is tried again for as long as it takes, and is not held against the job", {
    tags: ["long"],
  }, async () => {
    const store = await openAt(await create());
    let tries = 0;
    const served: number[] = [];
    const options = { slots: 1, isTransient: (error: unknown) => error === "away", onPoison: never };
    await store.queue.serve("turn", options, async ({ failures }) => {
      if (++tries <= 8) throw "away";
      served.push(failures);
    });
    await enqueue(store, "turn", "a", {});
    await hurry(store, "turn", () => served.length > 0);
    expect([tries, served]).toEqual([9, [0]]);
  });

  it("RR-17 F-06 holds against a job neither its first end of a process nor those before it was begun", async () => {
    const store = await openAt(await create());
    await enqueue(store, "turn", "a", { n: 1 });
    await afterDeaths(store, 0, 21);
    const failures: number[] = [];
    await store.queue.serve("turn", { slots: 2, onPoison: never }, async (job) => {
      failures.push(job.failures);
      if (failures.length < 5) throw new Error("cannot");
    });
    await hurry(store, "turn", () => failures.length === 5);
    expect(failures).toEqual([0, 1, 2, 3, 4]);
  });

  it("RR-17 gives up a job that a process ended with at five attempts, without trying it again", async () => {
    const store = await openAt(await create());
    await enqueue(store, "turn", "a", { n: 1 });
    await afterDeaths(store, 4);
    const given: string[] = [];
    const onPoison = async (_job: Job, error: unknown): Promise<void> => {
      given.push(String(error));
    };
    await store.queue.serve("turn", { slots: 2, onPoison }, never as never);
    await store.queue.idle();
    expect(given).toEqual(["Error: the process ended 4 times while this was served again"]);
  });

  it("RR-17 serves those under suspicion one after another, of whatever queue, and all others first", {
    tags: ["long"],
  }, async () => {
    const store = await openAt(await create());
    await enqueue(store, "turn", "a", { n: 1 });
    await enqueue(store, "turn", "b", { n: 2 });
    await enqueue(store, "execute", "c", { n: 3 });
    await afterDeaths(store, 1);
    for (let n = 4; n < 20; n++) await enqueue(store, "turn", `other ${n}`, { n });
    const served: unknown[] = [];
    let suspects = 0;
    const serve = async (job: Job): Promise<void> => {
      const n = Number(dataOf(job).n);
      if (n <= 3) expect(++suspects).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (n <= 3) suspects--;
      served.push(n);
    };
    await store.queue.serve("turn", { slots: 3, onPoison: never }, serve);
    await store.queue.serve("execute", { slots: 3, onPoison: never }, serve);
    await store.queue.idle();
    expect(served).toHaveLength(19);
    expect(served.slice(-3).toSorted()).toEqual([1, 2, 3]);
  });

  it("RR-17 serves a short one under suspicion alone, and the others in between", { tags: ["long"] }, async () => {
    const store = await openAt(await create());
    for (const n of [1, 2, 3]) await enqueue(store, "turn", `suspect ${n}`, { n });
    await afterDeaths(store, 1);
    const served: number[] = [];
    let under = 0;
    const serve = async (job: Job): Promise<void> => {
      const n = Number(dataOf(job).n);
      under++;
      if (n <= 3) expect(under).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (n <= 3) expect(under).toBe(1);
      under--;
      served.push(n);
    };
    await store.queue.serve("turn", { slots: 3, ahead: 4, onPoison: never }, serve);
    // Suspects begin two seconds after the start, while there is more to do than can be done by then.
    for (let n = 4; n < 200; n++) await enqueue(store, "turn", `other ${n}`, { n });
    await store.queue.idle();
    expect(served).toHaveLength(199);
    const [first = 0, second = 0, third = 0] = [1, 2, 3].map((n) => served.indexOf(n)).toSorted((a, b) => a - b);
    expect(second - first).toBeGreaterThan(1);
    expect(third - second).toBeGreaterThan(1);
  });

  it("ends a job with its effect in one commit", async () => {
    const store = await openAt(await create());
    await store.queue.serve("turn", { slots: 2, onPoison: never }, (job) =>
      store.transaction(async (tx) => {
        await tx.insertInto("repository").values({ id: 7, installationId: 1, name: "a/b" }).execute();
        await job.settle(tx);
      }),
    );
    await enqueue(store, "turn", "a", { n: 1 });
    await store.queue.idle();
    expect(await store.db.selectFrom("repository").select("id").execute()).toEqual([{ id: 7 }]);
    expect(await jobsIn(store.db)).toEqual([]);
  });

  it("RR-05 undoes the effect of a handler whose job was meanwhile given to another", async () => {
    const store = await openAt(await create());
    const attempts: number[] = [];
    await store.queue.serve("turn", { slots: 2, onPoison: never }, async (job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) await takeAway(store.db, job.id);
      await store.transaction(async (tx) => {
        const row = { id: job.attempt, installationId: 1, name: "a/b" };
        await tx.insertInto("repository").values(row).execute();
        await job.settle(tx);
      });
    });
    await enqueue(store, "turn", "a", { n: 1 });
    await store.queue.idle();
    expect(attempts).toEqual([1, 2]);
    expect(await store.db.selectFrom("repository").select("id").execute()).toEqual([{ id: 2 }]);
  });

  it("RR-05 F-35 lets a handler whose job was meanwhile given to another do nothing behind its fence", async () => {
    const store = await openAt(await create());
    const attempts: number[] = [];
    await store.queue.serve("execute", { slots: 2, onPoison: never }, async (job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) await takeAway(store.db, job.id);
      await store.transaction(async (tx) => {
        await job.fence(tx);
        await tx.insertInto("repository").values({ id: job.attempt, installationId: 1, name: "a/b" }).execute();
      });
    });
    await enqueue(store, "execute", "a", { n: 1 });
    await store.queue.idle();
    expect(attempts).toEqual([1, 2]);
    expect(await store.db.selectFrom("repository").select("id").execute()).toEqual([{ id: 2 }]);
  });

  it("F-06 serves again at the next start what was active when the process died", { tags: ["long"] }, async () => {
    const url = await create();
    const dead = await openStore(url);
    await enqueue(dead, "turn", "a", { n: 1 });
    await haveClaimed(dead.db);
    await dead.close();
    const store = await openAt(url);
    const served: string[] = [];
    await store.queue.serve("turn", { slots: 2, onPoison: never }, async (job) => {
      served.push(`attempt ${job.attempt}`);
    });
    await store.queue.idle();
    expect(served).toEqual(["attempt 2"]);
  });

  it("RR-14 stops by waiting for what is active and taking nothing new", { tags: ["long"] }, async () => {
    const url = await create();
    const store = await openStore(url);
    const { stand, begun, letGo } = gate();
    const served = await serving(store, "turn", stand, 1);
    await enqueue(store, "turn", "a", { n: 1 }, { n: 2 });
    await enqueue(store, "turn", "b", { n: 3 });
    await begun;
    const closed = store.close();
    letGo();
    await closed;
    expect(served).toEqual([{ n: 1 }]);
    const next = await openAt(url);
    expect((await jobsIn(next.db)).map(({ data }) => data)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it("RR-14 RR-17 holds nothing against a job that the end of the process has interrupted, and has it at once", {
    tags: ["long"],
  }, async () => {
    const url = await create();
    const store = await openStore(url);
    const { stand, begun, letGo } = gate();
    await serving(store, "turn", () => stand().then(() => Promise.reject(new Error("the process is ending"))), 1);
    await enqueue(store, "turn", "a", { n: 1 });
    await begun;
    const closed = store.close();
    letGo();
    await closed;
    const next = await openAt(url);
    const served: unknown[] = [];
    await next.queue.serve("turn", { slots: 1, onPoison: never }, async ({ attempt, failures }) => {
      served.push({ attempt, failures });
    });
    await next.queue.idle();
    expect(served).toEqual([{ attempt: 2, failures: 0 }]);
  });
});

describe.each(here.filter(({ kind }) => kind === "server"))("the queue of several processes", ({ create }) => {
  it("RR-05 F-35 gives nobody a job while a transaction behind its fence is open, and keeps nobody waiting for it", async () => {
    const url = await create();
    const [store, other] = [await openAt(url), await openAt(url)];
    const isServed: boolean[] = [];
    const take = async (): Promise<void> => {
      await reclaim(relaxedOn(other.db));
      isServed.push(...(await jobsIn(other.db)).map((job) => job.isServed));
    };
    const { promise: over, resolve } = Promise.withResolvers<void>();
    await store.queue.serve("execute", { slots: 1, onPoison: never }, async (job) => {
      if (job.attempt > 1) return resolve();
      await store.transaction(async (tx) => {
        await job.fence(tx);
        await take();
      });
      await take();
    });
    await enqueue(store, "execute", "a", { n: 1 });
    await over;
    expect(isServed).toEqual([true, false]);
  });

  it("RR-16 F-36 a job for later waits as long as was meant, although this clock is ahead of the database's or behind it", async () => {
    const store = await openAt(await create());
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const due: Record<string, number | undefined> = {};
      for (const [key, byMs] of [
        ["ahead", 600_000],
        ["behind", -1_200_000],
      ] as const) {
        vi.setSystemTime(Date.now() + byMs);
        for (const queue of ["turn", "post"] as const)
          await store.transaction((tx) => store.queue.enqueue(tx, queue, key, {}, { afterMs: 60_000 }));
        for (const job of await jobsIn(store.db)) due[`${job.queue} ${job.key}`] ??= Math.round(job.dueIn / 10);
      }
      expect(due).toEqual({ "turn ahead": 6, "post ahead": 6, "turn behind": 6, "post behind": 6 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("F-34 serves a key in one process at a time, and hears what the other enqueued", async () => {
    const url = await create();
    const one = await openAt(url);
    const other = await openAt(url);
    const served: unknown[] = [];
    let active = 0;
    for (const store of [one, other]) {
      await store.queue.serve("turn", { slots: 2, onPoison: never }, async ({ data }) => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        served.push(data);
        active--;
      });
    }
    const all = [...Array(20).keys()].map((n) => ({ n }));
    await enqueue(one, "turn", "a", ...all.slice(0, 10));
    await enqueue(one, "turn", "a", ...all.slice(10));
    await Promise.all([one.queue.idle(), other.queue.idle()]);
    expect(served).toEqual(all);
  });
});
