import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { environment } from "../../src/config/load.ts";
import { root } from "../architecture/source-tree.ts";

/** Whole-bot tests that were written for webhooks, with a bot that asks GitHub instead: `COUNTERSIGN_TEST_LISTEN` is the one switch. */
const stories = ["test/commands/act/reject.test.ts", "test/commands/steer/close.test.ts"];

it.each(["poll"])("DC-8 the stories of the slash commands hold by %s as they do by webhooks", async (listen) => {
  const args = [
    "--import",
    "./check-node.mjs",
    "node_modules/vitest/vitest.mjs",
    "run",
    "--test-timeout=180000",
    ...stories,
  ];
  const env = { ...environment(), COUNTERSIGN_TEST_LISTEN: listen, NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
  const passed = Number(/^ *Tests +(\d+) passed/m.exec(stdout)?.[1]);
  console.log(`${passed} stories by ${listen}`);
  expect(passed).toBeGreaterThan(5);
});
