/** A limited number of places, first come, first served. */
export interface WaitingLine {
  /** False if the signal ended the wait; then there is nothing to leave. */
  readonly enter: (signal?: AbortSignal) => Promise<boolean>;
  readonly leave: () => void;
  /** Leaves at least one; holders stay. */
  readonly narrow: (places: number) => void;
  /** One place more, up to the first number. */
  readonly widen: () => void;
  readonly inside: () => number;
  /** The next one waits. */
  readonly isFull: () => boolean;
}

export function createLine(initialPlaces: number): WaitingLine {
  let places = initialPlaces;
  let inside = 0;
  const waiting = new Set<() => void>();

  const admit = (): void => {
    for (const next of waiting) {
      if (inside >= places) return;
      waiting.delete(next);
      inside++;
      next();
    }
  };

  return {
    enter: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(false);
        const giveUp = (): void => {
          if (waiting.delete(come)) resolve(false);
        };
        const come = (): void => {
          signal?.removeEventListener("abort", giveUp);
          resolve(true);
        };
        signal?.addEventListener("abort", giveUp, { once: true });
        waiting.add(come);
        admit();
      }),
    leave: () => {
      inside--;
      admit();
    },
    narrow: (fewer) => {
      places = Math.max(1, Math.min(places, fewer));
    },
    widen: () => {
      places = Math.min(places + 1, initialPlaces);
      admit();
    },
    inside: () => inside,
    isFull: () => inside >= places,
  };
}
