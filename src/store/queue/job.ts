import type { QueueName } from "../../base/queues.ts";
import type { Tx } from "../database/connection.ts";

/** A job that was claimed. */
export interface JobAttempt {
  readonly id: number;
  /** What is served one after another, e.g. `issue:7:42`. */
  readonly key: string;
  readonly data: unknown;
  /** 1 for the first. It fences the job: whoever holds an earlier one can end nothing (RR-05). */
  readonly attempt: number;
  /** How many of those before failed. */
  readonly failures: number;
  /** During how many of those before the process ended; that of a first one leaves no trace. */
  readonly deaths: number;
}

export interface Job extends JobAttempt {
  readonly queue: QueueName;
  /** Whether it is given up where this attempt fails. */
  readonly isLast: boolean;
  /** Aborted when the job is no longer this process's, or when the process wants to end. */
  readonly signal: AbortSignal;
  /**
   * For what must not be done by a process that has lost the job without knowing it (RR-05): throws where it was given to another
   * one, and nobody is given it before this transaction ends.
   */
  readonly fence: (tx: Tx) => Promise<void>;
  /**
   * Ends the job in one commit with its effect. Throws, and so undoes the effect, where it has meanwhile been given to another process.
   * A job whose handler does not call it ends when that returns.
   */
  readonly settle: (tx: Tx) => Promise<void>;
  /** Has the job served once more after so long, or sooner if another of its key comes, if its handler returns without an error. */
  readonly comeBack: (afterMs: number) => void;
}

export interface NewJob {
  readonly key: string;
  /** Whose work it is, e.g. a repository's; its key's own where nothing is said. No share keeps the others waiting (SR-62). */
  readonly share?: string | undefined;
  readonly data: object;
  /** How long it waits: a moment would be another one once a clock is set. */
  readonly afterMs?: number | undefined;
}

export interface ServeOptions {
  /** How many keys are served side by side. */
  readonly slots: number;
  /** How many more this process may claim before a slot is free, for work so short that a claim costs as much; none unless said. */
  readonly ahead?: number | undefined;
  /** After how many attempts a job is given up; five unless said otherwise. */
  readonly attempts?: number | undefined;
  /** Whether an error is of what passes by itself, e.g. a server that is away: the job is tried again, and it does not count as failed. */
  readonly isTransient?: ((error: unknown) => boolean) | undefined;
  /** Told of a job that failed so often, or was served as often when the process ended; after that the job is over (RR-17). */
  readonly onPoison: (job: Job, error: unknown) => Promise<void>;
}
