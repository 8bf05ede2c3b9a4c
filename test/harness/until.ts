import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** Looks again and again until `look` throws nothing, and resolves with what it returned then. */
export const until = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: patienceMs, interval: 25 });
