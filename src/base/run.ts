import type { Risk } from "./risk.ts";
import type { Server } from "./server.ts";

/** The person who ended a command. */
export interface Stopper {
  /** A login, or other words for the operator at the command line. */
  readonly by: string;
  readonly operator?: true;
}

const isStopper = (reason: unknown): reason is Stopper =>
  typeof reason === "object" && reason !== null && "by" in reason;

/** The person who aborted a command's signal; a reason in words is a login. */
export const stopperIn = ({ reason }: AbortSignal): Stopper => (isStopper(reason) ? reason : { by: String(reason) });

/** How a run ended. Nothing defaults to success: an unknown end is `unknown`, with the reason. */
export type Ending =
  /** `of`: the program of its line that failed, if the code is not the last program's. */
  | { readonly kind: "exited"; readonly code: number; readonly of?: string }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly note?: string }
  | ({ readonly kind: "cancelled"; readonly note?: string } & Stopper)
  | { readonly kind: "waiting-for-input"; readonly asks: string }
  /** The command certainly never started. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly remedy?: string }
  /** The command may have run, so the bot never repeats it. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * The expected result of a run: a workflow's `expect`, or the model's own prediction. If a part of it is not met, the run failed.
 * Patterns are plain text in which `*` stands for anything within a line.
 */
export interface Expectation {
  readonly exit: number;
  readonly contains?: string | undefined;
  readonly lacks?: string | undefined;
  readonly withinMs?: number | undefined;
}

/** The result of an expectation (`why` is a clause: `its output lacks "ok"`); without one, the answer in a read's exit code: `no match`. */
export type Outcome =
  | { readonly kind: "as-expected" }
  | { readonly kind: "surprise"; readonly why: string }
  | { readonly kind: "answer"; readonly says: string };

/** Whether a run went as expected or, without an expectation, ended with exit code 0 or one that is an answer. */
export const wentWell = (run: { ending: Ending | null; outcome?: Outcome | null | undefined }): boolean =>
  run.outcome ? run.outcome.kind !== "surprise" : run.ending?.kind === "exited" && run.ending.code === 0;

/** Whether any exit code is an answer: the command only reads, and nothing contradicts its expectation. */
export const isAnswer = (
  risk: Risk,
  { ending, outcome }: { readonly ending: Ending | null; readonly outcome?: Outcome | null | undefined },
): boolean => risk === "low" && outcome?.kind !== "surprise" && ending?.kind === "exited";

/**
 * Whether a run stops the actions after it. A read stops them only if its result was another than expected, a person ended it, or its end
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

/** The mark of an output's line that speaks to the agent, if it is stored as the run's trouble. */
const addressedMark = "speaks to the agent: ";

export const markAddressed = (line: string): string => `${addressedMark}${line}`;

/** The line itself; undefined for other trouble. */
export const addressedIn = (trouble: string | null | undefined): string | undefined =>
  trouble?.startsWith(addressedMark) ? trouble.slice(addressedMark.length) : undefined;

/**
 * The bytes of a run's output: bounded, counted and hashed, never decoded before they are cleaned (SR-54). Long ones are outside of memory
 * and are read at each use, so the caller must not hold them (RR-19).
 */
export interface Capture {
  /** The first bytes, up to the cap's half. */
  readonly head: Uint8Array;
  /** The last bytes after the gap; empty if nothing was dropped (`head` is everything). */
  readonly tail: Uint8Array;
  /** The same bytes in pieces; missing if they are in memory anyway. */
  readonly pieces?: { readonly head: Iterable<Uint8Array>; readonly tail: Iterable<Uint8Array> };
  /** Bytes read in all. */
  readonly bytes: number;
  /** Bytes between head and tail that were counted and hashed but not kept. */
  readonly dropped: number;
  /** SHA-256 of everything read, hex. */
  readonly sha256: string;
  /** Frees the bytes, which can no longer be read. */
  readonly release?: () => void;
}

/** A step of a scheduled workflow on one of its servers: to be sent, ended or left out. */
export interface ScheduledStep {
  readonly step: number;
  readonly title: string;
  readonly place: string;
  readonly server: string;
  readonly command: string;
  /** Why it was left out and not sent. */
  readonly skipped?: string;
  readonly ending?: Ending;
  readonly outcome?: Outcome | null;
  /** A line of its output that reports trouble (AR-15). */
  readonly trouble?: string;
  readonly durationMs?: number | null;
  /** Cleaned, redacted and cut. */
  readonly excerpt?: string;
}

export type ExecOrder = {
  readonly server: Server;
  /** The exact bytes from `wrap()` in the same mode (SR-53). */
  readonly wrapped: string;
  /** Fingerprints of the approved host keys; a connection with another one is never used (SR-51). */
  readonly hostKeys?: readonly string[];
} & HowToRun;

/**
 * A job runs apart from its session, once for its id, and is found again after any loss of the connection. `resume`: an
 * earlier process sent it at that time. The bot follows it from its first byte and sends nothing that could start it; if it never began,
 * the bot makes sure that it never will.
 */
export type HowToRun =
  | { readonly mode?: "direct" }
  | { readonly mode: "job"; readonly jobId: string; readonly resume?: { readonly sentAt: Date } };

export interface ExecWatch {
  /** Whose command it is. */
  readonly runId?: string;
  /** Its abort cancels: TERM, grace, KILL to the process group. The reason names the person. */
  readonly signal: AbortSignal;
  /** Called as output arrives; it must copy what it keeps. An exception in it never affects the run. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** Called when the connection has the request: from now on a loss is `unknown`. Not called on `resume`. */
  readonly onSent?: () => void;
}

export interface ExecResult {
  readonly ending: Ending;
  readonly capture: Capture;
  readonly durationMs: number;
  /** Fingerprint of the key that the server proved, `SHA256:…`; missing without a connection. */
  readonly hostKey?: string;
  /** The server or the inventory says that it runs Windows: `capture` holds UTF-8 in any case. */
  readonly windows?: boolean;
  /** Why a part of the output is not in `capture`: a sentence for people. */
  readonly outputNote?: string;
  /** The fixed scripts that ran beside the command, in order, for the audit (AR-08): `stop`, `job follow` … */
  readonly housekeeping: readonly string[];
}

/** Runs one command once, as soon as possible. Never throws: the ending is data. */
export type Exec = (order: ExecOrder, watch: ExecWatch) => Promise<ExecResult>;

/**
 * A connection and a session for one command, or the reason why there is none, which `send` returns. Nothing was sent, and there is
 * nothing left to wait for, so the final check can follow (SR-24).
 */
export interface Reservation {
  readonly server: Server;
  /** Makes the server prove its host key again, unless it just did. Returns why nothing may be sent, or undefined. */
  readonly prove: () => Promise<string | undefined>;
  /**
   * Sends the command within this tick and follows it to its end. `asOf` is the time of the final check in ms of the wall clock. If that is
   * too old, returns "stale", sends nothing, and the reservation stays. Never rejects.
   */
  readonly send: (asOf: number, watch: Omit<ExecWatch, "signal">) => Promise<ExecResult> | "stale";
  /** Frees connection and session, unless the command was sent. */
  readonly release: () => void;
}

/** Waits for a connection and a session. Never throws. `signal` later also cancels the command. */
export type Reserve = (order: ExecOrder, signal: AbortSignal) => Promise<Reservation>;
/** A callback that never throws: inside a library's callback an exception would end the connection and every command on it. */
export function shielded<A extends unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch {
      // The caller has to report its own errors; the run goes on.
    }
  };
}
