/**
 * Resolves after `ms`, or as soon as the signal aborts; never rejects. Uses the global timer, because the model of random histories
 * replaces it.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });
}

/** The wait before another attempt. */
export interface Backoff {
  readonly baseMs: number;
  /** The longest wait, before the spread. */
  readonly mostMs?: number;
  /** The largest random addition, as a share, so that callers that failed together do not come back together. */
  readonly spread?: number;
  readonly random?: () => number;
}

/** Twice as long each time: `baseMs` for 0, the first. */
export const backoffMs = (times: number, backoff: Backoff): number => {
  const { baseMs, mostMs = Number.POSITIVE_INFINITY, spread = 0, random = Math.random } = backoff;
  return Math.min(baseMs * 2 ** times, mostMs) * (1 + spread * random());
};
