export interface RepeatedWork {
  /** Does the work at once, unless it is under way. */
  readonly now: () => void;
  /** Starts no more, and waits for the work under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Does `work` every `ms`, and never twice at once: it skips a turn that comes due during the work, so that slow work neither overlaps nor
 * piles up. Begins at once, or `first: "later"`. Passes errors to `failed` and goes on.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
  { first = "at once" }: { readonly first?: "at once" | "later" } = {},
): RepeatedWork {
  let working: Promise<unknown> | undefined;
  let isStopped = false;
  const now = (): void => {
    if (isStopped) return;
    working ??= work()
      .catch(failed)
      .finally(() => {
        working = undefined;
      });
  };
  if (first === "at once") now();
  const timer = setInterval(now, ms).unref();
  return {
    now,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
