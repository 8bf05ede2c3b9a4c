import type { Risk } from "./risk.ts";
import type { Server } from "./server.ts";

/** Who has a command ended. */
export interface Stopper {
  /** A login; other words for the operator at the command line, who has no account on GitHub. */
  readonly by: string;
  readonly operator?: true;
}

const isStopper = (reason: unknown): reason is Stopper =>
  typeof reason === "object" && reason !== null && "by" in reason;

/** Who aborted a command's signal; a reason in words is a login. */
export const stopperIn = ({ reason }: AbortSignal): Stopper => (isStopper(reason) ? reason : { by: String(reason) });

/** How a run ended. Nothing defaults to success: an ending that is not known is `unknown` and says what is known. */
export type Ending =
  /** `of`: the program of its line that failed, if the code is not that of the last one. */
  | { readonly kind: "exited"; readonly code: number; readonly of?: string }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly note?: string }
  | ({ readonly kind: "cancelled"; readonly note?: string } & Stopper)
  | { readonly kind: "waiting-for-input"; readonly asks: string }
  /** The command was certainly never started; `remedy` says what to do. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly remedy?: string }
  /** The command may have run; never repeated by itself. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * How a run is expected to go: a workflow's `expect`, or the model's own prediction. A run that does not meet it has failed. Patterns are
 * plain text in which `*` stands for anything within a line.
 */
export interface Expectation {
  readonly exit: number;
  readonly contains?: string | undefined;
  readonly lacks?: string | undefined;
  readonly withinMs?: number | undefined;
}

/** How a run met its expectation (`why` is a clause: `its output lacks "ok"`); without one, what a read's exit code answers: `no match`. */
export type Outcome =
  | { readonly kind: "as-expected" }
  | { readonly kind: "surprise"; readonly why: string }
  | { readonly kind: "answer"; readonly says: string };

/** Whether a run went well: as expected, or, if nothing was expected, with exit code 0 or one that is an answer. */
export const wentWell = (run: { ending: Ending | null; outcome?: Outcome | null | undefined }): boolean =>
  run.outcome ? run.outcome.kind !== "surprise" : run.ending?.kind === "exited" && run.ending.code === 0;

/** Whether it only reads and nothing was expected of it: then every exit code is an answer. */
export const isAnswer = (
  risk: Risk,
  { ending, outcome }: { readonly ending: Ending | null; readonly outcome?: Outcome | null | undefined },
): boolean => risk === "low" && outcome?.kind !== "surprise" && ending?.kind === "exited";

/**
 * Whether a run stops the actions behind it. A read does not, unless its result was not the expected one, a person ended it, or its end
 * is unknown.
 */
export const stopsRest = (
  risk: Risk,
  run: { readonly ending: Ending | null; readonly outcome?: Outcome | null | undefined },
): boolean =>
  !wentWell(run) &&
  (risk !== "low" ||
    run.outcome?.kind === "surprise" ||
    run.ending === null ||
    run.ending.kind === "cancelled" ||
    run.ending.kind === "unknown");

/** Begins a run's trouble if that is a line of its output that speaks to the agent. */
const addressedMark = "speaks to the agent: ";

/** Marks such a line. */
export const markAddressed = (line: string): string => `${addressedMark}${line}`;

/** The line itself; undefined if a run's trouble is another. */
export const addressedIn = (trouble: string | null | undefined): string | undefined =>
  trouble?.startsWith(addressedMark) ? trouble.slice(addressedMark.length) : undefined;

/**
 * What was read from a run: bounded, counted and hashed, never decoded before it is cleaned (SR-54). The bytes of a long
 * one are outside of memory and read again at each use, so do not hold them (RR-19).
 */
export interface Capture {
  /** The first bytes, up to the cap's half. */
  readonly head: Uint8Array;
  /** The last bytes after the gap; empty if nothing was dropped (then `head` is everything). */
  readonly tail: Uint8Array;
  /** The same bytes in pieces, for a reader that takes one at a time; absent if they are in memory anyway. */
  readonly pieces?: { readonly head: Iterable<Uint8Array>; readonly tail: Iterable<Uint8Array> };
  /** Bytes read in all. */
  readonly bytes: number;
  /** Bytes between head and tail that were counted and hashed but not kept. */
  readonly dropped: number;
  /** SHA-256 of everything read, hex. */
  readonly sha256: string;
  /** Lets go of the bytes, which cannot be read any more then. */
  readonly release?: () => void;
}

