/** S15 retry settings; delays in milliseconds. */
export interface Retry {
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly retryableStatuses: readonly number[];
}

/** Exponential delay with jitter before retry `attempt` (0 = the first), between half and all of the capped value. */
export function backoffMs(attempt: number, retry: Retry, random: () => number): number {
  const capped = Math.min(retry.baseDelayMs * 2 ** attempt, retry.maxDelayMs);
  return Math.round(capped * (0.5 + random() * 0.5));
}

/** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
export function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
