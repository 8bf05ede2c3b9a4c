import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { beginAgain, claimJobs, endJob, type JobAttempt, putBack, reclaim } from "../../../src/store/queue/table.ts";
import { createChance, seed } from "../../harness/chance.ts";
import { relaxedOn } from "../jobs.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of claiming jobs on a PostgreSQL server");

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

const queue = "turn";
const keys = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"] as const;
type Key = (typeof keys)[number];
const shareOf = (key: Key): string => key[0] ?? "";

/** A row of the queue, as a reader of the table would keep it in a list. */
interface Row {
  readonly n: number;
  readonly key: Key;
  state: "created" | "retry" | "active";
  due: boolean;
  claims: number;
  deaths: number;
  holder: string;
}

interface Limits {
  readonly holder: string;
  readonly most: number;
  readonly perShare: number;
}

interface Held {
  readonly row: Row;
  readonly claim: JobAttempt;
}

/** The rules in plain words: of each key the oldest that is due and none of one that is taken; the shares take turns, over all processes. */
function expectedClaims(rows: readonly Row[], { holder, most, perShare }: Limits): readonly Row[] {
  const byRetryThenAge = (a: Row, b: Row) => Number(b.state === "retry") - Number(a.state === "retry") || a.n - b.n;
  const heads = keys.flatMap((key) => {
    const ofKey = rows.filter((row) => row.key === key);
    const head = ofKey.filter((row) => row.state !== "active" && row.due).toSorted(byRetryThenAge)[0];
    const isTaken = ofKey.some((row) => row !== head && row.state !== "created");
    return head === undefined || isTaken ? [] : [head];
  });
  const turns = [...Map.groupBy(heads, ({ key }) => shareOf(key))].flatMap(([share, ofShare]) => {
    const going = rows.filter((row) => shareOf(row.key) === share && row.state === "active");
    const own = going.filter((row) => row.holder === holder).length;
    return ofShare
      .toSorted((a, b) => a.n - b.n)
      .slice(0, Math.max(0, perShare - own))
      .map((row, index) => ({ row, turn: going.length + index + 1 }));
  });
  return turns
    .toSorted((a, b) => a.turn - b.turn || a.row.n - b.row.n)
    .slice(0, most)
    .map(({ row }) => row);
}

