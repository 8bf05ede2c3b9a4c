import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../base/backoff.ts";
import type { Ending, Server } from "../../base/types.ts";
import { type Attempt, type Means, type Sending, sendOnce } from "../attempt.ts";
import { type EndingFacts, endingOf, type StopCause, stopperIn } from "../ending.ts";
import type { SharedConnection } from "../session.ts";
import { within } from "../stop.ts";
import type { StopVerdict } from "../stop-script.ts";
import { decideJobEnding } from "./end.ts";
import { jobRequestLine } from "./line.ts";
import { createJobNews, createNewsReader, describeMissing } from "./news.ts";
import { stopJob } from "./stop.ts";

export interface JobOrder {
  readonly server: Server;
  readonly wrapped: string;
  readonly jobId: string;
  readonly resume?: { readonly sentAt: Date };
}

/** Sends the request that starts the job; nothing else can. */
export type StartJob = (sending: Sending) => Promise<Attempt>;

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
  readonly housekeeping: readonly string[];
}

/** After the stop, how long the end may take to be told. */
const afterStopMs = 5_000;

/** Longer than the server's own limit, which is a minute later than ours. */
const giveUpSlackMs = 90_000;

/**
 * Starts a job, or finds one again, and follows it to its end through any loss of the connection: each time from the byte
 * it had come to, so the output is the same as if nothing had happened. Only its first request can start it. Never throws.
 */
export async function runJob(means: Means, order: JobOrder, watch: JobWatch, start: StartJob): Promise<JobOutcome> {
  const { server, jobId, resume } = order;
  const ask: StartJob = (sending) => sendOnce(means, server, sending);
  const { limits, closing } = means;
  const news = createJobNews();
  const over = new AbortController();
  let leave = new AbortController();
  let connection: SharedConnection | undefined;
  let sentAtMs = resume?.sentAt.getTime();
  let hardLimit: NodeJS.Timeout | undefined;
  let roomNeeded = false;
  const housekeeping: string[] = [];
  let stop: Stop | undefined;

  const stopFor = (cause: StopCause): void => {
    if (stop !== undefined || news.end !== undefined) return;
    const makeRoom = async (): Promise<void> => {
      roomNeeded = true;
      if (connection !== undefined) await giveUp(connection);
      leave.abort("room");
    };
    housekeeping.push("job kill");
    const verdict = stopJob(means, { server, jobId, connection: () => connection, makeRoom });
    stop = { cause, verdict };
    void verdict.then(() => setTimeout(() => over.abort(), afterStopMs).unref());
  };
  const onAbort = (): void => {
    if (sentAtMs === undefined) leave.abort(watch.signal.reason);
    else stopFor({ kind: "cancelled", ...stopperIn(watch.signal) });
  };
  const onBegun = (agoMs: number): void => {
    const cause: StopCause = { kind: "timed-out", afterMs: server.hardTimeoutMs };
    hardLimit = setTimeout(stopFor, Math.max(0, server.hardTimeoutMs - agoMs), cause);
  };
  // Not at once: this is called out of the session that is left by it.
  const onEnd = (): void => queueMicrotask(() => leave.abort("over"));
  const attach = (send: StartJob, command: string): Promise<Attempt> => {
    leave = new AbortController();
    if (over.signal.aborted) leave.abort("over");
    if (watch.signal.aborted) onAbort();
    return send({
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
      onData: createNewsReader(jobId, news, { onData: watch.onData, onMissed: watch.onMissed, onBegun, onEnd }),
      onStderr: () => undefined,
    });
  };
  over.signal.addEventListener("abort", () => leave.abort("over"));
  watch.signal.addEventListener("abort", onAbort, { once: true });

  const giveUpAt = performance.now() + server.hardTimeoutMs + giveUpSlackMs;
  const isDone = (): boolean => news.end !== undefined || over.signal.aborted || closing.aborted;
  let atStart = resume === undefined;
  let attempt: Attempt;
  for (let unheard = 0; ; atStart = false) {
    const heard = news.heard;
    const act = news.begun === undefined ? "settle" : "follow";
    if (!atStart) housekeeping.push(`job ${act}`);
    attempt = await (atStart
      ? attach(start, order.wrapped)
      : attach(ask, jobRequestLine(server, { act, jobId, offset: news.offset })));
    if (sentAtMs === undefined || isDone()) break;
    if (roomNeeded) await stop?.verdict;
    unheard = news.heard > heard ? 0 : unheard + 1;
    if (unheard >= limits.attachAttempts || performance.now() > giveUpAt) break;
    const waitMs = backoffMs(unheard, { baseMs: limits.attachBaseMs, mostMs: limits.attachMostMs });
    // Woken early it sees that it is over.
    await sleep(waitMs, undefined, { signal: AbortSignal.any([over.signal, closing]) }).catch(() => undefined);
    if (isDone()) break;
  }
  clearTimeout(hardLimit);
  watch.signal.removeEventListener("abort", onAbort);
  const hostKey = connection?.hostKey;
  const outputNote = describeMissing(news);
  return {
    ending:
      sentAtMs === undefined
        ? endingOf(attempt.result, watch.signal)
        : decideJobEnding({
            serverName: server.name,
            hardTimeoutMs: server.hardTimeoutMs,
            end: news.end,
            atStart,
            begun: news.begun,
            sentMsAgo: Date.now() - sentAtMs,
            stop: await reportOf(stop, news.end?.kind === "ended"),
            lost: closing.aborted ? closingNote : whyLost(attempt, server.name),
          }),
    housekeeping,
    ...(hostKey === undefined ? {} : { hostKey }),
    ...(outputNote === undefined ? {} : { outputNote }),
  };
}

const closingNote = "the bot was stopped while it ran, and on the server it goes on";

interface Stop {
  readonly cause: StopCause;
  readonly verdict: Promise<StopVerdict>;
}

async function reportOf(stop: Stop | undefined, ended: boolean): Promise<EndingFacts["stop"]> {
  if (stop === undefined) return undefined;
  const verdict = await stop.verdict;
  return { cause: stop.cause, report: verdict.kind === "unverified" ? { ...verdict, ended } : verdict };
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
