import { type Ending, stopperIn } from "../base/run.ts";
import type { StopReason } from "../base/runner.ts";
import { endUnknown, type UnknownSentence } from "../base/unknown.ts";
import type { SessionResult } from "./session.ts";
import type { StopReport } from "./stop.ts";

export type Exit = { readonly code: number } | { readonly signal: string };

export type StopCause = StopReason | { readonly kind: "waiting-for-input"; readonly asks: string };

export interface EndingFacts {
  readonly exit?: Exit | undefined;
  /** A sentence of `unknownReasons`, if no exit was reported. */
  readonly lost?: UnknownSentence | undefined;
  readonly stop?: { readonly cause: StopCause; readonly report: StopReport } | undefined;
  readonly outputNote?: string | undefined;
}

/** Decides how a session's command has ended; only a sent one can have started. Pure. */
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

/** Decides how a sent command has ended; nothing defaults to success. Pure. */
export function decideEnding({ exit, lost, stop }: EndingFacts): Ending {
  // "absent": it ended by itself before the stop, so its own exit counts.
  if (stop !== undefined && !(stop.report.kind === "absent" && exit !== undefined)) {
    const { cause, report } = stop;
    if (cause.kind === "waiting-for-input") return cause;
    if (report.kind !== "stopped" && lost !== undefined) return endUnknown("stop-not-seen", { lost });
    return { ...cause, note: describeStop(report) };
  }
  if (exit === undefined)
    return lost === undefined ? endUnknown("end-not-told", {}) : { kind: "unknown", reason: lost };
  return "code" in exit ? { kind: "exited", code: exit.code } : { kind: "signalled", signal: exit.signal };
}

/** Never says "stopped" of a process that still runs (F-30). */
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
