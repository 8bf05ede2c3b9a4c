import { setTimeout as sleep } from "node:timers/promises";
import type { Ending } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { backoffMs } from "../../base/sleep.ts";
import { type Attempt, type Means, type Sending, sendOnce } from "../attempt.ts";
import { type EndingFacts, endingOf } from "../ending.ts";
import { decideJobEnding } from "./end.ts";
import { followJob, giveUpSlackMs } from "./follow.ts";
import { jobRequestLine } from "./line.ts";
import { describeMissing } from "./news.ts";
import type { JobStopping } from "./stop.ts";

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

/**
 * Starts a job, or finds one again, and follows it to its end through any loss of the connection: each time from the byte
 * it had come to, so the output is the same as if nothing had happened. Only its first request can start it. Never throws.
 */
export async function runJob(means: Means, order: JobOrder, watch: JobWatch, start: StartJob): Promise<JobOutcome> {
  const { server, jobId } = order;
  const { limits, closing } = means;
  const housekeeping: string[] = [];
  const job = followJob(means, order, { ...watch, onStop: () => housekeeping.push("job kill") });
  const { news } = job;
  const ask: StartJob = (sending) => sendOnce(means, server, sending);
  const isDone = (): boolean => news.end !== undefined || job.over.aborted || closing.aborted;
  const giveUpAt = performance.now() + server.hardTimeoutMs + giveUpSlackMs;
  let atStart = order.resume === undefined;
  let attempt: Attempt;
  for (let unheard = 0; ; atStart = false) {
    const { heard, offset } = news;
    const act = news.begun === undefined ? "settle" : "follow";
    if (!atStart) housekeeping.push(`job ${act}`);
    attempt = await (atStart
      ? job.attach(start, order.wrapped)
      : job.attach(ask, jobRequestLine(server, { act, jobId, offset })));
    if (job.sentAtMs() === undefined || isDone()) break;
    await job.roomMade();
    unheard = news.heard > heard ? 0 : unheard + 1;
    if (unheard >= limits.attachAttempts || performance.now() > giveUpAt) break;
    const waitMs = backoffMs(unheard, { baseMs: limits.attachBaseMs, mostMs: limits.attachMostMs });
    // Woken early it sees that it is over.
    await sleep(waitMs, undefined, { signal: AbortSignal.any([job.over, closing]) }).catch(() => undefined);
    if (isDone()) break;
  }
  job.letGo();
  const sentAtMs = job.sentAtMs();
  const ending =
    sentAtMs === undefined
      ? endingOf(attempt.result, watch.signal)
      : decideJobEnding({
          serverName: server.name,
          hardTimeoutMs: server.hardTimeoutMs,
          end: news.end,
          atStart,
          begun: news.begun,
          sentMsAgo: Date.now() - sentAtMs,
          stop: await reportOf(job.stopping(), news.end?.kind === "ended"),
          lost: closing.aborted ? closingNote : whyLost(attempt, server.name),
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

const closingNote = "the bot was stopped while it ran, and on the server it goes on";

async function reportOf(stop: JobStopping | undefined, ended: boolean): Promise<EndingFacts["stop"]> {
  if (stop === undefined) return undefined;
  const verdict = await stop.verdict;
  return { cause: stop.cause, report: verdict.kind === "unverified" ? { ...verdict, ended } : verdict };
}

function whyLost({ result }: Attempt, serverName: string): string {
  if (result.kind === "failed") return result.failure.reason;
  if (result.kind === "no-session") return `${serverName} opens no session`;
  const { lost, exit } = result.kind === "sent" ? result.facts : {};
  if (exit !== undefined && "code" in exit) return `${serverName} ended the session with code ${exit.code}`;
  return lost ?? `${serverName} ended the session`;
}
