import type { Ending } from "../../base/run.ts";
import { endUnknown, whyUnknown } from "../../base/unknown.ts";
import { decideEnding, type EndingFacts, type Exit, plainReason } from "../failure.ts";

export type JobEnd =
  | {
      readonly kind: "ended";
      readonly exit: Exit;
      readonly byLimit: boolean;
      /** The disk was full: output is missing. */
      readonly outputLost: boolean;
      /** A background process still held the output. */
      readonly stillOpen: boolean;
    }
  /** Never begun, and never will. `upS`: the server's uptime in s, if the folder may be newer than the job. */
  | { readonly kind: "void"; readonly upS: number | undefined }
  | { readonly kind: "refused"; readonly why: string }
  /** Its processes are gone and left no exit. */
  | { readonly kind: "lost"; readonly restarted: boolean }
  | { readonly kind: "absent" };

/** Reads a job's end; undefined for other words. */
export function parseJobEnd({ word, rest }: JobWord): JobEnd | undefined {
  switch (word) {
    case "ended": {
      // `exit.3 120`, `signal.KILL.hard 0`: exit, flags, bytes of output.
      const [, how, value = "", flags = ""] = /^(exit|signal)\.(\w+)((?:\.\w+)*)(?: |$)/.exec(rest) ?? [];
      if (how === undefined || (how === "exit" && !/^\d{1,3}$/.test(value))) return undefined;
      const said = flags.split(".");
      return {
        kind: "ended",
        exit: how === "exit" ? { code: Number(value) } : { signal: `SIG${value}` },
        byLimit: said.includes("hard"),
        outputLost: said.includes("lost"),
        stillOpen: said.includes("open"),
      };
    }
    case "void":
      return { kind: "void", upS: /^\d{1,12}$/.test(rest) ? Number(rest) : undefined };
    case "refused":
      return { kind: "refused", why: rest };
    case "lost":
      return { kind: "lost", restarted: rest !== "same" };
    case "absent":
      return { kind: "absent" };
    default:
      return undefined;
  }
}

export interface JobFacts {
  readonly serverName: string;
  readonly hardTimeoutMs: number;
  readonly end: JobEnd | undefined;
  /** In answer to the request that would have started the job. */
  readonly atStart: boolean;
  readonly begun: { readonly pid: string; readonly folder: string } | undefined;
  readonly sentMsAgo: number;
  readonly stop: EndingFacts["stop"];
  readonly lost: string | undefined;
  readonly botStops?: boolean;
}

/** Decides how a job has ended. "Never started" needs the server's proof. Pure. */
export function decideJobEnding(facts: JobFacts): Ending {
  const { end, stop, serverName, begun } = facts;
  const where =
    begun === undefined
      ? "whether it began is not known"
      : `on ${serverName} it began as pid ${begun.pid}, and ${begun.folder} holds its output (out.*) and, once it has ended, how (end.*)`;
  if (end === undefined) {
    const lost = facts.lost ?? `${serverName} says nothing of it`;
    const why = facts.botStops
      ? whyUnknown("bot-stopped-job", { where })
      : whyUnknown("job-not-followed", { lost, where });
    return decideEnding({ stop, lost: why });
  }
  switch (end.kind) {
    case "ended":
      if (end.byLimit && stop === undefined) {
        return {
          kind: "timed-out",
          afterMs: facts.hardTimeoutMs,
          note: "ended by its server, whose limit is a minute later",
        };
      }
      return decideEnding({ exit: end.exit, stop });
    case "void":
      if (!isProved(facts, end.upS)) return endUnknown("job-forgotten", { where });
      if (stop?.cause.kind === "cancelled") return { ...stop.cause, note: "it had not been started" };
      return {
        kind: "unreachable",
        reason: `${serverName} did not come to begin the command: it was never started, and now cannot be`,
        remedy: "try again",
      };
    case "refused":
      if (facts.atStart) return refused(serverName, end.why);
      return endUnknown("job-not-looked-for", { why: plainReason(end.why), where });
    case "lost":
      return endUnknown(end.restarted ? "job-lost-in-restart" : "job-killed", { where });
    case "absent":
      return endUnknown("job-folder-gone", { where });
  }
}

/** Folders cleaned after a day or by a restart prove nothing. */
const forgottenAfterMs = 24 * 3_600_000;

function isProved({ begun, sentMsAgo }: JobFacts, upS: number | undefined): boolean {
  if (begun !== undefined) return false;
  return upS === undefined || (upS * 1000 > sentMsAgo && sentMsAgo < forgottenAfterMs);
}

function refused(serverName: string, why: string): Ending {
  const [word = "", place = ""] = plainReason(why).split(" ");
  const known = {
    disk: [`cannot write to ${place}: its disk may be full`, `make room in ${place}, or let the account write there`],
    unsafe: [`has a folder ${place} that is not the account's own`, `look who made ${place}, and remove it`],
    setsid: ["has neither setsid nor perl", "install util-linux"],
  }[word] ?? ["refused the command", "see what the account may run there"];
  return { kind: "unreachable", reason: `${serverName} ${known[0]}; nothing was started`, remedy: known[1] ?? "" };
}

export interface JobWord {
  readonly word: string;
  readonly rest: string;
}

interface FrameSink {
  /** In order; the buffer stays the caller's. */
  readonly onBytes: (chunk: Uint8Array) => void;
  readonly onWord: (said: JobWord) => void;
}

const lineMaxBytes = 1024;

/**
 * Reads what src/ssh/job/job.sh prints: lines `@countersign:<job id> word …`, and after `data <offset> <count>` that many raw bytes; skips
 * other text. A command cannot fake a line: the id is a nonce, and output is counted, never searched.
 */
export function createFrameReader(jobId: string, sink: FrameSink): (chunk: Buffer) => void {
  const mark = Buffer.from(`@countersign:${jobId} `);
  let pending: Buffer = Buffer.alloc(0);
  let due = 0;

  const readLine = (): boolean => {
    const from = pending.indexOf(mark);
    if (from < 0) {
      pending = pending.subarray(Math.max(0, pending.length - mark.length + 1));
      return false;
    }
    const end = pending.indexOf("\n", from + mark.length);
    if (end < 0) {
      pending = pending.subarray(from);
      if (pending.length > lineMaxBytes) pending = pending.subarray(mark.length);
      return false;
    }
    const [, word = "", rest = ""] = /^(\S*) ?(.*)$/s.exec(pending.toString("latin1", from + mark.length, end)) ?? [];
    pending = pending.subarray(end + 1);
    if (word === "data") due = Number(/^\d+ (\d{1,15})$/.exec(rest)?.[1] ?? 0);
    else sink.onWord({ word, rest });
    return true;
  };

  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    do {
      const bytes = pending.subarray(0, due);
      due -= bytes.length;
      pending = pending.subarray(bytes.length);
      if (bytes.length > 0) sink.onBytes(bytes);
    } while (due === 0 && readLine());
    // ssh2 may reuse the buffer.
    pending = Buffer.from(pending);
  };
}
