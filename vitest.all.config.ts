import { defineConfig } from "vitest/config";
import { onTrial } from "./test/on-trial.ts";
import { reportMissing } from "./test/report-missing.ts";

/** Everything: the tests of `npm test` and the long ones (faults, crash points, model tests, fuzzing). */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...onTrial],
    pool: "forks",
    // A process serves many files: loading the program anew for each cost as much as the tests.
    isolate: false,
    maxWorkers: "100%",
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ["default", reportMissing()],
  },
});
