import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { appendAudit, auditRows, verifyAudit } from "../../../src/store/audit/chain.ts";
import { openStore } from "../../../src/store/database/open.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";
import { jobsIn } from "../jobs.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of what a transaction writes last on a PostgreSQL server");

describe.each(here)("what a transaction writes last ($kind)", ({ kind, create }) => {
  const store = useStarted(async () => openStore(await create()));
  const event = (key: string) => ({ kind: "job_set_aside", body: { queue: "post", key, reason: "" } }) as const;
  const keysOf = async (db: Parameters<typeof auditRows>[0]) => {
    const keys: unknown[] = [];
    for await (const rows of auditRows(db, {})) keys.push(...rows.map(({ body }) => body.key));
    return keys;
  };

  it("SR-63 SR-64 several records of one transaction are appended in their order, beside others' at the same time", async () => {
    const numbers = Array.from({ length: 8 }, (_, n) => n);
    await Promise.all(
      numbers.map((n) =>
        store.transaction(async (tx) => {
          for (const part of ["a", "b", "c"]) await appendAudit(tx, event(`${n}${part}`));
          await store.queue.enqueue(tx, "turn", `key ${n}`, { n });
        }),
      ),
    );
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true, rows: 24 });
    const keys = (await keysOf(store.db)).map(String);
    for (const n of numbers) {
      const at = keys.indexOf(`${n}a`);
      expect(keys.slice(at, at + 3)).toEqual([`${n}a`, `${n}b`, `${n}c`]);
    }
    expect((await jobsIn(store.db, "turn")).length).toBe(8);
  });

  it("SR-63 what reads of them in the transaction finds them, and all is undone with it", async () => {
    const before = await verifyAudit(store.db);
    const undone = store.transaction(async (tx) => {
      await appendAudit(tx, event("first"));
      expect((await keysOf(tx)).at(-1)).toBe("first");
      await appendAudit(tx, event("second"));
      await store.queue.enqueue(tx, "execute", "undone", {});
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await verifyAudit(store.db)).toEqual(before);
    expect(await jobsIn(store.db, "execute")).toEqual([]);
  });

  it("RR-04 of one key one job waits, however often one transaction wants it and whether one waits already", async () => {
    const later = (seconds: number) => ({ afterMs: seconds * 1_000 });
    const wantThrice = (key: string) =>
      store.transaction(async (tx) => {
        await store.queue.enqueue(tx, "post", key, {}, later(600));
        await store.queue.enqueue(tx, "post", key, {}, later(60));
        await store.queue.enqueue(tx, "post", key, {}, later(300));
      });
    for (const _ of ["none waits", "one waits"]) {
      await wantThrice("o/r#1");
      const waiting = await jobsIn(store.db, "post");
      expect(waiting.length).toBe(1);
      expect(waiting[0]?.dueIn).toBeLessThanOrEqual(60);
    }
  });

  // Of an embedded store's transactions one waits for the other to end.
  it.runIf(kind === "server")(
    "RR-04 SR-63 whoever has put a record off does not hold the audit's head while they wait for a row, so no two wait for each other",
    async () => {
      const isDueLater = { afterMs: 60_000 };
      await store.transaction((tx) => store.queue.enqueue(tx, "execute", "waiting", {}, isDueLater));
      const [hasRow, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // A command has ended, and whoever waits for its server looks again.
      const ended = store.transaction(async (tx) => {
        await store.queue.hasten(tx, "execute", "waiting");
        hasRow.resolve();
        await goesOn.promise;
        await appendAudit(tx, event("ended"));
      });
      await hasRow.promise;
      // Who waits for it is cancelled at this moment.
      const cancelled = store.transaction(async (tx) => {
        await appendAudit(tx, event("cancelled"));
        await store.queue.hasten(tx, "execute", "waiting");
      });
      await until(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(store.db);
        expect(rows).toHaveLength(1);
      });
      goesOn.resolve();
      await Promise.all([ended, cancelled]);
      expect((await keysOf(store.db)).slice(-2)).toEqual(["ended", "cancelled"]);
    },
  );

  it("SR-63 what is written after its transaction has ended is refused, not forgotten", async () => {
    const ended = await store.transaction(async (tx) => tx);
    await expect(appendAudit(ended, event("late"))).rejects.toThrow(/already/);
  });
});
