import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs, isOlderThan } from "../base/clock.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import {
  type CertificateAnswer,
  type Exec,
  type ExecOrder,
  type ExecResult,
  type Reserve,
  stopperIn,
} from "../base/run.ts";
import { createReserve, isFoundAgain, type SentOrder } from "../base/runner.ts";
import type { OperatingSystem, Server } from "../base/server.ts";
import { takeOutput } from "./capture.ts";
import { endingOf, plainReason, type StopCause } from "./failure.ts";
import {
  createFrameReader,
  decideJobEnding,
  type JobEnd,
  type JobFacts,
  type JobWord,
  parseJobEnd,
} from "./job/end.ts";
import { defaultLimits, type SshLimits } from "./limits.ts";
import { acquire, createPool, hangUp, type Means, type NoSession, noSession } from "./pool.ts";
import {
  type OpenSession,
  openSession,
  type SessionResult,
  type SharedConnection,
  type UnsentReason,
} from "./session.ts";
import { type Certify, openSigned, openSignedStart, proveOpen, proveShut, type ShutServer } from "./signed.ts";
import { readVerdict, type StopVerdict } from "./stop.ts";
import { saysWindows } from "./windows/decode.ts";
import { lineRefusal } from "./windows/wrap.ts";
import { isForCertificate, type JobRequest, jobRequestLine } from "./wrap.ts";

/**
 * Runs approved commands, each once (SR-24, SR-51, SR-53, RR-06). From `runDirect` bytes pass `session.ts` and leave in `wire.ts`. A
 * command that changes something runs as a job (`runJob`), which survives a lost connection.
 */
export interface Ssh {
  readonly reserve: Reserve;
  /** For commands that need no approval. */
  readonly exec: Exec;
  /** Verifies the host key and finds the OS by fixed housekeeping commands (AR-06, AR-08). Never throws. */
  readonly probe: (server: Server) => Promise<ProbeResult>;
  /** Whether a server with a signer refuses every login without a certificate, by the keys of these servers too (SR-72). Never throws. */
  readonly proveShut: (server: Server, others: readonly Server[]) => Promise<ShutServer | Refusal>;
  /** Whether it lets in a certificate of its signer. Never throws. */
  readonly proveOpen: (
    server: Server,
    certifyCheck: (publicKey: string) => Promise<CertificateAnswer>,
  ) => ReturnType<typeof proveOpen>;
  /** Running commands end as `unknown`, jobs continue on their servers. */
  readonly close: () => Promise<void>;
}

export interface SshOptions {
  readonly servers: ReadonlyMap<string, Server>;
  /** Half head, half tail. */
  readonly maxOutputBytes?: number;
  /** SSH_AUTH_SOCK. */
  readonly agentSocket?: string | undefined;
  /** Asks the signer. */
  readonly certify?: Certify | undefined;
  readonly limits?: Partial<SshLimits>;
}

export function createSsh(options: SshOptions): Ssh {
  const limits: SshLimits = {
    ...defaultLimits,
    ...options.limits,
    ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
  };
  const pool = createPool({ servers: options.servers, limits, agentSocket: options.agentSocket });
  const closing = new AbortController();
  const means: Means = { pool, certify: options.certify, limits, closing: closing.signal };
  const carrier = {
    freshMs: limits.freshMs - limits.toWriteMs,
    // An open connection keeps its verified key; `prove` checks its server.
    isCurrent: () => true,
    whyRefused: async (place: JobPlace, { server }: ExecOrder) =>
      place.kind === "open" ? (await pool.prove(server, place.connection))?.reason : undefined,
    close: (place: JobPlace) => {
      if (place.kind === "open") place.close();
    },
  };
  const reserveDirect = createReserve<OpenSession | NoSession>({
    ...carrier,
    open: openFor.bind(undefined, means),
    start: runDirect.bind(undefined, means),
  });
  const reserveJob = createReserve<JobPlace>({
    ...carrier,
    open: async (order, signal) => {
      if (isFoundAgain(order)) return { kind: "found" };
      return order.server.signer ? { kind: "unsigned" } : openFor(means, order, signal);
    },
    start: runJob.bind(undefined, means),
  });
  const reserve: Reserve = (order, signal) => (order.mode === "job" ? reserveJob : reserveDirect)(order, signal);
  const exec: Exec = async (order, watch) => {
    const reservation = await reserve(order, watch.signal);
    const sent = reservation.send(Date.now(), watch);
    if (sent !== "stale") return sent;
    reservation.release();
    return exec(order, watch);
  };
  // The inventory's OS wins.
  const probe = async (server: Server): Promise<ProbeResult> => {
    let hostKey = "";
    for (const wrapped of questions) {
      const order = { server: { ...server, tty: false, hardTimeoutMs: probeMaxMs }, wrapped };
      const result = await exec(order, { signal: new AbortController().signal });
      const { ending } = result;
      if (ending.kind === "unreachable") return refuse(ending.reason, ending.remedy ?? "check the server");
      if (ending.kind !== "exited")
        return refuse(`${server.name} did not answer a probe (${ending.kind})`, "check its load");
      hostKey = result.hostKey ?? hostKey;
      const os = result.windows ? "windows" : readOs(Buffer.from(result.capture.head).toString("latin1"));
      if (os !== undefined) return { ok: true, hostKey, os: server.os === "auto" ? os : server.os };
    }
    if (server.os !== "auto") return { ok: true, hostKey, os: server.os };
    return refuse(
      `${server.name} does not say which OS it runs`,
      "write `os: linux` or `os: windows` in the inventory",
    );
  };
  const close = (): Promise<void> => {
    closing.abort();
    return pool.close();
  };
  return {
    reserve,
    exec,
    probe,
    proveShut: proveShut.bind(undefined, { pool, agentSocket: options.agentSocket }),
    proveOpen: proveOpen.bind(undefined, { pool }),
    close,
  };
}

