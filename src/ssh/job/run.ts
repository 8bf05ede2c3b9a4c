import { setTimeout as sleep } from "node:timers/promises";
import { type Ending, stopperIn } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { backoffMs } from "../../base/sleep.ts";
import { type EndingFacts, endingOf, type StopCause } from "../ending.ts";
import { plainReason } from "../failure.ts";
import { acquire, hangUp, type Means, type NoSession } from "../pool.ts";
import { type OpenSession, openSession, type SessionResult, type SharedConnection } from "../session.ts";
import { readVerdict, type StopVerdict } from "../stop.ts";
import { jobRequestLine } from "../wrap.ts";
import { decideJobEnding, type JobEnd, type JobFacts, parseJobEnd } from "./end.ts";
import { createFrameReader, type JobWord } from "./frames.ts";

interface JobOrder {
  readonly server: Server;
  readonly wrapped: string;
  readonly jobId: string;
  readonly resume?: { readonly sentAt: Date };
}

interface JobWatch {
  /** Aborted: end the job; the reason says who. */
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly onData: (chunk: Uint8Array) => void;
  /** Bytes the server dropped before they were read. */
  readonly onMissed: (count: number) => void;
}

interface JobOutcome {
  readonly ending: Ending;
  readonly hostKey?: string;
  readonly outputNote?: string;
  readonly housekeeping: readonly string[];
}

interface StartSession {
  readonly place: OpenSession | NoSession;
  readonly isLate: () => boolean;
}

/**
 * Starts a job (without `start`, finds it again) and follows it to its end through lost connections, without losing output. Only the first
 * request can start it (F-29, F-30, RR-06). Never throws.
 */
export async function runJob(
  means: Means,
  order: JobOrder,
  watch: JobWatch,
  start: StartSession | undefined,
): Promise<JobOutcome> {
  const { server, jobId } = order;
  const { limits, closing } = means;
  const housekeeping: string[] = [];
  const job = followJob(means, order, { ...watch, onStop: () => housekeeping.push("job kill") });
  const { news } = job;
  const isDone = (): boolean => news.end !== undefined || job.over.aborted || closing.aborted;
  const giveUpAt = performance.now() + server.hardTimeoutMs + giveUpSlackMs;
  let atStart = start !== undefined;
  let result: SessionResult;
  for (let unheard = 0; ; atStart = false) {
    const { heard, offset } = news;
    const act = news.begun === undefined ? "settle" : "follow";
    if (!atStart) housekeeping.push(`job ${act}`);
    result = await job.attach(atStart && start ? start : jobRequestLine(server, { act, jobId, offset }));
    if (job.sentAtMs() === undefined || isDone()) break;
    await job.roomMade();
    unheard = news.heard > heard ? 0 : unheard + 1;
    if (unheard >= limits.attachAttempts || performance.now() > giveUpAt) break;
    const waitMs = backoffMs(unheard, { baseMs: limits.attachBaseMs, mostMs: limits.attachMostMs });
    await sleep(waitMs, undefined, { signal: AbortSignal.any([job.over, closing]) }).catch(() => undefined);
    if (isDone()) break;
  }
  job.letGo();
  const sentAtMs = job.sentAtMs();
  const ending =
    sentAtMs === undefined
      ? endingOf(result, watch.signal)
      : decideJobEnding({
          serverName: server.name,
          hardTimeoutMs: server.hardTimeoutMs,
          end: news.end,
          atStart,
          begun: news.begun,
          sentMsAgo: Date.now() - sentAtMs,
          stop: await reportOf(job.stopping(), news.end?.kind === "ended"),
          lost: whyLost(result, server.name),
          botStops: closing.aborted,
        });
  const hostKey = job.hostKey();
  const outputNote = describeMissing(news);
  return {
    ending,
    housekeeping,
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(outputNote === undefined ? {} : { outputNote }),
  };
}

async function reportOf(stop: JobStopping | undefined, ended: boolean): Promise<EndingFacts["stop"]> {
  if (stop === undefined) return undefined;
  const verdict = await stop.verdict;
  return { cause: stop.cause, report: verdict.kind === "unverified" ? { ...verdict, ended } : verdict };
}

