import { ofSystem, type TimeSource } from "../../base/clock.ts";
import type { Facts } from "../../github/facts.ts";

/**
 * Keeps for two seconds what `/approve` has just read from GitHub, so that the preflight of the batch's first command need not read
 * it again (SR-24). In memory only: a job's payload proves nothing, and another process reads for itself.
 */
export interface FactsCache {
  readonly put: (batchId: string, facts: Facts) => void;
  /** The facts of this batch, once, while they are fresh. */
  readonly take: (batchId: string) => Facts | undefined;
}

const freshMs = 2_000;

/** Fresh by both clocks: the monotonic clock stands still while the machine sleeps, and the wall clock can be set back. */
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
