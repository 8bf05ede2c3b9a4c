import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../architecture/source-tree.ts";

/** Whole-bot tests that were written for webhooks, with a bot that asks GitHub instead: `COUNTERSIGN_TEST_LISTEN` is the one switch. */
const stories = [
  "test/commands/act/approve.test.ts",
  "test/commands/act/reject.test.ts",
  "test/commands/steer/close.test.ts",
];

it.each(["poll"])("DC-8 the stories of the slash commands hold by %s as they do by webhooks", async (listen) => {
  const args = ["--import", "./check-node.mjs", "node_modules/vitest/vitest.mjs", "run", "--reporter=json", ...stories];
  // biome-ignore lint/style/noProcessEnv: a child of this test run
  const env = { ...process.env, COUNTERSIGN_TEST_LISTEN: listen };
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  console.log(`${passed} stories by ${listen}`);
  expect({ failed, isSome: passed > 20 }).toEqual({ failed: 0, isSome: true });
});
