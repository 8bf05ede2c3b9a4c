import { stopperIn } from "../../base/run.ts";
import type { Attempt, Means } from "../attempt.ts";
import type { StopCause } from "../ending.ts";
import type { SharedConnection } from "../session.ts";
import { createJobNews, createNewsReader, type JobNews } from "./news.ts";
import type { JobOrder, JobWatch, StartJob } from "./run.ts";
import { createJobStopper } from "./stop.ts";

/** A job that is followed over one session after another. */
interface FollowedJob extends Omit<ReturnType<typeof createJobStopper>, "stop"> {
  readonly news: JobNews;
  /** Sends a request and follows the job in its session, until that ends. Never rejects. */
  readonly attach: (send: StartJob, command: string) => Promise<Attempt>;
  /** Undefined as long as nothing can have been sent. */
  readonly sentAtMs: () => number | undefined;
  readonly hostKey: () => string | undefined;
  /** Hears no limit and no signal any more. */
  readonly letGo: () => void;
}

/** Longer than the server's own limit, which is a minute later than ours. */
export const giveUpSlackMs = 90_000;

/** Keeps what is known of a job from session to session, and ends it when the signal or the hard limit says so. */
export function followJob(
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
  // Not at once: this is called out of the session that is left by it.
  const onEnd = (): void => queueMicrotask(leaveSession);
  const attach: FollowedJob["attach"] = (send, command) => {
    leave = new AbortController();
    if (stopper.over.aborted) leaveSession();
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
