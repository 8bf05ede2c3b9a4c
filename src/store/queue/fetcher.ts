export interface Fetcher {
  /** Fetches, unless nothing can be taken now or a fetch is under way; that one then fetches once more. */
  readonly wake: () => void;
  /** Notes that there is more of what is being served, which can be had when that ends: `goOn` fetches it. */
  readonly wakeLater: () => void;
  /** Notes that there is more, to be fetched by `goOn`. */
  readonly noteMore: () => void;
  /** Notes that there is more where the end of a job says so. */
  readonly noteAfter: (end: () => Promise<{ readonly more: boolean }>) => Promise<void>;
  /** Fetches what was noted meanwhile. */
  readonly goOn: () => void;
  /** What is being fetched, where something is. */
  readonly fetching: () => Promise<void> | undefined;
}

/** Fetches when woken, and never twice at once: whoever wakes it meanwhile is served by one fetch more. */
export function createFetcher({
  mayFetch,
  fetch,
  failed,
}: {
  readonly mayFetch: () => boolean;
  readonly fetch: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}): Fetcher {
  let fetching: Promise<void> | undefined;
  let wakes = 0;
  let again = false;

  const fetchWhileWoken = async (): Promise<void> => {
    try {
      while (again && mayFetch()) {
        again = false;
        await fetch();
      }
    } catch (error) {
      failed(error);
    }
  };
  const wakeLater = (): void => {
    wakes++;
    again = true;
  };
  const wake = (): void => {
    wakeLater();
    if (mayFetch())
      fetching ??= fetchWhileWoken().finally(() => {
        fetching = undefined;
      });
  };

  return {
    wake,
    wakeLater,
    noteMore: () => {
      again = true;
    },
    noteAfter: async (end) => {
      const before = wakes;
      const { more } = await end();
      // Whoever enqueued while this statement ran woke us when the key was still taken.
      again ||= more || wakes !== before;
    },
    goOn: () => {
      if (again) wake();
    },
    fetching: () => fetching,
  };
}
