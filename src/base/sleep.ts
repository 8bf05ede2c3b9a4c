/**
 * Resolves after `ms`, or as soon as the signal aborts; never rejects. By the global timer, other than Node's own: the model of random
 * histories lets time pass there.
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

/** How long to wait before trying once more what has failed. */
export interface Backoff {
  readonly baseMs: number;
  /** No longer than that, before the spread. */
  readonly mostMs?: number;
  /** How much of it is added by chance at most, so that those who failed together do not come back together. */
  readonly spread?: number;
  readonly random?: () => number;
}

/** Twice as long each time: `baseMs` for 0, the first. */
export const backoffMs = (times: number, backoff: Backoff): number => {
  const { baseMs, mostMs = Number.POSITIVE_INFINITY, spread = 0, random = Math.random } = backoff;
  return Math.min(baseMs * 2 ** times, mostMs) * (1 + spread * random());
};
