import { isOlderThan } from "./clock.ts";
import { type ExecOrder, type ExecResult, type ExecWatch, type Reserve, type Stopper, stopperIn } from "./run.ts";

/**
 * The one runner for everything that is sent once: a command over SSH, kubectl, a query, a call of a tool. Everything that takes time is
 * acquired before the final check; between that check and the send nothing waits (SR-24, F-35).
 */

/** An order at the moment in which it is sent. */
export interface SentOrder {
  readonly order: ExecOrder;
  readonly watch: ExecWatch;
  /** When the final check was made, in ms of the wall clock. */
  readonly asOf: number;
}

/** One way to send, for example over SSH. Its functions never throw. */
export interface Carrier<Way> {
  /** How old the final check may be when an order is sent. */
  readonly freshMs: number;
  /** Acquires everything that the order needs, or the reason why it cannot. `signal`: as in `ExecWatch`. */
  readonly open: (order: ExecOrder, signal: AbortSignal) => Promise<Way>;
  /** Whether the way is still what was proven when it was opened. If not, it is opened again before the order is sent. */
  readonly isCurrent: (way: Way, openedAt: number) => boolean;
  /** Why nothing may be sent this way; undefined if it may. */
  readonly whyRefused: (way: Way, order: ExecOrder, signal: AbortSignal) => Promise<string | undefined>;
  /** Sends within this very tick and follows the order to its end. */
  readonly start: (way: Way, sent: SentOrder) => Promise<ExecResult>;
  /** Lets go of the way; also called twice, and after a send. */
  readonly close: (way: Way) => void;
}

/** Makes reservations of one carrier. */
export const createReserve =
  <Way>(carrier: Carrier<Way>): Reserve =>
  async (order, signal) => {
    // A job that an earlier process sent is found again: no request goes out that could start it, so no check can be too old for it.
    const isFound = order.mode === "job" && order.resume !== undefined;
    let way = await carrier.open(order, signal);
    let openedAt = Date.now();
    let [isSent, isReleased] = [false, false];
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
        if (!isFound && isOlderThan(carrier.freshMs, asOf)) return "stale";
        isSent = true;
        const own = way;
        return carrier.start(own, { order, watch: { ...watch, signal }, asOf }).finally(() => carrier.close(own));
      },
      release: () => {
        isReleased = true;
        if (!isSent) carrier.close(way);
      },
    };
  };

/** Why the bot itself ended something that runs. */
export type StopReason =
  | ({ readonly kind: "cancelled" } & Stopper)
  | { readonly kind: "timed-out"; readonly afterMs: number };

/** Says so in a sentence. */
export const describeStopReason = (stop: StopReason): string =>
  stop.kind === "timed-out"
    ? "It took too long and was stopped"
    : `${stop.operator ? stop.by : `\`@${stop.by}\``} cancelled it while it ran`;

/** Something that was sent and can be ended. `done` never rejects. */
export interface StartedRun<Answer> {
  readonly done: Promise<Answer>;
  readonly stop: () => void;
}

/** Waits for the end; ends the run itself if the signal aborts or the time is over. The first reason stands. */
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
