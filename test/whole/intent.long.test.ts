import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/features/run/execute.ts";
import type { Store, Tx } from "../../src/store/database/open.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { jobOf } from "../harness/job.ts";
import { type Stage, startStage, statesOf } from "../harness/stage.ts";
import { useBotPlaces } from "../store/use-places.ts";

const places = await useBotPlaces("a store on a server that fails before a command is sent");

/** What is written on the way from `/approve` to a command that runs, in two transactions. */
const writes = {
  approve: ["approval", "action", "batch", "audit", "audit_head", "job"],
  claim: ["action", "run", "audit", "audit_head"],
} as const;

describe.each(places)("SR-63 the intent is durable before the effect ($kind)", ({ kind, available, url }) => {
  describe.runIf(available)("or nothing runs", () => {
    let stage: Stage;
    beforeAll(async () => {
      const storeUrl = await url();
      stage = await startStage(storeUrl === undefined ? {} : { storeUrl });
    });
    afterAll(() => stage.close());

    /** Lets every write to a table fail as PostgreSQL does on a full disk, until what is returned is called. */
    const fillDisk = async (table: string): Promise<() => Promise<unknown>> => {
      const { db } = stage.bot.deps.store;
      await sql`create or replace function disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
        db,
      );
      // The queue also holds the delivery of the `/approve` itself.
      const which = table === "job" ? "when (new.queue = 'execute')" : "";
      await sql
        .raw(
          `create trigger disk_full before insert or update on ${table} for each row ${which} execute function disk_full()`,
        )
        .execute(db);
      return () => sql.raw(`drop trigger disk_full on ${table}`).execute(db);
    };

    /** Serves a batch on a store whose transactions begin with something. */
    const serve = (batchId: string, first?: (tx: Tx) => Promise<unknown>): Promise<void> => {
      const { deps: world } = stage.bot;
      const transaction: Store["transaction"] = (work) =>
        world.store.transaction(async (tx) => {
          await first?.(tx);
          return work(tx);
        });
      const store = { ...world.store, db: world.store.db, transaction };
      return execute({ ...world, store }, jobOf("execute", { batchId }));
    };

    it.each(writes.claim)("F-20 a full disk at the write to %s while the command is claimed", async (table) => {
      const thread = await stage.incident("uptime");
      const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
      const mend = await fillDisk(table);
      expect(await stage.sent(() => expect(serve(batchId)).rejects.toThrow("No space left on device"))).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
      await mend();
      // What was not recorded was not done, so it can be done now.
      stage.model.play({ text: "LIKELY, see 1, 2 and 3: nothing more to do." });
      expect(await stage.sent(() => serve(batchId))).toBe(1);
      await stage.quiet();
    });

    it.each(writes.approve)("F-20 a full disk at the write to %s while it is approved", async (table) => {
      const thread = await stage.incident("uptime");
      await stage.quiet();
      const failures = () =>
        stage.log.filter(({ event, queue }) => event === "job_failed" && queue === "delivery").length;
      const before = failures();
      // The webhook itself can still be taken in: it waits in the inbox and is not lost.
      const mend = await fillDisk(table);
      expect(
        await stage.sent(async () => {
          await thread.say("lee", "/approve 1");
          while (failures() === before) await new Promise((resolve) => setTimeout(resolve, 10));
        }),
      ).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
      stage.model.play({ text: "LIKELY, see 1, 2 and 3: nothing more to do." });
      await mend();
      await thread.waitFor((body) => body.includes("**1** ✅"), "the run, once the disk had room");
      await stage.quiet();
    });

    it("F-22 a store that can only be read", async () => {
      const thread = await stage.incident("uptime");
      const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
      const readOnly = (tx: Tx) => sql`set transaction read only`.execute(tx);
      expect(await stage.sent(() => expect(serve(batchId, readOnly)).rejects.toThrow("read-only transaction"))).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    });

    // The embedded store has no connection to lose.
    it.runIf(kind === "server")("F-19 a connection that is lost while the command is claimed", async () => {
      const thread = await stage.incident("uptime");
      const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
      const lose = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      expect(await stage.sent(() => expect(serve(batchId, lose)).rejects.toThrow())).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    });
  });
});
