import { defineConfig } from "vitest/config";

/** The tests that say what the mutated files must do: those that know them, and no whole bot. */
export default defineConfig({
  test: {
    include: [
      "test/policy/{authorize,evaluate,rules-version,admit,auto,dispatch,schedule,soften,operator,options,examples}*.test.ts",
      "test/commands/{grammar,grammar-reference,grammar-record}.test.ts",
      "test/store/{actions,transitions,server-line}.test.ts",
    ],
    testTimeout: 60_000,
  },
});
