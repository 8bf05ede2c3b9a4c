import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createThread, openIssue } from "../../demo/thread.ts";
import { loadConfig } from "../../src/config/load.ts";
import { openStore } from "../../src/store/database/open.ts";
import { type BotProcess, startBotProcess } from "../harness/bot-process.ts";
import { fc } from "../harness/chance.ts";
import { entryOf, incident, prepareGround, repo } from "../harness/playground.ts";
import { storeScratch } from "../harness/store-scratch.ts";
import { until } from "../harness/until.ts";
import { useStarted } from "../harness/use-started.ts";
import { startFakeHost } from "../ssh/fake-host.ts";

const host = useStarted(() => startFakeHost(async () => 0));
const folder = storeScratch("countersign-clock-");

/** A machine on which the bot runs and whose clock anybody can set; GitHub's is always right. */
async function startMachine() {
  const ground = await prepareGround({ servers: { "web-1": entryOf(host) }, listen: "webhook" });
  const file = join(folder, "shift");
  const setClock = (byMs: number): void => writeFileSync(file, String(byMs));
  setClock(0);
  const preload = new URL(`../harness/shift-clock.ts?file=${encodeURIComponent(file)}`, import.meta.url).href;
  const start = () => startBotProcess(ground, { env: { NODE_OPTIONS: `--import ${preload}` } });
  let bot: BotProcess = await start();
  return {
    ground,
    setClock,
    /** `meanwhile`: what happens while it is down. */
    restart: async (signal: NodeJS.Signals, meanwhile: () => void) => {
      await bot.signal(signal);
      meanwhile();
      bot = await start();
    },
    stop: () => bot.signal("SIGTERM"),
    close: async () => {
      await bot.signal("SIGTERM");
      await ground.close();
    },
  };
}

const minuteMs = 60_000;
const tries = fc.sample(
  fc.record({
    byMs: fc
      .integer({ min: 10, max: 180 })
      .chain((minutes) => fc.constantFrom(minutes * minuteMs, -minutes * minuteMs)),
    /** When the clock is set before the approval, and right again behind it, in ms. */
    beforeMs: fc.integer({ min: 0, max: 300 }),
    afterMs: fc.integer({ min: 0, max: 300 }),
    restart: fc.constantFrom(undefined, undefined, "SIGKILL" as const, "SIGTERM" as const),
  }),
  { numRuns: 24, seed: 36 },
);

const machine = useStarted(startMachine);

describe("a machine whose clock jumps", () => {
  it.each(tries)(
    "RR-16 F-36 RR-01 nothing is lost, done twice or left behind: $byMs ms, restart $restart",
    async ({ byMs, beforeMs, afterMs, restart }) => {
      const { github } = machine.ground;
      const thread = createThread(github, repo, await openIssue(github, repo, incident));
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      const before = host.seen.commands.length;
      machine.setClock(byMs);
      await sleep(beforeMs);
      const approval = await thread.say("lee", "/approve 1");
      await sleep(afterMs);
      if (restart) await machine.restart(restart, () => machine.setClock(0));
      else machine.setClock(0);
      await until(async () => expect(await thread.reactions(approval)).toContain("rocket"));
      expect(host.seen.commands.length - before).toBeGreaterThanOrEqual(1);
      const said = (await thread.comments()).filter(({ body }) => /\*\*1\*\* (✅|▶️)/.test(body));
      expect(said).toHaveLength(1);
    },
  );

  it("RR-16 leaves nothing for later in the store, and each approval has run once", async () => {
    await machine.stop();
    const store = await openStore(loadConfig({ file: machine.ground.configFile, env: {} }).store.url);
    try {
      const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await query.execute(store.db)).rows[0]?.n;
      expect(await count(sql`select count(*)::int as n from job where due_at > now() + interval '2 minutes'`)).toBe(0);
      expect(await count(sql`select count(*)::int as n from delivery where state = 'stored'`)).toBe(0);
      expect(await count(sql`select count(*)::int as n from approval where verdict = 'approve'`)).toBe(tries.length);
      expect(
        await count(
          sql`select count(*)::int as n from (select action_id from run group by action_id, server, step having count(*) > 1) twice`,
        ),
      ).toBe(0);
    } finally {
      await store.close();
    }
  });
});
