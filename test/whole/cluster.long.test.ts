import { expect, it } from "vitest";
import { liveInCluster } from "../simulation/schedules.ts";

it("RR-05 F-34 F-35 I1 I5 four processes, killed, frozen and cut off: nothing is lost, nothing is done twice, all is in order", async () => {
  const lived = await liveInCluster({ incidents: 60, seconds: 40, killEveryMs: 3_000, seed: 20_261_122 });
  expect(lived?.wrong ?? []).toEqual([]);
  console.log(lived?.figures);
});
