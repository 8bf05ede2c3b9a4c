import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../harness/postgres.ts";
import { until } from "../harness/until.ts";
import { startCrashWorld } from "./crash-world.ts";

const cluster = await startPostgres("an instance of the bot that stands still while another goes on (F-35)");
afterAll(() => cluster?.stop());

describe.runIf(cluster)("two instances on one store, of which one stands still (server)", () => {
  it.each([
    ["direct", "❓", 1],
    ["job", "✅", 2],
  ] as const)(
    "F-34 F-35 while a %s command of its runs: the other settles it as %s, what the first says later is refused, it ran once",
    async (which, ends, number) => {
      const world = await startCrashWorld(await cluster?.createDatabase());
      const finish = world.holdEnd();
      const first = await world.start();
      await world.open();
      await world.card();
      await world.thread().say("lee", `/approve ${number}`);
      await world.thread().waitFor((body) => body.includes("running since"), "the run card");
      first.child.kill("SIGSTOP");
      // The other has the same config and a port of its own; GitHub's webhooks go to whoever stands still.
      const second = await (await world.world.join()).start();
      if (which === "job") {
        // It is found again by the other while it goes on.
        await until(() => expect(second.log()).toContain("run_start"));
        finish();
      }
      const told = new RegExp(`\\*\\*${number}\\*\\* ${ends}`);
      await world.thread().waitFor((body) => told.test(body), "the end as the other tells it");
      finish();
      first.child.kill("SIGCONT");
      await until(() => expect(first.log()).toContain("run_end"));
      await sleep(2_000);
      await world.agrees();
      const results = (await world.thread().comments()).filter(({ body }) => told.test(body));
      expect(results).toHaveLength(1);
      expect(world.runs(which)).toBe(1);
      await world.close();
    },
  );
});