describe.each(here)("claiming jobs ($kind)", ({ create }) => {
  const setUp = async (): Promise<Store> => {
    const store = await openStore(await create());
    open.push(store);
    return store;
  };
  const claim = (store: Store, limits: Limits): Promise<JobAttempt[]> => claimJobs(relaxedOn(store.db), queue, limits);

  it("RR-04 SR-62 does what a plain list of the jobs would, through ends, failures, deaths and waits", async () => {
    const store = await setUp();
    const chance = createChance(seed);
    let rows: Row[] = [];
    let held: Held[] = [];
    const holds = ({ row, claim: { attempt } }: Held): boolean =>
      rows.includes(row) && row.state === "active" && row.claims === attempt;
    let made = 0;
    const setDue = (row: Row, due: boolean) =>
      sql`update job set due_at = now() + ${due ? -1 : 3600} * interval '1 second'
        where (data->>'n')::int = ${row.n}`.execute(store.db);
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      enqueue: async () => {
        const jobs = Array.from({ length: 1 + chance.below(4) }, () => ({ n: ++made, key: chance.pick(keys) }));
        await store.transaction(async (tx) => {
          for (const { n, key } of jobs) await store.queue.enqueue(tx, queue, key, { n }, { share: shareOf(key) });
        });
        rows.push(
          ...jobs.map((job): Row => ({ ...job, state: "created", due: true, claims: 0, deaths: 0, holder: "" })),
        );
      },
      claim: async () => {
        const limits = {
          holder: chance.pick(["one", "other"]),
          most: 1 + chance.below(5),
          perShare: 1 + chance.below(3),
        };
        const expected = expectedClaims(rows, limits);
        const claimed = await claim(store, limits);
        expect(claimed.map(({ data }) => data)).toEqual(expected.map(({ n }) => ({ n })));
        expect(claimed.map(({ attempt }) => attempt)).toEqual(expected.map(({ claims }) => claims + 1));
        expect(claimed.map(({ deaths }) => deaths)).toEqual(expected.map(({ deaths }) => deaths));
        claimed.forEach((one, index) => {
          const row = expected[index];
          if (!row) return;
          row.state = "active";
          row.claims++;
          row.holder = limits.holder;
          held.push({ row, claim: one });
        });
      },
      end: async () => {
        const live = held.filter(holds);
        // Now and then somebody who has lost it says that it has ended.
        const one = chance.pick(live.length > 0 && chance.below(4) > 0 ? live : held);
        const isHeld = holds(one);
        const { ended, more } = await endJob(store.db, queue, one.claim);
        expect(ended).toBe(isHeld);
        if (!isHeld) return;
        rows = rows.filter((row) => row !== one.row);
        expect(more).toBe(expectedClaims(rows, { holder: "", most: 1, perShare: 100 }).length > 0);
      },
      fail: async () => {
        const one = chance.pick(held);
        const delayMs = chance.pick([0, 3_600_000]);
        await putBack(store.db, one.claim, { failures: 1, delayMs });
        if (!holds(one)) return;
        const { row } = one;
        row.state = "retry";
        row.due = delayMs === 0;
        row.deaths = one.claim.deaths;
      },
      again: async () => {
        const one = chance.pick(held);
        expect(await beginAgain(store.db, one.claim)).toBe(holds(one));
        if (holds(one)) one.row.deaths = one.claim.deaths + 1;
      },
      die: async () => {
        await reclaim(relaxedOn(store.db));
        for (const row of rows.filter(({ state }) => state === "active"))
          Object.assign(row, { state: "retry", due: true });
      },
      wait: async () => {
        const row = chance.pick(rows.filter(({ state }) => state !== "active"));
        row.due = !row.due;
        await setDue(row, row.due);
      },
    };
    const names = ["enqueue", "claim", "claim", "claim", "end", "end", "end", "fail", "again", "wait"] as const;
    for (let step = 0; step < 800; step++) {
      const name = chance.below(60) === 0 ? "die" : chance.pick(names);
      if ((name === "end" || name === "fail" || name === "again") && held.length === 0) continue;
      if (name === "wait" && rows.every(({ state }) => state === "active")) continue;
      if (name === "enqueue" && rows.length > 40) continue;
      await steps[name]?.();
      held = held.slice(-20);
    }
    expect(made).toBeGreaterThan(100);
  });

  it("RR-04 RR-05 F-34 several at once: never two of one key, each served once to its end, and each key in its order", async () => {
    const store = await setUp();
    const chance = createChance(seed + 1);
    const total = 200;
    let made = 0;
    const taken = new Map<string, number>();
    const served: { readonly key: string; readonly n: number }[] = [];
    const produce = async (): Promise<void> => {
      while (made < total) {
        await store.transaction(async (tx) => {
          for (let left = chance.below(3); left >= 0 && made < total; left--) {
            const key = chance.pick(keys);
            await store.queue.enqueue(tx, queue, key, { n: ++made }, { share: shareOf(key) });
          }
        });
      }
    };
    let broken = false;
    let refused = 0;
    const work = async (): Promise<void> => {
      while (served.length < total && !broken) {
        // Two that claim at the same moment may find one of them refused by the table itself; it looks again.
        const claimed = await claim(store, { holder: "one", most: 3, perShare: 3 }).catch((error): JobAttempt[] => {
          if (++refused > 50) throw error;
          return [];
        });
        // The embedded store answers without leaving this turn of the loop: whoever finds nothing lets the others go on.
        if (claimed.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        for (const { key } of claimed) {
          expect(taken.get(key) ?? 0).toBe(0);
          taken.set(key, 1);
        }
        for (const one of claimed) {
          if (chance.below(3) === 0) await new Promise((resolve) => setTimeout(resolve, chance.below(4)));
          taken.set(one.key, 0);
          if (chance.below(5) === 0) {
            await putBack(store.db, one, { failures: 0, delayMs: 0 });
            expect((await endJob(store.db, queue, one)).ended).toBe(false);
            continue;
          }
          served.push({ key: one.key, n: (one.data as { n: number }).n });
          expect((await endJob(store.db, queue, one)).ended).toBe(true);
        }
      }
    };
    const all = [produce(), work(), work(), work(), work()];
    const ends = await Promise.allSettled(
      all.map((one) =>
        one.catch((error) => {
          broken = true;
          throw error;
        }),
      ),
    );
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    expect(served.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    for (const key of keys) {
      const order = served.filter((one) => one.key === key).map(({ n }) => n);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });
});