/** A step of a scheduled workflow on one of its servers, from before it is sent; or one that was left out. */
export interface ScheduledStep {
  readonly step: number;
  readonly title: string;
  readonly place: string;
  readonly server: string;
  readonly command: string;
  /** Why it was left out; nothing was sent then. */
  readonly skipped?: string;
  readonly ending?: Ending;
  readonly outcome?: Outcome | null;
  /** A line of its output that reports trouble (AR-15), if one does. */
  readonly trouble?: string;
  readonly durationMs?: number | null;
  /** Cleaned, redacted and cut. */
  readonly excerpt?: string;
}

export type ExecOrder = {
  readonly server: Server;
  /** The exact bytes from `wrap()` in the same mode; they are sent as they are (SR-53). */
  readonly wrapped: string;
  /** The host keys that were approved, by fingerprint: it goes over no connection that was made with another one (SR-51). */
  readonly hostKeys?: readonly string[];
} & HowToRun;

/**
 * A job runs apart from its session, once for its id, and is found again after any loss of the connection. `resume`: an
 * earlier process sent it, at that time by our clock. It is followed from its first byte, and nothing is sent that could
 * start it; if it never began, the server is asked to make sure that it never will.
 */
export type HowToRun =
  | { readonly mode?: "direct" }
  | { readonly mode: "job"; readonly jobId: string; readonly resume?: { readonly sentAt: Date } };

export interface ExecWatch {
  /** Whose command it is. */
  readonly runId?: string;
  /** Aborted = cancel: TERM, grace, KILL to the process group. Its reason, a string, says who. */
  readonly signal: AbortSignal;
  /** Called as output arrives, and copies what it keeps; an exception in it never hurts the run. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** The exec request has been handed to the connection: from now on a loss is `unknown`. Not called on `resume`. */
  readonly onSent?: () => void;
}

export interface ExecResult {
  readonly ending: Ending;
  readonly capture: Capture;
  readonly durationMs: number;
  /** Fingerprint of the key the server proved, `SHA256:…`; absent if there was no connection. */
  readonly hostKey?: string;
  /** The server says, or the inventory, that it runs Windows; then `capture` holds UTF-8 in any case. */
  readonly windows?: boolean;
  /** What of the output is not in `capture`, and why: a sentence for people. */
  readonly outputNote?: string;
  /** The fixed scripts that ran beside the command, in order, for the audit (AR-08): `stop`, `job follow` … */
  readonly housekeeping: readonly string[];
}

/** Runs one command once, as soon as it can. Never throws: how it ended is data. */
export type Exec = (order: ExecOrder, watch: ExecWatch) => Promise<ExecResult>;

/**
 * All that a command waits for, acquired, or why it cannot be: then `send` says so. Nothing was sent, and nothing is to be waited for
 * any more, so that it can be looked at once more whether it may be sent at all (SR-24).
 */
export interface Reservation {
  readonly server: Server;
  /** Lets the server prove its host key again if the last proof is too old. Returns why nothing may be sent to it, if so. */
  readonly prove: () => Promise<string | undefined>;
  /**
   * Sends the command within this very tick and follows it to its end. `asOf`, in ms of the wall clock, is how old the knowledge is
   * that it may be sent: if that is too old, the answer is "stale", nothing was sent, and the reservation stands. Never rejects.
   */
  readonly send: (asOf: number, watch: Omit<ExecWatch, "signal">) => Promise<ExecResult> | "stale";
  /** Lets go of what was acquired; does nothing if the command was sent. */
  readonly release: () => void;
}

/** Waits for a connection and a session. Never throws. `signal`: as of `ExecWatch`, it goes on to hold for the command. */
export type Reserve = (order: ExecOrder, signal: AbortSignal) => Promise<Reservation>;
/** Makes a callback that never throws: it runs inside a library's own, and an exception there would end a connection and every command on it. */
export function shielded<A extends unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch {
      // By contract theirs to report: the run goes on.
    }
  };
}
