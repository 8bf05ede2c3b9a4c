import { defineConfig } from "vitest/config";
import { reportMissing } from "./test/report-missing.ts";

/** Everything: the tests of `npm test` and the long ones (faults, crash points, model tests, fuzzing). */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: "100%",
    // Two shared, noisy cores: a test that fails once is tried once more, and the report says so ("retry x1").
    retry: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ["default", reportMissing()],
  },
});