function whyLost(result: SessionResult, serverName: string): string {
  if (result.kind === "failed") return result.failure.reason;
  if (result.kind === "no-session") return `${serverName} opens no session`;
  const { lost, exit } = result.kind === "sent" ? result.facts : {};
  if (exit !== undefined && "code" in exit) return `${serverName} ended the session with code ${exit.code}`;
  return lost ?? `${serverName} ended the session`;
}

interface FollowedJob extends Omit<ReturnType<typeof createJobStopper>, "stop"> {
  readonly news: JobNews;
  /** Starts the job, or sends a request's command line, and follows it in that session. Never rejects. */
  readonly attach: (by: StartSession | string) => Promise<SessionResult>;
  /** Undefined as long as nothing can have been sent. */
  readonly sentAtMs: () => number | undefined;
  readonly hostKey: () => string | undefined;
  readonly letGo: () => void;
}

/** Longer than the server's own limit, a minute after ours. */
const giveUpSlackMs = 90_000;

function followJob(
  means: Means,
  { server, jobId, resume }: JobOrder,
  watch: JobWatch & { readonly onStop: () => void },
): FollowedJob {
  const news = createJobNews();
  let leave = new AbortController();
  let connection: SharedConnection | undefined;
  let sentAtMs = resume?.sentAt.getTime();
  let hardLimit: NodeJS.Timeout | undefined;
  const leaveSession = (): void => leave.abort("left");
  const stopper = createJobStopper(means, { server, jobId, connection: () => connection, leaveSession });

  const stopFor = (cause: StopCause): void => {
    if (stopper.stopping() !== undefined || news.end !== undefined) return;
    watch.onStop();
    stopper.stop(cause);
  };
  const onAbort = (): void => {
    if (sentAtMs === undefined) leave.abort(watch.signal.reason);
    else stopFor({ kind: "cancelled", ...stopperIn(watch.signal) });
  };
  const onBegun = (agoMs: number): void => {
    const cause: StopCause = { kind: "timed-out", afterMs: server.hardTimeoutMs };
    hardLimit = setTimeout(stopFor, Math.max(0, server.hardTimeoutMs - agoMs), cause);
  };
  const onSent = (): void => {
    if (sentAtMs !== undefined) return;
    sentAtMs = Date.now();
    watch.onSent();
  };
  // Not at once, because the session it ends is the caller.
  const onEnd = (): void => queueMicrotask(leaveSession);
  const attach: FollowedJob["attach"] = async (by) => {
    leave = new AbortController();
    if (stopper.over.aborted) leaveSession();
    if (watch.signal.aborted) onAbort();
    const { signal } = leave;
    // A terminal would change the bytes.
    const place = typeof by === "string" ? await acquire(means, server, { command: by, tty: false, signal }) : by.place;
    if (place.kind !== "open") return place.result;
    connection = place.connection;
    return place.send({
      detached: true,
      hardTimeoutMs: server.hardTimeoutMs + giveUpSlackMs,
      signal,
      ...(typeof by === "string" ? {} : { isLate: by.isLate }),
      onSent,
      onData: createNewsReader(jobId, news, { onData: watch.onData, onMissed: watch.onMissed, onBegun, onEnd }),
      onStderr: () => undefined,
    });
  };
  stopper.over.addEventListener("abort", leaveSession);
  watch.signal.addEventListener("abort", onAbort, { once: true });
  const letGo = (): void => {
    clearTimeout(hardLimit);
    watch.signal.removeEventListener("abort", onAbort);
  };
  return { ...stopper, news, attach, sentAtMs: () => sentAtMs, hostKey: () => connection?.hostKey, letGo };
}

interface StoppableJob {
  readonly server: Server;
  readonly jobId: string;
  readonly connection: () => SharedConnection | undefined;
  readonly leaveSession: () => void;
}

interface JobStopping {
  readonly cause: StopCause;
  readonly verdict: Promise<StopVerdict>;
}

/** For the server to report the end after a stop. */
const afterStopMs = 5_000;

/**
 * Ends a job by its id with TERM, after the grace with KILL, and lists survivors. Uses the job's connection without waiting for a place,
 * else another. A job not yet begun never will. Never throws.
 */
