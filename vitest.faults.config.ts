import { defineConfig } from "vitest/config";
import { filesThatProve } from "./test/faults/files.ts";
import { reportFaults } from "./test/faults/report.ts";
import { anyProof } from "./test/faults/table.ts";
import { reportMissing } from "./test/harness/report-missing.ts";
import all from "./vitest.all.config.ts";

/** Every test that bears the name of a fault or a crash point (RELIABILITY.md), told as a line for each. */
export default defineConfig({
  test: {
    ...all.test,
    include: filesThatProve(),
    testNamePattern: anyProof,
    reporters: [reportMissing(), reportFaults()],
  },
});
