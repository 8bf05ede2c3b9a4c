import type { Facts } from "../github/facts.ts";

/**
 * What `/approve` has just read from GitHub, kept for the batch that it sets going: the first command starts at once, and the
 * look of SR-24 before it need not ask the same again within two seconds. In memory only, so a job's payload vouches for
 * nothing; another process, or a later moment, asks anew.
 */
export interface Handoff {
  readonly put: (batchId: string, facts: Facts) => void;
  /** The facts of this batch, once, while they are fresh. */
  readonly take: (batchId: string) => Facts | undefined;
}

const freshMs = 2_000;

/** `elapsed`: milliseconds by a clock that only goes forward. */
export function createHandoff(elapsed: () => number = () => performance.now()): Handoff {
  const kept = new Map<string, { readonly facts: Facts; readonly at: number }>();
  return {
    put: (batchId, facts) => {
      const now = elapsed();
      for (const [id, entry] of kept) if (now - entry.at > freshMs) kept.delete(id);
      kept.set(batchId, { facts, at: now });
    },
    take: (batchId) => {
      const entry = kept.get(batchId);
      kept.delete(batchId);
      return entry && elapsed() - entry.at <= freshMs ? entry.facts : undefined;
    },
  };
}
