/** Decides when to look at GitHub again. Pure. */

import { backoffMs } from "../../base/sleep.ts";

export interface PollPace {
  /** Between two looks at a repository where an incident is open. */
  readonly openMs: number;
  /** Between two looks at a repository without one. */
  readonly idleMs: number;
  /** How long news is left to webhooks, if they come as well. */
  readonly webhooksFirstMs: number;
  /** Of all requests, also those that count against no limit. */
  readonly mostPerMinute: number;
  /** Of requests that count against GitHub's rate limit. */
  readonly mostCountedPerHour: number;
}

/** A fifth of the lowest rate limit of an installation, and a third of the secondary limit, which is 900 a minute. */
export const usualPace: PollPace = {
  openMs: 3_000,
  idleMs: 20_000,
  webhooksFirstMs: 15_000,
  mostPerMinute: 300,
  mostCountedPerHour: 1_000,
};

const hourMs = 3_600_000;
const longestWaitMs = 5 * 60_000;
/** The longest wait for the rate limit while an incident is open, because a /hold is found only by looking. */
const longestOpenWaitMs = 30_000;

export interface LookResult {
  /** An incident is open, or the last look found news. */
  readonly isActive: boolean;
  /** The requests for a look at every repository, counted or not. */
  readonly requests: number;
  /** Counted requests in the current hour and in the last look, and how much of that hour is over. */
  readonly counted: { readonly inHour: number; readonly inLook: number; readonly hourIsOverMs: number };
  /** Failed looks in a row, and how long GitHub told us to wait. */
  readonly failures: number;
  readonly toldToWaitMs: number;
}

/** How long to wait until the next look: seconds while a repository is active, longer if the limits demand it (DC-8). */
export function waitAfter(pace: PollPace, looked: LookResult): number {
  const { isActive, requests, failures, toldToWaitMs } = looked;
  if (failures > 0)
    return Math.max(toldToWaitMs, backoffMs(failures - 1, { baseMs: pace.openMs, mostMs: longestWaitMs }));
  const usual = isActive ? pace.openMs : pace.idleMs;
  const share = Math.min(shareMs(pace, looked.counted), isActive ? longestOpenWaitMs : longestWaitMs);
  return Math.max(usual, (requests * 60_000) / pace.mostPerMinute, share);
}

/** The first half of the share is for bursts; the rest of the second half is spread over the rest of the hour. */
function shareMs({ mostCountedPerHour }: PollPace, { inHour, inLook, hourIsOverMs }: LookResult["counted"]): number {
  const left = mostCountedPerHour - inHour;
  const restMs = Math.max(0, hourMs - hourIsOverMs);
  if (inLook === 0 || left > mostCountedPerHour / 2) return 0;
  return left <= inLook ? restMs : (restMs * inLook) / left;
}
