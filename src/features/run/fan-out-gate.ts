import { setTimeout as sleep } from "node:timers/promises";
import type { At } from "./execute.ts";
import type { FanOut } from "./fan-out.ts";
import { isStale } from "./stale.ts";

/** How long a roll waits before it asks again, where GitHub does not say whether it may go on (RR-11). */
const waitMs = 5_000;
const lookMs = 250;

/** Whether an action that goes from server to server may be begun on one more. */
export interface Gate {
  /** Why no further one is begun; undefined as long as they are. */
  readonly stopped: () => string | undefined;
  /** Begins no further one; the first word on why stands. */
  readonly stop: (why: string) => void;
  /** The bot ends, or a lane broke: what is not begun then is settled by the next attempt, since it was never sent. */
  readonly isOver: () => boolean;
  readonly breakOff: () => void;
  /** Has what may change while it goes from server to server looked at again, where the last look is too old. */
  readonly lookAgain: () => Promise<void>;
  readonly lookedAt: () => number;
}

/** `stoppedBefore`: what speaks against it before the first one. */
export function createGate(
  { job }: At,
  { look, lookedAt: claimedAt, watched }: Pick<FanOut, "look" | "lookedAt" | "watched">,
  stoppedBefore: string | undefined,
): Gate {
  let stopped = stoppedBefore;
  let broken = false;
  let lookedAt = claimedAt;
  /** All lanes that wait for a look wait for the same one. */
  let looking: Promise<void> | undefined;

  const stop = (why: string): void => {
    stopped ??= why;
  };
  const isOver = (): boolean => broken || job.signal.aborted;
  const goesOn = (): boolean => stopped === undefined && !watched.signal.aborted && !isOver();
  const lookOnce = async (): Promise<void> => {
    const decision = await look();
    if (decision.kind === "go") lookedAt = decision.lookedAt;
    else if (decision.kind === "ask-later")
      for (let waited = 0; waited < waitMs && goesOn(); waited += lookMs) await sleep(lookMs);
    else stop(decision.reason);
  };
  return {
    stopped: () => stopped,
    stop,
    isOver,
    breakOff: () => {
      broken = true;
    },
    lookAgain: async () => {
      while (isStale(lookedAt) && goesOn()) {
        looking ??= lookOnce().finally(() => {
          looking = undefined;
        });
        await looking;
      }
    },
    lookedAt: () => lookedAt,
  };
}
