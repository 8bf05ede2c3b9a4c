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
