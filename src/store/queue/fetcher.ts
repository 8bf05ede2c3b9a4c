export interface Fetcher {
  /** Fetches, unless nothing can be taken now or a fetch is under way; that one then fetches once more. */
  readonly wake: () => void;
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
  const wake = (): void => {
    wakes++;
    again = true;
    if (mayFetch())
      fetching ??= fetchWhileWoken().finally(() => {
        fetching = undefined;
      });
  };

  return {
    wake,
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
