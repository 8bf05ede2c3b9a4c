import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { reportMissing } from "./test/harness/report-missing.ts";

/** What `npm test` runs: all but the long ones, in less than three minutes on two cores. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    // Processes: the files start servers, databases and programs. Three for two cores, since they wait a sixth of their time.
    pool: "forks",
    // A process serves many files: loading the program anew for each cost as much as the tests.
    isolate: false,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A poll ends as soon as it holds; a slow machine is given the time.
    expect: { poll: { timeout: 15_000 } },
    reporters: ["default", reportMissing()],
  },
});
