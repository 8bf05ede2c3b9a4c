import { describe, expect, it } from "vitest";
import { crash } from "./crash-rounds.ts";
import { usePlaces } from "./use-places.ts";

const here = await usePlaces("the crash test on a PostgreSQL server");

describe.each(here)("a process killed under load, again and again ($kind)", ({ create }) => {
  it("F-05 F-06 loses no delivery it acknowledged, serves none twice, keeps each line's order and the audit's chain", async () => {
    const outcome = await crash(await create(), 20);
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome).toMatchObject({ lost: [], servedTwice: [], notServed: [], outOfOrder: [], auditHolds: true });
  });
});
