/** What is done again and again until it is stopped. */
export interface RepeatedWork {
  /** Does it at once; nothing where it is being done. */
  readonly now: () => void;
  /** Begins no more and waits for what is being done. */
  readonly stop: () => Promise<void>;
}

/**
 * Does `work` every so often, and never twice at once: what falls due while it is being done is left out, so that slow ones neither
 * overlap nor pile up. The first comes at once, or `first: "later"`. `failed` hears what it throws, and it goes on.
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
