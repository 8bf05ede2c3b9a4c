import type { Risk } from "./risk.ts";
import type { Server } from "./server.ts";

export interface Stopper {
  /** A login, or words for the operator. */
  readonly by: string;
  readonly operator?: true;
}

/** A plain string as the reason is a login. */
export const stopperIn = ({ reason }: AbortSignal): Stopper =>
  typeof reason === "object" && reason !== null && "by" in reason ? reason : { by: String(reason) };

/** Without evidence of success it is `unknown`. */
export type Ending =
  /** `of`: the failed program, if it is not the last. */
  | { readonly kind: "exited"; readonly code: number; readonly of?: string }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly note?: string }
  | ({ readonly kind: "cancelled"; readonly note?: string } & Stopper)
  | { readonly kind: "waiting-for-input"; readonly asks: string }
  /** The command certainly never started. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly remedy?: string }
  /** The command may have run; never repeated automatically. */
  | { readonly kind: "unknown"; readonly reason: string };

/** From a workflow or the model. In patterns `*` stands for anything within a line. */
export interface Expectation {
  readonly exit: number;
  readonly contains?: string | undefined;
  readonly lacks?: string | undefined;
  readonly withinMs?: number | undefined;
}

/** `why` is a clause: `its output lacks "ok"`; or what a read's exit code means: `no match`. */
export type Outcome =
  | { readonly kind: "as-expected" }
  | { readonly kind: "surprise"; readonly why: string }
  | { readonly kind: "answer"; readonly says: string };

