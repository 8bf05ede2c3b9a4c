import type { Row } from "./row.ts";

interface Contest {
  readonly case: string;
  readonly runs: number;
  readonly ours: () => Promise<void>;
  readonly peers: readonly { readonly name: string; readonly once: (() => Promise<void>) | "" | undefined }[];
}

/** Takes turns, so that a slow moment of the machine hits everybody. */
export async function compete(contest: Contest): Promise<Row[]> {
  const times = new Map<() => Promise<void>, number[]>();
  const runners = [contest.ours, ...contest.peers.flatMap(({ once }) => (once ? [once] : []))];
  for (const once of runners) await once();
  for (let i = 0; i < contest.runs; i++) {
    for (const once of runners) {
      const started = performance.now();
      await once();
      times.set(once, [...(times.get(once) ?? []), performance.now() - started]);
    }
  }
  const medianOf = (once: () => Promise<void>): number => median(times.get(once) ?? []);
  const ours = medianOf(contest.ours);
  return contest.peers.map(({ name, once }) => {
    const peer = once ? medianOf(once) : null;
    const peerName = once ? name : `${name} (missing: not installed)`;
    const ratio = peer === null ? null : round(peer / ours);
    return {
      case: contest.case,
      unit: "ms",
      ours: round(ours),
      peer: peer && round(peer),
      peerName,
      ratio,
      better: "lower",
      runs: contest.runs,
    };
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2;
}

const round = (value: number): number => Math.round(value * 100) / 100;