/** Waits at most `waitMs` for the session; once it is open, only `signal` ends it. */
async function openFor(means: Means, order: ExecOrder, signal: AbortSignal): Promise<OpenSession | NoSession> {
  const { server, wrapped: command, hostKeys } = order;
  if (server.signer)
    return noSession(`${server.name} takes only jobs that the signer has signed; nothing was run`, "propose it again");
  const tooLong = server.os === "windows" ? lineRefusal(server, command) : undefined;
  if (tooLong) return { kind: "none", result: { kind: "failed", failure: { ...tooLong, transient: false } } };
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), means.limits.waitMs);
  // A terminal would change a job's bytes.
  const tty = order.mode !== "job" && server.tty;
  const either = AbortSignal.any([signal, patience.signal]);
  const place = await acquire(means, server, { command, tty, signal: either, hostKeys });
  clearTimeout(timer);
  const isLate = place.kind === "none" && place.result.kind === "cancelled" && !signal.aborted;
  if (!isLate) return place;
  const busy = `${server.name} was busy and had no session free in time; nothing was run`;
  return noSession(busy, "try again, or /cancel what runs there");
}

/** Sends a command in its open session and follows it to its end. Never throws. */
async function runDirect(
  { limits }: Means,
  place: OpenSession | NoSession,
  { order: { server }, watch, asOf }: SentOrder,
): Promise<ExecResult> {
  const output = takeOutput(limits.maxOutputBytes, server, watch);
  const { hardTimeoutMs } = server;
  const { signal } = watch;
  // Again at the write, because the process may have stood still (F-35).
  const isLate = (): boolean => isOlderThan(limits.freshMs, asOf);
  const result = place.kind === "open" ? await place.send({ hardTimeoutMs, signal, ...output, isLate }) : place.result;
  const hostKey = place.kind === "open" ? place.connection.hostKey : place.hostKey;
  const saysSo = place.kind === "open" ? saysWindows(place.connection.client) : place.windows === true;
  const outputNote = result.kind === "sent" ? result.facts.outputNote : undefined;
  return output.finish({
    ending: endingOf(result, signal),
    ...(outputNote === undefined ? {} : { outputNote }),
    housekeeping: result.kind === "sent" && result.facts.stop !== undefined ? ["stop"] : [],
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(saysSo || server.os === "windows" ? { windows: true } : {}),
  });
}

type ProbeResult = { readonly ok: true; readonly hostKey: string; readonly os: OperatingSystem } | Refusal;

/** For every Unix and Git's shells, and for cmd and PowerShell. */
const questions = ["uname -s", "cmd.exe /c ver"] as const;

/** Undefined if the answer has no OS. Pure. */
export function readOs(answer: string): OperatingSystem | undefined {
  if (/windows|MINGW|MSYS|CYGWIN/i.test(answer)) return "windows";
  return /^\s*(Linux|Darwin|FreeBSD|OpenBSD|NetBSD|SunOS|AIX|GNU)/m.test(answer) ? "linux" : undefined;
}

const probeMaxMs = 15_000;

type JobPlace =
  | OpenSession
  | NoSession
  /** Sent by an earlier process; needs no session yet. */
  | { readonly kind: "found" }
  /** The signer is asked once it is claimed. */
  | { readonly kind: "unsigned" };

/** Longer than the server's own limit, a minute after ours. */
const giveUpSlackMs = 90_000;

