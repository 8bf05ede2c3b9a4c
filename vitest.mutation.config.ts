import { defineConfig } from "vitest/config";
import { tags } from "./vitest.config.ts";

/** The tests that say what the mutated files must do: those that know them, and no whole bot. */
export default defineConfig({
  test: {
    tags,
    include: [
      "test/approval/*.test.ts",
      "test/risk/{evaluate,earlier,rules-version,admit,soften,operator,closed,examples}*.test.ts",
      "test/risk/{engine,reach,shell}/*.test.ts",
      "test/slash/{grammar,grammar-reference,grammar-record,near-miss,talk}.test.ts",
      "test/store/{actions,transitions,server-line}.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
