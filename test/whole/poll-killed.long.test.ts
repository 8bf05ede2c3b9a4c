import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startWorld } from "../harness/world.ts";

const kills = 5;
const postgres = await startPostgres("two processes that poll");

/** Bots that ask GitHub, in processes of their own, at the pace that operators have. */
afterAll(() => postgres?.stop());

/** Of each number that was said to be approved, how often that was answered. */
async function answersOf(thread: Thread, numbers: readonly number[]) {
  const said = await thread.comments();
  const answers = (n: number) =>
    said.filter(({ login, body }) => login.endsWith("[bot]") && body.includes(`**${n}**: `));
  return numbers.map((n) => answers(n).length);
}

const once = (numbers: readonly number[]): readonly number[] => numbers.map(() => 1);

describe("a bot that polls", () => {
  it("DC-8 RR-01 killed while it reads and stores, it loses no comment and answers none twice", async () => {
    const world = await startWorld({ listen: "poll" });
    await world.start();
    const thread = await world.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    const numbers: number[] = [];
    const ids: number[] = [];
    for (let n = 0; n < kills; n++) {
      numbers.push(901 + n);
      // One comment is written while nobody reads, so that the next process has it to store, and ends by itself there.
      const toNobody = n === 2;
      if (toNobody) await world.end();
      ids.push(await thread.say("lee", `/approve ${901 + n}`));
      if (toNobody) await (await world.start({ env: { CRASH_AT: "CP01" }, mayEnd: true })).ended;
      else {
        await sleep(Math.random() * 4_000);
        await world.end();
      }
      await world.start();
    }
    const seen = await waitUntil(() => answersOf(thread, numbers), once(numbers));
    expect(seen).toEqual(once(numbers));
    expect(world.github.deliveries()).toEqual([]);
    await world.end("SIGTERM");
    const created = await world.look(({ db }) =>
      db.selectFrom("delivery").select("guid").where("action", "=", "created").execute(),
    );
    // A comment of its own that a killed process had posted and not noted is read, too, and heard by nobody.
    const read = created.map(({ guid }) => Number(/\d+/.exec(guid)?.[0])).filter((id) => ids.includes(id));
    expect(read.toSorted()).toEqual(ids.toSorted());
    await world.close();
  });

  it.runIf(postgres)("DC-8 of two processes one polls, and where it is killed the other goes on", async () => {
    const storeUrl = await postgres?.createDatabase();
    const world = await startWorld({ listen: "poll", ...(storeUrl && { storeUrl }) });
    const [, second] = [await world.start(), await world.join()];
    await second.start();
    const thread = await world.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    world.github.resetCounts();
    await sleep(12_000);
    const looks = () =>
      world.github.requests().filter(({ operationId }) => operationId === "issues/list-events-for-repo").length;
    // Two would be twice as many.
    expect(looks()).toBeLessThanOrEqual(5);
    await expect.poll(looks).toBeGreaterThanOrEqual(3);
    const holder = () =>
      world.look(async ({ db }) => (await db.selectFrom("poll").select("holder").executeTakeFirstOrThrow()).holder);
    const first = await holder();
    await world.members[0]?.end();
    const began = performance.now();
    await thread.say("lee", "/approve 901");
    await waitUntil(() => answersOf(thread, [901]), [1]);
    const tookOver = (await holder()) !== first;
    console.log(
      `one of two was killed; the other ${tookOver ? "took over" : "had it"}: answered after ${Math.round(performance.now() - began)} ms`,
    );
    await thread.say("lee", "/approve 902");
    expect(await waitUntil(() => answersOf(thread, [901, 902]), [1, 1])).toEqual([1, 1]);
    await second.end("SIGTERM");
    // Whoever ends in order lets go, so that the next one need not wait.
    expect(await holder()).toBeNull();
    await world.close();
  });
});

async function waitUntil(
  look: () => Promise<readonly number[]>,
  wanted: readonly number[],
): Promise<readonly number[]> {
  const until = performance.now() + 90_000;
  for (;;) {
    const seen = await look();
    if (seen.join() === wanted.join() || performance.now() > until) return seen;
    await sleep(250);
  }
}
