import { PGlite } from "@electric-sql/pglite";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPglitePool, startUpkeep } from "../../../src/store/database/embedded.ts";
import { planOnce } from "../../../src/store/database/pool.ts";

describe("the embedded database", () => {
  let pglite: PGlite;
  let pool: pg.Pool;
  let db: Kysely<Record<string, never>>;
  beforeAll(async () => {
    pglite = await PGlite.create();
    pool = createPglitePool(pglite);
    db = new Kysely({ dialect: new PostgresDialect({ pool: planOnce(pool) }) });
    await pool.query("create table note (id bigint primary key, body text)");
  });
  afterAll(async () => {
    await db.destroy();
    await pglite.close();
  });
  const ask = async (text: string, ...values: readonly unknown[]) =>
    (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))).rows;
  const planned = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>("select count(*) from pg_prepared_statements");
    return rows[0]?.count ?? Number.NaN;
  };

  it("plans a text once, whatever its values, and gives a bigint as a number", async () => {
    const before = await planned();
    for (const id of [1, 2, 3])
      expect(await ask("insert into note values ($1, $2) returning id", id, "x")).toEqual([{ id }]);
    expect(await planned()).toBe(before + 1);
  });

  it("goes on after a statement that fails, in a transaction and outside of one", async () => {
    const twice = "insert into note values ($1, 'again')";
    await expect(ask(twice, 1)).rejects.toMatchObject({ code: "23505" });
    await expect(ask("select $1 from nowhere", 1)).rejects.toMatchObject({ code: "42P01" });
    await expect(
      db.transaction().execute(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw("insert into note values ($1, 'lost')", [9]));
        await tx.executeQuery(CompiledQuery.raw(twice, [2]));
      }),
    ).rejects.toMatchObject({ code: "23505" });
    expect(await ask("select id from note where id > $1 order by id", 1)).toEqual([{ id: 2 }, { id: 3 }]);
    expect(await ask(twice, 4)).toEqual([]);
  });

  it("is one transaction's alone: what is asked beside it waits", async () => {
    const order: string[] = [];
    const long = db.transaction().execute(async (tx) => {
      await tx.executeQuery(CompiledQuery.raw("insert into note values ($1, 'slow')", [20]));
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push("transaction");
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const beside = ask("select count(*) from note where id = $1", 20).then((rows) => {
      order.push("beside");
      return rows;
    });
    await long;
    expect(await beside).toEqual([{ count: 1 }]);
    expect(order).toEqual(["transaction", "beside"]);
  });

  it("RR-20 lets timers have their turn while statement follows statement, also inside of a transaction", async () => {
    const turns: string[] = [];
    const asks = async (where: string, one: () => Promise<unknown>): Promise<void> => {
      setTimeout(() => turns.push(where), 0);
      for (let n = 0; n < 50_000 && !turns.includes(where); n++) await one();
    };
    await asks("outside", () => pool.query("select 1"));
    await db.transaction().execute((tx) => asks("inside", () => tx.executeQuery(CompiledQuery.raw("select 1"))));
    expect(turns).toEqual(["outside", "inside"]);
  });

  it("keeps no more than 500 plans; what comes after them is answered all the same", async () => {
    for (let n = 0; n < 510; n++) expect(await ask(`select $1::int as a${n}`, n)).toEqual([{ [`a${n}`]: n }]);
    // One of them named no table that there is.
    expect(await planned()).toBe(499);
  });

  it("is kept up as a server is: plans go by the size of their tables, and one table after the other is counted", async () => {
    const counted = async () =>
      (await pool.query("select reltuples from pg_class where relname in ('note', 'other') order by relname")).rows;
    await pool.query("create table other (id int)");
    await ask("insert into other select generate_series(1, $1::int)", 1_000);
    expect(await counted()).toEqual([{ reltuples: -1 }, { reltuples: -1 }]);
    const upkeep = startUpkeep(pool, () => {});
    await upkeep.once();
    await upkeep.once();
    await upkeep.stop();
    expect(await counted()).toEqual([{ reltuples: expect.toSatisfy((count) => count > 0) }, { reltuples: 1_000 }]);
    expect(await ask("select count(*) from other where id > $1", 500)).toEqual([{ count: 500 }]);
  });
});
