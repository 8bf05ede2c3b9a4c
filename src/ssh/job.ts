import { setTimeout as sleep } from "node:timers/promises";
import type { Ending, Server } from "../types.ts";
import { type Attempt, type Means, sendOnce } from "./attempt.ts";
import { endingOf, type StopCause } from "./ending.ts";
import { plain } from "./failure.ts";
import { decideJobEnding, type JobEnd, type JobFacts, parseJobEnd } from "./job-end.ts";
import { createFrameReader, type JobWord } from "./job-frames.ts";
import { jobRequestLine } from "./job-line.ts";
import { stopJob } from "./job-stop.ts";
import type { SharedConnection } from "./session.ts";
import { within } from "./stop.ts";
import type { StopVerdict } from "./stop-script.ts";

export interface JobOrder {
  readonly server: Server;
  readonly wrapped: string;
  readonly jobId: string;
  readonly resume?: { readonly sentAt: Date };
}

export interface JobWatch {
  /** Aborted = end the job; its reason says who. */
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly onData: (chunk: Uint8Array) => void;
  /** So many bytes of output were not kept by the server long enough to be read. */
  readonly onMissed: (count: number) => void;
}

export interface JobOutcome {
  readonly ending: Ending;
  readonly hostKey?: string;
  readonly outputNote?: string;
}

/** After the stop, how long the end may take to be told. */
const afterStopMs = 5_000;

/** Longer than the server's own limit, which is a minute later than ours. */
const giveUpSlackMs = 90_000;

/**
 * Starts a job, or finds one again, and follows it to its end through any loss of the connection: each time from the byte
 * it had come to, so the output is the same as if nothing had happened. Only its first request can start it. Never throws.
 */
