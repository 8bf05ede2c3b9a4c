import { type Ending, stopperIn } from "../base/run.ts";
import type { StopReason } from "../base/runner.ts";
import { endUnknown } from "../base/unknown.ts";
import type { SessionResult } from "./session.ts";
import type { StopReport } from "./stop.ts";

export type Exit = { readonly code: number } | { readonly signal: string };

/** Why we ended a command ourselves. */
export type StopCause = StopReason | { readonly kind: "waiting-for-input"; readonly asks: string };

/** What is known of a command whose request was handed to the connection. */
export interface EndingFacts {
  readonly exit?: Exit | undefined;
  /** Why the connection or channel ended, if no exit was reported: a sentence of `unknownReasons`. */
  readonly lost?: string | undefined;
  readonly stop?: { readonly cause: StopCause; readonly report: StopReport } | undefined;
  /** What of its output was not shown, and why. */
  readonly outputNote?: string | undefined;
}

/** How a session's command has ended; all but a sent one were certainly never started. Pure. */
export function endingOf(result: SessionResult, signal: AbortSignal): Ending {
  switch (result.kind) {
    case "sent":
      return decideEnding(result.facts);
    case "cancelled":
      return { kind: "cancelled", ...stopperIn(signal), note: "it had not been started" };
    case "failed":
      return { kind: "unreachable", reason: result.failure.reason, remedy: result.failure.remedy };
    case "no-session":
      return {
        kind: "unreachable",
        reason: "the server opens no session on our connection",
        remedy: "raise MaxSessions in its sshd_config, and check that the account may run commands",
      };
  }
}

/** How a command that was sent has ended. Pure; nothing defaults to success. */
export function decideEnding({ exit, lost, stop }: EndingFacts): Ending {
  // "absent": it had ended by itself before we reached it, so its own exit is the truth.
  if (stop !== undefined && !(stop.report.kind === "absent" && exit !== undefined)) {
    return endStopped(stop.cause, stop.report, lost);
  }
  if (exit === undefined)
    return lost === undefined ? endUnknown("end-not-told", {}) : { kind: "unknown", reason: lost };
  return "code" in exit ? { kind: "exited", code: exit.code } : { kind: "signalled", signal: exit.signal };
}

function endStopped(cause: StopCause, report: StopReport, lost: string | undefined): Ending {
  if (report.kind !== "stopped" && lost !== undefined && cause.kind !== "waiting-for-input") {
    return endUnknown("stop-not-seen", { lost });
  }
  const note = describeStop(report);
  switch (cause.kind) {
    case "cancelled":
      return { ...cause, note };
    case "timed-out":
      return { ...cause, note };
    case "waiting-for-input":
      return cause;
  }
}

/** The stop in one line, survivors by pid, user and name (F-30): "stopped" is never said of a process that still runs. */
function describeStop(report: StopReport): string {
  switch (report.kind) {
    case "stopped": {
      const how = report.killed ? "stopped by KILL" : "stopped by TERM";
      if (report.survivors.length === 0) return `${how}; no process left`;
      return `${how}; still running: ${report.survivors.join(", ")}`;
    }
    case "absent":
      return "it had ended already";
    case "unverified":
      return `${report.ended ? "it ended after a signal" : "signals were sent, and it did not end"}; not verified: ${report.why}`;
  }
}
