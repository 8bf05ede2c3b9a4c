import { ofSystem, type TimeSource } from "../../base/clock.ts";
import type { Facts } from "../../github/facts.ts";

/**
 * Keeps `/approve`'s facts from GitHub for two seconds, for the first preflight (SR-24). In memory only, because a job's payload proves
 * nothing.
 */
export interface FactsCache {
  readonly put: (batchId: string, facts: Facts) => void;
  /** Once, while fresh. */
  readonly take: (batchId: string) => Facts | undefined;
}

const freshMs = 2_000;

/** By both clocks: the monotonic one stops while the machine sleeps, and the wall clock can be set back. */
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
