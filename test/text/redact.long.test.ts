import { expect, test } from "vitest";
import { createRedactor } from "../../src/text/redact.ts";
import { hostile } from "./redact/hostile.ts";

/** What the log below takes on a quiet machine, with some to spare. */
const usualMs = 60;

/** Milliseconds of the processor: on a machine with others on the same core they are several times as many for the same work. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** How much slower this machine is just now, told by a megabyte of an ordinary log. */
function slowness(): number {
  const log =
    "2026-03-01T10:00:00Z INFO payments-7d9f request id=42 GET /orders/1182 200 in 31 ms from 10.0.3.17\n".repeat(
      10_000,
    );
  const redact = createRedactor({ now: () => 0 });
  for (let warm = 0; warm < 3; warm++) redact(log);
  const begin = cpuMs();
  redact(log);
  return Math.max(1, (cpuMs() - begin) / usualMs);
}

const pace = slowness();
const redact = createRedactor({ now: () => cpuMs() / pace });

test.each(Object.entries(hostile))("SR-48 a megabyte of %s ends as text, not as a withheld output", (_, text) => {
  expect(redact(text).ok).toBe(true);
});
