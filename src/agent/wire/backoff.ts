import { backoffMs } from "../../base/sleep.ts";

/** S15 retry settings; delays in milliseconds. */
export interface Retry {
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly retryableStatuses: readonly number[];
}

/** Before retry `attempt` (0 = the first): between half and all of what it is without chance. */
export const retryDelayMs = (attempt: number, { baseDelayMs, maxDelayMs }: Retry, random: () => number): number =>
  Math.round(backoffMs(attempt, { baseMs: baseDelayMs / 2, mostMs: maxDelayMs / 2, spread: 1, random }));
