import { mock } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

/** The world's time: it stands still unless somebody lets it pass. Timers, `Date` and the database's `now()` all follow it. */
export interface Time {
  /** Since the beginning, in ms, whatever the wall clock was set to. */
  readonly passed: () => number;
  /** What it really is, whatever the wall clock says. */
  readonly now: () => Date;
  readonly pass: (ms: number) => void;
  /** Somebody sets this machine's clock: nothing passes by it. */
  readonly setWallClock: (byMs: number) => void;
  readonly end: () => void;
}

/** GitHub counts in whole seconds; a beginning on one keeps what is seen the same for each run. */
const beginning = Date.UTC(2030, 0, 7, 9, 0, 0);

/** Takes the process's timers and `Date` over, until `end`. */
export function takeTimeOver(): Time {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: beginning });
  // Its timer is none of those above.
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => {
    const over = new AbortController();
    setTimeout(() => over.abort(new DOMException("it took too long", "TimeoutError")), ms);
    return over.signal;
  };
  let passed = 0;
  return {
    passed: () => passed,
    now: () => new Date(beginning + passed),
    pass: (ms) => {
      passed += ms;
      mock.timers.tick(ms);
    },
    setWallClock: (byMs) => mock.timers.setTime(Date.now() + byMs),
    end: () => {
      AbortSignal.timeout = timeout;
      mock.timers.reset();
    },
  };
}

/** Resolves when nothing happens any more that needs no time to pass: no more is asked of the outside, which `asked` counts. */
export async function stillness(asked: () => number): Promise<void> {
  for (let before = -1; before !== asked(); ) {
    before = asked();
    await turnOfTheLoop();
    await turnOfTheLoop();
  }
}
