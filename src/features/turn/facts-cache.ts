import { ofSystem, type TimeSource } from "../../base/clock.ts";
import type { Facts } from "../../github/facts.ts";

/**
 * What `/approve` has just read from GitHub, kept for the batch that it sets going: the first command starts at once, and the
 * look of SR-24 before it need not ask the same again within two seconds. In memory only, so a job's payload vouches for
 * nothing; another process, or a later moment, asks anew.
 */
export interface FactsCache {
  readonly put: (batchId: string, facts: Facts) => void;
  /** The facts of this batch, once, while they are fresh. */
  readonly take: (batchId: string) => Facts | undefined;
}

const freshMs = 2_000;

/** Fresh by both clocks: the one that only goes forward stands still while the machine sleeps, and the other one can be set back. */
export function createFactsCache({ shown, elapsed }: TimeSource = ofSystem): FactsCache {
  const kept = new Map<string, { readonly facts: Facts; readonly shownAt: number; readonly at: number }>();
  const isFresh = ({ shownAt, at }: { readonly shownAt: number; readonly at: number }): boolean =>
    Math.max(shown() - shownAt, elapsed() - at) <= freshMs;
  return {
    put: (batchId, facts) => {
      for (const [id, entry] of kept) if (!isFresh(entry)) kept.delete(id);
      kept.set(batchId, { facts, shownAt: shown(), at: elapsed() });
    },
    take: (batchId) => {
      const entry = kept.get(batchId);
      kept.delete(batchId);
      return entry && isFresh(entry) ? entry.facts : undefined;
    },
  };
}
