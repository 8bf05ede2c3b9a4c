import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { seed } from "../harness/chance.ts";
import { useWorld } from "../harness/world.ts";
import { live } from "../simulation/life.ts";
import { slowly } from "../simulation/schedules.ts";
import { killing } from "../simulation/troubles.ts";

const kills = 20;

describe(`the bot, killed ${kills} times under load`, () => {
  const world = useWorld(() => ({ play: slowly(seed, 0, 1_500) }));

  // The killing alone takes minutes, in which hardly anything comes to its end.
  it("RR-06 I1 I5 loses no delivery, does none twice, and runs no command twice", { timeout: 1_800_000 }, async () => {
    const { wrong, figures } = await live(world, {
      seed,
      incidents: 12,
      everyMs: 0,
      troubles: [killing(({ chance }) => sleep(200 + chance.below(1_500)), kills)],
    });
    expect(wrong).toEqual([]);
    expect(figures.incidents).toBe(12);
    console.log(figures);
  });
});
