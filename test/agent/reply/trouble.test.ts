import { expect, test } from "vitest";
import { namesCommands, unaddressed } from "../../../src/agent/reply/reading.ts";

const trouble = (line: string) => [{ number: 3, what: "exit 0, with errors in its output", lines: [line] }];

test.each([
  ["by 3, the disk is full", "no space left on device"],
  ["The pod is in CrashLoopBackOff.", "web-1   0/1   CrashLoopBackOff   7   3m"],
  ["The API refused the connection.", "dial tcp 10.0.0.5:5432: connect: connection refused"],
  ["There is no space left on that device.", "write /var/lib/wal: no space left on device"],
])("AR-15 %j addresses the trouble %j, by its number or in words", (prose, line) => {
  expect(unaddressed(prose, trouble(line))).toEqual([]);
});

test.each([
  ["All is well.", "no space left on device"],
  ["An error came up, I look further.", "error: relation orders does not exist"],
  ["The device is fine.", "no space left on device"],
  ["3 % of requests are slow.", "connect: connection refused"],
])("AR-15 %j passes over the trouble %j", (prose, line) => {
  expect(unaddressed(prose, trouble(line))).toHaveLength(1);
});

test.each([
  "Run `df -h` on web-1.",
  "Please run `uptime`.",
  "Then execute `kubectl get pods -n shop`.",
  "Try `FOO=1 ./restart.sh now`.",
])("PA-8 %j names a command", (prose) => expect(namesCommands(prose)).toBe(true));

test.each([
  "The pods that run under `app=cart` are fine.",
  "It tries to run on `web-1`.",
  "They run with `OOMKilled` as their last state.",
  "Pods that run with `tier: frontend` are fine.",
  "Those that run as `cart-7d9f-x2x` are new.",
  "The jobs run in `shop/cart`.",
])("PA-8 %j names a thing, no command", (prose) => expect(namesCommands(prose)).toBe(false));
