import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database.ts";
import { places } from "./fresh.ts";

const here = await places("tests of several processes on a PostgreSQL server");
afterAll(async () => {
  for (const place of here) await place.remove();
});

describe.each(here.filter(({ kind }) => kind === "server"))("the queue of several processes", ({ create }) => {
  it("takes over a job whose process gives no sign of life, and leaves one that does", async () => {
    const store = await openStore(await create());
    await store.transaction(async (tx) => {
      for (const key of ["dead", "alive"]) await store.queue.enqueue(tx, "turn", key, { key });
    });
    await sql`update boss.job set state = 'active', started_on = now(),
      heartbeat_on = now() - case singleton_key when 'dead' then interval '1 minute' else interval '0' end`.execute(
      store.db,
    );
    const served = Promise.withResolvers<unknown>();
    const onPoison = async () => {};
    await store.queue.serve("turn", { slots: 2, onPoison }, async ({ data }) => served.resolve(data));
    expect(await served.promise).toEqual({ key: "dead" });
    const { rows } = await sql`select data from boss.job where state = 'active'`.execute(store.db);
    expect(rows).toContainEqual({ data: { key: "alive" } });
    await store.close();
  });
});
