import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { fc } from "../harness/chance.ts";
import { storeScratch } from "../harness/store-scratch.ts";
import { until } from "../harness/until.ts";
import { useStarted } from "../harness/use-started.ts";
import { startWorld } from "../harness/world.ts";
import { useBotPlaces } from "../store/use-places.ts";

const places = await useBotPlaces("a whole bot whose clock jumps, on a PostgreSQL server whose clock is right");
const folder = storeScratch("countersign-clock-");
let clocks = 0;

/** A machine on which the bot runs and whose clock anybody can set, and an embedded store's with it; GitHub's is always right. */
async function startMachine(storeUrl: string | undefined) {
  const file = join(folder, `shift-${clocks++}`);
  const setClock = (byMs: number): void => writeFileSync(file, String(byMs));
  setClock(0);
  const preload = new URL(`../harness/shift-clock.ts?file=${encodeURIComponent(file)}`, import.meta.url).href;
  const world = await startWorld({
    listen: "webhook",
    env: { NODE_OPTIONS: `--import ${preload}` },
    config: { logging: { stdout: true, level: "info" } },
    ...(storeUrl === undefined ? {} : { storeUrl }),
  });
  await world.start();
  return { world, setClock, close: world.close };
}

const minuteMs = 60_000;
const tries = fc.sample(
  fc.record({
    byMs: fc
      .integer({ min: 10, max: 180 })
      .chain((minutes) => fc.constantFrom(minutes * minuteMs, -minutes * minuteMs)),
    /** How long before the approval the clock is set, and how long behind it that is right again; the bot looks every five seconds. */
    beforeMs: fc.integer({ min: 0, max: 300 }),
    afterMs: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) },
      fc.integer({ min: 5_500, max: 8_000 }),
    ),
    /** Whether it is set before the incident already, whose card is made under it then. */
    early: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    restart: fc.constantFrom(undefined, undefined, "SIGKILL" as const, "SIGTERM" as const),
  }),
  { numRuns: 24, seed: 36 },
);

describe.each(places)("a machine whose clock jumps ($kind)", ({ available, url }) => {
  const machine = useStarted(async () => startMachine(await url()));
  const ends: ("ran" | "refused" | "unknown")[] = [];

  it.skipIf(!available).each(tries)(
    "RR-16 F-36 RR-01 an approval runs once and is told, or is refused and that is told, or is UNKNOWN if the bot was ended: $byMs ms for $afterMs ms, early $early, restart $restart",
    async ({ byMs, beforeMs, afterMs, early, restart }) => {
      const { world } = machine;
      if (early) machine.setClock(byMs);
      const thread = await world.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      machine.setClock(byMs);
      await sleep(beforeMs);
      const approval = await thread.say("lee", "/approve 1");
      await sleep(afterMs);
      if (restart) await world.end(restart);
      machine.setClock(0);
      await world.start();
      const told = await until(async () => {
        const reactions = await thread.reactions(approval);
        const end = reactions.filter((content) => content === "rocket" || content === "confused");
        const comments = (await thread.comments()).filter(({ login }) => login.endsWith("[bot]"));
        const ran = comments.filter(({ body }) => /\*\*1\*\* ✅/.test(body)).length;
        const refused = comments.filter(({ body }) => /not run|Nothing was run/.test(body)).length;
        const shown = JSON.stringify({ reactions, comments, log: world.bot.log().slice(-3_000) }, undefined, 1);
        const unknown = comments.filter(({ body }) => body.startsWith("**1** ❓")).length;
        expect(end, shown).toHaveLength(1);
        expect(ran + refused + unknown, shown).toBe(1);
        // On a busy machine the end may come while a check is on its way.
        expect(unknown === 0 || restart !== undefined, shown).toBe(true);
        return ran === 1 ? "ran" : refused === 1 ? "refused" : "unknown";
      });
      ends.push(told);
    },
  );

  it.skipIf(!available)("RR-16 nothing is left behind in the store, and nothing has run twice", async () => {
    const ran = ends.filter((end) => end === "ran").length;
    console.info(`clock jumps: ${tries.length} tries, ${ran} ran, ${ends.length - ran} refused or UNKNOWN`);
    expect(ends).toHaveLength(tries.length);
    // None of the jumps keeps an approval from being in time by GitHub's clock.
    expect(ran).toBeGreaterThan(tries.length / 2);
    await machine.world.end("SIGTERM");
    const left = await machine.world.look(async ({ db }) => {
      const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await query.execute(db)).rows[0]?.n;
      return {
        later: await count(sql`select count(*)::int as n from job where due_at > now() + interval '2 minutes'`),
        unserved: await count(sql`select count(*)::int as n from delivery where state = 'stored'`),
        unposted: await count(
          sql`select count(*)::int as n from comment where version > posted_version and parked is null`,
        ),
        unreacted: await count(sql`select count(*)::int as n from reaction where not posted`),
        underWay: await count(sql`select count(*)::int as n from run where ended_at is null`),
        twice: await count(
          sql`select count(*)::int as n from (select action_id from run group by action_id, server, step having count(*) > 1) twice`,
        ),
      };
    });
    expect(left).toEqual({ later: 0, unserved: 0, unposted: 0, unreacted: 0, underWay: 0, twice: 0 });
  });
});
