import { CompiledQuery } from "kysely";
import type { PgBoss } from "pg-boss";
import { messageOf } from "../../base/errors.ts";
import { type QueueName, queues } from "../../base/queues.ts";
import { afterCommit } from "../database/after-commit.ts";
import type { BossDatabase, Connection, Tx, Warn } from "../database/connection.ts";
import { newId } from "../ids.ts";
import type { Job, NewJob, ServeOptions } from "./job.ts";
import { bringForward, ensureShareIndex, isAnyDue, reclaim } from "./job-table.ts";
import { createSuspects } from "./poison-jobs.ts";
import { createPump, type Pump } from "./pump.ts";

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
    options?: Delay & Pick<NewJob, "share">,
  ) => Promise<void>;
  /** Many jobs in one statement, for group commit; not for `post`, since these do not coalesce. */
  readonly enqueueMany: (tx: Tx, queue: Exclude<QueueName, "post">, jobs: readonly NewJob[]) => Promise<void>;
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

/** pg-boss's settings of our queues. Attempts and their ends are the pump's, and no job is ever dropped for its age. */
const queueSettings = {
  policy: "key_strict_fifo",
  retryLimit: 1_000_000,
  retentionSeconds: 50 * 365 * 24 * 3600,
} as const;

/** The queue of a store: pg-boss's tables, order and claims, served by our own pump (`pump.ts`). */
export async function createQueue(boss: PgBoss, connection: Connection, warn: Warn): Promise<Queue> {
  const { db, others } = connection;
  for (const queue of queues) await boss.createQueue(queue, queueSettings);
  await ensureShareIndex(db);
  await connection.whileAlone(() => reclaim(db));
  const pumps = new Map<QueueName, Pump>();
  const suspects = createSuspects();
  let stopping: Promise<void> | undefined;

  const wake = (queue: QueueName): void => {
    pumps.get(queue)?.wake();
    others?.announce(queue);
  };
  others?.onAnnounced((announced) => {
    for (const [queue, pump] of pumps) if (queue === announced) pump.wake();
  });

  const insert = async (tx: Tx, queue: QueueName, jobs: readonly (NewJob & Delay)[]): Promise<void> => {
    // Ids that grow keep the order of jobs that share their transaction's time; pg-boss's own would not.
    const rows = jobs.map(({ key, share = key, ...job }) => ({
      id: newId(),
      singletonKey: key,
      group: { id: share },
      ...job,
    }));
    await boss.insert(queue, rows, { db: within(tx) });
    afterCommit(tx, () => wake(queue));
  };

  const hasten = async (tx: Tx, queue: QueueName, key: string, at = new Date()): Promise<boolean> => {
    const waits = await bringForward(tx, queue, key, at);
    if (waits) afterCommit(tx, () => wake(queue));
    return waits;
  };

  return {
    enqueue: async (tx, queue, key, data, options = {}) => {
      if (queue === "post" && (await hasten(tx, queue, key, options.startAfter))) return;
      await insert(tx, queue, [{ key, data, ...options }]);
    },
    enqueueMany: insert,
    hasten: async (tx, queue, key) => {
      await hasten(tx, queue, key);
    },
    wake,
    serve: async (queue, options, handler) => {
      if (pumps.has(queue)) throw new Error(`the queue ${queue} is served already`);
      pumps.set(queue, createPump({ ...options, connection, queue, handler, suspects, warn }));
    },
    idle: () => idle(pumps),
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };

  async function stopAll(): Promise<void> {
    const outbox = new Map([...pumps].filter(([queue]) => queue === "post"));
    await Promise.all([...pumps].map(([queue, pump]) => (outbox.has(queue) ? undefined : pump.stop())));
    const enough = AbortSignal.timeout(lastWordsMs);
    await idle(outbox, enough).catch((error) =>
      warn(`queue: stopped before the outbox was empty: ${messageOf(error)}`),
    );
    await Promise.all([...outbox.values()].map((pump) => pump.stop()));
  }

  /** Until no job of these pumps is active or due, or until the signal. */
  async function idle(some: ReadonlyMap<QueueName, Pump>, enough?: AbortSignal): Promise<void> {
    const isServing = () => [...some.values()].some((pump) => pump.isBusy());
    while (!enough?.aborted && (isServing() || (await isAnyDue(db, [...some.keys()])))) {
      // What became due by time is fetched now; while a job is served, its end wakes the pump by itself.
      if (!isServing()) for (const pump of some.values()) pump.wake();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** How long the outbox has for what has ended while the bot stopped. */
const lastWordsMs = 2_000;

interface Delay {
  readonly startAfter?: Date;
}

/** pg-boss's statements, in our transaction: any other way they would wait for it for ever on the embedded store. */
function within(tx: Tx): BossDatabase {
  const plain = tx.withoutPlugins();
  return {
    executeSql: async (text, values = []) => {
      const { rows } = await plain.executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows };
    },
  };
}
