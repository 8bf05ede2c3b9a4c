import { messageOf } from "../../base/errors.ts";
import type { QueueName } from "../../base/queues.ts";
import { sleep } from "../../base/sleep.ts";
import { afterCommit } from "../database/commit.ts";
import type { Connection, Db, Tx, Warn } from "../database/connection.ts";
import type { Job, NewJob, ServeOptions } from "./job.ts";
import { createPoisonJobs } from "./poison-jobs.ts";
import { createPump, type Pump } from "./pump.ts";
import { addJobs, addMissing, addUnlessWaiting, bringForward, reclaim } from "./table.ts";
import { isAnyDue } from "./waiting.ts";

export type { Job, ServeOptions } from "./job.ts";

export interface Queue {
  /**
   * Inside the caller's transaction; the job is picked up when that commits. Jobs of one key are served in this order, and those
   * of different shares in turns. `post` coalesces: at most one job waits and one is active per key.
   */
  readonly enqueue: (
    tx: Tx,
    queue: QueueName,
    key: string,
    data: object,
    options?: Pick<NewJob, "share" | "afterMs">,
  ) => Promise<void>;
  /** Many jobs in one statement, for group commit; not for `post`, since these do not coalesce. */
  readonly enqueueMany: (tx: Tx, queue: Exclude<QueueName, "post">, jobs: readonly NewJob[]) => Promise<void>;
  /** Adds jobs, each only where there is none of its key: what waits for its time goes on waiting. */
  readonly enqueueMissing: (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /** Makes the waiting job of a key due when the transaction commits; one that was put back after a failure keeps its time. */
  readonly hasten: (tx: Tx, queue: QueueName, key: string) => Promise<void>;
  /** Tells the pumps, of other processes too, that something was committed; `Store.transaction` does it by itself. */
  readonly wake: (queue: QueueName) => void;
  /** Serves a queue: one job at a time per key. A job that throws is tried again, five times in all, ever later; what passes does not count. */
  readonly serve: (queue: QueueName, options: ServeOptions, handler: (job: Job) => Promise<void>) => Promise<void>;
  /** Resolves when no job of a served queue is active or due; for tests. */
  readonly idle: () => Promise<void>;
  /**
   * Takes no new jobs and waits for the active ones; after 25 s it aborts their signals, and whoever serves the queue next has
   * them. The outbox is stopped last, so that what ends meanwhile is told where GitHub takes it at once (RR-14).
   */
  readonly stop: () => Promise<void>;
}

/** How long the outbox has for what has ended while the bot stopped. */
const lastWordsMs = 2_000;

/** The queue of a store: its table's order and claims (`table.ts`), served by a pump for each queue (`pump.ts`). */
export async function createQueue(connection: Connection, warn: Warn): Promise<Queue> {
  const { db, others } = connection;
  await connection.whileAlone(() => reclaim(connection.relaxed));
  const pumps = new Map<QueueName, Pump>();
  const poisonJobs = createPoisonJobs();
  let stopping: Promise<void> | undefined;

  others?.onAnnounced((announced) => {
    for (const [queue, pump] of pumps) if (queue === announced) pump.wake();
  });
  const wake = createWake(pumps, others);
  /** A job for later is found when it is due. */
  const wakeFor = (tx: Tx, queue: QueueName, jobs: readonly NewJob[]): void => {
    const keys = jobs.map(({ key }) => key);
    if (jobs.some(({ afterMs = 0 }) => afterMs <= 0)) afterCommit(tx, () => wake(queue, keys));
  };
  const adding = (add: typeof addJobs) => async (tx: Tx, queue: QueueName, jobs: readonly NewJob[]) => {
    await add(tx, queue, jobs);
    wakeFor(tx, queue, jobs);
  };
  const enqueueMany = adding(addJobs);
  /** What each transaction has said of `post`: once is enough, however often it changes an issue. */
  const said = new WeakMap<Tx, Set<string>>();
  const enqueuePost = async (tx: Tx, job: NewJob): Promise<void> => {
    if (job.afterMs === undefined) {
      const keys = said.get(tx) ?? new Set();
      if (keys.has(job.key)) return;
      said.set(tx, keys.add(job.key));
    }
    await addUnlessWaiting(tx, "post", job);
    wakeFor(tx, "post", [job]);
  };

  return {
    enqueue: (tx, queue, key, data, options = {}) => {
      const job = { key, data, ...options };
      return queue === "post" ? enqueuePost(tx, job) : enqueueMany(tx, queue, [job]);
    },
    enqueueMany,
    enqueueMissing: adding(addMissing),
    hasten: async (tx, queue, key) => {
      if (await bringForward(tx, queue, key)) afterCommit(tx, () => wake(queue, [key]));
    },
    wake: (queue) => wake(queue),
    serve: async (queue, options, handler) => {
      if (pumps.has(queue)) throw new Error(`the queue ${queue} is served already`);
      pumps.set(queue, createPump({ ...options, connection, queue, handler, poisonJobs, warn }));
    },
    idle: () => untilIdle(db, pumps),
    stop: () => {
      stopping ??= stopPumps(db, pumps, warn);
      return stopping;
    },
  };
}

/** Tells the pump of a queue, and those of other processes where it cannot begin it itself, that jobs of these keys were added. */
const createWake =
  (pumps: ReadonlyMap<QueueName, Pump>, others: Connection["others"]) =>
  (queue: QueueName, keys: readonly string[] = []): void => {
    const own = pumps.get(queue);
    // Nobody can have it before what is served here has ended.
    if (keys.length > 0 && own && keys.every(own.serves)) return void own.wakeLater();
    // What this process is free to take needs no word to the others; should it not, they find it by looking.
    if (!own?.hasRoom()) others?.announce(queue);
    own?.wake();
  };

/** Until no job of these pumps is active or due, or until the signal. */
async function untilIdle(db: Db, pumps: ReadonlyMap<QueueName, Pump>, enough?: AbortSignal): Promise<void> {
  const isServing = () => [...pumps.values()].some((pump) => pump.isBusy());
  while (!enough?.aborted && (isServing() || (await isAnyDue(db, [...pumps.keys()])))) {
    // What became due by time is fetched now; while a job is served, its end wakes the pump by itself.
    if (!isServing()) for (const pump of pumps.values()) pump.wake();
    await sleep(5);
  }
}

/** Stops the pumps, the outbox's last. */
async function stopPumps(db: Db, pumps: ReadonlyMap<QueueName, Pump>, warn: Warn): Promise<void> {
  const outbox = new Map([...pumps].filter(([queue]) => queue === "post"));
  await Promise.all([...pumps].map(([queue, pump]) => (outbox.has(queue) ? undefined : pump.stop())));
  await untilIdle(db, outbox, AbortSignal.timeout(lastWordsMs)).catch((error) =>
    warn(`queue: stopped before the outbox was empty: ${messageOf(error)}`),
  );
  await Promise.all([...outbox.values()].map((pump) => pump.stop()));
}
