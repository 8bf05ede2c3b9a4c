import { defineConfig } from "vitest/config";
import { reportMissing } from "./test/report-missing.ts";

/** What `npm test` runs: all but the long ones, in less than five minutes on two cores. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    // Each test file in a process of its own, one for each core: they start servers, databases and programs.
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", reportMissing()],
    coverage: { provider: "v8", include: ["src/**"] },
  },
});
