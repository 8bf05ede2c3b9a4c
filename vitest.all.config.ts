import { defineConfig } from "vitest/config";

/** Everything: the tests of `npm test` and the long ones (faults, crash points, model tests, fuzzing). */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
