/** The primary rate limit of the App's installation. A 304 does not count, and a GraphQL query counts elsewhere. */
export interface RateLimit {
  readonly count: () => void;
  /** How it stands in the hour that is running. */
  readonly now: () => {
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly reset: number;
  };
}

const limit = 5_000;
const hourMs = 3_600_000;

/** Counts, and refuses nobody: faults inject what a limit that is used up looks like. */
export function createRateLimit(): RateLimit {
  let used = 0;
  let endsAt = Date.now() + hourMs;
  const roll = (): void => {
    if (Date.now() < endsAt) return;
    used = 0;
    endsAt = Date.now() + hourMs;
  };
  return {
    count: () => {
      roll();
      used++;
    },
    now: () => {
      roll();
      return { limit, used, remaining: Math.max(0, limit - used), reset: Math.floor(endsAt / 1_000) };
    },
  };
}
