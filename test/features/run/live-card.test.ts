import { expect, it } from "vitest";
import { paceMs } from "../../../src/features/run/live-card.ts";

it.each([
  [0, 5_000],
  [59_999, 5_000],
  [60_000, 30_000],
  [3_600_000, 30_000],
])("PRODUCT a command that has run for %i ms is drawn again after %i ms", (ranMs, ms) =>
  expect(paceMs(ranMs)).toBe(ms),
);
