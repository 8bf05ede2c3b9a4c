export interface RepeatedWork {
  /** Starts the work now unless it is under way. */
  readonly now: () => void;
  /** Waits for the work under way. */
  readonly stop: () => Promise<void>;
}

/** Does `work` at once (or `first: "later"`) and every `ms`, skipping turns that come due meanwhile. Passes errors to `failed`. */
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
