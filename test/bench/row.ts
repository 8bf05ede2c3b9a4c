/** One line of `npm run bench` (docs/measured.md); figures are medians. A ratio above 1 means that we are better. */
export interface Row {
  readonly case: string;
  readonly unit: string;
  readonly ours: number;
  /** `null` where there is no peer, or none installed; `peerName` says which. */
  readonly peer: number | null;
  readonly peerName: string;
  readonly ratio: number | null;
  readonly better: "higher" | "lower";
  readonly runs: number;
}

/** What a row has for a peer where nothing else does what it measures. */
export const noPeer = { peer: null, peerName: "none", ratio: null } as const;

/** The value below which such a part of them lies; not a number where there are none. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
