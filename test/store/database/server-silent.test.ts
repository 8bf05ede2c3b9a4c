import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { openServer } from "../../../src/store/database/server-database.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { startFaultProxy, swallow } from "../../ssh/fault-proxy.ts";

const cluster = await startPostgres("a database behind a network that loses everything");
afterAll(() => cluster?.stop());

describe.runIf(cluster)("a store on a server that vanishes without a word", () => {
  it("RR-12 F-19 is given up on within its time, also within a transaction, and works again when it is back", async () => {
    const url = new URL((await cluster?.createDatabase()) ?? "");
    const proxy = await startFaultProxy(Number(url.port));
    url.port = String(proxy.port);
    const connection = await openServer(url.href, "the store", () => {}, 500);
    const { db } = connection;
    const ask = () => sql`select 1`.execute(db);
    await ask();
    const dark = () => {
      for (const link of proxy.links) link.rule = swallow;
    };
    dark();
    await expect(ask()).rejects.toThrow("the server has not answered for");
    // A connection of its own, which nobody has to wait for.
    await ask();
    await expect(
      db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        dark();
        await sql`select 1`.execute(tx);
      }),
    ).rejects.toThrow();
    await ask();
    // What takes its time and says so is none of that.
    await sql`select pg_sleep(0.3)`.execute(db);
    await connection.close();
    await proxy.close();
  });
});
