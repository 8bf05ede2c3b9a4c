import { isOlderThan } from "./clock.ts";
import { type ExecOrder, type ExecResult, type ExecWatch, type Reserve, type Stopper, stopperIn } from "./run.ts";

/** Acquires all that takes time before the final check, so that nothing waits between check and send (SR-24, F-35). */

export interface SentOrder {
  readonly order: ExecOrder;
  readonly watch: ExecWatch;
  /** Time of the final check, in ms of the wall clock. */
  readonly asOf: number;
}

/** A way to send, e.g. SSH. Never throws. */
export interface Carrier<Way> {
  /** Greatest age of the final check. */
  readonly freshMs: number;
  /** `signal` as in `ExecWatch`. */
  readonly open: (order: ExecOrder, signal: AbortSignal) => Promise<Way>;
  /** Otherwise the way is opened again before the send. */
  readonly isCurrent: (way: Way, openedAt: number) => boolean;
  /** Undefined if the order may be sent. */
  readonly whyRefused: (way: Way, order: ExecOrder, signal: AbortSignal) => Promise<string | undefined>;
  /** Sends within this tick, or once a signer has answered. */
  readonly start: (way: Way, sent: SentOrder) => Promise<ExecResult>;
  /** May be called twice, and after a send. */
  readonly close: (way: Way) => void;
}

/** Finding an earlier job starts nothing, so no check is too old for it. */
export const isFoundAgain = (order: ExecOrder): boolean => order.mode === "job" && order.resume !== undefined;

export const createReserve =
  <Way>(carrier: Carrier<Way>): Reserve =>
  async (order, signal) => {
    let way = await carrier.open(order, signal);
    let openedAt = Date.now();
    let [isSent, isReleased] = [false, false];
    const over = Promise.withResolvers<void>();
    return {
      server: order.server,
      prove: async () => {
        if (!carrier.isCurrent(way, openedAt)) {
          carrier.close(way);
          way = await carrier.open(order, signal);
          openedAt = Date.now();
          if (isReleased) carrier.close(way);
        }
        return carrier.whyRefused(way, order, signal);
      },
      send: (asOf, watch) => {
        if (!isFoundAgain(order) && isOlderThan(carrier.freshMs, asOf)) return "stale";
        isSent = true;
        const own = way;
        return carrier.start(own, { order, watch: { ...watch, signal }, asOf }).finally(() => {
          carrier.close(own);
          over.resolve();
        });
      },
      release: () => {
        isReleased = true;
        if (!isSent) carrier.close(way);
        over.resolve();
      },
      over: over.promise,
    };
  };

export type StopReason =
  | ({ readonly kind: "cancelled" } & Stopper)
  | { readonly kind: "timed-out"; readonly afterMs: number };

export const describeStopReason = (stop: StopReason): string =>
  stop.kind === "timed-out"
    ? "It took too long and was stopped"
    : `${stop.operator ? stop.by : `\`@${stop.by}\``} cancelled it while it ran`;

/** `done` never rejects. */
export interface StartedRun<Answer> {
  readonly done: Promise<Answer>;
  readonly stop: () => void;
}

/** Stops the run on abort or timeout. The first reason stands. */
export async function followToEnd<Answer>(
  { done, stop }: StartedRun<Answer>,
  { signal, hardTimeoutMs }: { readonly signal: AbortSignal; readonly hardTimeoutMs: number },
): Promise<{ readonly answer: Answer; readonly stopped: StopReason | undefined }> {
  let stopped: StopReason | undefined;
  const stopFor = (why: StopReason): void => {
    stopped ??= why;
    stop();
  };
  const onAbort = (): void => stopFor({ kind: "cancelled", ...stopperIn(signal) });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const limit = setTimeout(() => stopFor({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const answer = await done;
  clearTimeout(limit);
  signal.removeEventListener("abort", onAbort);
  return { answer, stopped };
}