export async function runJob(means: Means, order: JobOrder, watch: JobWatch): Promise<JobOutcome> {
  const { server, jobId, resume } = order;
  const { limits, closing } = means;
  const over = new AbortController();
  let leave = new AbortController();
  let connection: SharedConnection | undefined;
  let hostKey: string | undefined;
  let sentAtMs = resume?.sentAt.getTime();
  let hardLimit: NodeJS.Timeout | undefined;
  let begun: JobFacts["begun"];
  let end: JobEnd | undefined;
  let heard = 0;
  let offset = 0;
  let missed = 0;
  let roomNeeded = false;
  let stop: { readonly cause: StopCause; readonly verdict: Promise<StopVerdict> } | undefined;

  const stopFor = (cause: StopCause): void => {
    if (stop !== undefined || end !== undefined) return;
    const makeRoom = async (): Promise<void> => {
      roomNeeded = true;
      if (connection !== undefined) await giveUp(connection);
      leave.abort("room");
    };
    const verdict = stopJob(means, { server, jobId, connection: () => connection, makeRoom });
    stop = { cause, verdict };
    void verdict.then(() => setTimeout(() => over.abort(), afterStopMs).unref());
  };
  const onAbort = (): void => {
    if (sentAtMs === undefined) leave.abort(watch.signal.reason);
    else stopFor({ kind: "cancelled", by: String(watch.signal.reason) });
  };
  const onBegun = ({ rest }: JobWord): void => {
    const [pid = "", ageS = "", ...folder] = plain(rest, 500).split(" ");
    begun ??= { pid, folder: `${folder.join(" ")}/${jobId}` };
    const leftMs = server.hardTimeoutMs - (Number.parseInt(ageS, 10) || 0) * 1000;
    hardLimit ??= setTimeout(stopFor, Math.max(0, leftMs), { kind: "timed-out", afterMs: server.hardTimeoutMs });
  };
  const onGap = ({ rest }: JobWord): void => {
    const [from = 0, to = 0] = rest.split(" ").map(Number);
    if (from !== offset || !(to > from)) return;
    missed += to - from;
    offset = to;
    watch.onMissed(to - from);
  };
  const onWord = (said: JobWord): void => {
    heard++;
    if (said.word === "run") onBegun(said);
    if (said.word === "gap") onGap(said);
    end ??= parseJobEnd(said);
    // Not at once: this is called out of the session that is left by it.
    if (end !== undefined) queueMicrotask(() => leave.abort("over"));
  };
  const attach = (command: string): Promise<Attempt> => {
    leave = new AbortController();
    if (over.signal.aborted) leave.abort("over");
    if (watch.signal.aborted) onAbort();
    return sendOnce(means, server, {
      command,
      // A job has no terminal, and one on this session would change the bytes.
      tty: false,
      detached: true,
      hardTimeoutMs: server.hardTimeoutMs + giveUpSlackMs,
      signal: leave.signal,
      onConnection: (leased) => {
        connection = leased;
      },
      onSent: () => {
        if (sentAtMs !== undefined) return;
        sentAtMs = Date.now();
        watch.onSent();
      },
      onData: createFrameReader(jobId, {
        onBytes: (chunk) => {
          heard++;
          offset += chunk.length;
          watch.onData(chunk);
        },
        onWord,
      }),
      onStderr: () => undefined,
    });
  };

  const onOver = (): void => leave.abort("over");
  over.signal.addEventListener("abort", onOver);
  watch.signal.addEventListener("abort", onAbort, { once: true });
  const giveUpAt = performance.now() + server.hardTimeoutMs + giveUpSlackMs;
  const done = (): boolean => end !== undefined || over.signal.aborted || closing.aborted;
  let lost: string | undefined;
  let atStart = resume === undefined;
  let request = order.wrapped;
  let unheard = 0;
  for (;;) {
    if (!atStart) request = jobRequestLine(server, { act: begun === undefined ? "settle" : "follow", jobId, offset });
    const before = heard;
    const attempt = await attach(request);
    hostKey = attempt.hostKey ?? hostKey;
    if (sentAtMs === undefined) {
      watch.signal.removeEventListener("abort", onAbort);
      return { ending: endingOf(attempt.result, watch.signal), ...(hostKey === undefined ? {} : { hostKey }) };
    }
    if (done()) break;
    if (roomNeeded) await stop?.verdict;
    lost = whyLost(attempt, server.name);
    unheard = heard > before ? 0 : unheard + 1;
    if (unheard >= limits.attachAttempts || performance.now() > giveUpAt) break;
    atStart = false;
    const waitMs = Math.min(limits.attachMostMs, limits.attachBaseMs * 2 ** unheard);
    // Woken early it sees that it is over.
    await sleep(waitMs, undefined, { signal: AbortSignal.any([over.signal, closing]) }).catch(() => undefined);
    if (done()) break;
  }
  clearTimeout(hardLimit);
  watch.signal.removeEventListener("abort", onAbort);
  const verdict = await stop?.verdict;
  const ending = decideJobEnding({
    serverName: server.name,
    hardTimeoutMs: server.hardTimeoutMs,
    end,
    atStart,
    begun,
    sentMsAgo: Date.now() - sentAtMs,
    stop:
      stop === undefined || verdict === undefined
        ? undefined
        : {
            cause: stop.cause,
            report: verdict.kind === "unverified" ? { ...verdict, ended: end?.kind === "ended" } : verdict,
          },
    lost: closing.aborted ? "the bot was stopped while it ran, and on the server it goes on" : lost,
  });
  const outputNote = noteOf(end, missed, offset);
  return {
    ending,
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(outputNote === undefined ? {} : { outputNote }),
  };
}

/**
 * A server that grants one session keeps it until what ran in it has noticed that we left. Where nobody else uses the
 * connection it is closed instead.
 */
async function giveUp({ client, running, closedBecause }: SharedConnection): Promise<void> {
  if (running.size > 1 || closedBecause() !== undefined) return;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  await within(1_000, closed);
}

function whyLost({ result }: Attempt, serverName: string): string {
  if (result.kind === "failed") return result.failure.reason;
  if (result.kind === "no-session") return `${serverName} opens no session`;
  const { lost, exit } = result.kind === "sent" ? result.facts : {};
  if (exit !== undefined && "code" in exit) return `${serverName} ended the session with code ${exit.code}`;
  return lost ?? `${serverName} ended the session`;
}

/** What of the output could not be read, in a sentence. */
function noteOf(end: JobEnd | undefined, missed: number, offset: number): string | undefined {
  const notes: string[] = [];
  if (missed > 0)
    notes.push(`${missed} bytes in the middle came faster than they could be read; they are counted, not hashed.`);
  if (end?.kind === "ended" && end.outputLost)
    notes.push(`The server's disk was full: output after byte ${offset} is lost.`);
  if (end?.kind === "ended" && end.stillOpen) {
    notes.push("A background process still has the output open; what it writes from now on is not shown.");
  }
  return notes.length === 0 ? undefined : notes.join(" ");
}
