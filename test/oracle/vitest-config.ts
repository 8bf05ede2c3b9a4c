import { defineConfig } from "vitest/config";
import { patienceMs } from "../harness/patience.ts";

/** Runs page.ts alone: what it plays is built for vitest. */
export default defineConfig({
  test: {
    include: ["test/oracle/page.ts"],
    pool: "forks",
    testTimeout: 600_000,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs } },
  },
});
