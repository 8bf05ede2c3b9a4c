import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/harness/patience.ts";
import { reportMissing } from "./test/harness/report-missing.ts";

/** A test that takes seconds, in a file of short ones: 220 of 13,700 took more than half of `npm test`. `npm run test:all` runs it. */
export const tags = [{ name: "long", description: "takes seconds: left to `npm run test:all`" }];

/** What `npm test` runs: all but the long ones, in less than three minutes on two cores. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    tags,
    // Processes: the files start servers, databases and programs. Three for two cores, since they wait a sixth of their time.
    pool: "forks",
    // A process serves many files: loading the program anew for each cost as much as the tests.
    isolate: false,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // It ends a hang, and longer waits than a poll's; a busy machine is given the time.
    testTimeout: patienceMs + 60_000,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs } },
    reporters: ["default", reportMissing()],
  },
});
