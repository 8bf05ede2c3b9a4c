import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import type { Job } from "../../../src/store/queue/queue.ts";
import { until } from "../../harness/until.ts";
import { haveClaimed, jobsIn } from "../jobs.ts";
import { usePlaces } from "../use-places.ts";

/** How many seconds ago. */
async function lastSignOf({ db }: Store, key: string): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from now() - alive_at)::float8 as seconds from job where key = ${key}`.execute(db);
  return rows[0]?.seconds;
}

const here = await usePlaces("tests of several processes on a PostgreSQL server");

describe.each(here.filter(({ kind }) => kind === "server"))("the queue of several processes", ({ create }) => {
  it("takes over a job whose process gives no sign of life, and leaves one that does", async () => {
    const store = await openStore(await create());
    await store.transaction(async (tx) => {
      for (const key of ["dead", "alive"]) await store.queue.enqueue(tx, "turn", key, { key });
    });
    await haveClaimed(store.db);
    await haveClaimed(store.db, 60, "dead");
    const served = Promise.withResolvers<unknown>();
    const onPoison = async () => {};
    await store.queue.serve("turn", { slots: 2, onPoison }, async ({ data }) => served.resolve(data));
    expect(await served.promise).toEqual({ key: "dead" });
    expect(await jobsIn(store.db)).toContainEqual(expect.objectContaining({ key: "alive", isServed: true }));
    await store.close();
  });

  it("RR-05 F-19 a process that stood still, or lost the store, takes nothing away from itself or from others that did", async () => {
    const url = await create();
    const [store, other] = [await openStore(url), await openStore(url)];
    const onPoison = async () => {};
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const hold = async ({ signal }: Job) => {
      signals.push(signal);
      await over;
    };
    for (const one of [store, other]) {
      // The first pump to beat has nothing of its own to touch.
      await one.queue.serve("post", { slots: 1, onPoison }, async () => {});
      await one.queue.serve("execute", { slots: 1, onPoison }, hold);
    }
    await store.transaction(async (tx) => {
      for (const key of ["a", "b"]) await store.queue.enqueue(tx, "execute", key, {});
    });
    await until(() => expect(signals).toHaveLength(2));
    const passed = vi.spyOn(performance, "now");
    passed.mockImplementation(() => process.hrtime()[0] * 1_000 + 60_000_000);
    await haveClaimed(store.db, 60);
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    passed.mockRestore();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    end();
    await Promise.all([store.close(), other.close()]);
  });

  it("RR-05 F-35 a process whose connections all stand in transactions still gives a sign of life, and takes over what is dead", async () => {
    const url = await create();
    const [store, watcher] = [await openStore(url), await openStore(url)];
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const handler = async ({ signal }: Job) => {
      signals.push(signal);
      await over;
    };
    await store.queue.serve("execute", { slots: 2, onPoison: async () => {} }, handler);
    await store.transaction((tx) => store.queue.enqueue(tx, "execute", "runs", {}));
    await until(() => expect(signals).toHaveLength(1));
    await haveClaimed(store.db, 60, "runs");
    await store.transaction((tx) => store.queue.enqueue(tx, "turn", "dead", {}));
    await haveClaimed(store.db, 60, "dead");
    await store.queue.serve("turn", { slots: 1, onPoison: async () => {} }, handler);
    const hanging = Array.from({ length: 10 }, () => store.transaction(() => over));
    await until(async () => expect(await lastSignOf(watcher, "runs")).toBeLessThan(30));
    await until(async () => expect(await lastSignOf(watcher, "dead")).toBeLessThan(30));
    expect(signals[0]?.aborted).toBe(false);
    end();
    await Promise.all([...hanging, watcher.close()]);
    await store.close();
  });

  it("RR-05 F-35 a transaction that waits behind its fence keeps no other job of its process from giving a sign of life", async () => {
    const store = await openStore(await create());
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    await store.queue.serve("execute", { slots: 2, onPoison: async () => {} }, async (job) => {
      signals.push(job.signal);
      await (job.key === "waits" ? store.transaction((tx) => job.fence(tx).then(() => over)) : over);
    });
    await store.transaction(async (tx) => {
      for (const key of ["waits", "runs"]) await store.queue.enqueue(tx, "execute", key, {});
    });
    await until(() => expect(signals).toHaveLength(2));
    await haveClaimed(store.db, 60, "runs");
    await until(async () => expect(await lastSignOf(store, "runs")).toBeLessThan(30));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    end();
    await store.close();
  });
});
