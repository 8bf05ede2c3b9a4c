const failuresToOpen = 3;
const openForMs = 60_000;

/** Stops asking an endpoint that keeps failing, so that an incident does not wait for it each time. */
export interface Breaker {
  /** Milliseconds until the endpoint may be asked again; 0 where it may be asked now. */
  readonly waitMs: () => number;
  /** True where it had been open, and this closed it. */
  readonly succeeded: () => boolean;
  /** True where this opened it, or kept it open for longer. */
  readonly failed: () => boolean;
}

/**
 * A breaker that opens for 60 s after 3 failures in a row (RR-09). A failure is an endpoint given up on, its retries
 * included, so one bad minute of the provider does not lock out the next comment (S15.7). After the minute one request
 * decides. `now` is a monotonic clock in milliseconds.
 */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    waitMs: () => Math.max(0, openUntil - now()),
    succeeded: () => {
      const wasOpen = failures >= failuresToOpen;
      failures = 0;
      return wasOpen;
    },
    failed: () => {
      failures += 1;
      const opens = failures >= failuresToOpen;
      if (opens) openUntil = now() + openForMs;
      return opens;
    },
  };
}
