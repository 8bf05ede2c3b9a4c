/** Never rejects. Uses the global timer, because the model of random histories replaces it. */
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

export interface Backoff {
  readonly baseMs: number;
  /** Before the spread. */
  readonly mostMs?: number;
  /** The largest random share, so that callers that failed together return apart. */
  readonly spread?: number;
  readonly random?: () => number;
}

/** Doubles from `baseMs`. */
export const backoffMs = (times: number, backoff: Backoff): number => {
  const { baseMs, mostMs = Number.POSITIVE_INFINITY, spread = 0, random = Math.random } = backoff;
  return Math.min(baseMs * 2 ** times, mostMs) * (1 + spread * random());
};
