import { sql } from "kysely";
import { expect, it } from "vitest";
import { usePlayground } from "../harness/playground.ts";

const bot = usePlayground();

it("SR-50 no commit ends a delivery and leaves the secrets in it, whatever its story is", async () => {
  const { db } = bot.bot.deps.store;
  await sql`create table witnessed (event text, state text, payload text)`.execute(db);
  await sql`create function witness() returns trigger language plpgsql as
    'begin insert into witnessed values (new.event, new.state, new.payload); return new; end'`.execute(db);
  // Deferred, so that it sees each delivery as a commit leaves it.
  await sql`create constraint trigger witness after insert or update on delivery
    deferrable initially deferred for each row execute function witness()`.execute(db);
  const secret = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  const thread = await bot.open({ body: `It says token ${secret}.` });
  await bot.quiet();
  await thread.say("sam", `/explain 1 ${secret}`);
  await thread.say("rita", `the token is ${secret}`);
  await bot.quiet();
  const { rows } = await sql<{ event: string; state: string; held: boolean }>`
    select event, state, payload like ${`%${secret}%`} as held from witnessed`.execute(db);
  expect(rows.filter(({ state, held }) => state === "stored" && held).length).toBeGreaterThanOrEqual(3);
  expect(rows.filter(({ state, held }) => state !== "stored" && held)).toEqual([]);
  expect(rows.filter(({ state }) => state === "done").length).toBeGreaterThanOrEqual(3);
});
