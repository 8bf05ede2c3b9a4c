import { type Ending, stopperIn } from "../base/run.ts";
import type { StopReason } from "../base/runner.ts";
import type { Server } from "../base/server.ts";
import { endUnknown, type UnknownSentence } from "../base/unknown.ts";
import type { SessionResult } from "./session.ts";
import type { StopReport } from "./stop.ts";

/** Why a server could not be reached; `reason` never has address or user (PA-8). Nothing was run. */
export interface SshFailure {
  readonly reason: string;
  readonly remedy: string;
  /** The server had not shown its host key, so a retry is safe. */
  readonly transient: boolean;
  /** The server is not the known one or refuses our login, so open connections do not count either. */
  readonly identity?: boolean;
  /** The proven host key of a server that refused our login. */
  readonly refusedBy?: string;
}

const byErrno: Readonly<Record<string, { says: string; remedy: string; transient: boolean }>> = {
  ECONNREFUSED: {
    says: "refused the connection: nothing listens on port $PORT",
    remedy: "correct `port` (and `host`) in the inventory, or start its sshd",
    transient: true,
  },
  ENOTFOUND: { says: "has a `host` that does not resolve", remedy: "check `host` in the inventory", transient: false },
  EAI_AGAIN: { says: "has a `host` that does not resolve now", remedy: "check the name server", transient: true },
  EHOSTUNREACH: { says: "cannot be reached: no route", remedy: "check network and firewall", transient: false },
  ENETUNREACH: { says: "cannot be reached: no network", remedy: "check network and firewall", transient: false },
  ETIMEDOUT: { says: "did not answer", remedy: "check that it is up and that no firewall drops us", transient: false },
  ECONNRESET: {
    says: "closed the connection before the login",
    remedy: "its sshd may be overloaded or limit connections (MaxStartups); try again",
    transient: true,
  },
};

export type DialTarget = Pick<Server, "name" | "port" | "signer">;

/** Describes a network error without its own text, which has addresses. */
export function networkFailure({ name, port }: DialTarget, code: string | undefined): SshFailure {
  const known = code === undefined ? undefined : byErrno[code];
  const says = known?.says ?? `could not be reached (${code ?? "no reason given"})`;
  return {
    reason: `${name} ${says.replace("$PORT", String(port))}`,
    remedy: known?.remedy ?? "check that it is up and reachable from here",
    transient: known?.transient ?? false,
  };
}

/** OpenSSH refuses with these before its identification. */
const sshRefusals = /^(Exceeded MaxStartups|Not allowed at this time)/;

/** The failure if the first words are not SSH's; undefined if they may be. */
export function otherProtocol({ name, port }: DialTarget, firstWords: string): SshFailure | undefined {
  if (firstWords === "" || "SSH-".startsWith(firstWords) || /^SSH-/m.test(firstWords) || sshRefusals.test(firstWords))
    return undefined;
  const kind = /^(HTTP\/|\s*<(!doctype )?html)/i.test(firstWords) ? "is a web server, not SSH" : "is not SSH";
  return {
    reason: `what answers on port ${port} of ${name} ${kind}`,
    remedy: "correct `port` in the inventory",
    transient: false,
  };
}

/** Makes foreign text one line of short, printable ASCII. */
export function plainReason(text: string, maxLength = 160): string {
  return text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, maxLength);
}

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
