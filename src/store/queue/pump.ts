import { reached } from "../../base/crash-point.ts";
import { messageOf } from "../../base/errors.ts";
import type { Connection, Warn } from "../database/connection.ts";
import { type Claim, createClaims } from "./claims.ts";
import { createFetcher } from "./fetcher.ts";
import type { Job, ServeOptions } from "./job.ts";
import type { PoisonJobs } from "./poison-jobs.ts";
import { isSpent } from "./retry.ts";
import { serveJob } from "./serve-job.ts";

/** The floor under waking: finds what became due by time, and what another process's lost word was about. */
const pollIntervalMs = 1_000;
const stopGraceMs = 25_000;
/** So much of what one process can hold may be one share's: the rest is for others, also while its jobs take their time. */
const sharePart = 3 / 4;

export type Pump = ReturnType<typeof createPump>;

export interface PumpOptions extends ServeOptions {
  readonly connection: Connection;
  readonly queue: Job["queue"];
  readonly handler: (job: Job) => Promise<void>;
  /** One for all pumps of the process. */
  readonly poisonJobs: PoisonJobs;
  readonly warn: Warn;
}

/** Serves one queue: fetches when woken, as many jobs as there are free slots and a few ahead, in one statement. */
export function createPump(options: PumpOptions) {
  const { connection, queue, slots, attempts = 5, poisonJobs, warn } = options;
  const most = slots + (options.ahead ?? 0);
  const isShort = most > slots;
  const claims = createClaims(options);
  let stopped = false;

  const hasSlot = (): boolean => !stopped && claims.served().length < slots;
  const hasRoom = (): boolean => hasSlot() && claims.next() === undefined;
  const fetcher = createFetcher({
    mayFetch: hasRoom,
    fetch: async () => {
      await claims.fetch({ most: most - claims.served().length, perShare: Math.ceil(most * sharePart) });
      fillSlots();
    },
    failed: (error) => warn(`queue ${queue}: cannot fetch: ${messageOf(error)}`),
  });

  const fillSlots = (): void => {
    for (let one = claims.next(); one && hasSlot(); one = claims.next()) {
      const { deaths } = one;
      const isSuspect = deaths > 0 && !isSpent(one, attempts);
      const leave = isSuspect ? undefined : poisonJobs.pass({ isShort });
      if (!isSuspect && !leave) return;
      claims.leaveLine();
      if (leave) void begin(one).then(leave);
      else void poisonJobs.enter({ deaths, isShort }).then((leave) => begin(one).then(leave));
    }
  };
  const serving = { ...options, db: connection.db, attempts, fetcher, isStopping: () => stopped };
  const begin = async (one: Claim): Promise<void> => {
    if (!claims.has(one)) return;
    one.done = serveJob(serving, one, one.abort.signal).finally(() => claims.end(one));
    await one.done;
    fillSlots();
    fetcher.goOn();
  };

  poisonJobs.onFree(fillSlots);
  const poll = setInterval(fetcher.wake, pollIntervalMs).unref();
  // Where there can be other processes, they take over a job that is not kept alive.
  const heartbeat = connection.others && claims.keepAlive();
  fetcher.wake();

  const stop = async (): Promise<void> => {
    stopped = true;
    if (claims.served().length > 0) reached("CP18");
    clearInterval(poll);
    const grace = setTimeout(() => {
      for (const { abort } of claims.served()) abort.abort(new Error("the process is ending"));
    }, stopGraceMs);
    await fetcher.fetching();
    await claims.putBackUnbegun();
    await Promise.all(claims.served().map(({ done }) => done));
    clearTimeout(grace);
    await heartbeat?.stop();
  };
  const isBusy = (): boolean => !claims.isEmpty() || fetcher.fetching() !== undefined;
  return { ...fetcher, hasRoom, serves: claims.serves, isBusy, stop };
}
