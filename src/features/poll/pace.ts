/** Decides when to look at GitHub again. Pure. */

import { backoffMs } from "../../base/clock.ts";

export interface PollPace {
  /** If an incident is open. */
  readonly openMs: number;
  readonly idleMs: number;
  /** How long news is left to webhooks. */
  readonly webhooksFirstMs: number;
  readonly mostPerMinute: number;
  /** Counted against GitHub's rate limit. */
  readonly mostCountedPerHour: number;
}

/** A fifth of an installation's lowest rate limit, and a third of the secondary limit of 900 a minute. */
export const usualPace: PollPace = {
  openMs: 3_000,
  idleMs: 20_000,
  webhooksFirstMs: 15_000,
  mostPerMinute: 300,
  mostCountedPerHour: 1_000,
};

const hourMs = 3_600_000;
const longestWaitMs = 5 * 60_000;
/** Short, because only a look finds a /hold. */
const longestOpenWaitMs = 30_000;

export interface LookResult {
  /** An incident is open, or the last look found news. */
  readonly isActive: boolean;
  /** For a look at every repository. */
  readonly requests: number;
  /** Against the rate limit. */
  readonly counted: { readonly inHour: number; readonly inLook: number; readonly hourIsOverMs: number };
  readonly failures: number;
  readonly toldToWaitMs: number;
}

/** Returns the ms until the next look, longer if the limits demand it (DC-8). */
export function waitAfter(pace: PollPace, looked: LookResult): number {
  const { isActive, requests, failures, toldToWaitMs } = looked;
  if (failures > 0)
    return Math.max(toldToWaitMs, backoffMs(failures - 1, { baseMs: pace.openMs, mostMs: longestWaitMs }));
  const usual = isActive ? pace.openMs : pace.idleMs;
  // Half the share is for bursts; the rest is spread over the rest of the hour.
  const { inHour, inLook, hourIsOverMs } = looked.counted;
  const left = pace.mostCountedPerHour - inHour;
  const restMs = Math.max(0, hourMs - hourIsOverMs);
  const isBurst = inLook === 0 || left > pace.mostCountedPerHour / 2;
  const spreadMs = isBurst ? 0 : left <= inLook ? restMs : (restMs * inLook) / left;
  const share = Math.min(spreadMs, isActive ? longestOpenWaitMs : longestWaitMs);
  return Math.max(usual, (requests * 60_000) / pace.mostPerMinute, share);
}