/**
 * Starts a job in its open session, or finds it again, and follows it to its end through lost connections, without losing output. Only the
 * first request can start it (F-29, F-30). Never throws.
 */
async function runJob(means: Means, place: JobPlace, { order, watch, asOf }: SentOrder): Promise<ExecResult> {
  if (order.mode !== "job") throw new Error("only a job runs as one");
  const { server, jobId, resume } = order;
  const { hardTimeoutMs } = server;
  const { limits, closing } = means;
  const output = takeOutput(limits.maxOutputBytes, server, watch);
  const news: JobNews = { begun: undefined, end: undefined, offset: 0, missed: 0, heard: 0 };
  const housekeeping: string[] = [];
  let sentAtMs = resume?.sentAt.getTime();
  let connection: SharedConnection | undefined;
  let leave = new AbortController();
  let hardLimit: NodeJS.Timeout | undefined;

  const leaveSession = (): void => leave.abort("left");
  const hasEnded = (): boolean => news.end !== undefined;
  const stopper = createJobStopper(means, { server, jobId, connection: () => connection, leaveSession, hasEnded });
  stopper.over.addEventListener("abort", leaveSession);
  const stopFor = (cause: StopCause): void => {
    if (stopper.stopping() !== undefined || news.end !== undefined) return;
    housekeeping.push("job kill");
    stopper.stop(cause);
  };
  const onAbort = (): void => {
    if (sentAtMs === undefined) leave.abort(watch.signal.reason);
    else stopFor({ kind: "cancelled", ...stopperIn(watch.signal) });
  };
  watch.signal.addEventListener("abort", onAbort, { once: true });
  const sink: NewsSink = {
    onData: output.onData,
    onMissed: output.onMissed,
    onBegun: (agoMs) => {
      const cause: StopCause = { kind: "timed-out", afterMs: hardTimeoutMs };
      hardLimit = setTimeout(stopFor, Math.max(0, hardTimeoutMs - agoMs), cause);
    },
    // Not at once, because the session it ends is the caller.
    onEnd: () => queueMicrotask(leaveSession),
  };
  const onSent = (): void => {
    if (sentAtMs !== undefined) return;
    sentAtMs = Date.now();
    output.onSent();
  };

  const isDone = (): boolean => news.end !== undefined || stopper.over.aborted || closing.aborted;
  const giveUpAt = performance.now() + hardTimeoutMs + giveUpSlackMs;
  let atStart = place.kind !== "found";
  let result: SessionResult;
  for (let unheard = 0; ; atStart = false) {
    const { heard, offset } = news;
    const act = news.begun === undefined ? "settle" : "follow";
    if (!atStart) housekeeping.push(`job ${act}`);
    leave = new AbortController();
    if (stopper.over.aborted) leaveSession();
    if (watch.signal.aborted) onAbort();
    const { signal } = leave;
    const start = atStart && place.kind !== "found" ? place : undefined;
    let session: OpenSession | NoSession;
    if (start === undefined) session = await openScript(means, server, { act, jobId, offset }, signal);
    else session = start.kind === "unsigned" ? await openSignedStart(means, order, signal) : start;
    if (session.kind === "open") {
      connection = session.connection;
      result = await session.send({
        detached: true,
        hardTimeoutMs: hardTimeoutMs + giveUpSlackMs,
        signal,
        isLate: () => start !== undefined && isOlderThan(server.signer ? limits.signedMs : limits.freshMs, asOf),
        onSent,
        onData: createNewsReader(jobId, news, sink),
        onStderr: () => undefined,
      });
    } else result = session.result;
    // The key of a certificate that was on its way has gone with its process.
    if (session.kind === "none" && news.begun === undefined && isBeforeSigning(session, order)) {
      sentAtMs = undefined;
      const reason = `the bot stopped before the signer let it begin on ${server.name}; nothing was run`;
      result = { kind: "failed", failure: { reason, remedy: "propose it again", transient: false } };
    }
    if (sentAtMs === undefined || isDone()) break;
    await stopper.roomMade();
    unheard = news.heard > heard ? 0 : unheard + 1;
    if (unheard >= limits.attachAttempts || performance.now() > giveUpAt) break;
    const waitMs = backoffMs(unheard, { baseMs: limits.attachBaseMs, mostMs: limits.attachMostMs });
    await sleep(waitMs, undefined, { signal: AbortSignal.any([stopper.over, closing]) }).catch(() => undefined);
    if (isDone()) break;
  }
  clearTimeout(hardLimit);
  watch.signal.removeEventListener("abort", onAbort);
  const stop = stopper.stopping();
  const verdict = await stop?.verdict;
  const ended = news.end?.kind === "ended";
  const ending =
    sentAtMs === undefined
      ? endingOf(result, watch.signal)
      : decideJobEnding({
          serverName: server.name,
          hardTimeoutMs,
          end: news.end,
          atStart,
          begun: news.begun,
          sentMsAgo: Date.now() - sentAtMs,
          stop: stop &&
            verdict && { cause: stop.cause, report: verdict.kind === "unverified" ? { ...verdict, ended } : verdict },
          lost: whyLost(result, server.name),
          botStops: closing.aborted,
        });
  const { end, missed, offset } = news;
  const notes = [
    ...(missed > 0
      ? [`${missed} bytes in the middle came faster than they could be read; they are counted, not hashed.`]
      : []),
    ...(end?.kind === "ended" && end.outputLost
      ? [`The server's disk was full: output after byte ${offset} is lost.`]
      : []),
    ...(end?.kind === "ended" && end.stillOpen
      ? ["A background process still has the output open; what it writes from now on is not shown."]
      : []),
  ];
  return output.finish({
    ending,
    housekeeping,
    ...(connection === undefined ? {} : { hostKey: connection.hostKey }),
    ...(notes.length === 0 ? {} : { outputNote: notes.join(" ") }),
  });
}