function createJobStopper(means: Means, job: StoppableJob) {
  let stopping: JobStopping | undefined;
  let roomNeeded = false;
  const over = new AbortController();

  const stopNow = async (): Promise<StopVerdict> => {
    const { server, jobId } = job;
    const { limits, closing } = means;
    const words: JobWord[] = [];
    const wanted = {
      command: jobRequestLine(server, { act: "kill", jobId, graceMs: limits.graceMs }),
      tty: false,
      signal: closing,
    };
    const kill = (place: OpenSession) =>
      place.send({
        detached: true,
        // The grace, two seconds after KILL, and scans on a busy machine.
        hardTimeoutMs: limits.graceMs + 10_000,
        signal: closing,
        onSent: () => undefined,
        onData: createFrameReader(jobId, { onBytes: () => undefined, onWord: (said) => words.push(said) }),
        onStderr: () => undefined,
      });
    const connection = job.connection();
    if (connection !== undefined && connection.closedBecause() === undefined) {
      const place = await openSession({ ...wanted, connection, server, limits, leave: () => undefined });
      if (place.kind === "open") await kill(place);
    }
    if (words.length > 0) return readStop(words);
    // A server may grant only the job's own session, so that is closed during the stop. The server keeps it until its program notices, so
    // the whole connection is closed if unused by others.
    roomNeeded = true;
    const still = job.connection();
    if (still !== undefined && still.running.size <= 1) await hangUp({ ok: true, connection: still });
    job.leaveSession();
    const place = await acquire(means, server, wanted);
    if (place.kind === "open") await kill(place);
    return readStop(words);
  };
  return {
    stop: (cause: StopCause): void => {
      const verdict = stopNow();
      stopping = { cause, verdict };
      void verdict.then(() => setTimeout(() => over.abort(), afterStopMs).unref());
    },
    stopping: () => stopping,
    roomMade: async (): Promise<void> => {
      if (roomNeeded) await stopping?.verdict;
    },
    /** Aborted when the end is no longer awaited. */
    over: over.signal,
  };
}

function readStop(words: readonly JobWord[]): StopVerdict {
  if (words.length === 0) return { kind: "unverified", why: "the server did not answer" };
  // It had not begun and now never will.
  return words.some(({ word }) => word === "void") ? { kind: "absent" } : readVerdict(words);
}

interface JobNews {
  begun: JobFacts["begun"];
  end: JobEnd | undefined;
  /** The next session continues here. */
  offset: number;
  missed: number;
  heard: number;
}

interface NewsSink {
  readonly onData: (chunk: Uint8Array) => void;
  readonly onMissed: (count: number) => void;
  /** Called once. */
  readonly onBegun: (agoMs: number) => void;
  readonly onEnd: () => void;
}

const createJobNews = (): JobNews => ({ begun: undefined, end: undefined, offset: 0, missed: 0, heard: 0 });

function createNewsReader(jobId: string, news: JobNews, sink: NewsSink): (chunk: Buffer) => void {
  const onBegun = (rest: string): void => {
    if (news.begun !== undefined) return;
    const [pid = "", ageS = "", ...folder] = plainReason(rest, 500).split(" ");
    news.begun = { pid, folder: `${folder.join(" ")}/${jobId}` };
    sink.onBegun((Number.parseInt(ageS, 10) || 0) * 1000);
  };
  const onGap = (rest: string): void => {
    const [from = 0, to = 0] = rest.split(" ").map(Number);
    if (from !== news.offset || !(to > from)) return;
    news.missed += to - from;
    news.offset = to;
    sink.onMissed(to - from);
  };
  const onWord = (said: JobWord): void => {
    news.heard++;
    if (said.word === "run") onBegun(said.rest);
    if (said.word === "gap") onGap(said.rest);
    if (news.end !== undefined) return;
    news.end = parseJobEnd(said);
    if (news.end !== undefined) sink.onEnd();
  };
  const onBytes = (chunk: Uint8Array): void => {
    news.heard++;
    news.offset += chunk.length;
    sink.onData(chunk);
  };
  return createFrameReader(jobId, { onBytes, onWord });
}

function describeMissing({ end, missed, offset }: JobNews): string | undefined {
  const notes: string[] = [];
  if (missed > 0) {
    notes.push(`${missed} bytes in the middle came faster than they could be read; they are counted, not hashed.`);
  }
  if (end?.kind === "ended" && end.outputLost) {
    notes.push(`The server's disk was full: output after byte ${offset} is lost.`);
  }
  if (end?.kind === "ended" && end.stillOpen) {
    notes.push("A background process still has the output open; what it writes from now on is not shown.");
  }
  return notes.length === 0 ? undefined : notes.join(" ");
}