/** Whether a line has the parts of a pattern in their order. Linear: the leftmost place leaves most room for the next part. */
export function hasParts(line: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = line.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** The parts of an expectation's pattern between its `*`. */
export const partsOfPattern = (pattern: string): readonly string[] => pattern.split("*").filter((part) => part !== "");

/** As expected or, without an expectation, exit code 0 or an answer. */
export const wentWell = (run: { ending: Ending | null; outcome?: Outcome | null | undefined }): boolean =>
  run.outcome ? run.outcome.kind !== "surprise" : run.ending?.kind === "exited" && run.ending.code === 0;

/**
 * Whether the actions behind it must stop: always after a failed change, after a read only if it was unexpected, unknown or ended by a
 * person.
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

const usageError =
  /\b(?:unrecogni[sz]ed|unknown|illegal|invalid) (?:option|flag|switch)\b|\boption requires an argument\b/i;

/** Whether the line says that the program did not know its own options, so that it did nothing. */
export const isUsageError = (trouble: string | null | undefined): boolean => usageError.test(trouble ?? "");

const addressedMark = "speaks to the agent: ";

/** Marks a line of output that speaks to the agent. */
export const markAddressed = (line: string): string => `${addressedMark}${line}`;

/** The marked line; undefined for other trouble. */
export const addressedIn = (trouble: string | null | undefined): string | undefined =>
  trouble?.startsWith(addressedMark) ? trouble.slice(addressedMark.length) : undefined;

/**
 * A run's output: bounded, counted and hashed, never decoded before it is cleaned (SR-54). Do not hold the bytes: long ones are outside of
 * memory (RR-19).
 */
export interface Capture {
  /** Up to half the cap. */
  readonly head: Uint8Array;
  /** After the gap; empty if `head` is everything. */
  readonly tail: Uint8Array;
  /** Absent if the bytes are in memory. */
  readonly pieces?: { readonly head: Iterable<Uint8Array>; readonly tail: Iterable<Uint8Array> };
  readonly bytes: number;
  /** Bytes between head and tail, not kept. */
  readonly dropped: number;
  /** Of everything read, in hex. */
  readonly sha256: string;
  /** The bytes are unreadable afterwards. */
  readonly release?: () => void;
}

/** Recorded before it is sent. */
export interface ScheduledStep {
  readonly step: number;
  readonly title: string;
  readonly place: string;
  readonly server: string;
  readonly command: string;
  /** Nothing was sent. */
  readonly skipped?: string;
  readonly ending?: Ending;
  readonly outcome?: Outcome | null;
  /** A line that reports trouble (AR-15). */
  readonly trouble?: string;
  readonly durationMs?: number | null;
  /** Cleaned, redacted and cut. */
  readonly excerpt?: string;
}

export type ExecOrder = {
  readonly server: Server;
  /** From `wrap()` in this mode, byte for byte (SR-53). */
  readonly wrapped: string;
  /** No connection with another key is used (SR-51). */
  readonly hostKeys?: readonly string[];
  /** For the text of a pull request. */
  readonly approval?: ApprovalRecord;
  /** For a server with a signer. */
  readonly countersigned?: CountersignedOrder;
} & HowToRun;

/** What a signer looks for on GitHub; it takes none of it on trust. */
export interface CountersignedOrder {
  /** `owner/name` */
  readonly repo: string;
  readonly issue: number;
  /** Whose digest people approved. */
  readonly spec: object;
  readonly step?: number;
  /** Each a comment, with its author's passkey assertion. */
  readonly approvals: readonly { readonly comment: number; readonly passkey?: object }[];
}

export type CertificateAnswer =
  | { readonly ok: true; readonly certificate: string }
  /** `noJobSince`: the signer let no such job begin, as far back as its record goes. */
  | { readonly ok: false; readonly reason: string; readonly noJobSince?: string | undefined };

/** Whom a run goes back to. */
export interface ApprovalRecord {
  /** The issue's address. */
  readonly issue: string;
  /** The action's number there. */
  readonly number: number;
  readonly title: string;
  readonly description: string;
  /** Logins of those who approved. */
  readonly by: readonly string[];
}

/**
 * A job runs apart from its session, once per id, and survives a lost connection. `resume`: an earlier process sent it at that time of our
 * clock. It is followed from its first byte and never started again; if it never began, the server ensures that it never will.
 */
export type HowToRun =
  | { readonly mode?: "direct" }
  | { readonly mode: "job"; readonly jobId: string; readonly resume?: { readonly sentAt: Date } };

export interface ExecWatch {
  readonly runId?: string;
  /** Abort means TERM, grace, KILL to the process group. */
  readonly signal: AbortSignal;
  /** Copies what it keeps; its exceptions are harmless. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** From now on a lost connection is `unknown`. Not called on `resume`. */
  readonly onSent?: () => void;
}

export interface ExecResult {
  readonly ending: Ending;
  readonly capture: Capture;
  readonly durationMs: number;
  /** `SHA256:…`; absent without a connection. */
  readonly hostKey?: string;
  /** `capture` then holds UTF-8. */
  readonly windows?: boolean;
  /** What `capture` lacks, and why. */
  readonly outputNote?: string;
  /** The fixed scripts beside the command, for the audit (AR-08). */
  readonly housekeeping: readonly string[];
}

/** Never throws: the ending is data. */
export type Exec = (order: ExecOrder, watch: ExecWatch) => Promise<ExecResult>;

/**
 * All that a command waits for, or the failure that `send` returns. Sending waits for nothing more, so the final check comes last (SR-24).
 */
export interface Reservation {
  readonly server: Server;
  /** Proves the host key again if the proof is old. Returns why nothing may be sent. */
  readonly prove: () => Promise<string | undefined>;
  /**
   * Sends within this tick, or once a signer has answered, and follows to the end. `asOf`: time of the final check, in ms of the wall clock. If too old, nothing is sent,
   * the reservation stands, and the answer is "stale". Never rejects.
   */
  readonly send: (asOf: number, watch: Omit<ExecWatch, "signal">) => Promise<ExecResult> | "stale";
  /** Does nothing after a send. */
  readonly release: () => void;
  /** Resolves at the release, or when the sent command has ended. */
  readonly over: Promise<void>;
}

/** Never throws. `signal` also cancels the command later. */
export type Reserve = (order: ExecOrder, signal: AbortSignal) => Promise<Reservation>;
/** Never throws: an exception inside a library's callback would end the connection and every command on it. */
export function shielded<A extends unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch {
      // The run goes on.
    }
  };
}
