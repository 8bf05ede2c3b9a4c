/** When GitHub is looked at again. Pure. */

import { backoffMs } from "../../base/sleep.ts";

export interface PollPace {
  /** Between two looks at a repository where an incident is open. */
  readonly openMs: number;
  /** Where nothing is. */
  readonly idleMs: number;
  /** Where webhooks come as well, what they tell is left to them for so long. */
  readonly webhooksFirstMs: number;
  /** What counts against no limit is still a request. */
  readonly mostPerMinute: number;
  /** Of those that count against GitHub's rate limit. */
  readonly mostCountedPerHour: number;
}

/** A fifth of the least rate limit that an installation has, and a third of the secondary one, which is 900 a minute. */
export const usualPace: PollPace = {
  openMs: 3_000,
  idleMs: 20_000,
  webhooksFirstMs: 15_000,
  mostPerMinute: 300,
  mostCountedPerHour: 1_000,
};

const hourMs = 3_600_000;
const longestWaitMs = 5 * 60_000;
/** While an incident is open nobody waits longer than that for the share of the rate limit: a /hold is heard by looking alone. */
const longestOpenWaitMs = 30_000;

export interface Looked {
  /** Something is going on: an incident is open, or the last look found something. */
  readonly isActive: boolean;
  /** Requests that a look at every repository takes, whether they count or not. */
  readonly requests: number;
  /** Requests that counted, in the running hour and in the last look; and how much of that hour is over. */
  readonly counted: { readonly inHour: number; readonly inLook: number; readonly hourIsOverMs: number };
  /** Looks in a row that failed; and how long GitHub wants nothing more, where it has said so. */
  readonly failures: number;
  readonly toldToWaitMs: number;
}

/** How long to wait until the next look: seconds where something is going on, and longer where the limits want it. */
export function waitAfter(pace: PollPace, looked: Looked): number {
  const { isActive, requests, failures, toldToWaitMs } = looked;
  if (failures > 0)
    return Math.max(toldToWaitMs, backoffMs(failures - 1, { baseMs: pace.openMs, mostMs: longestWaitMs }));
  const usual = isActive ? pace.openMs : pace.idleMs;
  const share = Math.min(shareMs(pace, looked.counted), isActive ? longestOpenWaitMs : longestWaitMs);
  return Math.max(usual, (requests * 60_000) / pace.mostPerMinute, share);
}

/** The first half of the share is there for bursts; what is left of the second is spread over the rest of the hour. */
function shareMs({ mostCountedPerHour }: PollPace, { inHour, inLook, hourIsOverMs }: Looked["counted"]): number {
  const left = mostCountedPerHour - inHour;
  const restMs = Math.max(0, hourMs - hourIsOverMs);
  if (inLook === 0 || left > mostCountedPerHour / 2) return 0;
  return left <= inLook ? restMs : (restMs * inLook) / left;
}
