import { afterAll, describe, expect, it } from "vitest";
import { crash } from "./crash-rounds.ts";
import { places } from "./fresh.ts";

const here = await places("the crash test on a PostgreSQL server");
afterAll(async () => {
  for (const place of here) await place.remove();
});

describe.each(here)("a process killed under load, again and again ($kind)", ({ create }) => {
  it("F-05 F-06 loses no delivery it acknowledged, serves none twice, keeps each line's order and the audit's chain", async () => {
    const outcome = await crash(await create(), 3);
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome).toMatchObject({ lost: [], servedTwice: [], notServed: [], outOfOrder: [], auditHolds: true });
  });
});
