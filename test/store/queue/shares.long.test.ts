import { afterEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { arrivalOf, createInbox } from "../../../src/store/queue/arrival.ts";
import type { ServeOptions } from "../../../src/store/queue/queue.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of shares on a PostgreSQL server");

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

const onPoison: ServeOptions["onPoison"] = async (_job, error) => {
  throw error;
};

describe.each(here)("SR-62 F-40 the shares of a queue ($kind)", ({ create }) => {
  const setUp = async (url?: string): Promise<Store> => {
    const store = await openStore(url ?? (await create()));
    open.push(store);
    return store;
  };
  const add = (store: Store, share: string, ...keys: readonly string[]): Promise<void> =>
    store.transaction(async (tx) => {
      for (const key of keys) await store.queue.enqueue(tx, "turn", key, {}, { share });
    });
  const names = (share: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => `${share}${n}`);

  it("take turns: who comes last with one job is served before the rest of a thousand", async () => {
    const store = await setUp();
    await store.transaction((tx) =>
      store.queue.enqueueMany(
        tx,
        "turn",
        names("busy", 1_000).map((key) => ({ key, share: "busy", data: {} })),
      ),
    );
    await add(store, "quiet", "quiet0");
    await add(store, "calm", "calm0", "calm1");
    const served: string[] = [];
    await store.queue.serve("turn", { slots: 4, onPoison }, async ({ key }) => {
      served.push(key);
    });
    await store.queue.idle();
    expect(served.slice(0, 3).toSorted()).toEqual(["busy0", "calm0", "quiet0"]);
    // On a busy machine one slot's claim may stand still while the others take dozens.
    expect(served.slice(0, 100)).toContain("calm1");
    expect(served.filter((key) => key.startsWith("busy"))).toEqual(names("busy", 1_000));
  });

  it("one that comes while another's jobs take their time finds a free slot, and a share has at most three of four", async () => {
    const store = await setUp();
    await add(store, "busy", ...names("busy", 8));
    const going = new Set<string>();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await store.queue.serve("turn", { slots: 4, onPoison }, async ({ key }) => {
      going.add(key);
      await released;
    });
    while (going.size < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await add(store, "quiet", "quiet0");
    while (!going.has("quiet0")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([...going]).toEqual(["busy0", "busy1", "busy2", "quiet0"]);
    release();
    await store.queue.idle();
    expect(going.size).toBe(9);
  });

  it("a repository of which too much waits is answered no more, and others are", async () => {
    const store = await setUp();
    const { receive } = createInbox(store, 20);
    const arrival = (repo: number, n: number) => {
      const body = { action: "opened", issue: { number: n }, repository: { id: repo } };
      const made = arrivalOf("issues", `guid-${repo}-${n}`, JSON.stringify(body));
      if (!made) throw new Error("no arrival");
      return made;
    };
    for (let n = 0; n < 20; n++) await receive(arrival(1, n));
    const refused = async (): Promise<boolean> =>
      receive(arrival(1, 99)).then(
        () => false,
        () => true,
      );
    // The count is a second old at most.
    let tries = 0;
    while (!(await refused())) {
      if (++tries > 1_000) throw new Error("never refused");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await receive(arrival(2, 1))).toBe("stored");
  });
});
