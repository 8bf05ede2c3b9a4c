import { expect, it } from "vitest";
import { soak } from "../simulation/schedules.ts";

it("RR-23 I1 I5 a bot under a random fault every two seconds: nothing is lost, nothing is done twice, all is in order", async () => {
  const soaked = await soak({ minutes: 1, seed: 20_261_122, everyMs: 1_500 });
  // Whether handles and memory grow takes longer to see: `npm run soak`.
  if (!soaked) return;
  expect(soaked.wrong).toEqual([]);
  expect(soaked.figures.incidents).toBeGreaterThan(10);
  console.log(soaked.figures);
});
