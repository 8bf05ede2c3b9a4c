import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { readersShare, type Urgency, writeClasses } from "../../../src/store/outbox/urgency.ts";
import { takeWrite, type Write } from "../../../src/store/outbox/write-budget.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the write budget on a PostgreSQL server");

describe.each(here)("RR-08 the write budget ($kind)", ({ create }) => {
  let store: Store;
  let installationId = 0;
  beforeAll(async () => {
    store = await openStore(await create());
  });
  afterAll(() => store.close());
  beforeEach(() => {
    installationId += 1;
  });

  const take = (urgency: Urgency, more: Partial<Write> = {}) =>
    takeWrite(store.db, { installationId, repo: "acme/web", issue: 1, perMinute: 80, urgency, share: null, ...more });
  /** Takes of these until one has to wait. */
  const takeAll = async (urgency: Urgency, more: Partial<Write> = {}): Promise<void> => {
    for (let count = 0; count < 200; count++) if ((await take(urgency, more)).kind !== "go") return;
    throw new Error("nothing holds these back");
  };
  /** How much of a minute's writes was used with the last one: between this and one less, however much has faded since the first. */
  const used = async (share?: string): Promise<number> => {
    const rows = await (share === undefined
      ? store.db.selectFrom("writeBudget").select("minuteUsed").where("installationId", "=", installationId).execute()
      : store.db
          .selectFrom("writeShare")
          .select("minuteUsed")
          .where("installationId", "=", installationId)
          .where("share", "=", share)
          .execute());
    return Math.ceil(rows[0]?.minuteUsed ?? Number.NaN);
  };
  /** Lets so many writes fade, as time does. */
  const fade = (writes: number) =>
    sql`update write_budget set minute_used = greatest(0, minute_used - ${writes}::float8)
    where installation_id = ${installationId}`.execute(store.db);

  it("a class takes nothing of what is left to those before it", async () => {
    const most: Record<string, number> = {};
    for (const { urgency } of writeClasses.toReversed()) {
      await takeAll(urgency);
      most[urgency] = await used();
    }
    expect(most).toEqual({ reaction: 12, board: 18, live: 24, reader: 26, decision: 30, result: 40 });
  });

  it("somebody who may only read has a small share, and holds nobody up beyond it", async () => {
    await takeAll("reader", { share: readersShare });
    expect(await used(readersShare)).toBe(4);
    expect(await take("reader", { share: readersShare })).toMatchObject({ kind: "wait", by: undefined });
    expect(await take("reaction", { share: readersShare })).toMatchObject({ kind: "wait", by: undefined });
    expect((await take("reaction")).kind).toBe("go");
    expect((await take("result")).kind).toBe("go");
  });

  it("whoever asks for very much is answered after the others", async () => {
    await takeAll("result", { share: "person:7" });
    expect(await used()).toBe(24);
    // What waits beyond its share is in nobody's way.
    await takeAll("result", { issue: 2 });
    expect(await used()).toBe(40);
  });

  it("a limit that is raised while the bot runs holds nothing back", async () => {
    while ((await take("result")).kind === "go");
    expect((await take("board", { perMinute: 1_000 })).kind).toBe("go");
    expect((await take("reaction", { perMinute: 100_000 })).kind).toBe("go");
  });

  it("a limit that is lowered counts what was written before", async () => {
    for (let n = 0; n < 30; n++) await take("result");
    expect(await take("result", { perMinute: 20 })).toMatchObject({ kind: "wait", by: "minute" });
    expect((await take("result")).kind).toBe("go");
  });

  it("the smallest limit lets each class go", async () => {
    for (const { urgency } of writeClasses) {
      installationId += 1;
      expect((await take("result", { perMinute: 4 })).kind).toBe("go");
      await fade(1);
      expect((await take(urgency, { perMinute: 4 })).kind, urgency).toBe("go");
    }
  });

  it("repositories take turns, and the issues of one by how long they have waited", async () => {
    await takeAll("result", { repo: "acme/busy", issue: 1 });
    const waiting = [
      { repo: "acme/busy", issue: 1 },
      { repo: "acme/busy", issue: 2 },
      { repo: "acme/calm", issue: 3 },
    ];
    const order: number[] = [];
    for (const one of waiting) await take("result", one);
    for (let round = 0; round < waiting.length; round++) {
      await fade(1);
      // Whoever waits asks in any order.
      for (const one of waiting.filter(({ issue }) => !order.includes(issue)).toReversed())
        if ((await take("result", one)).kind === "go") order.push(one.issue);
    }
    expect(order).toEqual([3, 1, 2]);
  });

  it("one that waits for its turn and never comes back holds up nobody for long", async () => {
    await takeAll("result", { issue: 1 });
    await take("result", { issue: 1 });
    await fade(5);
    expect(await take("result", { issue: 2 })).toMatchObject({ kind: "wait", by: undefined });
    await sql`update write_wait set until = now() where installation_id = ${installationId}`.execute(store.db);
    expect((await take("result", { issue: 2 })).kind).toBe("go");
  });

  it("what can wait lets go first what has come for its issue meanwhile", async () => {
    await store.transaction((tx) => store.queue.enqueue(tx, "post", `acme/web#${installationId + 100}`, {}));
    const issue = installationId + 100;
    expect((await take("board", { issue })).kind).toBe("go");
    expect(await take("board", { issue, yields: true })).toEqual({ kind: "yield" });
    expect((await take("result", { issue })).kind).toBe("go");
  });

  it("no minute sees more than 80 writes, and no hour more than 500, whoever asks at once", async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => take("result", { issue: n, repo: `acme/r${n}` })));
    expect(await used()).toBeLessThanOrEqual(40);
    await sql`update write_budget set minute_used = 0, hour_used = 249.5, refilled_at = now()
      where installation_id = ${installationId}`.execute(store.db);
    expect(await take("result", { issue: 200 })).toMatchObject({ kind: "wait", by: "hour" });
  });
});
