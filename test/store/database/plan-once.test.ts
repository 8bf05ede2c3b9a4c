import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { planOnce } from "../../../src/store/database/pool.ts";
import { places } from "../fresh.ts";

const here = await places("plans that a newer version makes outdated");
afterAll(async () => {
  for (const place of here) await place.remove();
});

describe.each(here.filter(({ kind }) => kind === "server"))("statements that are planned once", ({ create }) => {
  it("RR-18 a newer version's change of a table fails a plan of before once, and not for ever", async () => {
    const pool = new pg.Pool({ connectionString: await create(), max: 1 });
    const db = new Kysely({ dialect: new PostgresDialect({ pool: planOnce(pool) }) });
    await pool.query("create table note (id bigint)");
    const read = () => db.executeQuery(CompiledQuery.raw("select * from note where id > $1", [0]));
    await read();
    await pool.query("alter table note add column body text");
    await expect(read()).rejects.toThrow("cached plan");
    expect((await read()).rows).toEqual([]);
    await db.destroy();
  });
});