function whyLost(result: SessionResult, serverName: string): string {
  if (result.kind === "failed") return result.failure.reason;
  if (result.kind === "no-session") return `${serverName} opens no session`;
  const { lost, exit } = result.kind === "sent" ? result.facts : {};
  if (exit !== undefined && "code" in exit) return `${serverName} ended the session with code ${exit.code}`;
  return lost ?? `${serverName} ended the session`;
}

/**
 * Whether an earlier process ended before the signer let its job begin, and the signer's record goes back that far. A signer knows nothing
 * of a job that began by a key, before the server got one.
 */
const isBeforeSigning = ({ noJobSince }: NoSession, order: ExecOrder): boolean =>
  noJobSince !== undefined &&
  isForCertificate(order.wrapped) &&
  order.mode === "job" &&
  order.resume !== undefined &&
  noJobSince <= order.resume.sentAt.getTime();

/** A session for one of the fixed scripts. A terminal would change the bytes. */
function openScript(
  means: Means,
  server: Server,
  job: JobRequest,
  signal: AbortSignal,
): Promise<OpenSession | NoSession> {
  const bytes = jobRequestLine(server, job);
  return server.signer
    ? openSigned(means, server, { asked: { ask: "job", server: server.name, bytes, job }, signal })
    : acquire(means, server, { command: bytes, tty: false, signal });
}

interface StoppableJob {
  readonly server: Server;
  readonly jobId: string;
  readonly connection: () => SharedConnection | undefined;
  readonly leaveSession: () => void;
  /** By what its own session said. */
  readonly hasEnded: () => boolean;
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
    const request = { act: "kill", jobId, graceMs: limits.graceMs } as const;
    const wanted = { command: jobRequestLine(server, request), tty: false, signal: closing };
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
    // A certificate's connection runs only its own command.
    if (!server.signer && connection !== undefined && connection.closedBecause() === undefined) {
      const place = await openSession({ ...wanted, connection, server, limits, leave: () => undefined });
      if (place.kind === "open") await kill(place);
    }
    if (words.length > 0) return readStop(words);
    // A server may grant only the job's own session, so that is closed during the stop. The server keeps it until its program notices, so
    // the whole connection is closed if unused by others.
    roomNeeded = !server.signer;
    const still = job.connection();
    if (roomNeeded) {
      if (still !== undefined && still.running.size <= 1) await hangUp({ ok: true, connection: still });
      job.leaveSession();
    }
    const giveUpAt = performance.now() + server.hardTimeoutMs;
    for (let tries = 1; ; tries++) {
      const place = await openScript(means, server, request, closing);
      if (place.kind === "open") await kill(place);
      // A signer that is away for a moment is asked again: the job runs on, and its own session is still heard.
      const isOver = place.kind === "open" || !server.signer || job.hasEnded() || performance.now() > giveUpAt;
      if (isOver || closing.aborted) return readStop(words, place.kind === "none" ? place.result : undefined);
      const waitMs = backoffMs(tries, { baseMs: limits.attachBaseMs, mostMs: limits.attachMostMs });
      await sleep(waitMs, undefined, { signal: closing }).catch(() => undefined);
    }
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

function readStop(words: readonly JobWord[], unsent?: UnsentReason): StopVerdict {
  const why = unsent?.kind === "failed" ? unsent.failure.reason : "the server did not answer";
  if (words.length === 0) return { kind: "unverified", why };
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
