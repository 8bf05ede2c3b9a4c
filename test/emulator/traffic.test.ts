import { expect, it } from "vitest";
import { createTraffic } from "../../emulator/traffic.ts";

it("a request that was under way when the counts were reset belongs to what was before", () => {
  const traffic = createTraffic();
  const request = {
    kind: "request",
    method: "GET",
    path: "/",
    status: 200,
    operationId: undefined,
    by: "app",
  } as const;
  traffic.add({ ...request, ms: 1 });
  traffic.read.resetCounts();
  traffic.add({ ...request, ms: 60_000 });
  expect(traffic.read.requests()).toEqual([]);
  traffic.add({ ...request, ms: 0 });
  expect(traffic.read.requests()).toHaveLength(1);
});
